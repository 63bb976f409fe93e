// SPDX-License-Identifier: Apache-2.0
// A run with edits, controllers and a script, recorded and replayed: every edit is an input, so the same bits come out.
#include <stdio.h>
#include <string.h>

#include "support/random_state.h"
#include "support/recorded.h"
#include "support/running.h"

enum { EDITED = 750 };

static const char* const SCENE =
    "version: 1\n"
    "floor: true\n"
    "models:\n"
    "  - {name: arm, file: " SN_TEST_MODELS_DIR "/double_pendulum.urdf, at: [0, 0, 2]}\n"
    "objects:\n"
    "  - {name: ball, sphere: 0.1, mass: 1, at: [1, 0, 0.2], v: [0.5, 0, 0]}\n"
    "  - {name: box, box: [0.2, 0.2, 0.2], mass: 1, at: [1.5, 0, 0.1]}\n"
    "controllers:\n"
    "  - {name: pd, item: arm, kp: 20, kd: 2}\n"
    "sensors:\n"
    "  - {name: where, type: pose, item: ball}\n"
    "  - {name: touch, type: contact, item: ball}\n"
    "script:\n"
    "  - {at: 0.05, push: {body: ball, force: [0, 1, 0]}}\n"
    "  - {at: 0.1, hold: {name: grip, type: weld, body: arm/lower_rod, other: box}}\n"
    "  - {at: 0.2, release: grip}\n";

static void edit(sn_simulation* sim, test_rng* rng, int k) {
    char words[200] = "";
    int n = k / 20;
    switch (test_index(rng, 6)) {
    case 0:
        (void)snprintf(words, sizeof words, "add: {name: n%d, box: [0.1, 0.1, 0.1], at: [1, 0, 1]}",
                       n);
        break;
    case 1:
        (void)snprintf(words, sizeof words, "surface: {item: ball, material: {mu: 0.3}}");
        break;
    case 2:
        (void)snprintf(words, sizeof words,
                       "target: {controller: pd, joint: upper_hinge, value: %g}", test_normal(rng));
        break;
    case 3:
        (void)snprintf(words, sizeof words, "gravity: [0, 0, %g]", -5 - test_uniform(rng, 0, 1));
        break;
    case 4:
        (void)snprintf(words, sizeof words, "move: {joint: arm/lower_hinge, value: %g}",
                       test_normal(rng));
        break;
    default: (void)snprintf(words, sizeof words, "lock: arm/lower_hinge"); break;
    }
    running_command(sim, words);
    if (k == 200) running_command(sim, "remove: box");
    if (k == 300) running_command(sim, "reset: true");
}

static void a_run_with_edits_is_replayed_bit_for_bit(void** state) {
    (void)state;
    enum { STEPS = 500 };
    for (uint64_t i = 0; i < 3; i++) {
        uint64_t seed = test_case_seed(EDITED, i), hash[STEPS];
        test_rng rng = test_rng_make(seed);
        char path[256];
        recorded_path(path, "run_replay");
        sn_simulation* sim = running(SCENE);
        CHECK_STATUS(sn_simulation_record(sim, path, 1, true, NULL), SN_OK);
        double sensors[STEPS];
        for (int k = 0; k < STEPS; k++) {
            if (k % 20 == 0) edit(sim, &rng, k);
            running_step(sim, 1);
            hash[k] = sn_world_hash(sn_simulation_world(sim));
            sensors[k] = sn_simulation_sensors(sim, NULL)[2];
        }
        sn_recorder_status status;
        sn_simulation_end_recording(sim, &status);
        CHECK(status.state == SN_RECORDER_RUNS && status.lost == 0, seed);
        sn_simulation_free(sim); // the recording needs nothing of it

        sn_recording* recording = NULL;
        sn_replay* replay = NULL;
        CHECK_STATUS(sn_recording_open(path, NULL, &recording, NULL), SN_OK);
        sn_recording_info info = sn_recording_ask(recording);
        CHECK(info.exact && info.closed && !info.damaged && info.steps == STEPS, seed);
        CHECK(strcmp(info.scene, SCENE) == 0 && info.sensors == 2, seed);
        CHECK_STATUS(sn_replay_create(recording, NULL, &replay, NULL), SN_OK);
        for (int k = 0; k < STEPS; k++) {
            bool same = false;
            CHECK_STATUS(sn_replay_step(replay, NULL, &same), SN_OK);
            CHECK(same && sn_world_hash(sn_replay_world(replay)) == hash[k], seed);
        }
        sn_sample sample;
        for (int k = 0; k < STEPS; k++) {
            CHECK(sn_recording_next(recording, &sample), seed);
            CHECK(sample.sensors[2] == sensors[k] && sample.hash == hash[k], seed);
        }
        sn_replay_free(replay);
        sn_recording_free(recording);
        (void)remove(path);
    }
}

static void a_scene_may_say_that_it_is_recorded(void** state) {
    (void)state;
    char path[256], scene[4096];
    recorded_path(path, "run_scene");
    (void)snprintf(scene, sizeof scene, "%srecording: {file: %s, every: 5}\n", SCENE, path);
    sn_simulation* sim = running(scene);
    sn_recorder_status status;
    sn_error error = {0};
    running_step(sim, 50);
    CHECK(sn_simulation_recording(sim, &status) && sn_simulation_recording(sim, NULL), 0);
    CHECK_STATUS(sn_simulation_record(sim, path, 1, false, &error), SN_ERR_ARGUMENT);
    running_says(error.text, "a recording runs already");
    CHECK_STATUS(sn_simulation_record(sim, NULL, 1, false, &error), SN_ERR_ARGUMENT);
    sn_simulation_free(sim); // ends it
    sn_recording* recording = NULL;
    CHECK_STATUS(sn_recording_open(path, NULL, &recording, NULL), SN_OK);
    sn_recording_info info = sn_recording_ask(recording);
    CHECK(info.steps == 50 && info.closed && info.samples >= 10 && info.samples <= 11, 0);
    sn_recording_free(recording);
    (void)remove(path);

    sn_simulation_def def = sn_simulation_def_default();
    def.ignore_recording = true;
    sim = running_with(scene, &def);
    CHECK(!sn_simulation_recording(sim, &status), 0);
    sn_simulation_end_recording(sim, &status); // nothing to end
    sn_simulation_free(sim);
    CHECK_STATUS(sn_recording_open(path, NULL, &recording, &error), SN_ERR_FILE);

    (void)snprintf(scene, sizeof scene, "%srecording: {file: /no/such/folder/x}\n", SCENE);
    CHECK_STATUS(running_try(scene, NULL, &error), SN_ERR_FILE);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_run_with_edits_is_replayed_bit_for_bit),
        cmocka_unit_test(a_scene_may_say_that_it_is_recorded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
