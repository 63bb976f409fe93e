// SPDX-License-Identifier: Apache-2.0
// Every kind of edit, by function, by words and by script: the same bits whichever way it comes.
#include <stdio.h>
#include <string.h>

#include "support/running.h"

#define ROBOT SN_TEST_MODELS_DIR "/double_pendulum.urdf"
#define SCENE                                                                                      \
    "version: 1\n"                                                                                 \
    "floor: true\n"                                                                                \
    "models:\n"                                                                                    \
    "  - {name: arm, file: " ROBOT ", at: [0, 0, 3]}\n"                                            \
    "objects:\n"                                                                                   \
    "  - {name: ball, sphere: 0.1, mass: 1, at: [1, 0, 0.2]}\n"                                    \
    "  - {name: box, box: [0.2, 0.2, 0.2], mass: 1, at: [1, 1, 0.1]}\n"                            \
    "controllers:\n"                                                                               \
    "  - {name: hold, item: arm, kp: 20, kd: 2}\n"

/// One edit at a step, in words and as a struct.
typedef struct timed_edit {
    int step;
    const char* words;
    sn_edit edit; ///< its item is read from the words
} timed_edit;

static const timed_edit EDITS[] = {
    {0, "gravity: [0.5, 0, -9]", {.type = SN_EDIT_GRAVITY, .vector = {0.5, 0, -9}}},
    {5,
     "push: {body: box, force: [1, 0, 2], moment: [0, 0.1, 0]}",
     {.type = SN_EDIT_PUSH, .body = "box", .wrench = {{0, 0.1, 0}, {1, 0, 2}}}},
    {10,
     "force: {joint: arm/upper_hinge, value: 2.5}",
     {.type = SN_EDIT_FORCE, .body = "arm/upper_hinge", .number_count = 1, .number = {2.5}}},
    {10, "lock: arm/lower_hinge", {.type = SN_EDIT_LOCK, .body = "arm/lower_hinge"}},
    {15, "add: {name: new, sphere: 0.2, at: [3, 0, 0.3]}", {.type = SN_EDIT_ADD}},
    {20,
     "hold: {name: grip, type: weld, body: arm/lower_rod, other: new}",
     {.type = SN_EDIT_HOLD, .name = "grip", .body = "arm/lower_rod", .other = "new"}},
    {25,
     "move: {joint: box, value: [2, 2, 0.5, 1, 0, 0, 0]}",
     {.type = SN_EDIT_MOVE, .body = "box", .number_count = 7, .number = {2, 2, 0.5, 1, 0, 0, 0}}},
    {30, "surface: {item: ball, material: {mu: 0.1}}", {.type = SN_EDIT_SURFACE, .name = "ball"}},
    {35, "unlock: arm/lower_hinge", {.type = SN_EDIT_UNLOCK, .body = "arm/lower_hinge"}},
    {40,
     "target: {controller: hold, joint: arm/upper_hinge, value: 0.8}",
     {.type = SN_EDIT_TARGET,
      .name = "hold",
      .body = "arm/upper_hinge",
      .number_count = 1,
      .number = {0.8}}},
    {50, "release: grip", {.type = SN_EDIT_RELEASE, .name = "grip"}},
    {60, "remove: box", {.type = SN_EDIT_REMOVE, .name = "box"}},
};
enum { EDIT_COUNT = sizeof EDITS / sizeof *EDITS, STEPS = 100 };

typedef void (*apply_function)(sn_simulation* sim, const timed_edit* edit);

static void by_words(sn_simulation* sim, const timed_edit* edit) {
    running_command(sim, edit->words);
}

