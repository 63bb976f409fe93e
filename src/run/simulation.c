// SPDX-License-Identifier: Apache-2.0
// Making a simulation out of a scene, and its step.
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "run/edits.h"

enum { RETIRED_MOST = 256 };

sn_simulation_def sn_simulation_def_default(void) {
    return (sn_simulation_def){.load = sn_scene_load_def_default()};
}

void sni_remark(const sn_simulation* sim, sn_log_level level, const char* format, ...) {
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    sni_say(&sim->def.log, level, sni_nowhere(), "%s", text);
}

// ---- creation -------------------------------------------------------------------------------------------

static sn_status load_plugins(sn_simulation* sim, sn_error* error) {
    sn_status status = SN_OK;
    for (int i = 0; i < sn_scene_plugin_count(sim->scene) && !status; i++) {
        const sn_scene_plugin* plugin = sn_scene_plugin_at(sim->scene, i);
        status =
            sni_plugins_load(&sim->plugins, plugin->path, plugin->options, plugin->place, error);
    }
    const char* const* path = sim->def.plugins;
    for (; path && *path && !status; path++)
        status = sni_plugins_load(&sim->plugins, *path, NULL, sni_nowhere(), error);
    if (status) return status;
    sim->modules = sni_modules_beside(sim->def.world ? sim->def.world->modules : NULL);
    if (!sim->modules) return sni_fail(error, SN_ERR_MEMORY, sni_nowhere(), "not enough memory");
    return sni_plugins_provide(&sim->plugins, sim->modules, error);
}

static bool has_contact_sensor(const sn_scene* scene) {
    for (int i = 0; i < sn_scene_sensor_count(scene); i++)
        if (sn_scene_sensor(scene, i)->type == SN_SENSOR_CONTACT ||
            sn_scene_sensor(scene, i)->type == SN_SENSOR_FORCE)
            return true;
    return false;
}

/// What sleeps has no contact forces, so where somebody measures them nothing sleeps.
static void choose_options(sn_simulation* sim) {
    sim->world_def = sim->def.world ? *sim->def.world : *sn_scene_world(sim->scene);
    sim->world_def.modules = sim->modules;
    sim->world_def.log = &sim->def.log;
    sim->world_def.field = sn_scene_molecule_count(sim->scene) > 0;
    sim->world_def.units = sn_scene_world(sim->scene)->units;
    sim->world_def.contact.servos = sni_count_bounded(sim->scene);
    if (has_contact_sensor(sim->scene)) sim->world_def.contact.rest_time = INFINITY;
}

bool sni_is_adaptive(const sn_simulation* sim) {
    return sim->world_def.dynamics && strcmp(sim->world_def.dynamics, "adaptive") == 0;
}

static sn_status begin_state(sn_simulation* sim) {
    const sn_model* whole = sim->whole;
    double* q = malloc(((size_t)sn_model_nq(whole) + 1) * sizeof *q);
    double* v = malloc(((size_t)sn_model_nv(whole) + 1) * sizeof *v);
    bool* locked = calloc((size_t)sn_model_body_count(whole) + 1, sizeof *locked);
    sn_status status = q && v && locked ? SN_OK : SN_ERR_MEMORY;
    if (!status) {
        sni_begin_items(&sim->items, whole, q, v, locked);
        status = sn_world_set_state(sim->world, q, v);
    }
    for (int i = 0; !status && i < sn_model_body_count(whole); i++)
        if (locked[i]) status = sn_world_lock(sim->world, sn_body(i), true);
    free(q);
    free(v);
    free(locked);
    return status;
}

static bool allocate_rings(sn_simulation* sim) {
    sni_ring_layout(&sim->retired, &sim->arena, RETIRED_MOST, sizeof(sn_replacement*));
    if (!sni_arena_allocate(&sim->arena)) return false;
    sni_ring_layout(&sim->retired, &sim->arena, RETIRED_MOST, sizeof(sn_replacement*));
    return true;
}

