// SPDX-License-Identifier: Apache-2.0
// Controllers whose targets move: motions, giving way, looking, gripping; and behaviours that switch them.
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "sinew/control.h"
#include "support/running.h"

#define PLATFORM "{name: t, file: " SN_TEST_DATA_DIR "/platform.urdf}"
#define GRIPPER "{name: g, file: " SN_TEST_DATA_DIR "/gripper.urdf}"

static sn_simulation* with_models(const char* scene) {
    static const char* folders[] = {SN_TEST_MODELS_DIR, NULL};
    sn_simulation_def def = sn_simulation_def_default();
    def.load.model_paths = folders;
    return running_with(scene, &def);
}

static const char* in_state(const sn_simulation* sim) {
    return sn_simulation_behaviour_state(sim, 0);
}

static void a_motion_is_followed(void** state) {
    (void)state;
    static const char* const text = "version: 1\nmodels: [" PLATFORM "]\n"
                                    "controllers: [{item: t, kp: 1e7, kd: 1e3, limit: 1e9, motion: "
                                    "[{at: 0.1, q: {lift: 0}}, {at: 0.6, q: {lift: 0.3}}]}]\n";
    sn_simulation* sim = running(text);
    for (int k = 1; k <= 800; k++) {
        running_step(sim, 1);
        double u = fmax(0, fmin(1, (k * 1e-3 - 0.1) / 0.5)), rate;
        double expected = 0.3 * sn_smooth_way(SN_SMOOTH_MINIMUM_JERK, u, &rate);
        CHECK_NEAR(running_q(sim, "t")[0], expected, 1e-4, 0);
    }
    sn_simulation_free(sim);
}

static void a_motion_of_a_file_is_that_of_the_scene(void** state) {
    (void)state;
    char path[300], text[900];
    (void)snprintf(path, sizeof path, "%s/sinew_test_%ld_motion.csv", P_tmpdir, (long)getpid());
    FILE* file = fopen(path, "w");
    CHECK(file && fputs("time, lift\n0.0, 0\n\n0.2,0.1\r\n0.5, -0.05\n", file) >= 0 &&
              fclose(file) == 0,
          0);
    static const char* const ends[] = {
        "file: %s, smooth: spline",
        "motion: [{at: 0, q: {lift: 0}}, {at: 0.2, q: {lift: 0.1}}, {at: 0.5, q: {lift: -0.05}}], "
        "smooth: spline"};
    double q[2];
    for (int i = 0; i < 2; i++) {
        char end[400];
        (void)snprintf(end, sizeof end, ends[i], path);
        (void)snprintf(text, sizeof text,
                       "version: 1\nmodels: [" PLATFORM "]\ncontrollers: [{item: t, kp: 1e6, kd: "
                       "1e5, %s}]\n",
                       end);
        sn_simulation* sim = running(text);
        running_step(sim, 300);
        q[i] = running_q(sim, "t")[0];
        sn_simulation_free(sim);
    }
    (void)remove(path);
    CHECK(q[0] == q[1] && q[0] > 0.01, 0);
}

/// With a weak spring the joint is where the planned forces put it: a mass of 2 kg under 3 N for 0.2 s, then -3 N.
static void a_motion_of_a_file_has_forces(void** state) {
    (void)state;
    char path[300], text[900];
    (void)snprintf(path, sizeof path, "%s/sinew_test_%ld_forces.csv", P_tmpdir, (long)getpid());
    FILE* file = fopen(path, "w");
    CHECK(file &&
              fputs("time,lift:force,lift\n0,3,0\n0.2,3,0.03\n0.2001,-3,0.03\n1,-3,0.06\n", file) >=
                  0 &&
              fclose(file) == 0,
          0);
    (void)snprintf(text, sizeof text,
                   "version: 1\ngravity: [0, 0, 0]\nmodels: [" PLATFORM
                   "]\ncontrollers: [{item: t, kp: 1e-6, file: %s}]\n",
                   path);
    sn_simulation* sim = running(text);
    (void)remove(path);
    sn_world* world = sn_simulation_world(sim);
    double mass = running_body(sim, "t").inertia.mass;
    running_step(sim, 200);
    CHECK_NEAR(sn_world_control(world)[0], 3, 1e-6, 0);
    CHECK_NEAR(running_v(sim, "t")[0], 3 * 0.2 / mass, 1e-6, 0);
    running_step(sim, 100);
    CHECK_NEAR(sn_world_control(world)[0], -3, 1e-6, 0);
    sn_simulation_free(sim);
}

