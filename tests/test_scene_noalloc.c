// SPDX-License-Identifier: Apache-2.0
// Nothing is allocated while a scene runs, and a scene that finds no memory leaves nothing behind.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "sinew/simulation.h"
#include "support/loading.h"
#include "support/noalloc.h"
#include "support/scenes.h"

static sn_simulation* start(const char* path) {
    sn_simulation_def def = sn_simulation_def_default();
    sn_simulation* sim = NULL;
    def.load = scene_def();
    CHECK_STATUS(sn_simulation_load(path, &def, &sim, NULL), SN_OK);
    return sim;
}

/// Whether an edit of the script is due at the beginning of the next step: edits make new models.
static bool is_due(const sn_simulation* sim, double before, double now) {
    const sn_scene* scene = sn_simulation_scene(sim);
    for (int i = 0; i < sn_scene_edit_count(scene); i++) {
        double time = sn_scene_edit(scene, i)->time;
        if (time > before && time <= now) return true;
    }
    return false;
}

static void run_armed(const char* path) {
    enum { STEPS = 300 };
    sn_simulation* sim = start(path);
    sn_world* world = sn_simulation_world(sim);
    double before = -1, h = sn_scene_world(sn_simulation_scene(sim))->step;
    int bad = 0, free_steps = 0;
    violations = 0;
    check_context(path);
    for (int i = 0; i < STEPS; i++) {
        double now = sn_world_time(world) + h / 2; // whatever the rounding
        sn_step_report report;
        bool due = is_due(sim, before, now) ||
                   is_due(sim, before - 2 * h, before); // what it left is freed
        armed = !due;
        bad += sn_simulation_step(sim, &report) != SN_OK;
        armed = false;
        free_steps += !due;
        before = now;
    }
    if (violations) print_error("%s: %ld calls\n", path, violations);
    CHECK(bad == 0 && violations == 0, 0);
    CHECK(free_steps > STEPS / 2, 0);
    check_context(NULL);
    sn_simulation_free(sim);
}

static void no_shipped_scene_allocates_in_a_step(void** state) {
    (void)state;
    CHECK(for_each_file(SN_TEST_SCENES_DIR, ".yaml", run_armed) >= 10, 0);
}

static void every_kind_of_control_and_sensor_runs_without_allocating(void** state) {
    (void)state;
    char path[64], file[96];
    make_scratch_folder(path);
    snprintf(file, sizeof file, "%s/all.yaml", path);
    FILE* out = fopen(file, "w");
    CHECK(out, 0);
    fputs("version: 1\nfloor: true\n"
          "models: [{name: r, model: human, stand: true}, {name: c, model: cable, at: [2, 0, 3]}]\n"
          "objects: [{name: b, box: [0.1, 0.1, 0.1], at: [1, 0, 1]}]\n"
          "holds: [{name: h, type: ball, body: b, other: c/link_20}]\n"
          "controllers: [{item: r, kp: 20, kd: 0.1}, {item: c, frequency: 1}, "
          "{name: b, item: r, balance: true}]\n"
          "sensors:\n"
          "- {name: a, type: position, item: r, joint: l_hip}\n"
          "- {name: b, type: velocity, item: r, joint: l_hip}\n"
          "- {name: c, type: control, item: r, joint: l_hip}\n"
          "- {name: d, type: pose, item: r, frame: gaze}\n"
          "- {name: e, type: twist, item: c, body: link_50}\n"
          "- {name: f, type: contact, item: b}\n"
          "- {name: g, type: centre, item: r}\n"
          "- {name: h, type: energy}\n",
          out);
    fclose(out);
    run_armed(file);
    remove(file);
    remove(path);
}

static const char EVERYTHING[] =
    "version: 1\nname: all\nabout: of it\ndynamics: aba\nfloor: {material: ice}\n"
    "materials: {ice: {mu: 0.1}}\n"
    "environment: [{box: [1, 1, 1]}]\n"
    "models: [{name: c, generate: 'chain:3', base: free, q: {b000001: 1}, qd: {b000001: 1}, lock: "
    "all, "
    "material: ice}]\n"
    "objects: [{name: h, hull: [[0,0,0],[1,0,0],[0,1,0],[0,0,1]], stand: true, v: [1, 0, 0]}, "
    "{name: s, sphere: 1, repeat: {count: [9, 1, 1], spacing: [3, 0, 0]}}]\n"
    "holds: [{name: g, type: weld, body: h, other: s_1, frame: {at: [0, 0, 1]}}]\n"
    "controllers: [{item: c, frequency: 1, target: {b000001: 0}}]\n"
    "sensors: [{name: e, type: energy}]\n"
    "devices: [{name: d, driver: simulated}]\n"
    "hands: [{name: x, device: d, item: h, buttons: [a]}]\n"
    "plugins: [{file: p.so, options: o}]\n"
    "recording: {file: r}\n"
    "script: [{at: 1, add: {name: n, box: [1, 1, 1]}}, {at: 2, plugin: {name: p, words: w}}]\n";

static void a_scene_without_memory_is_an_error(void** state) {
    (void)state;
    long calls = 0;
    sn_status status = SN_ERR_MEMORY;
    while (status) {
        sn_scene* scene = NULL;
        sn_error error = {0};
        refuse_after = ++calls;
        status = sn_scene_load_memory(EVERYTHING, sizeof EVERYTHING - 1, "x", NULL, &scene, &error);
        refuse_after = -1;
        if (status && status != SN_ERR_MEMORY) print_error("call %ld: %s\n", calls, error.text);
        CHECK(!status || status == SN_ERR_MEMORY, (uint64_t)calls);
        CHECK(!status == !!scene && (!status || error.text[0]), (uint64_t)calls);
        sn_scene_free(scene);
    }
    CHECK(calls > 50, 0); // it was refused often
}

static void an_edit_without_memory_is_an_error(void** state) {
    (void)state;
    static const char text[] =
        "add: {name: c, generate: 'chain:3', q: {b000001: 1}, material: {mu: 1}}";
    long calls = 0;
    sn_status status = SN_ERR_MEMORY;
    while (status) {
        sn_edit* edit = NULL;
        sn_error error = {0};
        refuse_after = ++calls;
        status = sn_edit_parse(text, sizeof text - 1, "x", NULL, &edit, &error);
        refuse_after = -1;
        CHECK(!status || status == SN_ERR_MEMORY, (uint64_t)calls);
        CHECK(!status == !!edit && (!status || error.text[0]), (uint64_t)calls);
        sn_edit_free(edit);
    }
    CHECK(calls > 10, 0);
}

static void a_schema_without_memory_is_an_error(void** state) {
    (void)state;
    char* text = NULL;
    sn_error error = {0};
    refuse_after = 1;
    sn_status status = sn_scene_schema(&text, &error);
    refuse_after = -1;
    CHECK(!text && error.text[0], 0);
    CHECK_STATUS(status, SN_ERR_MEMORY);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_shipped_scene_allocates_in_a_step),
        cmocka_unit_test(every_kind_of_control_and_sensor_runs_without_allocating),
        cmocka_unit_test(a_scene_without_memory_is_an_error),
        cmocka_unit_test(an_edit_without_memory_is_an_error),
        cmocka_unit_test(a_schema_without_memory_is_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
