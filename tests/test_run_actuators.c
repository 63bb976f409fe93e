// SPDX-License-Identifier: Apache-2.0
// Motors of scenes against closed forms: rotor and gear, friction, bounds, gains of either side; and springs of any
// stiffness.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "support/running.h"

#define HINGE "models: [{name: m, generate: 'chain:1'}]\n"

/// A hinge without weight, with a motor; more: lines of the scene.
static sn_simulation* motor(const char* keys, const char* more) {
    char text[800];
    (void)snprintf(
        text, sizeof text,
        "version: 1\ngravity: [0, 0, 0]\ncontact: {sleep: false, tolerance: 1e-12}\n" HINGE
        "actuators: [{item: m, %s}]\n%s",
        keys, more);
    return running(text);
}

/// kg m^2 that its joint has without motor.
static double bare_inertia(void) {
    sn_simulation* sim = running("version: 1\n" HINGE);
    sn_dynamics* dynamics = sn_world_dynamics(sn_simulation_world(sim));
    double M = 0;
    CHECK_STATUS(sn_dynamics_mass_matrix(dynamics, running_q(sim, "m"), &M), SN_OK);
    sn_simulation_free(sim);
    return M;
}

static void spin(sn_simulation* sim, double v) {
    CHECK_STATUS(sn_world_set_state(sn_simulation_world(sim), NULL, &v), SN_OK);
}

static void push(sn_simulation* sim, double tau) {
    CHECK_STATUS(sn_world_set_force(sn_simulation_world(sim), &tau), SN_OK);
}

static void a_rotor_weighs_with_the_square_of_its_gear(void** state) {
    (void)state;
    sn_simulation* sim = motor("gear: 50, rotor: 2e-5", "");
    push(sim, 0.3);
    running_step(sim, 100);
    double I = bare_inertia() + 2500 * 2e-5;
    CHECK_RELATIVE(running_v(sim, "m")[0], 0.3 * 0.1 / I, 1e-12, 0);
    sn_simulation_free(sim);
}

static void viscous_friction_slows_down_as_implicit_euler_does(void** state) {
    (void)state;
    sn_simulation* sim = motor("viscous: 0.02", "");
    double I = bare_inertia();
    spin(sim, 3);
    running_step(sim, 250);
    CHECK_RELATIVE(running_v(sim, "m")[0], 3 / pow(1 + 1e-3 * 0.02 / I, 250), 1e-10, 0);
    sn_simulation_free(sim);
}

static void dry_friction_stops_a_joint_and_then_holds_it(void** state) {
    (void)state;
    sn_simulation* sim = motor("friction: 0.4", "");
    double I = bare_inertia(), stop = 2 * I / 0.4; // s
    spin(sim, 2);
    int half = (int)(stop / 2 / 1e-3);
    running_step(sim, half);
    CHECK_NEAR(running_v(sim, "m")[0], 2 - 0.4 * half * 1e-3 / I, 1e-8, 0);
    running_step(sim, half + 3);
    CHECK_NEAR(running_v(sim, "m")[0], 0, 1e-12, 0);
    double q = running_q(sim, "m")[0];
    push(sim, 0.399); // less than friction: it does not creep
    running_step(sim, 500);
    CHECK_NEAR(running_q(sim, "m")[0], q, 1e-10, 0);
    push(sim, 0.5);
    running_step(sim, 100);
    CHECK_NEAR(running_v(sim, "m")[0], 0.1 * 0.1 / I, 1e-8, 0);
    sn_simulation_free(sim);
}

/// The motor pulls with all it has: its torque falls with speed, v' = (T/I)(1 - v/v0), of the beginning of a step.
static void a_motor_loses_torque_with_speed(void** state) {
    (void)state;
    sn_simulation* sim =
        motor("torque: 1.5, speed: 8",
              "controllers: [{item: m, kp: 1e6, target: {b000000: 1000}, limit: 1e9}]\n");
    double I = bare_inertia(), v = 0, largest = 0;
    for (int k = 0; k < 2000; k++) {
        running_step(sim, 1);
        v += 1e-3 * 1.5 * (1 - v / 8) / I;
        CHECK_NEAR(running_v(sim, "m")[0], v, 1e-9, 0);
        largest = fmax(largest, sn_world_control(sn_simulation_world(sim))[0]);
    }
    CHECK_NEAR(largest, 1.5, 1e-9, 0);
    CHECK(v > 5 && v < 8, 0);
    sn_simulation_free(sim);
}

/// However many ask, and however hard: controllers, and a user besides.
static sn_status ask_much(void* context, sn_simulation* sim, double* tau) {
    (void)sim;
    tau[0] = *(double*)context;
    return SN_OK;
}

static void a_motor_does_no_more_than_it_can(void** state) {
    (void)state;
    for (int contact = 0; contact < 2; contact++) {
        sn_simulation* sim =
            motor("torque: 1.5", "controllers:\n  - {name: a, item: m, kp: 50, kd: 1, target: "
                                 "{b000000: 2}}\n  - {name: b, item: m, kp: 50, kd: 1}\n");
        double much = 100;
        CHECK_STATUS(sn_simulation_set_controller(sim, "much", ask_much, &much), SN_OK);
        for (int k = 0; k < 400; k++) {
            if (k == 200) much = -100;
            running_step(sim, 1);
            double done = sn_world_control(sn_simulation_world(sim))[0];
            CHECK(fabs(done) <= 1.5 * (1 + 1e-9), 0);
        }
        sn_simulation_free(sim);
    }
}