static void refuse(const char* controller, const char* why) {
    char text[600];
    sn_error error = {0};
    (void)snprintf(text, sizeof text,
                   "version: 1\nmodels: [" PLATFORM "]\ncontrollers:\n- {item: t, kp: 1, %s}\n",
                   controller);
    assert_true(running_try(text, NULL, &error) != SN_OK);
    CHECK(error.line >= 1, 0);
    running_says(error.text, why);
}

static void movers_that_make_no_sense_are_refused(void** state) {
    (void)state;
    refuse("motion: [{at: 1, q: {lift: 0}}, {at: 1, q: {lift: 1}}]", "order of time");
    refuse("motion: [{at: 1, q: {lefft: 0}}]", "lefft");
    refuse("motion: []", "postures");
    refuse("smooth: cubic", "'motion'");
    refuse("file: nothing.csv", "nothing.csv");
    refuse("look: {eye: plat}", "plat");
    refuse("follow: {waist: x}", "'x'");
    refuse("follow: true, look: {eye: plate}", "exclude");
}

/// Pushed with 12 N, the target is that of a mass of 3 kg in a medium of 10 N s/m.
static void a_compliant_joint_gives_way_as_it_should(void** state) {
    (void)state;
    sn_simulation* sim =
        running("version: 1\ngravity: [0, 0, 0]\nmodels: [" PLATFORM "]\n"
                "objects: [{name: load, box: [0.1, 0.1, 0.1], mass: 1, at: [0, 0, 0.3]}]\n"
                "holds: [{name: h, type: weld, body: load, other: t/plate}]\n"
                "controllers: [{item: t, kp: 1e6, kd: 1e5, limit: 1e9, "
                "follow: {mass: 3, damping: 10, waist: plate}}]\n");
    // the waist is the plate itself: nothing gives way
    running_command(sim, "push: {body: t/plate, force: [0, 0, 12]}");
    running_step(sim, 100);
    CHECK_NEAR(running_q(sim, "t")[0], 0, 1e-3, 0);
    sn_simulation_free(sim);
    static const char* const bodies[] = {"g/left", "load"};
    for (int i = 0; i < 2; i++) { // itself, and what it holds
        char push[100];
        sim = running("version: 1\ngravity: [0, 0, 0]\n"
                      "models: [{name: g, generate: 'chain:3'}]\n"
                      "objects: [{name: load, box: [0.1, 0.1, 0.1], mass: 0.5, at: [3, 3, 3]}]\n"
                      "holds: [{name: h, type: weld, body: load, other: g/b000002}]\n"
                      "controllers: [{item: g, kp: 1e6, kd: 1e5, limit: 1e9, "
                      "follow: {mass: 3, damping: 10}}]\n");
        (void)snprintf(push, sizeof push, "push: {body: %s, force: [0, 0, 12], moment: [3, 2, 1]}",
                       i ? bodies[1] : "g/b000002");
        running_command(sim, push);
        const double start[3] = {running_q(sim, "g")[0], running_q(sim, "g")[1],
                                 running_q(sim, "g")[2]};
        running_step(sim, 20);
        double moved = fabs(running_q(sim, "g")[2] - start[2]);
        CHECK(moved > 1e-6, 0);
        CHECK_NEAR(running_q(sim, "g")[0], start[0], 1e-5, 0); // the waist: its first body
        // M x'' + B x' = J'f from rest: J'f is that of the beginning, as it hardly moved
        sn_world* world = sn_simulation_world(sim);
        sn_body_info joint = sn_model_body(sn_world_model(world), sn_body(2));
        sn_pose X = running_pose(sim, "g/b000002"), L = running_pose(sim, "load");
        sn_vec3 axis = sn_mat3_apply(X.R, joint.axis), f = sn_vec3_make(0, 0, 12);
        sn_vec3 arm = i ? sn_vec3_sub(L.p, X.p) : sn_vec3_zero();
        double tau = sn_vec3_dot(axis, sn_vec3_add(sn_vec3_make(3, 2, 1), sn_vec3_cross(arm, f)));
        double t = 0.02, E = exp(-t * 10 / 3), end = tau / 10;
        double x = 3.0 / 10 * (1 - E) * -end + t * end;
        CHECK_NEAR(running_q(sim, "g")[2] - start[2], x, 0.02 * fabs(x) + 1e-5, 0);
        sn_simulation_free(sim);
    }
}

