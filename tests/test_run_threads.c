// SPDX-License-Identifier: Apache-2.0
// One thread steps, one edits, one looks. Run under the thread sanitizer. Checks are made by the main thread after
// joining: cmocka's failures jump.
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "run/sn_run.h"
#include "support/random_state.h"
#include "support/recorded.h"
#include "support/running.h"

enum { EDITS = 730, ENOUGH = 60, MOST = 400000 };

static const char* const SCENE = "version: 1\n"
                                 "floor: true\n"
                                 "contact: {contacts: 32}\n" // little memory: an edit takes it anew
                                 "models:\n"
                                 "  - {name: arm, generate: 'chain:4', at: [0, 0, 3]}\n"
                                 "objects:\n"
                                 "  - {name: ball, sphere: 0.1, mass: 1, at: [1, 0, 0.2]}\n"
                                 "controllers:\n"
                                 "  - {item: arm, kp: 5, kd: 1}\n"
                                 "sensors:\n"
                                 "  - {name: where, type: pose, item: ball}\n"
                                 "script:\n"
                                 "  - {at: 0.02, add: {name: late, sphere: 0.05, at: [2, 0, 1]}}\n";

typedef struct shared {
    sn_simulation* sim;
    uint64_t seed;
    atomic_bool stop;
    atomic_long edits, looks;
    sn_status step_status;
    long steps, commands, bad_commands, replaced;
    long refused;  ///< edits that found the ring full: they are tried again
    char why[512]; ///< of an edit that failed for another reason
    long torn, backwards;
} shared;

static void* run_steps(void* context) {
    shared* s = context;
    sn_step_report report;
    for (s->steps = 0; s->steps < MOST; s->steps++) {
        bool enough = s->commands >= ENOUGH / 2 && s->replaced > 5;
        if (enough && atomic_load(&s->edits) >= ENOUGH && atomic_load(&s->looks) >= ENOUGH) break;
        s->step_status = sn_simulation_step(s->sim, &report);
        if (s->step_status) break;
        s->commands += report.commands;
        s->bad_commands += (report.events & SN_EVENT_BAD_COMMAND) != 0;
        s->replaced += (report.events & SN_EVENT_REPLACED) != 0;
    }
    atomic_store(&s->stop, true);
    return NULL;
}

static void choose(test_rng* rng, int* guests, char* words, size_t room) {
    switch (test_index(rng, *guests > 6 ? 9 : 7)) {
    case 0:
    case 1:
        (void)snprintf(words, room, "add: {name: n%d, sphere: 0.1, at: [%d, 3, 0.2]}", *guests,
                       *guests);
        ++*guests;
        return;
    case 2: (void)snprintf(words, room, "gravity: [0, 0, %g]", -test_uniform(rng, 0, 1)); return;
    case 3: (void)snprintf(words, room, "push: {body: ball, force: [0.1, 0, 0]}"); return;
    case 4: (void)snprintf(words, room, "force: {joint: arm/b000001, value: 0.01}"); return;
    case 5: (void)snprintf(words, room, "lock: arm/b000002"); return;
    case 6: (void)snprintf(words, room, "surface: {item: ball, material: {mu: 0.2}}"); return;
    case 7: (void)snprintf(words, room, "remove: n%d", --*guests); return;
    default: (void)snprintf(words, room, "unlock: arm/b000002"); return;
    }
}

/// Edits at random, among them holds that are released again.
static void* run_edits(void* context) {
    shared* s = context;
    test_rng rng = test_rng_make(s->seed);
    int guests = 0, held = 0;
    while (!atomic_load(&s->stop)) {
        char words[200];
        sn_error error = {0};
        int before = guests;
        choose(&rng, &guests, words, sizeof words);
        if (test_chance(&rng, 0.1)) {
            guests = before;
            (void)snprintf(words, sizeof words,
                           held ? "release: grip"
                                : "hold: {name: grip, type: weld, body: ball, "
                                  "other: arm/b000003}");
            held = !held;
        }
        sn_status status = SN_ERR_CAPACITY;
        while (status == SN_ERR_CAPACITY && !atomic_load(&s->stop)) {
            status = sn_simulation_command(s->sim, words, NULL, 0, &error);
            if (!status) status = sn_simulation_serve(s->sim, &error);
            s->refused += status == SN_ERR_CAPACITY;
        }
        if (status && status != SN_ERR_CAPACITY) {
            (void)snprintf(s->why, sizeof s->why, "%.200s: %.250s", words, error.text);
            break;
        }
        atomic_fetch_add(&s->edits, 1);
    }
    return NULL;
}

/// A snapshot is of one model and one step, however often the model changes.
static void* run_looks(void* context) {
    shared* s = context;
    sn_world* world = sn_simulation_world(s->sim);
    uint64_t last = 0;
    while (!atomic_load(&s->stop)) {
        const sn_snapshot* shot = sn_world_snapshot(world);
        uint64_t step = sn_snapshot_step(shot);
        if (step < last) s->backwards++;
        if (step > last) atomic_fetch_add(&s->looks, 1);
        last = step;
        // the arm's root is where it hangs, in every model
        sn_vec3 root = sn_snapshot_pose(shot, sn_body(0)).p;
        if (!(root.x == 0 && root.y == 0 && root.z == 3)) s->torn++;
        for (int32_t i = 0; i < sn_snapshot_contact_count(shot); i++)
            if (!isfinite(sn_snapshot_contacts(shot)[i].force.z)) s->torn++;
    }
    return NULL;
}