/// With the solver as it is by default: forces at their bounds are what one asked for, however far the target is.
static void a_chain_is_driven_with_all_it_has(void** state) {
    (void)state;
    for (double kp = 1e2; kp <= 1e8; kp *= 100) {
        char text[400];
        (void)snprintf(text, sizeof text,
                       "version: 1\ngravity: [0, 0, 0]\nmodels: [{name: m, generate: 'chain:3'}]\n"
                       "actuators: [{item: m, torque: 0.5}]\ncontrollers: [{item: m, kp: %g, kd: "
                       "%g, target: {b000001: 1}}]\n",
                       kp, 0.01 * kp);
        sn_simulation* sim = running(text);
        for (int k = 0; k < 50; k++) {
            running_step(sim, 1);
            CHECK_NEAR(sn_world_control(sn_simulation_world(sim))[1], 0.5, 0.005, 0);
        }
        CHECK(running_q(sim, "m")[1] > 1e-4, 0);
        sn_simulation_free(sim);
    }
}

static void gains_are_of_the_side_that_is_said(void** state) {
    (void)state;
    static const char* const sides[] = {"joint", "motor", "mixed"};
    const double factors[] = {1, 1600, 40};
    for (int i = 0; i < 3; i++) {
        char more[200];
        (void)snprintf(more, sizeof more, "controllers: [{item: m, kp: 0.5, kd: 0.1, gains: %s}]\n",
                       sides[i]);
        sn_simulation* sim = motor("gear: 40", more);
        const sn_controller_def* c = sn_scene_controller(sn_simulation_scene(sim), 0);
        CHECK_RELATIVE(c->kp[0], 0.5 * factors[i], TOL_ROUNDOFF, 0);
        CHECK_RELATIVE(c->kd[0], 0.1 * factors[i], TOL_ROUNDOFF, 0);
        sn_simulation_free(sim);
    }
}

// ---- any stiffness ----------------------------------------------------------------------------------------------

/// Farthest that a joint of the item is from where it began.
static double farthest(sn_simulation* sim, const double* start, int nq) {
    double most = 0;
    for (int k = 0; k < nq; k++) most = fmax(most, fabs(running_q(sim, "m")[k] - start[k]));
    return most;
}

/// Held in a bent posture against gravity by springs of any stiffness; stiff ones hold it where it is.
static void check_stiff(const char* model, const char* contact, const char* limit, double kp) {
    char text[800];
    (void)snprintf(text, sizeof text,
                   "version: 1\ncontact: %s\nmodels: [{name: m, %s}]\n"
                   "controllers: [{item: m, kp: %g, kd: %g%s}]\n",
                   contact, model, kp, 0.1 * kp, limit);
    sn_simulation* sim = running(text);
    sn_world* world = sn_simulation_world(sim);
    double start[64];
    int nq = sn_model_nq(sn_world_model(world));
    assert_true(nq <= 64);
    memcpy(start, sn_world_q(world), (size_t)nq * sizeof *start);
    sn_energy before = sn_world_energy(world);
    for (int k = 0; k < 400; k++) {
        running_step(sim, 1); // a state that is not finite would fail it
        if (k == 200) running_command(sim, "push: {body: m/b000002, force: [30, 20, 10]}");
        if (k == 210) running_command(sim, "push: {body: m/b000002}");
    }
    sn_energy after = sn_world_energy(world);
    double most = before.kinetic + before.potential + before.spring + 200; // what the push can give
    CHECK(after.kinetic + after.potential < most, (uint64_t)kp);
    if (kp >= 1e5 && limit[0] == '\0') CHECK(farthest(sim, start, nq) < 1e-2, (uint64_t)kp);
    sn_simulation_free(sim);
}

static void springs_of_any_stiffness_are_stable(void** state) {
    (void)state;
    for (double kp = 1e-3; kp <= 1e9; kp *= 1e3) {
        check_stiff("generate: 'chain:6'", "false", "", kp);
        check_stiff("generate: 'chain:6'", "true", "", kp);
        check_stiff("generate: 'chain:6'", "false", ", limit: 20", kp);
        check_stiff("generate: 'chain:6'", "true", ", limit: 20", kp);
        check_stiff("generate: 'cable:8'", "true", "", kp); // spherical joints
    }
}

// ---- files that are wrong --------------------------------------------------------------------------------------

static void refuse(const char* keys, const char* why) {
    char text[600];
    sn_error error = {0};
    (void)snprintf(text, sizeof text, "version: 1\n" HINGE "actuators:\n- {item: m, %s}\n", keys);
    assert_true(running_try(text, NULL, &error) != SN_OK);
    CHECK(error.line >= 4, 0);
    running_says(error.text, why);
}

static void what_no_motor_can_have_is_refused(void** state) {
    (void)state;
    refuse("gear: 0", "gear ratio");
    refuse("rotor: -1", "rotor");
    refuse("joints: [b7]", "b7");
    refuse("speed: 3", "'torque'");
    refuse("name: a}\n- {item: m, name: b", "has the motor 'a'");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_rotor_weighs_with_the_square_of_its_gear),
        cmocka_unit_test(viscous_friction_slows_down_as_implicit_euler_does),
        cmocka_unit_test(dry_friction_stops_a_joint_and_then_holds_it),
        cmocka_unit_test(a_motor_loses_torque_with_speed),
        cmocka_unit_test(a_motor_does_no_more_than_it_can),
        cmocka_unit_test(a_chain_is_driven_with_all_it_has),
        cmocka_unit_test(gains_are_of_the_side_that_is_said),
        cmocka_unit_test(springs_of_any_stiffness_are_stable),
        cmocka_unit_test(what_no_motor_can_have_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