static void a_head_turns_to_what_it_looks_at(void** state) {
    (void)state;
    sn_simulation* sim = with_models(
        "version: 1\ncontact: false\nmodels: [{name: r, model: hrp2, base: fixed}]\n"
        "objects: [{name: toy, sphere: 0.05, at: [1.5, 0.8, 0.3]}]\ngravity: [0, 0, 0]\n"
        "controllers:\n- {name: rest, item: r, kp: 1e4, kd: 1e3, joints: [l_elbow]}\n"
        "- {name: eyes, item: r, kp: 1e4, kd: 1e3, joints: [head_yaw, head_pitch], look: {eye: "
        "head, "
        "item: toy, speed: 1.5}}\n");
    sn_world* world = sn_simulation_world(sim);
    double fastest = 0;
    for (int k = 0; k < 2500; k++) {
        running_step(sim, 1);
        for (int i = 0; i < sn_model_nv(sn_world_model(world)) - 6; i++)
            fastest = fmax(fastest, fabs(sn_world_v(world)[i]));
    }
    sn_pose X = running_pose(sim, "r/head");
    sn_vec3 away = sn_vec3_sub(running_pose(sim, "toy").p, X.p);
    sn_vec3 turn =
        sn_turn_between(sn_mat3_column(X.R, 0), sn_vec3_scale(1 / sn_vec3_norm(away), away));
    CHECK(sn_vec3_norm(turn) < 0.03, 0);
    CHECK(fastest > 0.2 && fastest < 2, 0);
    sn_simulation_free(sim);
}

/// A person pulls at a point of a rod, in changing directions, and holds still in the end: eyes find the point, which
/// only forces and moments tell.
static void eyes_find_the_hand_by_its_forces(void** state) {
    (void)state;
    const sn_vec3 hand = {0.1, -0.05, 0.3}; // in the rod, which is held
    sn_simulation* sim = with_models(
        "version: 1\nmodels: [{name: r, model: hrp2, base: fixed}]\ngravity: [0, 0, 0]\n"
        "objects: [{name: rod, box: [0.3, 0.2, 0.7], mass: 1, at: [0.8, 0.3, 0.2]}]\n"
        "holds: [{name: h, type: weld, body: rod}]\n"
        "controllers: [{item: r, kp: 1e4, kd: 1e3, joints: [head_yaw, head_pitch], look: {eye: "
        "gaze}}]\n");
    sn_world* world = sn_simulation_world(sim);
    sn_body_id rod = sn_model_find_body(sn_world_model(world), "rod");
    for (int k = 0; k < 1500; k++) {
        double t = 1e-3 * k;
        sn_vec3 f = {2 * sin(5 * t), 2 * cos(4 * t), k < 1200 ? 1.5 * sin(3 * t) : 0};
        sn_wrench pull = sn_wrench_make(sn_vec3_cross(hand, f), f);
        CHECK_STATUS(sn_world_set_pull(world, rod, pull), SN_OK);
        running_step(sim, 1);
    }
    CHECK_STATUS(sn_world_set_pull(world, rod, sn_wrench_zero()), SN_OK);
    running_step(sim, 500);
    sn_pose X = sn_dynamics_frame_pose(sn_world_dynamics(world),
                                       sn_model_find_frame(sn_world_model(world), "r/gaze"));
    sn_vec3 away = sn_vec3_sub(sn_pose_apply(running_pose(sim, "rod"), hand), X.p);
    sn_vec3 turn =
        sn_turn_between(sn_mat3_column(X.R, 0), sn_vec3_scale(1 / sn_vec3_norm(away), away));
    CHECK_NEAR(sn_vec3_norm(turn), 0, 0.03, 0);
    sn_simulation_free(sim);
}

