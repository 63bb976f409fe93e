// SPDX-License-Identifier: Apache-2.0
#include "run/plugins.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "run/sn_run.h"

// ---- loading ------------------------------------------------------------------------------------------

/// NULL, or what is wrong with a table.
static const char* trouble_of(const sn_plugin* table) {
    if (!table->name || !table->name[0]) return "its table has no name";
    if (!table->init) return "its table has no init";
    if (!table->step) return "its table has no step";
    if (!table->cleanup) return "its table has no cleanup";
    return NULL;
}

static sn_status check_table(const sni_plugins* plugins, const sn_plugin* table, const char* from,
                             sn_place place, sn_error* error) {
    if (table->version != SN_PLUGIN_VERSION || table->size != sizeof(sn_plugin))
        return sni_fail(
            error, SN_ERR_FORMAT, place,
            "%s: it is made for version %u of plugins (%u bytes), this is version %d (%zu "
            "bytes); build it again with the headers of this version",
            from, table->version, table->size, SN_PLUGIN_VERSION, sizeof(sn_plugin));
    const char* trouble = trouble_of(table);
    if (trouble) return sni_fail(error, SN_ERR_FORMAT, place, "%s: %s", from, trouble);
    for (int i = 0; i < plugins->count; i++)
        if (strcmp(plugins->at[i].table->name, table->name) == 0)
            return sni_fail(error, SN_ERR_ARGUMENT, place,
                            "%s: there is a plugin '%s' already; load it once", from, table->name);
    return SN_OK;
}

sn_status sni_plugins_add(sni_plugins* plugins, const sn_plugin* table, void* library,
                          const char* from, const char* options, sn_place place, sn_error* error) {
    sn_status status = check_table(plugins, table, from, place, error);
    if (status) return status;
    size_t count = (size_t)plugins->count;
    sni_plugin* at = realloc(plugins->at, (count + 1) * sizeof *at);
    if (at) plugins->at = at;
    char* copy = strdup(options ? options : "");
    if (!at || !copy) {
        free(copy);
        return sni_fail(error, SN_ERR_MEMORY, place, "%s: not enough memory", from);
    }
    at[count] = (sni_plugin){.library = library, .table = table, .options = copy};
    plugins->count++;
    return SN_OK;
}

/// A file of this folder, without a slash in its name, would be looked for where libraries of the system are.
static void* open_library(const char* path) {
    char here[4096];
    if (strchr(path, '/')) return dlopen(path, RTLD_NOW | RTLD_LOCAL);
    (void)snprintf(here, sizeof here, "./%s", path); // one too long is not found
    return dlopen(here, RTLD_NOW | RTLD_LOCAL);
}

sn_status sni_plugins_load(sni_plugins* plugins, const char* path, const char* options,
                           sn_place place, sn_error* error) {
    void* library = open_library(path);
    if (!library)
        return sni_fail(error, SN_ERR_FILE, place, "%s: it cannot be loaded: %s", path, dlerror());
    const sn_plugin* table = dlsym(library, "sn_plugin_table");
    sn_status status;
    if (table)
        status = sni_plugins_add(plugins, table, library, path, options, place, error);
    else
        status = sni_fail(error, SN_ERR_FORMAT, place,
                          "%s: it exports no sn_plugin_table, so it is no plugin", path);
    if (status) dlclose(library);
    return status;
}

sn_status sni_plugins_provide(sni_plugins* plugins, sn_modules* modules, sn_error* error) {
    for (int i = 0; i < plugins->count; i++) {
        const sn_plugin* table = plugins->at[i].table;
        if (!table->provide) continue;
        sn_error why = {0};
        sn_status status = table->provide(modules, &why);
        if (status)
            return sni_fail(error, status, sni_nowhere(), "plugin '%s' provides no modules: %s",
                            table->name, why.text[0] ? why.text : sn_status_text(status));
    }
    return SN_OK;
}

sn_status sni_plugins_begin(sni_plugins* plugins, sn_simulation* sim, sn_error* error) {
    for (int i = 0; i < plugins->count; i++) {
        sni_plugin* plugin = &plugins->at[i];
        if (plugin->begun) continue;
        sn_error why = {0};
        plugins->beginning = true;
        sn_status status = plugin->table->init(sim, plugin->options, &plugin->memory, &why);
        plugins->beginning = false;
        if (status)
            return sni_fail(error, status, sni_nowhere(), "plugin '%s' does not begin: %s",
                            plugin->table->name, why.text[0] ? why.text : sn_status_text(status));
        plugin->begun = true;
    }
    return SN_OK;
}

void sni_plugins_end(sni_plugins* plugins) {
    for (int i = plugins->count - 1; i >= 0; i--) {
        sni_plugin* plugin = &plugins->at[i];
        if (plugin->begun) plugin->table->cleanup(plugin->memory);
        plugin->begun = false;
    }
}