static void by_struct(sn_simulation* sim, const timed_edit* edit) {
    sn_error error = {0};
    sn_edit* parsed = NULL;
    sn_edit applied = edit->edit;
    if (edit->edit.type == SN_EDIT_ADD) {
        CHECK_STATUS(sn_edit_parse(edit->words, strlen(edit->words), NULL, NULL, &parsed, NULL),
                     SN_OK);
        applied.item = parsed->item;
    }
    applied.constraint = sn_constraint_default();
    applied.material = sn_material_default();
    applied.material.mu = applied.material.mu_kinetic = 0.1;
    CHECK_STATUS(sn_simulation_apply(sim, &applied, &error), SN_OK);
    sn_edit_free(parsed);
}

/// By the function of each kind, where there is one.
static void by_function(sn_simulation* sim, const timed_edit* edit) {
    const sn_edit* e = &edit->edit;
    sn_world* world = sn_simulation_world(sim);
    const sn_model* model = sn_world_model(world);
    switch (e->type) {
    case SN_EDIT_GRAVITY: CHECK_STATUS(sn_world_set_gravity(world, e->vector), SN_OK); return;
    case SN_EDIT_PUSH:
        CHECK_STATUS(sn_world_set_wrench(world, sn_model_find_body(model, e->body), SN_AXES_WORLD,
                                         e->wrench),
                     SN_OK);
        return;
    case SN_EDIT_LOCK:
    case SN_EDIT_UNLOCK:
        CHECK_STATUS(
            sn_world_lock(world, sn_model_find_joint(model, e->body), e->type == SN_EDIT_LOCK),
            SN_OK);
        return;
    case SN_EDIT_HOLD: {
        sn_constraint weld = sn_constraint_default();
        weld.a = sn_model_find_body(model, e->body);
        weld.b = sn_model_find_body(model, e->other);
        CHECK_STATUS(sn_simulation_hold(sim, e->name, &weld, false, NULL, NULL), SN_OK);
        return;
    }
    case SN_EDIT_RELEASE:
        CHECK_STATUS(sn_simulation_release(sim, sn_simulation_find_hold(sim, e->name), NULL),
                     SN_OK);
        return;
    case SN_EDIT_REMOVE:
        CHECK_STATUS(sn_simulation_remove(sim, running_item(sim, e->name), NULL), SN_OK);
        return;
    default: by_struct(sim, edit);
    }
}

static uint64_t run(apply_function apply) {
    sn_simulation* sim = running(SCENE);
    int next = 0;
    for (int k = 0; k < STEPS; k++) {
        while (next < EDIT_COUNT && EDITS[next].step == k) apply(sim, &EDITS[next++]);
        running_step(sim, 1);
    }
    CHECK(next == EDIT_COUNT, 0);
    uint64_t hash = sn_world_hash(sn_simulation_world(sim));
    sn_simulation_free(sim);
    return hash;
}

static uint64_t run_script(int first, int last) {
    char text[8192];
    int used = snprintf(text, sizeof text, "%sscript:\n", SCENE);
    for (int i = first; i < last; i++)
        used += snprintf(text + used, sizeof text - (size_t)used, "  - {at: %g, %s}\n",
                         EDITS[i].step * 1e-3, EDITS[i].words);
    running_log log;
    sn_simulation_def def = sn_simulation_def_default();
    def.log = running_log_into(&log);
    sn_simulation* sim = running_with(text, &def);
    running_step(sim, STEPS);
    if (log.count) print_error("%s", log.text);
    CHECK(log.count == 0, 0);
    uint64_t hash = sn_world_hash(sn_simulation_world(sim));
    sn_simulation_free(sim);
    return hash;
}

static void edits_give_the_same_bits_by_function_words_and_script(void** state) {
    (void)state;
    uint64_t words = run(by_words);
    CHECK(run(by_struct) == words, 0);
    CHECK(run(by_function) == words, 0);
    CHECK(run_script(0, EDIT_COUNT) == words, 0);
    CHECK(run_script(0, EDIT_COUNT - 1) != words, 0); // the last of them matters, too
}