/// Between a jaw that is part of the palm and one finger; the hold is with the palm, so what is held moves with it.
static void a_finger_holds_against_the_palm(void** state) {
    (void)state;
    sn_simulation* sim = running(
        "version: 1\ngravity: [0, 0, 0]\ncontact: {sleep: false}\n"
        "models: [{name: p, file: " SN_TEST_DATA_DIR "/pincer.urdf}]\n"
        "objects: [{name: box, box: [0.03, 0.05, 0.03], mass: 0.3, at: [0, 0, 1], material: {mu: "
        "0}}]\n"
        "controllers:\n- {name: hand, item: p, kp: 2000, kd: 50, joints: [close], grip: {closed: "
        "{close: 0.04}, force: 3}}\n"
        "- {name: arm, item: p, kp: 1000, kd: 100, joints: [slide]}\n"
        "behaviours: [{item: p, states: [{name: open, on: [{signal: grip, go: shut}]}, "
        "{name: shut, controllers: [hand], on: [{signal: grip, go: open}]}]}]\n");
    running_command(sim, "signal: grip");
    running_step(sim, 500);
    running_command(sim, "target: {controller: arm, joint: p/slide, value: 0.3}");
    running_command(sim, "gravity: [0, 0, -9.81]");
    running_step(sim, 2000);
    sn_vec3 held = running_pose(sim, "box").p;
    CHECK_NEAR(held.x, 0.3, 0.005, 0);
    CHECK_NEAR(held.z, 1, 0.005, 0);
    running_command(sim, "signal: grip");
    running_step(sim, 300);
    CHECK(running_pose(sim, "box").p.z < 0.8, 0);
    sn_simulation_free(sim);
}

/// A smooth box would slip out of any fingers: only the hold keeps it. The signal opens them.
static void a_gripper_holds_until_it_opens(void** state) {
    (void)state;
    sn_simulation* sim = running(
        "version: 1\ngravity: [0, 0, 0]\ncontact: {sleep: false}\nmodels: [" GRIPPER "]\n"
        "objects: [{name: box, box: [0.03, 0.05, 0.03], mass: 0.3, at: [0, 0, 1], material: {mu: "
        "0}}]\n"
        "controllers: [{name: hand, item: g, kp: 2000, kd: 50, grip: {closed: {close_left: 0.04, "
        "close_right: 0.04}, force: 3}}]\n"
        "behaviours: [{item: g, states: [{name: open, on: [{signal: close, go: shut}]}, "
        "{name: shut, controllers: [hand], on: [{signal: open, go: open}]}]}]\n");
    running_step(sim, 100);
    CHECK(strcmp(in_state(sim), "open") == 0, 0);
    CHECK_NEAR(running_q(sim, "g")[0], 0, 1e-3, 0);
    running_command(sim, "signal: close");
    running_step(sim, 500);
    CHECK(strcmp(in_state(sim), "shut") == 0, 0);
    running_command(sim, "gravity: [0, 0, -9.81]");
    running_step(sim, 500);
    CHECK_NEAR(running_pose(sim, "box").p.z, 1, 0.005, 0);
    running_command(sim, "signal: open");
    running_step(sim, 300);
    CHECK(running_pose(sim, "box").p.z < 0.8, 0);
    CHECK_NEAR(running_q(sim, "g")[0], 0, 2e-3, 0);
    sn_simulation_free(sim);
}

