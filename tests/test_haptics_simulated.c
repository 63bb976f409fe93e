// SPDX-License-Identifier: Apache-2.0
// The simulated device against formulas of mechanics: free motion, friction, springs, lag, latency, heat, encoder.
#include <math.h>
#include <string.h>

#include "haptics/velocity.h"
#include "sinew/simulated_device.h"
#include "support/check.h"

static const int64_t MS = 1000000;

/// A frictionless mass without delays.
static sn_simulated_device_def bare(double mass) {
    sn_simulated_device_def def = sn_simulated_device_def_default();
    sn_device_profile* p = &def.profile;
    p->mass = mass, p->friction_viscous = p->friction_dry = p->lag = p->latency = 0;
    p->resolution = p->turn_resolution = p->thermal_time = p->workspace = 0;
    p->turn_viscous = 0;
    p->peak_force = 100;
    def.hand = (sn_hand_model){0, 0, 0, 0, 0, 0};
    return def;
}

static sn_device* make(const sn_simulated_device_def* def) {
    sn_device* device;
    sn_error error;
    CHECK_STATUS(sn_simulated_device_create(def, &device, &error), SN_OK);
    return device;
}

static sn_simulated_state look(const sn_device* device) {
    sn_simulated_state s;
    CHECK(sn_simulated_device_state(device, &s), 0);
    return s;
}

static sn_device_sample read_at(sn_device* device, int64_t now) {
    sn_device_sample s;
    CHECK_STATUS(sn_device_read(device, now, &s), SN_OK);
    return s;
}

static void write_at(sn_device* device, int64_t now, double fx, double nz) {
    const sn_device_force f = {{fx, 0, 0}, {0, 0, nz}};
    CHECK_STATUS(sn_device_write(device, now, &f), SN_OK);
}

static void a_free_mass_under_constant_force_moves_exactly(void** state) {
    (void)state;
    sn_simulated_device_def def = bare(0.3);
    sn_device* d = make(&def);
    read_at(d, 5 * MS);
    write_at(d, 5 * MS, 0.6, 0);
    for (int i = 1; i <= 100; i++) {
        read_at(d, (5 + 7 * i) * MS); // whatever the pace
        double t = 7e-3 * i;
        sn_simulated_state s = look(d);
        CHECK_NEAR(s.pose.p.x, 0.5 * 2 * t * t, 1e-12, 0);
        CHECK_NEAR(s.velocity.v.x, 2 * t, 1e-12, 0);
        CHECK_RELATIVE(s.motor_work, 0.5 * 0.3 * 4 * t * t, 1e-11, 0);
    }
    sn_device_free(d);
}

static void dry_friction_holds_up_to_its_limit_and_then_takes_exactly_that(void** state) {
    (void)state;
    sn_simulated_device_def def = bare(0.2);
    def.profile.friction_dry = 0.5;
    sn_device* d = make(&def);
    read_at(d, 0);
    write_at(d, 0, 0.499, 0);
    read_at(d, 500 * MS);
    CHECK(look(d).pose.p.x == 0 && look(d).velocity.v.x == 0, 0);
    write_at(d, 500 * MS, 0.7, 0);
    read_at(d, 600 * MS);
    CHECK_NEAR(look(d).velocity.v.x, 0.1 * 0.2 / 0.2, 1e-12, 0);
    write_at(d, 600 * MS, 0, 0); // coasts, and stops without turning back
    double before = look(d).pose.p.x;
    read_at(d, 900 * MS);
    CHECK_NEAR(look(d).pose.p.x - before, 0.5 * 0.1 * 0.1 / (0.5 / 0.2), 1e-6, 0);
    CHECK(look(d).velocity.v.x == 0, 0);
    sn_simulated_state s = look(d);
    CHECK_NEAR(s.motor_work, s.dry_loss, 1e-12, 0);
    sn_device_free(d);
}