static void what_is_active_can_be_edited(void** state) {
    (void)state;
    sn_simulation* sim = running("version: 1\ncontact: false\ndynamics: adaptive\n"
                                 "adaptive: {max_active: 20}\n"
                                 "models: [{name: arm, generate: 'cable:20'}]\n");
    running_step(sim, 20);
    running_command(sim, "active: {max_active: 4}");
    running_step(sim, 20);
    CHECK(sn_world_region(sn_simulation_world(sim)).active <= 4, 0);
    running_command(sim, "add: {name: more, generate: 'chain:3'}");
    running_step(sim, 20);
    CHECK(sn_world_region(sn_simulation_world(sim)).active <= 4, 0); // options go on
    running_command(sim, "reset: true");
    running_step(sim, 20);
    CHECK(sn_world_region(sn_simulation_world(sim)).active > 4, 0);
    sn_simulation_free(sim);
}

// ---- the script -------------------------------------------------------------------------------------------

static void a_script_begins_before_the_first_step(void** state) {
    (void)state;
    sn_simulation* sim = running("version: 1\nobjects: [{name: ball, sphere: 0.1, at: [0, 0, 1]}]\n"
                                 "holds: [{name: hook, type: weld, body: ball}]\n"
                                 "script: [{at: 0, add: {name: new, sphere: 0.1}}]\n");
    CHECK(sn_simulation_item_count(sim) == 2, 0);
    CHECK(sn_simulation_find_hold(sim, "hook").generation > 0, 0);
    sn_simulation_free(sim);
}

static void an_edit_that_fails_is_told_and_the_rest_goes_on(void** state) {
    (void)state;
    running_log log;
    sn_simulation_def def = sn_simulation_def_default();
    def.log = running_log_into(&log);
    sn_simulation* sim = running_with("version: 1\nobjects: [{name: ball, sphere: 0.1}]\nscript:\n"
                                      "  - {at: 0.002, remove: ball}\n"
                                      "  - {at: 0.003, remove: ball}\n"
                                      "  - {at: 0.004, add: {name: box, box: [1, 1, 1]}}\n",
                                      &def);
    running_step(sim, 10);
    CHECK(log.count == 1, 0);
    running_says(log.text, "there is no item 'ball'");
    running_says(log.text, "test.yaml:5");
    CHECK(sn_simulation_find_item(sim, "box").generation > 0, 0);
    sn_simulation_free(sim);
}

static void a_script_begins_anew_after_a_reset(void** state) {
    (void)state;
    sn_simulation* sim = running("version: 1\nobjects: [{name: ball, sphere: 0.1}]\nscript:\n"
                                 "  - {at: 0.005, add: {name: box, box: [1, 1, 1]}}\n"
                                 "  - {at: 0.01, reset: true}\n");
    for (int round = 0; round < 3; round++) {
        running_step(sim, 5);
        CHECK(sn_simulation_item_count(sim) == 1, 0);
        running_step(sim, 5);
        CHECK(sn_simulation_item_count(sim) == 2, 0);
    }
    sn_simulation_free(sim);
}

static void a_reset_at_the_beginning_ends(void** state) {
    (void)state;
    sn_simulation* sim = running("version: 1\nobjects: [{name: ball, sphere: 0.1, at: [0, 0, 1]}]\n"
                                 "script: [{at: 0, reset: true}]\n");
    running_step(sim, 3);
    CHECK_NEAR(running_pose(sim, "ball").p.z, 1, 1e-4, 0); // begins anew in each step
    sn_simulation_free(sim);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(edits_give_the_same_bits_by_function_words_and_script),
        cmocka_unit_test(what_is_active_can_be_edited),
        cmocka_unit_test(a_script_begins_before_the_first_step),
        cmocka_unit_test(an_edit_that_fails_is_told_and_the_rest_goes_on),
        cmocka_unit_test(a_script_begins_anew_after_a_reset),
        cmocka_unit_test(a_reset_at_the_beginning_ends),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