static void a_behaviour_follows_what_is_felt(void** state) {
    (void)state;
    sn_simulation* sim =
        running("version: 1\ngravity: [0, 0, 0]\nmodels: [{name: g, generate: 'chain:3'}]\n"
                "controllers:\n- {name: stiff, item: g, kp: 1e4, kd: 1e3}\n"
                "- {name: soft, item: g, kp: 1e4, kd: 1e3, follow: true}\n"
                "behaviours: [{item: g, states: [\n"
                "  {name: still, controllers: [stiff], on: [{feel: tap, go: soft}, {feel: shake, "
                "go: greet}]},\n"
                "  {name: soft, controllers: [soft], on: [{after: 0.5, go: still}]},\n"
                "  {name: greet, on: [{feel: push, go: still}, {feel: pull, go: still}]}]}]\n");
    CHECK(strcmp(in_state(sim), "still") == 0, 0);
    running_command(sim, "push: {body: g/b000002, force: [0, 10, 0]}");
    running_step(sim, 100);
    running_command(sim, "push: {body: g/b000002}");
    running_step(sim, 500);
    CHECK(strcmp(in_state(sim), "still") == 0, 0); // at first it listens to nothing
    running_command(sim, "push: {body: g/b000002, force: [0, 10, 0]}");
    running_step(sim, 100);
    running_command(sim, "push: {body: g/b000002}");
    running_step(sim, 90);
    CHECK(strcmp(in_state(sim), "still") == 0, 0); // it could still be something else
    running_step(sim, 20);
    CHECK(strcmp(in_state(sim), "soft") == 0, 0);
    running_step(sim, 520);
    CHECK(strcmp(in_state(sim), "still") == 0, 0);
    running_step(sim, 500);
    for (int k = 0; k < 5; k++) {
        running_command(sim, k % 2 ? "push: {body: g/b000002, force: [0, -8, 0]}"
                                   : "push: {body: g/b000002, force: [0, 8, 0]}");
        running_step(sim, 150);
    }
    CHECK(strcmp(in_state(sim), "greet") == 0, 0);
    running_command(sim, "push: {body: g/b000002}");
    running_step(sim, 500);
    running_command(sim, "push: {body: g/b000002, force: [0, -8, 0]}");
    running_step(sim, 450);
    CHECK(strcmp(in_state(sim), "still") == 0, 0);
    running_command(sim, "reset: true");
    running_step(sim, 1);
    CHECK(strcmp(in_state(sim), "still") == 0, 0);
    sn_simulation_free(sim);
}

/// The weight of what a sensor carries is usual; what comes besides is felt. Pushes on the other side of it are not.
static void a_behaviour_may_feel_by_a_sensor(void** state) {
    (void)state;
    sn_simulation* sim =
        running("version: 1\nmodels: [{name: g, generate: 'chain:4'}]\n"
                "controllers: [{item: g, kp: 1e5, kd: 1e4}]\n"
                "sensors: [{name: wrist, type: force, item: g, body: b000003}]\n"
                "behaviours: [{item: g, sensor: wrist, states: [\n"
                "  {name: still, on: [{feel: tap, go: tapped}, {feel: push, go: pushed}, {feel: "
                "pull, go: pushed}]},\n"
                "  {name: tapped}, {name: pushed}]}]\n");
    running_step(sim, 1500);
    running_command(sim, "push: {body: g/b000002, force: [0, 10, 0]}"); // on this side
    running_step(sim, 100);
    running_command(sim, "push: {body: g/b000002}");
    running_step(sim, 300);
    CHECK(strcmp(in_state(sim), "still") == 0, 0);
    running_command(sim, "push: {body: g/b000003, force: [0, 10, 0]}");
    running_step(sim, 100);
    running_command(sim, "push: {body: g/b000003}");
    running_step(sim, 300);
    CHECK(strcmp(in_state(sim), "tapped") == 0, 0);
    sn_simulation_free(sim);
    sn_error error = {0};
    CHECK(running_try("version: 1\nmodels: [{name: g, generate: 'chain:4'}]\n"
                      "sensors: [{name: wrist, type: force, item: g}]\n"
                      "behaviours: [{item: g, sensor: wirst, states: [{name: a}]}]\n",
                      NULL, &error) != SN_OK,
          0);
    running_says(error.text, "did you mean 'wrist'?");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_motion_is_followed),
        cmocka_unit_test(a_motion_of_a_file_is_that_of_the_scene),
        cmocka_unit_test(a_motion_of_a_file_has_forces),
        cmocka_unit_test(movers_that_make_no_sense_are_refused),
        cmocka_unit_test(a_compliant_joint_gives_way_as_it_should),
        cmocka_unit_test(a_head_turns_to_what_it_looks_at),
        cmocka_unit_test(eyes_find_the_hand_by_its_forces),
        cmocka_unit_test(a_gripper_holds_until_it_opens),
        cmocka_unit_test(a_finger_holds_against_the_palm),
        cmocka_unit_test(a_behaviour_follows_what_is_felt),
        cmocka_unit_test(a_behaviour_may_feel_by_a_sensor),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
