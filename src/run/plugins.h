// SPDX-License-Identifier: Apache-2.0
/// Plugins of a simulation: loaded, asked in turn, stopped when they fail.
#ifndef SN_RUN_PLUGINS_H
#define SN_RUN_PLUGINS_H

#include "sinew/plugin.h"

typedef struct sni_plugin {
    void* library; ///< NULL: its table was given
    const sn_plugin* table;
    char* options;
    void* memory;      ///< its own
    bool begun;        ///< init succeeded: there will be a cleanup
    char trouble[256]; ///< why it was stopped; "": it runs
} sni_plugin;

typedef struct sni_plugins {
    sni_plugin* at; // [count]
    int count;
    bool beginning; ///< inside the init of one
    sn_drawing* drawing;
} sni_plugins;

/// Loads one and checks its table; it is not begun yet. options NULL: "".
sn_status sni_plugins_load(sni_plugins* plugins, const char* path, const char* options,
                           sn_place place, sn_error* error);
sn_status sni_plugins_add(sni_plugins* plugins, const sn_plugin* table, void* library,
                          const char* from, const char* options, sn_place place, sn_error* error);
/// Lets those from the first on that are not begun yet provide their modules.
sn_status sni_plugins_provide(sni_plugins* plugins, sn_modules* modules, sn_error* error);
/// Begins those that are not.
sn_status sni_plugins_begin(sni_plugins* plugins, sn_simulation* sim, sn_error* error);
/// Asks all for what they do after a step.
void sni_plugins_step(sni_plugins* plugins, sn_simulation* sim);
/// One that runs and has this name; NULL: there is none.
sni_plugin* sni_plugins_find(const sni_plugins* plugins, const char* name);
/// Stops it for good; `what` it did.
void sni_plugin_stop(sni_plugin* plugin, sn_simulation* sim, const char* what, sn_status status);
static inline bool sni_plugin_runs(const sni_plugin* plugin) {
    return plugin->begun && plugin->trouble[0] == '\0';
}
/// Cleans up those that were begun, in the opposite order.
void sni_plugins_end(sni_plugins* plugins);
/// Unloads all.
void sni_plugins_free(sni_plugins* plugins);

#endif
