// SPDX-License-Identifier: Apache-2.0
// What a scene says of a hand, as it comes to be felt: its strength, rate control, a tool, the enable button and the
// gripper. Each hand is the scene's own, on a simulated device in virtual time.
#include <math.h>
#include <stdio.h>

#include "support/playing.h"

static const double G = 9.81;

/// The first hand of the scene, on a device of this profile.
static playing begin(const char* scene, const char* profile, const sn_hand_knot* way, int knots) {
    playing p = playing_begin(scene, NULL);
    const sn_hand_def* hand = sn_scene_hand(sn_simulation_scene(p.sim), 0);
    playing_hand(&p, hand, profile, "firm", way, knots);
    return p;
}

static void a_hand_pulls_no_more_than_its_strength(void** state) {
    (void)state;
    // 1 kg weighs 9.8 N, a Falcon renders 8 N
    const char* const scene =
        "version: 1\nobjects:\n"
        "  - {name: box, box: [0.1, 0.1, 0.1], mass: 1}\n"
        "devices: [{name: d, driver: sim}]\n"
        "hands: [{name: h, device: d, item: box, damping: 20, strength: %s}]\n";
    const sn_hand_knot rest[] = {playing_knot(0, 0, 0, 0)};
    const char* const strengths[] = {"1", "1.5"};
    for (int i = 0; i < 2; i++) {
        char text[512];
        (void)snprintf(text, sizeof text, scene, strengths[i]);
        playing p = begin(text, "falcon", rest, 1);
        CHECK_STATUS(playing_run(&p, i ? 6 : 2), SN_OK);
        sn_hand_report report = playing_report(&p, 0);
        CHECK_NEAR(report.most_force, (i ? 1.5 : 1) * 8, 1e-12, 0);
        if (i ==
            0) { // too heavy: it is pulled with 8 N, the same that is felt, and falls with the rest
            CHECK_NEAR(report.on_body.z, 8, 0.1, 0);
            double v = -(G - 8) * 2;
            CHECK_NEAR(running_v(p.sim, "box")[5], v, 0.1 * fabs(v), 0);
        } else { // it is carried
            CHECK_NEAR(report.on_body.z, G, 0.1, 0);
            CHECK_NEAR(running_v(p.sim, "box")[5], 0, 1e-2, 0);
        }
        CHECK(-report.on_hand.z <= 8 + 1e-9, 0);
        playing_end(&p);
    }
}

static void beyond_the_edge_a_hand_drifts_on(void** state) {
    (void)state;
    const sn_hand_knot way[] = {playing_knot(0, 0, 0, 0), playing_knot(1, 0.04, 0, 0),
                                playing_knot(3, 0.04, 0, 0)};
    playing p = begin("version: 1\ngravity: [0, 0, 0]\nobjects:\n"
                      "  - {name: ball, sphere: 0.05, mass: 0.1}\n"
                      "devices: [{name: d, driver: sim}]\n"
                      "hands: [{name: h, device: d, item: ball, rate_from: 0.03, rate: 10}]\n",
                      "omega3", way, 3);
    CHECK_STATUS(playing_run(&p, 3), SN_OK);
    sn_hand_report report = playing_report(&p, 0);
    // two seconds at 10/s times what the handle is beyond 3 cm, and what it drifted on its way there
    sn_simulated_state device;
    CHECK(sn_simulated_device_state(p.tap[0]->inner, &device), 0);
    CHECK(report.hand.pose.p.x > device.pose.p.x + 0.15, 0);
    CHECK_NEAR(report.hand.velocity.v.x, 10 * (device.pose.p.x - 0.03), 0.02, 0);
    CHECK_NEAR(playing_place(&p, 0).x, report.hand.pose.p.x, 0.01, 0); // the ball follows
    playing_end(&p);
}

