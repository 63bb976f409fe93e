// SPDX-License-Identifier: Apache-2.0
// A grasp: an object held by a gripper goes where the gripper goes, carries its load, and falls when it is let go.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "support/running.h"

// A gripper on a lift: two locked-together joints that a controller drives, and a box under it.
static const char* const SCENE =
    "version: 1\n"
    "floor: true\n"
    "models:\n"
    "  - {name: arm, file: " SN_TEST_MODELS_DIR "/double_pendulum.urdf, at: [0, 0, 4]}\n"
    "objects:\n"
    "  - {name: box, box: [0.1, 0.2, 0.1], mass: 0.5, at: [0.3, 0.1, 2]}\n"
    "controllers:\n"
    "  - {item: arm, kp: 400, kd: 40, limit: 1000}\n";

/// Box in the gripper's frame.
static sn_pose relative(sn_simulation* sim) {
    return sn_pose_mul(sn_pose_inverse(running_pose(sim, "arm/lower_rod")),
                       running_pose(sim, "box"));
}

static double angle_between(sn_pose a, sn_pose b) {
    sn_mat3 R = sn_mat3_mul(sn_mat3_transpose(a.R), b.R);
    double cosine = (R.m[0][0] + R.m[1][1] + R.m[2][2] - 1) / 2;
    return acos(fmax(-1, fmin(1, cosine)));
}

static void a_weld_keeps_an_object_in_a_gripper_under_load(void** state) {
    (void)state;
    sn_simulation* sim = running(SCENE);
    running_command(sim, "hold: {name: grip, type: weld, body: arm/lower_rod, other: box}");
    sn_pose held = relative(sim);
    running_command(sim, "push: {body: box, force: [30, -20, 10], moment: [0.5, 0, 1]}");
    double worst = 0, turned = 0, moved = 0;
    sn_vec3 start = running_pose(sim, "box").p;
    for (int k = 0; k < 2000; k++) {
        if (k == 500)
            running_command(sim, "target: {controller: arm, joint: arm/upper_hinge, value: 1.2}");
        if (k == 1200)
            running_command(sim, "target: {controller: arm, joint: arm/upper_hinge, value: -1}");
        running_step(sim, 1);
        sn_pose now = relative(sim);
        worst = fmax(worst, sn_vec3_norm(sn_vec3_sub(now.p, held.p)));
        turned = fmax(turned, angle_between(held, now));
        moved = fmax(moved, sn_vec3_norm(sn_vec3_sub(running_pose(sim, "box").p, start)));
    }
    CHECK(moved > 1, 0);            // it was swung about
    CHECK_NEAR(worst, 0, 2e-3, 0);  // m
    CHECK_NEAR(turned, 0, 4e-3, 0); // rad
    sn_simulation_free(sim);
}

static void what_is_released_falls_freely(void** state) {
    (void)state;
    sn_simulation* sim = running(SCENE);
    running_command(sim, "hold: {name: grip, type: weld, body: arm/lower_rod, other: box}");
    running_step(sim, 500);
    running_command(sim, "release: grip");
    sn_vec3 p = running_pose(sim, "box").p;
    sn_twist v =
        sn_dynamics_velocity(sn_world_dynamics(sn_simulation_world(sim)),
                             sn_model_find_body(sn_world_model(sn_simulation_world(sim)), "box"));
    sn_vec3 v_w = sn_mat3_apply(running_pose(sim, "box").R, v.v);
    running_step(sim, 200);
    double t = 0.2;
    CHECK_NEAR(running_pose(sim, "box").p.z, p.z + v_w.z * t - 0.5 * 9.81 * t * t, 1e-6, 0);
    CHECK_NEAR(running_pose(sim, "box").p.x, p.x + v_w.x * t, 1e-6, 0);
    running_refuse(sim, "release: grip", SN_ERR_ARGUMENT, "there is no hold 'grip'");
    sn_simulation_free(sim);
}

static void a_hold_to_the_world_hangs_an_object_up(void** state) {
    (void)state;
    sn_simulation* sim = running("version: 1\nobjects:\n"
                                 "  - {name: lamp, sphere: 0.1, mass: 3, at: [0, 0, 2]}\n");
    running_command(sim, "hold: {name: hook, type: weld, body: lamp}");
    running_step(sim, 1000);
    CHECK_NEAR(running_pose(sim, "lamp").p.z, 2, 1e-4, 0);
    sn_simulation_free(sim);
}

static void frames_that_are_given_are_drawn_together(void** state) {
    (void)state;
    sn_simulation* sim = running("version: 1\ngravity: [0, 0, 0]\nobjects:\n"
                                 "  - {name: a, sphere: 0.05, mass: 1, at: [0, 0, 0]}\n"
                                 "  - {name: b, sphere: 0.05, mass: 1, at: [0.32, 0, 0]}\n");
    running_command(sim, "hold: {name: rod, type: ball, body: a, other: b, "
                         "frame: {at: [0.15, 0, 0]}, other_frame: {at: [-0.15, 0, 0]}}");
    running_step(sim, 500);
    double apart = sn_vec3_norm(sn_vec3_sub(running_pose(sim, "b").p, running_pose(sim, "a").p));
    CHECK_NEAR(apart, 0.3, 1e-3, 0);
    sn_simulation_free(sim);
}