static void a_hand_is_a_damped_spring(void** state) {
    (void)state;
    sn_simulated_device_def def = bare(0.1);
    def.hand = (sn_hand_model){0.1, 0.8, 80, 1e-4, 1e-3, 0.08};
    def.profile.friction_viscous = 0.2;
    def.profile.inertia = 1e-4;
    def.profile.outputs = 6, def.profile.peak_torque = 10;
    sn_device* d = make(&def);
    read_at(d, 0);
    write_at(d, 0, 1, 0.01);
    // m x'' + c x' + k x = f from rest; both axes have ratio b/2m = 2.5 and 5 1/s, k/m = 400 1/s^2
    for (int i = 1; i < 400; i++) {
        read_at(d, i * MS);
        double t = 1e-3 * i;
        double a = 2.5, w = sqrt(400 - a * a);
        double x = 1.0 / 80 * (1 - exp(-a * t) * (cos(w * t) + a / w * sin(w * t)));
        double b = 2.5, u = sqrt(400 - b * b);
        double angle = 0.01 / 0.08 * (1 - exp(-b * t) * (cos(u * t) + b / u * sin(u * t)));
        sn_simulated_state s = look(d);
        CHECK_NEAR(s.pose.p.x, x, 1e-6, 0); // midpoint rule, (w h)^2 / 12 of 25 mm
        CHECK_NEAR(sn_quat_log(sn_quat_from_matrix(s.pose.R)).z, angle, 1e-5, 0);
    }
    sn_device_free(d);
}

static void energy_is_accounted_for_to_rounding(void** state) {
    (void)state;
    sn_device_profile p;
    const char* name;
    sn_hand_model hand;
    const char text[] =
        "0 0 0 0\n0.3 0.05 0.02 -0.05 0.3 0.1 0\n0.6 -0.2 0 0\n0.9 0 0 0 0 released\n"
        "1.2 0.01 0 0\n";
    sn_hand_script* script;
    CHECK_STATUS(sn_hand_script_parse(text, strlen(text), "t", &script, NULL), SN_OK);
    for (int i = 0; sn_device_profile_at(i, &p); i++) {
        for (int h = 0; (name = sn_hand_model_at(h, &hand)) != NULL; h++) {
            sn_simulated_device_def def = sn_simulated_device_def_default();
            def.profile = p, def.hand = hand, def.script = script;
            check_context(p.name);
            sn_device* d = make(&def);
            for (int t = 0; t < 850; t++) { // until the hand lets go, which takes its mass away
                sn_device_sample sample = read_at(d, t * MS);
                write_at(d, t * MS, -30 * sample.pose.p.x + sin(0.1 * t), 0.05 * sin(0.07 * t));
            }
            sn_simulated_state s = look(d);
            double in = s.motor_work + s.hand_work;
            double out = s.kinetic + s.viscous_loss + s.dry_loss + s.stop_loss;
            CHECK_NEAR(in, out, 1e-12 + 1e-10 * (fabs(s.hand_work) + fabs(s.motor_work)), 0);
            CHECK(sn_vec3_norm(s.pose.p) < p.workspace + 0.05, 0); // the stop holds
            sn_device_free(d);
        }
    }
    check_context(NULL);
    sn_hand_script_free(script);
}

static void force_comes_with_the_lag_and_the_latency_of_the_device(void** state) {
    (void)state;
    sn_simulated_device_def def = bare(0.1);
    def.profile.lag = 1e-3;
    def.profile.latency = 4e-3;
    sn_device* d = make(&def);
    read_at(d, 0);
    write_at(d, 0, 1, 0);
    for (int i = 1; i < 60; i++) {
        int64_t now = i * MS / 4;
        read_at(d, now);
        double t = fmax(0, 0.25e-3 * i - 4e-3); // half of it on the way in, half on the way out
        sn_simulated_state s = look(d);
        CHECK_NEAR(s.motor.force.x, t > 0 ? 1 - exp(-t / 1e-3) : 0, 1e-12, 0);
        CHECK_NEAR(s.velocity.v.x, 10 * (t - 1e-3 * (1 - exp(-t / 1e-3))), 1e-12, 0);
    }
    sn_device_free(d);
}

