// SPDX-License-Identifier: Apache-2.0
/// Plugins: a shared library that takes part in a simulation.
///
/// It exports one table, `const sn_plugin sn_plugin_table`, and uses nothing but the public headers:
///
///     static sn_status step(void* memory, sn_simulation* sim) { ... }
///     const sn_plugin sn_plugin_table = {SN_PLUGIN_HEAD, .name = "mine", .init = init, .step = step, .cleanup = cleanup};
///
/// Built with `cc -shared -fPIC mine.c -o mine.so`, loaded by `sinew sim SCENE --plugin mine.so` or `plugins:` in a scene
/// file. A table of another version, without a name, init, step or cleanup, or a second one of the same name, is
/// refused and says why. One that returns an error, or forces that are not finite, is stopped and named; the
/// simulation goes on without it.   docs/plugins.md
#ifndef SINEW_PLUGIN_H
#define SINEW_PLUGIN_H

#include "sinew/modules.h"
#include "sinew/simulation.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { SN_PLUGIN_VERSION = 1 };
#define SN_PLUGIN_HEAD .version = SN_PLUGIN_VERSION, .size = sizeof(sn_plugin)

/// Where plugins draw: lines and words in the world, in the pictures of the program.
typedef struct sn_drawing sn_drawing;
void sn_drawing_line(sn_drawing* drawing, sn_vec3 from, sn_vec3 to, const double color[4]);
void sn_drawing_text(sn_drawing* drawing, sn_vec3 at, const char* text, const double color[4]);

typedef struct sn_plugin {
    uint32_t version, size; ///< SN_PLUGIN_HEAD
    const char* name;
    const char* about; ///< one line
    /// Before there is a world: adds modules (sinew/modules.h) that the scene may name. May be NULL.
    sn_status (*provide)(sn_modules* modules, sn_error* error);
    /// When the world is there. options: text of the scene file, "" when there is none. *memory is handed to the others.
    sn_status (*init)(sn_simulation* sim, const char* options, void** memory, sn_error* error);
    /// After each step. Thread: sim.
    sn_status (*step)(void* memory, sn_simulation* sim);
    void (*cleanup)(void* memory);
    /// In each step: adds joint forces to tau (nv numbers of the whole). May be NULL. Must not wait.
    sn_status (*control)(void* memory, sn_simulation* sim, double* tau);
    /// Words that somebody sent it; writes an answer of at most `room` bytes, its end included. May be NULL.
    sn_status (*command)(void* memory, sn_simulation* sim, const char* words, char* answer,
                         size_t room);
    /// When a picture is made. May be NULL.
    void (*draw)(void* memory, sn_simulation* sim, sn_drawing* drawing);
} sn_plugin;

// ---- modules alone ---------------------------------------------------------------------------------

/// Modules that plugins provide, without a simulation for them to take part in: a replay needs no more of them.
typedef struct sn_plugin_modules sn_plugin_modules;

/// paths: NULL-terminated.
sn_status sn_plugin_modules_load(const char* const* paths, sn_plugin_modules** modules,
                                 sn_error* error);
const sn_modules* sn_plugin_modules_get(const sn_plugin_modules* modules);
/// After all worlds that use them.
void sn_plugin_modules_free(sn_plugin_modules* modules);

// ---- for hosts: thread sim ------------------------------------------------------------------------

typedef struct sn_stroke {
    sn_vec3 from, to; ///< equal: a place for words
    char text[48];    ///< "": a line
    double color[4];
} sn_stroke;

/// Adds one whose table is at hand, such as of another language; the table must outlive the simulation. It cannot
/// provide modules any more. Thread: sim.
sn_status sn_simulation_add_plugin(sn_simulation* sim, const sn_plugin* plugin, const char* options,
                                   sn_error* error);
int sn_simulation_plugin_count(const sn_simulation* sim);
const sn_plugin* sn_simulation_plugin(const sn_simulation* sim, int i);
/// Why it was stopped; NULL: it runs.
const char* sn_simulation_plugin_trouble(const sn_simulation* sim, int i);
/// What all plugins draw now; valid until the next call.
const sn_stroke* sn_simulation_draw(sn_simulation* sim, int* count);

#ifdef __cplusplus
}
#endif
#endif
