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

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_motion_is_followed),
        cmocka_unit_test(a_motion_of_a_file_is_that_of_the_scene),
        cmocka_unit_test(movers_that_make_no_sense_are_refused),
        cmocka_unit_test(a_compliant_joint_gives_way_as_it_should),
        cmocka_unit_test(a_head_turns_to_what_it_looks_at),
        cmocka_unit_test(a_gripper_holds_until_it_opens),
        cmocka_unit_test(a_behaviour_follows_what_is_felt),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