static void the_encoder_has_steps_and_the_velocity_is_estimated(void** state) {
    (void)state;
    sn_simulated_device_def def = bare(0.1);
    def.profile.resolution = 50e-6;
    def.velocity = sn_vec3_make(0.1, 0.003, 0);
    sn_device* d = make(&def);
    for (int i = 0; i < 200; i++) {
        sn_device_sample s = read_at(d, i * MS);
        double steps = s.pose.p.x / 50e-6;
        CHECK_NEAR(steps, floor(steps + 0.5), 1e-9, 0);
        CHECK_NEAR(s.pose.p.x, 0.1e-3 * i, 25.001e-6, 0);
        if (i < 20) continue; // then: one step over 15 ms at most
        CHECK_NEAR(s.velocity.v.x, 0.1, 50e-6 / 15e-3, 0);
        CHECK_NEAR(s.velocity.v.y, 0.003, 50e-6 / 15e-3, 0);
        CHECK(s.velocity.v.z == 0, 0);
    }
    sn_device_free(d);
}

/// Worst error of the velocity of a triangle wave after its corners, ours and of a window of 15 ms.
static void the_estimate_follows_a_bounce_that_a_window_of_15_ms_smears(void** state) {
    (void)state;
    sni_velocity v;
    memset(&v, 0, sizeof v);
    double quantum = 20e-6, velocity = 0, ours = 0, window = 0, past[16] = {0};
    for (int i = 0; i < 2000; i++) {
        int phase = i % 100;
        double truth = phase < 50 ? 0.2 : -0.2;
        double x = phase < 50 ? 2e-4 * phase : 2e-4 * (100 - phase);
        double seen = quantum * nearbyint(x / quantum);
        sni_velocity_update(&v, (int64_t)i * MS, &seen, &quantum, 1, &velocity);
        double windowed = (seen - past[i % 15]) / 15e-3;
        past[i % 15] = seen;
        if (i < 100 || phase % 50 < 2) continue; // two samples after a corner on
        ours = fmax(ours, fabs(velocity - truth));
        window = fmax(window, fabs(windowed - truth));
    }
    CHECK(ours < 0.025, 0); // a step of the encoder in a sample
    CHECK(window > 0.3, 0);
    double was = velocity;
    sni_velocity_update(&v, 0, &quantum, &quantum, 1, &velocity); // time that does not go on
    CHECK(velocity == was, 0);
}

static void motors_that_are_driven_too_hard_fall_back_to_their_continuous_force(void** state) {
    (void)state;
    sn_simulated_device_def def = bare(0.1);
    def.profile.peak_force = 3, def.profile.continuous_force = 1, def.profile.thermal_time = 2;
    def.hand = (sn_hand_model){0.1, 5, 300, 0, 0, 0};
    sn_device* d = make(&def);
    double first = 0;
    for (int i = 0; i < 20000; i++) {
        read_at(d, i * MS);
        write_at(d, i * MS, 10, 0);
        sn_simulated_state s = look(d);
        CHECK(s.heat <= 1 + 1e-9 && s.motor.force.x <= 3 + 1e-12, 0);
        if (i == 100) first = s.motor.force.x;
    }
    CHECK_NEAR(first, 3, 1e-12, 0);
    CHECK_NEAR(look(d).motor.force.x, 1, 1e-3, 0);
    sn_device_free(d);
}

