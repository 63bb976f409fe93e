// SPDX-License-Identifier: Apache-2.0
// The scenes of the papers for a second each: nothing sinks in, nothing flies off. And the beginning of one with a hand: an arm
// is led, gives way, and a button closes the gripper around what it was led to.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sinew/session.h"
#include "sinew/simulated_device.h"
#include "support/loading.h"
#include "support/running.h"
#include "support/scenes.h"

static sn_simulation* start(const char* path) {
    sn_simulation_def def = sn_simulation_def_default();
    sn_simulation* sim = NULL;
    def.load = scene_def();
    def.ignore_recording = true;
    CHECK_STATUS(sn_simulation_load(path, &def, &sim, NULL), SN_OK);
    return sim;
}

static void run_a_second(const char* path) {
    check_context(path);
    sn_simulation* sim = start(path);
    sn_world* world = sn_simulation_world(sim);
    sn_vec3 com = sn_world_momentum(world).com;
    double deepest = 0;
    for (int i = 0; i < 1000; i++) {
        CHECK_STATUS(sn_simulation_step(sim, NULL), SN_OK);
        for (int32_t k = 0; k < sn_world_contact_count(world); k++)
            deepest = fmax(deepest, -sn_world_contacts(world)[k].gap);
    }
    CHECK(deepest < 1e-3, 0);
    CHECK(sn_vec3_norm(sn_vec3_sub(sn_world_momentum(world).com, com)) < 0.1, 0);
    CHECK(sn_world_energy(world).kinetic < 20, 0); // an arm swings
    sn_simulation_free(sim);
    check_context(NULL);
}

static void nothing_sinks_in_or_flies_off(void** state) {
    (void)state;
    CHECK(for_each_file(SN_TEST_SCENES_DIR "/papers", ".yaml", run_a_second) >= 14, 0);
}

/// The scene's hand on a simulated device, as its script says.
static sn_session* lead(sn_simulation* sim, const char* script_path) {
    const sn_scene* scene = sn_simulation_scene(sim);
    sn_simulated_device_def device_def = sn_simulated_device_def_default();
    sn_session_def def = sn_session_def_default();
    sn_hand_def hand = *sn_scene_hand(scene, 0);
    sn_hand_script* script = NULL;
    sn_device* device = NULL;
    sn_session* session = NULL;
    size_t length;
    char* text = read_whole_file(script_path, &length);
    CHECK_STATUS(sn_hand_script_parse(text, length, script_path, &script, NULL), SN_OK);
    free(text);
    CHECK(sn_device_profile_find("omega3", &device_def.profile), 0);
    CHECK(sn_hand_model_find("firm", &device_def.hand), 0);
    device_def.script = script;
    CHECK_STATUS(sn_simulated_device_create(&device_def, &device, NULL), SN_OK);
    sn_hand_script_free(script);
    def.virtual_time = true;
    def.coupling_rate = 100;
    CHECK_STATUS(sn_session_create(sim, &def, &session, NULL), SN_OK);
    sn_body_id body = sn_model_find_body(sn_world_model(sn_simulation_world(sim)), "robot/r_wrist");
    hand.item = -1;
    CHECK_STATUS(sn_session_add_hand(session, &hand, device, NULL, NULL), SN_OK);
    CHECK_STATUS(sn_session_hold(session, 0, body, hand.point), SN_OK);
    return session;
}

static void an_arm_is_led_and_a_button_closes_its_gripper(void** state) {
    (void)state;
    sn_simulation* sim = start(SN_TEST_SCENES_DIR "/papers/collaboration.yaml");
    sn_session* session = lead(sim, SN_TEST_SCENES_DIR "/papers/collaboration_hand.txt");
    double x = running_sensor(sim, "hand")[0];
    CHECK_STATUS(sn_session_run(session, 2.9, NULL, NULL), SN_OK);
    CHECK(running_sensor(sim, "hand")[0] > x + 0.06, 0); // it gave way
    CHECK(strcmp(sn_simulation_behaviour_state(sim, 0), "open") == 0, 0);
    double open = running_sensor(sim, "finger")[0];
    CHECK_STATUS(sn_session_run(session, 0.7, NULL, NULL), SN_OK);
    CHECK(strcmp(sn_simulation_behaviour_state(sim, 0), "closed") == 0, 0);
    CHECK(running_sensor(sim, "finger")[0] < open - 0.5, 0);
    // what it has closed on is held: lifted by the hand, it comes along
    CHECK_STATUS(sn_session_run(session, 1.4, NULL, NULL), SN_OK);
    CHECK(running_sensor(sim, "basket")[2] > 0.72 + 0.03, 0);
    CHECK(running_sensor(sim, "centre")[2] > 0.78, 0); // and it stands
    sn_session_free(session);
    sn_simulation_free(sim);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_sinks_in_or_flies_off),
        cmocka_unit_test(an_arm_is_led_and_a_button_closes_its_gripper),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