static void there_are_as_many_holds_as_the_scene_says(void** state) {
    (void)state;
    sn_simulation* sim = running("version: 1\ncontact: {constraints: 2}\nobjects:\n"
                                 "  - {name: a, sphere: 0.1}\n"
                                 "  - {name: b, sphere: 0.1, at: [1, 0, 0]}\n");
    running_command(sim, "hold: {name: one, type: ball, body: a}");
    running_command(sim, "hold: {name: two, type: ball, body: b}");
    running_refuse(sim, "hold: {name: three, type: ball, body: a, other: b}", SN_ERR_CAPACITY,
                   "there are 2 holds, as many as fit");
    running_command(sim, "release: one");
    running_command(sim, "hold: {name: three, type: ball, body: a, other: b}");
    running_step(sim, 10);
    sn_simulation_free(sim);
    sim = running("version: 1\ncontact: false\nobjects: [{name: a, sphere: 0.1}]\n");
    running_refuse(sim, "hold: {name: one, type: ball, body: a}", SN_ERR_ARGUMENT, "contact");
    sn_simulation_free(sim);
}

static void constraints_that_make_no_sense_are_refused(void** state) {
    (void)state;
    sn_simulation* sim = running("version: 1\nobjects:\n  - {name: a, sphere: 0.1}\n");
    sn_error error = {0};
    sn_constraint c = sn_constraint_default();
    c.a = sn_body(0), c.b = sn_body_world();
    CHECK_STATUS(sn_simulation_hold(sim, NULL, &c, false, NULL, &error), SN_ERR_ARGUMENT);
    CHECK_STATUS(sn_simulation_hold(sim, "h", NULL, false, NULL, &error), SN_ERR_ARGUMENT);
    c.a = sn_body(7);
    CHECK_STATUS(sn_simulation_hold(sim, "h", &c, false, NULL, &error), SN_ERR_ARGUMENT);
    c.a = sn_body(-2);
    CHECK_STATUS(sn_simulation_hold(sim, "h", &c, false, NULL, &error), SN_ERR_ARGUMENT);
    c.a = sn_body(0);
    c.stiffness = -1;
    CHECK_STATUS(sn_simulation_hold(sim, "h", &c, false, NULL, &error), SN_ERR_ARGUMENT);
    running_says(error.text, "stiffness must be positive");
    c = sn_constraint_default();
    c.a = sn_body(0), c.b = sn_body_world();
    c.X_ac.p.x = NAN;
    CHECK_STATUS(sn_simulation_hold(sim, "h", &c, true, NULL, &error), SN_ERR_ARGUMENT);
    CHECK_STATUS(sn_simulation_hold(sim, "h", &c, false, NULL, &error), SN_OK); // not used
    running_step(sim, 3);
    sn_simulation_free(sim);
}

/// Contact between them could only contradict it; a weld that gives way leaves them a motion, and so their contact.
static void a_rigid_weld_leaves_no_contact_between_its_two(void** state) {
    (void)state;
    const char* const scene = "version: 1\nobjects:\n"
                              "  - {name: a, box: [0.1, 0.1, 0.1], mass: 1}\n"
                              "  - {name: b, box: [0.1, 0.1, 0.1], mass: 1, at: [0, 0, 0.0999]}\n";
    const struct {
        const char* hold;
        int32_t contacts;
    } cases[] = {
        {"type: weld", 0},
        {"type: weld, stiffness: 1e5", 4},
        {"type: weld, turn_stiffness: 1e3", 4},
        {"type: ball", 4},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char hold[128];
        (void)snprintf(hold, sizeof hold, "hold: {name: h, body: a, other: b, %s}", cases[i].hold);
        sn_simulation* sim = running(scene);
        running_step(sim, 1);
        CHECK(sn_world_contact_count(sn_simulation_world(sim)) == 4, i);
        running_command(sim, hold);
        running_step(sim, 1);
        CHECK(sn_world_contact_count(sn_simulation_world(sim)) == cases[i].contacts, i);
        running_command(sim, "release: h");
        running_step(sim, 1);
        CHECK(sn_world_contact_count(sn_simulation_world(sim)) == 4, i);
        sn_simulation_free(sim);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_weld_keeps_an_object_in_a_gripper_under_load),
        cmocka_unit_test(what_is_released_falls_freely),
        cmocka_unit_test(a_hold_to_the_world_hangs_an_object_up),
        cmocka_unit_test(frames_that_are_given_are_drawn_together),
        cmocka_unit_test(there_are_as_many_holds_as_the_scene_says),
        cmocka_unit_test(constraints_that_make_no_sense_are_refused),
        cmocka_unit_test(a_rigid_weld_leaves_no_contact_between_its_two),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