static void the_same_calls_give_the_same_bits_with_jitter_too(void** state) {
    (void)state;
    double path[3][40];
    for (int run = 0; run < 3; run++) {
        sn_simulated_device_def def = sn_simulated_device_def_default();
        def.jitter = 1e-3;
        def.velocity = sn_vec3_make(0.1, 0, 0);
        def.seed = run == 2 ? 8 : 7;
        sn_device* d = make(&def);
        for (int i = 0; i < 40; i++) {
            path[run][i] = read_at(d, i * MS).pose.p.x;
            write_at(d, i * MS, -100 * path[run][i], 0);
        }
        sn_device_free(d);
    }
    CHECK(memcmp(path[0], path[1], sizeof path[0]) == 0, 0);
    CHECK(memcmp(path[0], path[2], sizeof path[0]) != 0, 0);
}

static void buttons_and_letting_go_are_in_the_script(void** state) {
    (void)state;
    const char text[] = "0 0 0 0 5\n0.1 0 0 0 3\n0.2 0.05 0 0 3 released\n";
    sn_hand_script* script;
    CHECK_STATUS(sn_hand_script_parse(text, strlen(text), "t", &script, NULL), SN_OK);
    sn_simulated_device_def def = sn_simulated_device_def_default();
    def.script = script;
    sn_device* d = make(&def);
    sn_hand_script_free(script);
    read_at(d, 0);
    CHECK(read_at(d, 50 * MS).buttons == 1, 0); // it has two
    CHECK(read_at(d, 150 * MS).buttons == 3, 0);
    CHECK(read_at(d, 250 * MS).buttons == 0, 0);
    CHECK(look(d).hand.force.x == 0, 0);
    sn_device_free(d);
}

static void a_clock_that_jumps_moves_nothing(void** state) {
    (void)state;
    sn_simulated_device_def def = bare(0.1);
    def.velocity = sn_vec3_make(0.1, 0, 0);
    sn_device* d = make(&def);
    read_at(d, 1000000 * MS);
    read_at(d, 1000100 * MS);
    CHECK_NEAR(look(d).pose.p.x, 0.01, 1e-12, 0);
    sn_device_sample s;
    CHECK_STATUS(sn_device_read(d, 5 * MS, &s), SN_ERR_NUMERIC); // back
    CHECK_NEAR(look(d).pose.p.x, 0.01, 1e-12, 0);
    read_at(d, 15 * MS);
    CHECK_NEAR(look(d).pose.p.x, 0.011, 1e-12, 0);
    read_at(d, 9000000 * MS); // on: one second of it passes
    CHECK_NEAR(look(d).pose.p.x, 0.111, 1e-9, 0);
    sn_device_free(d);
}

static void it_can_be_broken_and_mended(void** state) {
    (void)state;
    sn_simulated_device_def def = sn_simulated_device_def_default();
    def.velocity = sn_vec3_make(0.2, 0, 0);
    sn_device* d = make(&def);
    sn_device_sample s = read_at(d, 0), frozen;
    const sn_device_force f = {{1, 0, 0}, {0, 0, 0}};
    CHECK(sn_device_trouble(d)[0] == 0, 0);
    CHECK(sn_simulated_device_trouble(d, SN_SIMULATED_LOST), 0);
    CHECK_STATUS(sn_device_read(d, MS, &s), SN_ERR_FAULT);
    CHECK_STATUS(sn_device_write(d, MS, &f), SN_ERR_FAULT);
    CHECK(sn_device_trouble(d)[0] != 0, 0);
    CHECK(sn_simulated_device_trouble(d, SN_SIMULATED_NAN), 0);
    CHECK_STATUS(sn_device_read(d, 2 * MS, &s), SN_ERR_NUMERIC);
    CHECK(sn_device_trouble(d)[0] != 0, 0);
    CHECK(sn_simulated_device_trouble(d, SN_SIMULATED_FROZEN), 0);
    frozen = read_at(d, 3 * MS);
    s = read_at(d, 30 * MS);
    CHECK(s.pose.p.x == frozen.pose.p.x && s.time_ns == 30 * MS, 0);
    CHECK(sn_simulated_device_trouble(d, SN_SIMULATED_WELL), 0);
    CHECK(read_at(d, 31 * MS).pose.p.x != frozen.pose.p.x, 0);
    sn_device_free(d);
    CHECK(!sn_simulated_device_trouble(NULL, SN_SIMULATED_LOST), 0);
    sn_simulated_state none;
    CHECK(!sn_simulated_device_state(NULL, &none), 0);
}

