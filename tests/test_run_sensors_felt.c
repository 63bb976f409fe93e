// SPDX-License-Identifier: Apache-2.0
// Force sensors and inertial units against closed forms; noise, bias, delay and rate of sensors.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "sinew/control.h"
#include "support/random_state.h"
#include "support/running.h"

static const double G = 9.81;

static sn_simulation* with_models(const char* scene) {
    static const char* folders[] = {SN_TEST_MODELS_DIR, NULL};
    sn_simulation_def def = sn_simulation_def_default();
    def.load.model_paths = folders;
    return running_with(scene, &def);
}

static sn_vec3 vector(const double* x) { return sn_vec3_make(x[0], x[1], x[2]); }

static bool hangs_on(const sn_model* model, int body, int on) {
    while (body > on) body = sn_model_body(model, sn_body(body)).parent.i;
    return body == on;
}

/// At rest a wrist feels the weight beyond it, with its lever arm; by hand from poses and centres of mass.
static void a_wrist_at_rest_feels_the_weight_beyond_it(void** state) {
    (void)state;
    sn_simulation* sim = with_models("version: 1\n"
                                     "models: [{name: r, model: hrp2, base: fixed, "
                                     "q: {l_shoulder_pitch: -40deg, l_elbow: -70deg}}]\n"
                                     "controllers: [{item: r, kp: 1e7, kd: 1e6}]\n"
                                     "sensors: [{name: f, type: force, item: r, body: l_wrist}]\n");
    sn_world* world = sn_simulation_world(sim);
    const sn_model* model = sn_world_model(world);
    running_step(sim, 400);
    int first = sn_model_find_body(model, "r/l_wrist").i;
    sn_pose X = running_pose(sim, "r/l_wrist");
    sn_vec3 force = sn_vec3_zero(), moment = sn_vec3_zero();
    for (int b = first; b < sn_model_body_count(model); b++) {
        if (!hangs_on(model, b, first)) continue;
        sn_body_info body = sn_model_body(model, sn_body(b));
        sn_vec3 com = sn_pose_apply(running_pose(sim, body.name), body.inertia.com);
        sn_vec3 weight = sn_vec3_make(0, 0, -G * body.inertia.mass);
        force = sn_vec3_add(force, weight);
        moment = sn_vec3_add(moment, sn_vec3_cross(sn_vec3_sub(com, X.p), weight));
    }
    assert_true(force.z < -1);
    sn_vec3 f = sn_mat3_apply_transposed(X.R, force), n = sn_mat3_apply_transposed(X.R, moment);
    double expected[6] = {n.x, n.y, n.z, f.x, f.y, f.z};
    CHECK_VECTOR(running_sensor(sim, "f"), expected, 6, 1e-4, 0);
    sn_simulation_free(sim);
}

/// A pendulum that swings: its joint bears m (g cos + w^2 l) along the rod, and what turns it across.
static void a_pendulum_pulls_with_weight_and_centripetal_force(void** state) {
    (void)state;
    sn_simulation* sim =
        running("version: 1\nstep: 0.0001\ncontact: false\n"
                "models: [{name: p, generate: 'chain:1', q: {b000000: 1}}]\n"
                "sensors: [{name: f, type: force, item: p}, {name: a, type: imu, item: p}]\n");
    sn_world* world = sn_simulation_world(sim);
    sn_body_info body = sn_model_body(sn_world_model(world), sn_body(0));
    double h = sn_world_step_size(world);
    sn_vec3 last = sn_vec3_zero();
    for (int k = 0; k < 3000; k++) {
        running_step(sim, 1);
        sn_pose X = running_pose(sim, "p/b000000");
        sn_vec3 c = sn_pose_apply(X, body.inertia.com);
        // velocities of the centre before and after by the rigid body's turning
        sn_vec3 w = sn_mat3_apply(X.R, sn_vec3_scale(running_v(sim, "p")[0], body.axis));
        sn_vec3 v = sn_vec3_cross(w, sn_vec3_sub(c, X.p));
        if (k > 0) {
            sn_vec3 a = sn_vec3_scale(1 / h, sn_vec3_sub(v, last));
            sn_vec3 felt = sn_vec3_scale(body.inertia.mass,
                                         sn_vec3_sub(sn_vec3_make(0, 0, -G), a)); // m (g - a)
            sn_vec3 shown = sn_mat3_apply(X.R, vector(running_sensor(sim, "f") + 3));
            CHECK_NEAR(sn_vec3_norm(sn_vec3_sub(shown, felt)), 0, 1e-6, 0);
            CHECK_NEAR(sn_vec3_dot(vector(running_sensor(sim, "a")), body.axis),
                       running_v(sim, "p")[0], 1e-12, 0);
        }
        last = v;
    }
    sn_simulation_free(sim);
}

static void an_inertial_unit_feels_nothing_in_free_fall(void** state) {
    (void)state;
    sn_simulation* sim =
        running("version: 1\nfloor: true\ncontact: {sleep: false}\nobjects:\n"
                "  - {name: falls, sphere: 0.1, at: [0, 0, 20], v: [1, 0, 2]}\n"
                "  - {name: lies, box: [0.3, 0.3, 0.1], at: [3, 0, 0.05]}\n"
                "sensors: [{name: a, type: imu, item: falls}, {name: b, type: imu, item: lies}]\n");
    running_step(sim, 300);
    for (int k = 3; k < 6; k++) CHECK_NEAR(running_sensor(sim, "a")[k], 0, 1e-9, 0);
    CHECK_NEAR(running_sensor(sim, "b")[5], G, 1e-3, 0);
    sn_simulation_free(sim);
}