static void a_tool_rests_on_the_floor_by_its_corners(void** state) {
    (void)state;
    // pressed 1 cm below where a box of 4 cm touches the floor, then tilted
    sn_hand_knot way[] = {playing_knot(0, 0, 0, 0), playing_knot(1, 0, 0, -0.06),
                          playing_knot(3, 0, 0, -0.06), playing_knot(4, 0, 0, -0.06)};
    way[3].pose.R = sn_quat_matrix(sn_quat_exp(sn_vec3_make(0, 0.1, 0)));
    playing p = begin("version: 1\nfloor: true\n"
                      "devices: [{name: d, driver: sim}]\n"
                      "hands: [{name: h, device: d, mode: touch, tool: [0.1, 0.04, 0.04],\n"
                      "         stiffness: 500, at: [0, 0, 0.07]}]\n",
                      "sigma7", way, 4);
    CHECK_STATUS(playing_run(&p, 2.5), SN_OK);
    sn_hand_report flat = playing_report(&p, 0);
    double depth = 0.02 - flat.hand.pose.p.z; // of the handle below where the tool stays
    CHECK(depth > 2e-3, 0);
    CHECK_NEAR(flat.on_hand.z, flat.stiffness * depth, 0.1 * flat.stiffness * depth, 0);
    CHECK(sn_vec3_norm(flat.torque_on_hand) < 0.01, 0);
    CHECK_STATUS(playing_run(&p, 2.5), SN_OK);
    sn_hand_report tilted = playing_report(&p, 0);
    // the floor turns it back, about y and about nothing else
    CHECK(tilted.torque_on_hand.y < -0.01, 0);
    CHECK(fabs(tilted.torque_on_hand.x) < 0.1 * fabs(tilted.torque_on_hand.y), 0);
    playing_end(&p);
}

/// Presses button k of the device for a moment at 1 s.
static playing press(const char* scene, uint32_t held, uint32_t pressed) {
    sn_hand_knot way[] = {playing_knot(0, 0, 0, 0), playing_knot(1, 0, 0, 0),
                          playing_knot(1.1, 0, 0, 0)};
    for (int i = 0; i < 3; i++) way[i].buttons = held;
    way[1].buttons |= pressed;
    return begin(scene, "falcon", way, 3);
}