static void* (*const jobs[])(void*) = {run_steps, run_edits, run_looks};
enum { JOBS = sizeof jobs / sizeof *jobs };

static shared* run(uint64_t index, const char* record) {
    sn_simulation_def def = sn_simulation_def_default();
    def.edits_come_from_host = true;
    shared* s = calloc(1, sizeof *s);
    s->seed = test_case_seed(EDITS, index);
    s->sim = running_with(SCENE, &def);
    if (record) CHECK_STATUS(sn_simulation_record(s->sim, record, 10, true, NULL), SN_OK);
    pthread_t threads[JOBS];
    for (int i = 0; i < JOBS; i++) CHECK(pthread_create(&threads[i], NULL, jobs[i], s) == 0, 0);
    for (int i = 0; i < JOBS; i++) CHECK(pthread_join(threads[i], NULL) == 0, 0);
    if (s->why[0]) print_error("%s\n", s->why);
    CHECK(s->why[0] == '\0', s->seed);
    CHECK_STATUS(s->step_status, SN_OK);
    CHECK(s->steps < MOST, s->seed);
    return s;
}

static void edits_from_another_thread_are_made_at_step_boundaries(void** state) {
    (void)state;
    shared* s = run(0, NULL);
    CHECK(s->torn == 0 && s->backwards == 0 && s->bad_commands == 0, s->seed);
    CHECK(sn_simulation_find_item(s->sim, "late").generation > 0, s->seed); // by the script
    // what waits is taken in, what was replaced comes back
    for (int k = 0; k < 8; k++) {
        running_step(s->sim, 1);
        (void)sn_world_snapshot(sn_simulation_world(s->sim));
        CHECK_STATUS(sn_simulation_serve(s->sim, NULL), SN_OK);
    }
    CHECK(s->sim->model_count == 1, s->seed);
    CHECK(sn_world_model(sn_simulation_world(s->sim)) == s->sim->whole, s->seed);
    sn_simulation_free(s->sim);
    free(s);
}

static void a_run_that_was_edited_by_another_thread_is_replayed(void** state) {
    (void)state;
    char path[256];
    recorded_path(path, "run_threads");
    shared* s = run(1, path);
    uint64_t steps = (uint64_t)s->steps;
    uint64_t hash = sn_world_hash(sn_simulation_world(s->sim));
    sn_recorder_status status;
    sn_simulation_end_recording(s->sim, &status);
    CHECK(status.state == SN_RECORDER_RUNS && status.steps == steps, s->seed);
    sn_recording* recording = NULL;
    sn_replay* replay = NULL;
    CHECK_STATUS(sn_recording_open(path, NULL, &recording, NULL), SN_OK);
    CHECK_STATUS(sn_replay_create(recording, NULL, &replay, NULL), SN_OK);
    for (uint64_t k = 0; k < steps; k++) {
        bool same = false;
        CHECK_STATUS(sn_replay_step(replay, NULL, &same), SN_OK);
        CHECK(same, k);
    }
    CHECK(sn_world_hash(sn_replay_world(replay)) == hash, s->seed);
    sn_replay_free(replay);
    sn_recording_free(recording);
    (void)remove(path);
    sn_simulation_free(s->sim);
    free(s);
}

// The rest needs no second thread: it calls in the order that two might.

static void edits_that_wait_take_effect_at_the_next_step(void** state) {
    (void)state;
    sn_simulation_def def = sn_simulation_def_default();
    def.edits_come_from_host = true;
    sn_simulation* sim = running_with(SCENE, &def);
    sn_world* world = sn_simulation_world(sim);
    const sn_model* before = sn_world_model(world);
    uint64_t hash = sn_world_hash(world);
    running_command(sim, "add: {name: new, sphere: 0.1, at: [5, 0, 1]}");
    running_command(sim, "push: {body: new, force: [1, 0, 0]}");
    running_command(sim, "remove: ball");
    CHECK(sn_world_model(world) == before && sn_world_hash(world) == hash, 0);
    CHECK(sn_simulation_item_count(sim) == 3, 0); // the side of edits knows already
    CHECK(sn_simulation_find_item(sim, "ball").generation == 0, 0);
    sn_step_report report;
    CHECK_STATUS(sn_simulation_step(sim, &report), SN_OK);
    CHECK(report.commands == 3 && (report.events & SN_EVENT_REPLACED), 0);
    CHECK(sn_model_find_body(sn_world_model(world), "new").i >= 0, 0);
    CHECK(sn_model_find_body(sn_world_model(world), "ball").i < 0, 0);
    CHECK(running_v(sim, "new")[3] > 0, 0); // pushed
    sn_simulation_free(sim);
}