static sn_status make_world(sn_simulation* sim, sn_error* error) {
    sn_model* whole = NULL;
    sn_status status = sni_add_scene_items(sim, error);
    if (!status) status = sni_build_whole(sim, &whole, error);
    if (status) return status;
    sim->models = malloc(sizeof *sim->models);
    if (!sim->models) {
        sn_model_free(whole);
        return sni_fail(error, SN_ERR_MEMORY, sni_nowhere(), "not enough memory");
    }
    sim->models[sim->model_count++] = whole;
    sim->whole = whole;
    sni_number_bodies(&sim->items);
    status = sn_world_create(whole, &sim->world_def, &sim->world, error);
    if (status) return status;
    sim->world->companion = sni_plan_create(sim->scene, &sim->items, whole);
    status = sim->world->companion && allocate_rings(sim) ? SN_OK : SN_ERR_MEMORY;
    if (!status) status = sni_targets_create(sim);
    if (!status) status = sni_movers_create(sim);
    if (!status) status = sni_sensors_create(sim);
    if (!status) status = begin_state(sim);
    if (!status && sn_scene_molecule_count(sim->scene) > 0) return sni_molecules_create(sim, error);
    if (status)
        return sni_fail(error, status, sni_nowhere(), "the scene cannot begin: %s",
                        sn_status_text(status));
    return SN_OK;
}

static sn_status begin(sn_simulation* sim, sn_error* error) {
    sn_recording_def recording = sn_scene_recording(sim->scene);
    sn_status status = SN_OK;
    if (recording.path[0] && !sim->def.ignore_recording)
        status = sn_simulation_record(sim, recording.path, recording.every, false, error);
    if (!status) status = sni_plugins_begin(&sim->plugins, sim, error);
    if (!status && !sim->def.edits_come_from_host) status = sni_follow_script(sim, error);
    if (!status) sni_sensors_measure(sim);
    if (*sn_world_advice(sim->world))
        sni_remark(sim, SN_LOG_WARNING, "%s", sn_world_advice(sim->world));
    return status;
}

sn_status sn_simulation_create(sn_scene* scene, const sn_simulation_def* def, sn_simulation** out,
                               sn_error* error) {
    sn_simulation_def defaults = sn_simulation_def_default();
    sn_simulation* sim = out && scene ? calloc(1, sizeof *sim) : NULL;
    if (out) *out = NULL;
    if (!sim) {
        sn_scene_free(scene);
        return sni_fail(error, out && scene ? SN_ERR_MEMORY : SN_ERR_ARGUMENT, sni_nowhere(),
                        "no scene, no place for the simulation, or no memory");
    }
    sim->scene = scene;
    sim->def = def ? *def : defaults;
    sim->control = (sn_control){sni_compute_control, sim};
    sn_status status = load_plugins(sim, error);
    if (!status) {
        choose_options(sim);
        status = make_world(sim, error);
    }
    if (!status) status = begin(sim, error);
    if (status) {
        sn_simulation_free(sim);
        return status;
    }
    *out = sim;
    return SN_OK;
}

sn_status sn_simulation_load(const char* path, const sn_simulation_def* def, sn_simulation** sim,
                             sn_error* error) {
    sn_simulation_def defaults = sn_simulation_def_default();
    if (!def) def = &defaults;
    if (!sim || !path) return SN_ERR_ARGUMENT;
    *sim = NULL;
    sn_scene* scene = NULL;
    sn_status status = sn_scene_load(path, &def->load, &scene, error);
    return status ? status : sn_simulation_create(scene, def, sim, error);
}

void sn_simulation_free(sn_simulation* sim) {
    if (!sim) return;
    sn_simulation_end_recording(sim, NULL);
    sni_plugins_end(&sim->plugins);
    sni_free_whole(sim);
    sni_molecules_free(sim);
    sn_modules_free(sim->modules);
    sni_plugins_free(&sim->plugins); // after all that may use what they provide
    sni_items_free(&sim->items);
    sni_free_holds(sim);
    free(sim->holds);
    sni_movers_free(sim);
    sni_targets_free(sim);
    sni_sensors_free(sim);
    free(sim->user.name);
    sni_arena_free(&sim->arena);
    sn_scene_free(sim->scene);
    free(sim);
}

sn_world* sn_simulation_world(sn_simulation* sim) { return sim->world; }
const sn_scene* sn_simulation_scene(const sn_simulation* sim) { return sim->scene; }

// ---- stepping ---------------------------------------------------------------------------------------------

const sni_plan* sni_follow_plan(const sn_simulation* sim) { return sim->world->companion; }