void sni_plugins_free(sni_plugins* plugins) {
    for (int i = plugins->count - 1; i >= 0; i--) {
        sni_plugin* plugin = &plugins->at[i];
        if (plugin->library) dlclose(plugin->library);
        free(plugin->options);
    }
    free(plugins->at);
    free(plugins->drawing);
    *plugins = (sni_plugins){0};
}

// ---- running --------------------------------------------------------------------------------------------

void sni_plugin_stop(sni_plugin* plugin, sn_simulation* sim, const char* what, sn_status status) {
    snprintf(plugin->trouble, sizeof plugin->trouble, "%s: %s", what, sn_status_text(status));
    sni_remark(sim, SN_LOG_WARNING, "plugin '%s' is stopped, the simulation goes on without it: %s",
               plugin->table->name, plugin->trouble);
}

void sni_plugins_step(sni_plugins* plugins, sn_simulation* sim) {
    for (int i = 0; i < plugins->count; i++) {
        sni_plugin* plugin = &plugins->at[i];
        if (!sni_plugin_runs(plugin)) continue;
        sn_status status = plugin->table->step(plugin->memory, sim);
        if (status) sni_plugin_stop(plugin, sim, "its step failed", status);
    }
}

sni_plugin* sni_plugins_find(const sni_plugins* plugins, const char* name) {
    for (int i = 0; i < plugins->count; i++)
        if (sni_plugin_runs(&plugins->at[i]) && strcmp(plugins->at[i].table->name, name) == 0)
            return &plugins->at[i];
    return NULL;
}

sn_status sn_simulation_add_plugin(sn_simulation* sim, const sn_plugin* plugin, const char* options,
                                   sn_error* error) {
    if (!sim || !plugin) return SN_ERR_ARGUMENT;
    if (sim->is_stepping || sim->plugins.beginning)
        return sni_fail(error, SN_ERR_ARGUMENT, sni_nowhere(),
                        "a plugin cannot be added by another one, or inside a step");
    sn_status status =
        sni_plugins_add(&sim->plugins, plugin, NULL, plugin->name ? plugin->name : "the plugin",
                        options, sni_nowhere(), error);
    if (status) return status;
    status = sni_plugins_begin(&sim->plugins, sim, error);
    if (status) free(sim->plugins.at[--sim->plugins.count].options);
    return status;
}

int sn_simulation_plugin_count(const sn_simulation* sim) { return sim->plugins.count; }

const sn_plugin* sn_simulation_plugin(const sn_simulation* sim, int i) {
    return i >= 0 && i < sim->plugins.count ? sim->plugins.at[i].table : NULL;
}

const char* sn_simulation_plugin_trouble(const sn_simulation* sim, int i) {
    const char* trouble = i >= 0 && i < sim->plugins.count ? sim->plugins.at[i].trouble : "";
    return trouble[0] ? trouble : NULL;
}

// ---- drawing ----------------------------------------------------------------------------------------------

enum { STROKES_MOST = 4096 };

struct sn_drawing {
    int count;
    sn_stroke stroke[STROKES_MOST]; ///< what is more is not drawn
};

static sn_stroke* next_stroke(sn_drawing* drawing, sn_vec3 from, sn_vec3 to,
                              const double color[4]) {
    if (drawing->count == STROKES_MOST) return NULL;
    sn_stroke* stroke = &drawing->stroke[drawing->count++];
    *stroke = (sn_stroke){.from = from, .to = to};
    memcpy(stroke->color, color, sizeof stroke->color);
    return stroke;
}

void sn_drawing_line(sn_drawing* drawing, sn_vec3 from, sn_vec3 to, const double color[4]) {
    (void)next_stroke(drawing, from, to, color);
}

void sn_drawing_text(sn_drawing* drawing, sn_vec3 at, const char* text, const double color[4]) {
    sn_stroke* stroke = next_stroke(drawing, at, at, color);
    if (stroke) snprintf(stroke->text, sizeof stroke->text, "%s", text);
}

const sn_stroke* sn_simulation_draw(sn_simulation* sim, int* count) {
    sni_plugins* plugins = &sim->plugins;
    *count = 0;
    if (!plugins->drawing) plugins->drawing = malloc(sizeof *plugins->drawing);
    if (!plugins->drawing) return NULL;
    plugins->drawing->count = 0;
    for (int i = 0; i < plugins->count; i++) {
        const sni_plugin* plugin = &plugins->at[i];
        if (sni_plugin_runs(plugin) && plugin->table->draw)
            plugin->table->draw(plugin->memory, sim, plugins->drawing);
    }
    *count = plugins->drawing->count;
    return plugins->drawing->stroke;
}
