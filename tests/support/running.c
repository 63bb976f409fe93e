// SPDX-License-Identifier: Apache-2.0
#include "support/running.h"

#include <stdio.h>
#include <string.h>

static void write_log(void* context, sn_log_level level, sn_place place, const char* text) {
    running_log* log = context;
    size_t used = strlen(log->text);
    (void)level, (void)place;
    log->count++;
    (void)snprintf(log->text + used, sizeof log->text - used, "%s\n", text);
}

sn_log running_log_into(running_log* log) {
    memset(log, 0, sizeof *log);
    return (sn_log){write_log, log};
}

static sn_status load(const char* text, const sn_simulation_def* def, sn_simulation** sim,
                      sn_error* error) {
    sn_simulation_def defaults = sn_simulation_def_default();
    sn_scene* scene = NULL;
    if (!def) def = &defaults;
    sn_status status =
        sn_scene_load_memory(text, strlen(text), "test.yaml", &def->load, &scene, error);
    return status ? status : sn_simulation_create(scene, def, sim, error);
}

sn_simulation* running_with(const char* scene, const sn_simulation_def* def) {
    sn_simulation* sim = NULL;
    sn_error error = {0};
    if (load(scene, def, &sim, &error)) {
        char text[800];
        sn_error_format(&error, text, sizeof text);
        print_error("%s\n", text);
    }
    CHECK(sim, 0);
    return sim;
}

sn_simulation* running(const char* scene) { return running_with(scene, NULL); }

sn_status running_try(const char* scene, const sn_simulation_def* def, sn_error* error) {
    sn_simulation* sim = NULL;
    sn_status status = load(scene, def, &sim, error);
    CHECK((status == SN_OK) == (sim != NULL), 0);
    sn_simulation_free(sim);
    return status;
}

void running_step(sn_simulation* sim, int steps) {
    for (int i = 0; i < steps; i++) CHECK_STATUS(sn_simulation_step(sim, NULL), SN_OK);
}

void running_says(const char* text, const char* words) {
    if (!strstr(text, words)) print_error("'%s' does not say '%s'\n", text, words);
    CHECK(strstr(text, words), 0);
}

void running_command(sn_simulation* sim, const char* text) {
    sn_error error = {0};
    sn_status status = sn_simulation_command(sim, text, NULL, 0, &error);
    if (status) print_error("%s: %s\n", text, error.text);
    CHECK_STATUS(status, SN_OK);
}

void running_refuse(sn_simulation* sim, const char* text, sn_status status, const char* why) {
    sn_error error = {0};
    check_context(text);
    CHECK_STATUS(sn_simulation_command(sim, text, NULL, 0, &error), status);
    running_says(error.text, why);
    check_context(NULL);
}

sn_item_id running_item(const sn_simulation* sim, const char* name) {
    sn_item_id id = sn_simulation_find_item(sim, name);
    CHECK(id.generation > 0, 0);
    return id;
}

sn_body_info running_body(sn_simulation* sim, const char* item) {
    int32_t first = sn_simulation_first_body(sim, running_item(sim, item));
    CHECK(first >= 0, 0);
    return sn_model_body(sn_world_model(sn_simulation_world(sim)), sn_body(first));
}

const double* running_q(sn_simulation* sim, const char* item) {
    return sn_world_q(sn_simulation_world(sim)) + running_body(sim, item).iq;
}

const double* running_v(sn_simulation* sim, const char* item) {
    return sn_world_v(sn_simulation_world(sim)) + running_body(sim, item).iv;
}

const double* running_sensor(const sn_simulation* sim, const char* name) {
    for (int i = 0; i < sn_simulation_sensor_count(sim); i++)
        if (strcmp(sn_simulation_sensor_def(sim, i)->name, name) == 0)
            return sn_simulation_sensors(sim, NULL) + sn_simulation_sensor_first(sim, i);
    fail_msg("there is no sensor %s", name);
    return NULL;
}

sn_pose running_pose(sn_simulation* sim, const char* body) {
    sn_world* world = sn_simulation_world(sim);
    sn_body_id id = sn_model_find_body(sn_world_model(world), body);
    CHECK(id.i >= 0, 0);
    return sn_dynamics_pose(sn_world_dynamics(world), id);
}