void sn_simulation_collect(sn_simulation* sim) {
    sni_return_retired(sim);
    if (!sim->def.edits_come_from_host) sni_free_returned(sim);
}

sn_status sn_simulation_serve(sn_simulation* sim, sn_error* error) {
    if (!sim) return SN_ERR_ARGUMENT;
    sni_free_returned(sim);
    return sni_follow_script(sim, error);
}

static void follow_script(sn_simulation* sim) {
    sn_error error = {0};
    if (sim->def.edits_come_from_host || !sni_follow_script(sim, &error)) return;
    char text[800];
    sn_error_format(&error, text, sizeof text);
    sni_remark(sim, SN_LOG_WARNING, "the script: %s", text);
}

static sn_status step(sn_simulation* sim, sn_step_report* report) {
    follow_script(sim);
    sn_world_set_control(sim->world, sni_is_controlled(sim) ? &sim->control : NULL);
    sni_movers_step(sim);
    sni_sensors_prepare(sim);
    sn_status status = sn_world_step(sim->world, report);
    if (report->events & SN_EVENT_BAD_COMMAND)
        sni_remark(sim, SN_LOG_WARNING, "a command did not fit the world and was dropped");
    if (status) return status;
    sni_show(&sim->step, report->step);
    if (sim->number_count > 0) sni_sensors_measure(sim);
    // what plugins do now belongs to the next step
    if (sim->recorder) sn_recorder_step(sim->recorder, sim->world, report, sim->numbers);
    sni_plugins_step(&sim->plugins, sim);
    if (!sim->def.keep_replaced) sn_simulation_collect(sim);
    return SN_OK;
}

sn_status sn_simulation_step(sn_simulation* sim, sn_step_report* report) {
    if (!sim || sim->is_stepping) return SN_ERR_ARGUMENT;
    sn_step_report unseen;
    sim->is_stepping = true;
    sn_status status = step(sim, report ? report : &unseen);
    sim->is_stepping = false;
    return status;
}

// ---- recording ----------------------------------------------------------------------------------------------

/// Names and sizes of the sensors, for a recorder.
static bool name_sensors(const sn_simulation* sim, sn_recorder_def* def) {
    int count = sn_scene_sensor_count(sim->scene);
    const char** names = calloc((size_t)count + 1, sizeof *names);
    int* numbers = calloc((size_t)count + 1, sizeof *numbers);
    for (int i = 0; names && numbers && i < count; i++) {
        names[i] = sn_scene_sensor(sim->scene, i)->name;
        numbers[i] = sn_scene_sensor(sim->scene, i)->numbers;
    }
    def->sensor_names = names;
    def->sensor_numbers = numbers;
    def->sensors = count;
    return names && numbers;
}

sn_status sn_simulation_record(sn_simulation* sim, const char* path, int every, bool wait,
                               sn_error* error) {
    if (!sim || !path) return SN_ERR_ARGUMENT;
    if (sim->recorder)
        return sni_fail(error, SN_ERR_ARGUMENT, sni_nowhere(),
                        "a recording runs already; end it first");
    sn_recorder_def def = sn_recorder_def_default();
    def.every = every > 0 ? every : 1;
    def.wait = wait;
    def.scene = sn_scene_text(sim->scene);
    sn_world_molecule* molecules = sni_molecules_describe(sim);
    def.molecules = molecules;
    def.molecule_count = sn_scene_molecule_count(sim->scene);
    sn_status status =
        name_sensors(sim, &def) && molecules
            ? sn_recorder_create(path, sim->world, &sim->world_def, &def, &sim->recorder, error)
            : SN_ERR_MEMORY;
    free(molecules);
    free((void*)def.sensor_names);
    free((void*)def.sensor_numbers);
    return status;
}

void sn_simulation_end_recording(sn_simulation* sim, sn_recorder_status* status) {
    if (!sim->recorder) return;
    sn_world_set_tape(sim->world, NULL);
    sn_recorder_free(sim->recorder, status);
    sim->recorder = NULL;
}

bool sn_simulation_recording(sn_simulation* sim, sn_recorder_status* status) {
    if (!sim->recorder) return false;
    if (status) sn_recorder_ask(sim->recorder, status);
    return true;
}