/// As when the thread that steps had no processor for a while.
static void any_number_of_edits_in_one_step_is_recorded(void** state) {
    (void)state;
    enum { EDITS_AT_ONCE = 20 };
    sn_simulation_def def = sn_simulation_def_default();
    def.edits_come_from_host = true;
    sn_simulation* sim = running_with(SCENE, &def);
    char path[256], words[100];
    recorded_path(path, "run_edits_at_once");
    CHECK_STATUS(sn_simulation_record(sim, path, 1, true, NULL), SN_OK);
    for (int i = 0; i < EDITS_AT_ONCE; i++) {
        (void)snprintf(words, sizeof words, "add: {name: n%d, sphere: 0.1, at: [%d, 9, 1]}", i, i);
        running_command(sim, words);
    }
    running_step(sim, 3);
    sn_recorder_status status;
    sn_simulation_end_recording(sim, &status);
    CHECK(status.state == SN_RECORDER_RUNS && status.steps == 3 && status.lost == 0, 0);
    sn_recording* recording = NULL;
    sn_replay* replay = NULL;
    CHECK_STATUS(sn_recording_open(path, NULL, &recording, NULL), SN_OK);
    CHECK_STATUS(sn_replay_create(recording, NULL, &replay, NULL), SN_OK);
    for (int k = 0; k < 3; k++) {
        bool same = false;
        CHECK_STATUS(sn_replay_step(replay, NULL, &same), SN_OK);
        CHECK(same, (uint64_t)k);
    }
    sn_replay_free(replay);
    sn_recording_free(recording);
    (void)remove(path);
    sn_simulation_free(sim);
}

static void edits_for_the_stepping_thread_are_refused_from_another(void** state) {
    (void)state;
    sn_simulation_def def = sn_simulation_def_default();
    def.edits_come_from_host = true;
    sn_simulation* sim = running_with(SCENE, &def);
    const char* why = "for the thread that steps";
    running_refuse(sim, "move: {joint: arm/b000000, value: 1}", SN_ERR_ARGUMENT, why);
    running_refuse(sim, "target: {controller: arm, joint: b000000, value: 1}", SN_ERR_ARGUMENT,
                   why);
    running_refuse(sim, "plugin: {name: none}", SN_ERR_ARGUMENT, why);
    // what the world would refuse later is refused now
    running_refuse(sim, "hold: {name: h, type: weld, body: ball, other: ball}", SN_ERR_ARGUMENT,
                   "itself");
    running_refuse(sim, "active: {max_active: 1}", SN_ERR_ARGUMENT, "not 'adaptive'");
    sn_simulation_free(sim);
}

static void too_many_edits_at_once_are_refused_and_change_nothing(void** state) {
    (void)state;
    sn_simulation_def def = sn_simulation_def_default();
    sn_world_def world = sn_world_def_default();
    world.contact.on = true;
    world.command_capacity = 8;
    def.world = &world;
    def.edits_come_from_host = true;
    sn_simulation* sim = running_with(SCENE, &def);
    for (int i = 0; i < 8; i++) {
        char words[100];
        (void)snprintf(words, sizeof words, "add: {name: n%d, sphere: 0.1, at: [%d, 9, 1]}", i, i);
        running_command(sim, words);
    }
    const char* full = "too many edits wait";
    running_refuse(sim, "add: {name: n8, sphere: 0.1, at: [8, 9, 1]}", SN_ERR_CAPACITY, full);
    running_refuse(sim, "remove: n0", SN_ERR_CAPACITY, full);
    running_refuse(sim, "surface: {item: n0, material: {mu: 1}}", SN_ERR_CAPACITY, full);
    running_refuse(sim, "hold: {name: h, type: ball, body: n0}", SN_ERR_CAPACITY, full);
    running_refuse(sim, "gravity: [0, 0, 0]", SN_ERR_CAPACITY, full);
    running_refuse(sim, "reset: true", SN_ERR_CAPACITY, full);
    CHECK(sn_simulation_item_count(sim) == 3 + 8, 0);
    CHECK(sn_simulation_find_hold(sim, "h").generation == 0, 0);
    running_step(sim, 1);
    CHECK(sn_world_model(sn_simulation_world(sim)) == sim->whole, 0);
    running_command(sim, "remove: n0");
    running_command(sim, "reset: true");
    running_step(sim, 1);
    CHECK(sn_simulation_item_count(sim) == 3, 0);
    running_command(sim, "add: {name: waits, sphere: 0.1}"); // freed though no step takes it
    sn_simulation_free(sim);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(edits_from_another_thread_are_made_at_step_boundaries),
        cmocka_unit_test(a_run_that_was_edited_by_another_thread_is_replayed),
        cmocka_unit_test(edits_that_wait_take_effect_at_the_next_step),
        cmocka_unit_test(any_number_of_edits_in_one_step_is_recorded),
        cmocka_unit_test(edits_for_the_stepping_thread_are_refused_from_another),
        cmocka_unit_test(too_many_edits_at_once_are_refused_and_change_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