static void the_enable_button_does_nothing_else(void** state) {
    (void)state;
    const char* const scene =
        "version: 1\nobjects:\n"
        "  - {name: box, box: [0.1, 0.1, 0.1], mass: 0.2}\n"
        "devices: [{name: d, driver: sim}]\n"
        "hands: [{name: h, device: d, item: box, stiffness: 300, damping: 5,\n"
        "         buttons: [grab]%s}]\n";
    const struct {
        const char* more;
        uint32_t held, pressed;
        bool lets_go, has_force;
    } cases[] = {
        {"", 1, 0, false, true},             // the first is held all the while, and lets nothing go
        {"", 1, 2, true, false},             // the second is the first action
        {", enable: 2", 2, 0, false, true},  // another one must be held,
        {", enable: 2", 2, 1, true, false},  // and the first is free
        {", enable: 2", 0, 0, false, false}, // it is not held
        {", enable: false", 0, 0, false, true},
        {", enable: false", 0, 1, true, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[512];
        (void)snprintf(text, sizeof text, scene, cases[i].more);
        playing p = press(text, cases[i].held, cases[i].pressed);
        CHECK_STATUS(playing_run(&p, 0.9), SN_OK);
        CHECK(playing_report(&p, 0).body.i == 0, i);
        CHECK_STATUS(playing_run(&p, 0.5), SN_OK);
        sn_hand_report report = playing_report(&p, 0);
        CHECK((report.body.i < 0) == cases[i].lets_go, i);
        CHECK((sn_vec3_norm(report.force.force) > 0) == cases[i].has_force, i);
        playing_end(&p);
    }
}

static void a_gripper_takes_what_is_near_and_lets_it_go(void** state) {
    (void)state;
    const char* const scene = "version: 1\ngravity: [0, 0, 0]\nobjects:\n"
                              "  - {name: claw, box: [0.04, 0.04, 0.04], mass: 0.2}\n"
                              "  - {name: nut, sphere: 0.01, mass: 0.05, at: [0.035, 0, 0]}\n"
                              "devices: [{name: d, driver: sim}]\n"
                              "hands: [{name: h, device: d, item: claw, stiffness: 300, damping: "
                              "5, buttons: [gripper]}]\n";
    sn_hand_knot way[] = {playing_knot(0, 0, 0, 0), playing_knot(1, 0, 0, 0),
                          playing_knot(1.1, 0, 0, 0), playing_knot(2, 0, 0.02, 0),
                          playing_knot(2.5, 0, 0.02, 0)};
    way[1].buttons |= 2;
    playing p = begin(scene, "falcon", way, 5);
    CHECK_STATUS(playing_run(&p, 3), SN_OK);
    CHECK(p.session->hand[0].grip.generation > 0, 0);
    sn_vec3 apart = sn_vec3_sub(running_pose(p.sim, "nut").p, running_pose(p.sim, "claw").p);
    CHECK_NEAR(running_pose(p.sim, "claw").p.y, 0.02, 2e-3, 0);
    CHECK_NEAR(sn_vec3_norm(apart), 0.035, 1e-4, 0); // it came along; both may turn
    playing_end(&p);
}

/// A joint of the held model is closed by a button, and holds what is between the jaws.
static void a_button_closes_a_joint_that_grips(void** state) {
    (void)state;
    const char* const scene =
        "version: 1\ngravity: [0, 0, 0]\ncontact: {sleep: false}\n"
        "models: [{name: p, file: " SN_TEST_DATA_DIR "/pincer.urdf}]\n"
        "objects: [{name: nut, box: [0.03, 0.05, 0.03], mass: 0.1, at: [0, 0, 1]}]\n"
        "controllers:\n- {name: grip, item: p, kp: 2000, kd: 50, joints: [close], grip: {closed: "
        "{close: 0.04}, force: 3}}\n"
        "- {name: arm, item: p, kp: 0, kd: 5, joints: [slide]}\n"
        "behaviours: [{item: p, states: [{name: open, on: [{signal: grip, go: shut}]}, "
        "{name: shut, controllers: [grip], on: [{signal: grip, go: open}]}]}]\n"
        "devices: [{name: d, driver: sim}]\n"
        "hands: [{name: h, device: d, item: p, body: palm, stiffness: 300, damping: 5, buttons: "
        "['signal: grip']}]\n";
    sn_hand_knot way[] = {playing_knot(0, 0, 0, 0),      playing_knot(1, 0, 0, 0),
                          playing_knot(1.1, 0, 0, 0),    playing_knot(2.5, 0.03, 0, 0),
                          playing_knot(3.5, 0.03, 0, 0), playing_knot(3.6, 0.03, 0, 0)};
    way[1].buttons |= 2;
    way[4].buttons |= 2;
    playing p = begin(scene, "falcon", way, 6);
    CHECK_STATUS(playing_run(&p, 0.9), SN_OK);
    CHECK_NEAR(running_q(p.sim, "p")[1], 0, 1e-3, 0);
    CHECK_STATUS(playing_run(&p, 2.4), SN_OK);
    CHECK(running_q(p.sim, "p")[1] > 0.005, 0);
    double x = running_pose(p.sim, "p/palm").p.x;
    CHECK_NEAR(x, 0.03, 5e-3, 0);
    CHECK_NEAR(running_pose(p.sim, "nut").p.x, x, 2e-3, 0); // it came along
    CHECK_STATUS(playing_run(&p, 0.7), SN_OK);
    CHECK_NEAR(running_q(p.sim, "p")[1], 0, 2e-3, 0); // pressed once more
    playing_end(&p);
}

static void latency_is_what_the_device_says(void** state) {
    (void)state;
    const sn_hand_knot rest[] = {playing_knot(0, 0, 0, 0)};
    playing p = begin("version: 1\nobjects: [{name: box, sphere: 0.1}]\n"
                      "devices: [{name: d, driver: sim}]\nhands: [{name: h, device: d}]\n",
                      "omega3", rest, 1);
    CHECK_STATUS(playing_run(&p, 0.5), SN_OK);
    sn_latency_meter latency = playing_report(&p, 0).latency;
    uint64_t sum = 0;
    for (int k = 0; k < SN_JITTER_BINS; k++) sum += latency.below[k];
    CHECK(latency.count >= 490 && sum == latency.count, 0);
    CHECK(latency.sum_ns <= latency.worst_ns * (int64_t)latency.count, 0);
    playing_end(&p);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_hand_pulls_no_more_than_its_strength),
        cmocka_unit_test(beyond_the_edge_a_hand_drifts_on),
        cmocka_unit_test(a_tool_rests_on_the_floor_by_its_corners),
        cmocka_unit_test(the_enable_button_does_nothing_else),
        cmocka_unit_test(a_gripper_takes_what_is_near_and_lets_it_go),
        cmocka_unit_test(a_button_closes_a_joint_that_grips),
        cmocka_unit_test(latency_is_what_the_device_says),
    };
    return cmocka_run_group_tests_name("session_terms", tests, NULL, NULL);
}