/// A load on a table that hangs on the world by one joint: the joint feels both; pushed up, less.
static void contacts_and_pushes_go_through_the_sensor(void** state) {
    (void)state;
    sn_simulation* sim =
        running("version: 1\ncontact: {sleep: false}\n"
                "models: [{name: t, file: " SN_TEST_DATA_DIR "/platform.urdf}]\n"
                "objects: [{name: load, box: [0.1, 0.1, 0.1], mass: 3, at: [0, 0, 0.10]}]\n"
                "controllers: [{item: t, kp: 1e6, kd: 1e5}]\n"
                "sensors: [{name: f, type: force, item: t}]\n");
    running_step(sim, 1000);
    CHECK_NEAR(running_sensor(sim, "f")[5], -(2 + 3) * G, 0.05, 0);
    running_command(sim, "push: {body: load, force: [0, 0, 10]}");
    running_step(sim, 500);
    CHECK_NEAR(running_sensor(sim, "f")[5], -5 * G + 10, 0.05, 0);
    running_command(sim, "push: {body: load}");
    running_command(sim, "hold: {name: w, type: weld, body: load, other: t/plate}");
    running_command(sim, "gravity: [0, 0, 9.81]");
    running_step(sim, 500); // it hangs upward from the plate
    CHECK_NEAR(running_sensor(sim, "f")[5], 5 * G, 0.05, 0);
    sn_simulation_free(sim);
}

static void calibration_is_undone_by_its_matrix(void** state) {
    (void)state;
    for (uint64_t i = 0; i < 50; i++) {
        uint64_t seed = test_case_seed(77, i);
        test_rng rng = test_rng_make(seed);
        double matrix[36], offset[6], f[6], shown[6], back[6];
        for (int k = 0; k < 36; k++) matrix[k] = test_normal(&rng);
        for (int k = 0; k < 6; k++) offset[k] = test_normal(&rng), f[k] = test_normal(&rng);
        sn_force_sensor s;
        CHECK(sn_force_sensor_make(matrix, offset, &s), seed);
        sn_force_sensor_show(&s, f, shown);
        for (int r = 0; r < 6; r++) { // f = G (shown + offset)
            double sum = 0;
            for (int c = 0; c < 6; c++) sum += matrix[6 * r + c] * (shown[c] + offset[c]);
            CHECK_NEAR(sum, f[r], 1e-9, seed);
        }
        sn_force_sensor_feel(&s, shown, back);
        CHECK_VECTOR(back, f, 6, 1e-9, seed);
    }
    double zero[36] = {0};
    sn_force_sensor s;
    CHECK(!sn_force_sensor_make(zero, NULL, &s), 0);
}

// ---- time and noise ------------------------------------------------------------------------------------------

static const char* const NOISY =
    "version: 1\ncontact: false\nmodels: [{name: p, generate: 'chain:1', q: {b000000: 1}}]\n"
    "sensors:\n"
    "- {name: truth, type: position, item: p, joint: b000000}\n"
    "- {name: late, type: position, item: p, joint: b000000, delay: 0.007}\n"
    "- {name: seldom, type: position, item: p, joint: b000000, rate: 100}\n"
    "- {name: off, type: position, item: p, joint: b000000, bias: 0.25}\n"
    "- {name: noisy, type: position, item: p, joint: b000000, noise: 0.1, seed: 5}\n";

static void delay_rate_and_bias_are_as_said(void** state) {
    (void)state;
    sn_simulation* sim = running(NOISY);
    double truth[200];
    for (int k = 0; k < 200; k++) {
        truth[k] = *running_sensor(sim, "truth"); // after k steps
        CHECK(*running_sensor(sim, "late") == truth[k > 7 ? k - 7 : 0], 0);
        CHECK(*running_sensor(sim, "seldom") == truth[k / 10 * 10], 0);
        CHECK(*running_sensor(sim, "off") == truth[k] + 0.25, 0);
        running_step(sim, 1);
    }
    sn_simulation_free(sim);
}

static void noise_has_its_deviation_and_repeats(void** state) {
    (void)state;
    sn_simulation *sim = running(NOISY), *again = running(NOISY);
    double sum = 0, squares = 0, neighbours = 0, before = 0;
    enum { STEPS = 4000 };
    for (int k = 0; k < STEPS; k++) {
        running_step(sim, 1);
        running_step(again, 1);
        double noise = *running_sensor(sim, "noisy") - *running_sensor(sim, "truth");
        CHECK(*running_sensor(sim, "noisy") == *running_sensor(again, "noisy"), 0);
        sum += noise;
        squares += noise * noise;
        neighbours += noise * before;
        before = noise;
    }
    // five standard errors
    CHECK_NEAR(sum / STEPS, 0, 5 * 0.1 / sqrt(STEPS), 0);
    CHECK_NEAR(sqrt(squares / STEPS), 0.1, 5 * 0.1 / sqrt(2.0 * STEPS), 0);
    CHECK_NEAR(neighbours / STEPS, 0, 5 * 0.01 / sqrt(STEPS), 0);
    sn_simulation_free(sim);
    sn_simulation_free(again);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_wrist_at_rest_feels_the_weight_beyond_it),
        cmocka_unit_test(a_pendulum_pulls_with_weight_and_centripetal_force),
        cmocka_unit_test(an_inertial_unit_feels_nothing_in_free_fall),
        cmocka_unit_test(contacts_and_pushes_go_through_the_sensor),
        cmocka_unit_test(calibration_is_undone_by_its_matrix),
        cmocka_unit_test(delay_rate_and_bias_are_as_said),
        cmocka_unit_test(noise_has_its_deviation_and_repeats),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