static void more_forces_than_fit_into_the_latency_lose_none_of_the_newest(void** state) {
    (void)state;
    sn_simulated_device_def def = bare(0.1);
    def.profile.latency = 0.05;
    sn_device* d = make(&def);
    read_at(d, 0);
    for (int i = 1; i <= 1000; i++) write_at(d, i * MS / 100, 0.001 * i, 0);
    read_at(d, 200 * MS);
    CHECK_NEAR(look(d).motor.force.x, 1, 1e-12, 0);
    sn_device_free(d);
}

static void what_makes_no_sense_is_refused(void** state) {
    (void)state;
    sn_device* device;
    sn_error error;
    for (int k = 0; k < 12; k++) {
        sn_simulated_device_def def = sn_simulated_device_def_default();
        if (k == 0) def.profile.mass = 0;
        if (k == 1) def.profile.inertia = 0;
        if (k == 2) def.profile.latency = 0.06;
        if (k == 3) def.jitter = -1;
        if (k == 4) def.jitter = 0.06;
        if (k == 5) def.step = 0;
        if (k == 6) def.hand.stiffness = NAN;
        if (k == 7) def.hand.turn_damping = -1;
        if (k == 8) def.velocity.x = INFINITY;
        if (k == 9) def.start.p.x = NAN;
        if (k == 10) def.profile.inputs = 5;
        if (k == 11) def.start.R.m[0][0] = NAN;
        error.text[0] = 0;
        CHECK_STATUS(sn_simulated_device_create(&def, &device, &error), SN_ERR_ARGUMENT);
        CHECK(!device && error.text[0], 0);
    }
}

static void hands_are_found_by_name(void** state) {
    (void)state;
    const char* const names[] = {"light", "medium", "firm", "arm", "none", "mass"};
    sn_hand_model hand, again;
    for (int i = 0; i < 6; i++) {
        assert_string_equal(sn_hand_model_at(i, &hand), names[i]);
        CHECK(sn_hand_model_find(names[i], &again) && memcmp(&hand, &again, sizeof hand) == 0, 0);
    }
    CHECK(!sn_hand_model_at(6, &hand) && !sn_hand_model_at(-1, &hand), 0);
    CHECK(!sn_hand_model_find("strong", &hand), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_free_mass_under_constant_force_moves_exactly),
        cmocka_unit_test(dry_friction_holds_up_to_its_limit_and_then_takes_exactly_that),
        cmocka_unit_test(a_hand_is_a_damped_spring),
        cmocka_unit_test(energy_is_accounted_for_to_rounding),
        cmocka_unit_test(force_comes_with_the_lag_and_the_latency_of_the_device),
        cmocka_unit_test(the_encoder_has_steps_and_the_velocity_is_estimated),
        cmocka_unit_test(the_estimate_follows_a_bounce_that_a_window_of_15_ms_smears),
        cmocka_unit_test(motors_that_are_driven_too_hard_fall_back_to_their_continuous_force),
        cmocka_unit_test(the_same_calls_give_the_same_bits_with_jitter_too),
        cmocka_unit_test(buttons_and_letting_go_are_in_the_script),
        cmocka_unit_test(a_clock_that_jumps_moves_nothing),
        cmocka_unit_test(it_can_be_broken_and_mended),
        cmocka_unit_test(more_forces_than_fit_into_the_latency_lose_none_of_the_newest),
        cmocka_unit_test(what_makes_no_sense_is_refused),
        cmocka_unit_test(hands_are_found_by_name),
    };
    return cmocka_run_group_tests_name("haptics_simulated", tests, NULL, NULL);
}
