// SPDX-License-Identifier: Apache-2.0
// The whole chain: quiet when all is well; whatever happens its output is finite, within limits, and without steps.
#include <math.h>
#include <string.h>

#include "base/rng.h"
#include "sinew/safety.h"
#include "support/check.h"

static const int64_t MS = 1000000;

/// A loop at 1 kHz in which a hand holds still and a force of 2 N is wanted.
typedef struct rig {
    sn_safety s;
    sn_device_sample sample;
    sn_safety_input in;
    sn_device_force out;
    bool law_stopped;
} rig;

static rig* rig_of(const char* name) {
    static rig r; // large
    memset(&r, 0, sizeof r);
    sn_device_profile p;
    CHECK(sn_device_profile_find(name, &p), 0);
    sn_safety_def def = sn_safety_def_default(&p, 1e-3);
    CHECK_STATUS(sn_safety_init(&r.s, &def, NULL), SN_OK);
    r.sample.pose = sn_pose_identity();
    r.sample.buttons = 1;
    r.in.now_ns = 1000 * MS;
    r.in.engaged = true;
    r.in.wanted.force.x = 2;
    return &r;
}

static sn_status tick_after(rig* r, int64_t ns) {
    r->in.now_ns += ns;
    r->in.sample = &r->sample;
    if (!r->law_stopped) r->in.law_ns = r->in.now_ns - r->in.now_ns % (10 * MS);
    return sn_safety_apply(&r->s, &r->in, &r->out);
}

static void ticks(rig* r, int count) {
    for (int i = 0; i < count; i++) (void)tick_after(r, MS); // the report tells
}

static double step_limit(const rig* r) {
    return r->s.def.profile.peak_force / r->s.def.slew_time * r->s.def.period * (1 + 1e-9);
}

/// A rig that renders 2 N.
static rig* running(const char* name) {
    rig* r = rig_of(name);
    ticks(r, 600);
    CHECK_NEAR(r->out.force.x, 2, TOL_ROUNDOFF, 0);
    CHECK(r->s.report.cause == SN_CAUSE_NONE && r->s.report.trips == 0, 0);
    return r;
}

/// Within 50 ms there is no force; it got there without a step.
static void expect_silence(rig* r, sn_safety_cause cause) {
    CHECK(r->s.report.cause == cause, 0);
    CHECK(r->out.force.x == 0, 0);
    CHECK(r->s.report.max_force_step <= step_limit(r), 0);
    CHECK(sn_safety_cause_text(cause)[0] != 0, 0);
}

static void expect_recovery(rig* r) {
    ticks(r, 200 + 500 + 5); // calm, ramp
    CHECK_NEAR(r->out.force.x, 2, TOL_ROUNDOFF, 0);
    CHECK(r->s.report.cause == SN_CAUSE_NONE && !r->s.report.latched, 0);
    CHECK(r->s.report.max_force_step <= step_limit(r), 0);
}

static void when_all_is_well_the_force_passes_unchanged(void** state) {
    (void)state;
    rig* r = running("sigma7");
    CHECK(r->s.report.count[SN_SAFETY_SLEW] > 0 || r->s.report.count[SN_SAFETY_RAMP] > 0, 0);
    r->in.wanted.torque.y = 0.05;
    ticks(r, 50);
    CHECK(r->out.force.x == 2 && r->out.torque.y == 0.05 && r->s.report.acted == 0, 0);
    for (int i = 0; i < 500; i++) { // a hand that moves on a spring
        r->in.stiffness = 500, r->in.turn_stiffness = 0.2;
        double x = 4e-3 * (1 + 0.5 * sin(0.01 * i));
        r->sample.velocity.v.x = 4e-3 * 0.5 * 10 * cos(0.01 * i);
        r->sample.pose.p.x = -x;
        r->in.wanted.force.x = 500 * x;
        (void)tick_after(r, MS);
        CHECK(i < 20 || (r->out.force.x == r->in.wanted.force.x && r->s.report.acted == 0), 0);
    }
}

static void force_is_ramped_in_when_something_is_grabbed_and_out_when_it_is_let_go(void** state) {
    (void)state;
    rig* r = rig_of("omega3");
    r->in.engaged = false;
    ticks(r, 100);
    expect_silence(r, SN_CAUSE_IDLE);
    r->in.engaged = true;
    ticks(r, 250);
    CHECK_NEAR(r->out.force.x, 1, 1e-9, 0);
    ticks(r, 250);
    CHECK_NEAR(r->out.force.x, 2, 1e-9, 0);
    r->in.engaged = false;
    ticks(r, 51);
    expect_silence(r, SN_CAUSE_IDLE);
    CHECK(r->s.report.trips == 0, 0);
}

static void no_force_without_the_enable_button(void** state) {
    (void)state;
    rig* r = running("touch");
    CHECK(r->s.enable.needed, 0);
    r->sample.buttons = 2;
    ticks(r, 51);
    expect_silence(r, SN_CAUSE_BUTTON);
    CHECK(r->s.report.acted >> SN_SAFETY_ENABLE & 1u, 0);
    r->sample.buttons = 1;
    ticks(r, 501); // no calm is needed
    CHECK_NEAR(r->out.force.x, 2, TOL_ROUNDOFF, 0);
    CHECK(r->s.report.trips == 0, 0);
}

static void a_device_that_is_lost_silences_and_latches_after_a_second(void** state) {
    (void)state;
    for (int kind = 0; kind < 2; kind++) {
        rig* r = running("omega3");
        if (kind == 0) r->in.read = SN_ERR_FAULT;
        if (kind == 1) r->sample.pose.p.z = NAN;
        ticks(r, 51);
        expect_silence(r, SN_CAUSE_LOST);
        r->in.read = SN_OK, r->sample.pose.p.z = 0;
        expect_recovery(r);
        CHECK(r->s.report.trips == 1, 0);
        r->in.read = SN_ERR_FAULT;
        ticks(r, 1005);
        r->in.read = SN_OK;
        CHECK_STATUS(tick_after(r, MS), SN_ERR_FAULT);
        ticks(r, 2000);
        expect_silence(r, SN_CAUSE_LOST);
        sn_safety_reset(&r->s);
        expect_recovery(r);
    }
}

static void a_force_that_is_not_a_number_latches_until_reset(void** state) {
    (void)state;
    for (int kind = 0; kind < 2; kind++) {
        rig* r = running("omega3");
        if (kind == 0) r->in.wanted.force.y = NAN;
        if (kind == 1) r->in.law = SN_ERR_NUMERIC;
        CHECK_STATUS(tick_after(r, MS), SN_ERR_FAULT);
        r->in.wanted.force.y = 0, r->in.law = SN_OK;
        ticks(r, 50);
        expect_silence(r, SN_CAUSE_NOT_FINITE);
        ticks(r, 3000);
        expect_silence(r, SN_CAUSE_NOT_FINITE);
        sn_safety_reset(&r->s);
        expect_recovery(r);
    }
}

static void a_device_that_is_too_fast_trips_and_latches_the_third_time(void** state) {
    (void)state;
    rig* r = running("omega3");
    for (int i = 0; i < 3; i++) {
        r->sample.velocity.v.y = 2.5;
        ticks(r, 51);
        expect_silence(r, SN_CAUSE_SPEED);
        CHECK(r->s.report.latched == (i == 2), 0);
        r->sample.velocity.v.y = 0;
        if (i < 2) expect_recovery(r);
    }
    ticks(r, 5000);
    expect_silence(r, SN_CAUSE_SPEED);
    sn_safety_reset(&r->s);
    expect_recovery(r);
    for (int i = 0; i < 4; i++) { // far apart it may
        r->sample.velocity.v.y = 2.5;
        ticks(r, 5);
        r->sample.velocity.v.y = 0;
        ticks(r, 6000);
        CHECK(!r->s.report.latched, 0);
    }
}

static void a_simulation_that_stops_silences_and_comes_back(void** state) {
    (void)state;
    rig* r = running("omega3");
    r->law_stopped = true;
    ticks(r, 111); // 50 ms or three periods, then the ramp
    expect_silence(r, SN_CAUSE_STALE);
    ticks(r, 10000);
    expect_silence(r, SN_CAUSE_STALE);
    r->law_stopped = false;
    expect_recovery(r);
}

static void gaps_and_clock_jumps_silence_and_pass(void** state) {
    (void)state;
    const int64_t jump[] = {50 * MS, 3600000 * MS, -3600000 * MS};
    const sn_safety_cause cause[] = {SN_CAUSE_GAP, SN_CAUSE_CLOCK, SN_CAUSE_CLOCK};
    for (int i = 0; i < 3; i++) {
        rig* r = running("omega3");
        CHECK_STATUS(tick_after(r, jump[i]), SN_OK);
        ticks(r, 50);
        expect_silence(r, cause[i]);
        expect_recovery(r);
        CHECK(r->s.report.trips == 1, 0);
    }
}

static void a_slow_simulation_changes_the_force_without_steps(void** state) {
    (void)state;
    rig* r = running("touch_x");
    r->law_stopped = true; // we say when
    for (int i = 0; i < 20000; i++) {
        if (i % 1000 == 0) {
            r->in.law_ns = r->in.now_ns + MS;
            r->in.wanted.force.x = (i / 1000) % 2 ? 3 : -3;
        }
        r->in.stiffness = 600;
        (void)tick_after(r, MS);
    }
    CHECK(r->s.report.max_force_step <= step_limit(r), 0);
    CHECK(r->s.report.trips <= 2 && r->s.report.gain == 1, 0); // until it knew how slow it is
    CHECK(r->s.report.count[SN_SAFETY_TANK] > 0 || r->s.report.count[SN_SAFETY_SLEW] > 0, 0);
}

static void motors_stay_cooler_than_their_limit(void** state) {
    (void)state;
    rig* r = running("touch");
    r->in.wanted.force.x = 100;
    double own = 0; // heat as the device counts it
    for (int i = 0; i < 100000; i++) {
        (void)tick_after(r, MS);
        double f = r->out.force.x / 0.88;
        own += 1e-3 / 20 * (f * f - own);
        CHECK(r->out.force.x <= 3.3 + 1e-12, 0);
    }
    CHECK_NEAR(r->out.force.x, 0.95 * 0.88, 1e-3, 0);
    CHECK(own < 0.95 && r->s.report.heat <= 1, 0);
    CHECK(r->s.report.acted >> SN_SAFETY_HEAT & 1u && r->s.report.acted >> SN_SAFETY_PEAK & 1u, 0);
}

/// Anything, a little longer than the ramp takes.
// Half of a force is rendered, by the ramp or by heat: so is half of what its other end puts in.
static void energy_counts_as_far_as_its_force_is_rendered(void** state) {
    (void)state;
    for (int warm = 0; warm < 2; warm++) {
        rig* r = running("touch");
        const double limit = 0.5 * 2;
        if (warm)
            r->s.move.thermal.peak = r->s.move.thermal.continuous = limit;
        else
            r->s.ramp.gain = 0.5;
        double before = r->s.move.passivity.energy, forget = 1 - 1e-3 / r->s.move.passivity.forget;
        r->in.supplied = -1e-5;
        (void)tick_after(r, MS); // nothing moves: nothing else is counted
        CHECK_NEAR(r->s.move.passivity.energy, (before - 0.5e-5) * forget, 1e-12, 0);
    }
}

static void make_trouble(rig* r, sni_rng* rng) {
    static const double sizes[] = {0, 1, 5, 1e3, 1e200, 1e300, NAN, INFINITY};
    double* numbers[] = {&r->in.wanted.force.x,   &r->in.wanted.torque.z,
                         &r->sample.pose.p.y,     &r->sample.velocity.v.x,
                         &r->sample.velocity.w.z, &r->sample.pose.R.m[1][2],
                         &r->in.stiffness,        &r->in.turn_stiffness,
                         &r->in.supplied,         &r->in.taken};
    int which = sni_rng_index(rng, 10);
    *numbers[which] = sizes[sni_rng_index(rng, 8)] * (which > 5 || sni_rng_index(rng, 2) ? 1 : -1);
    r->in.read = sni_rng_index(rng, 8) ? SN_OK : SN_ERR_FAULT;
    r->in.law = sni_rng_index(rng, 8) ? SN_OK : SN_ERR_NUMERIC;
    r->in.engaged = sni_rng_index(rng, 4) > 0;
    r->sample.buttons = (uint32_t)sni_rng_index(rng, 4);
    r->law_stopped = sni_rng_index(rng, 6) == 0;
    if (sni_rng_index(rng, 3) == 0) sn_safety_reset(&r->s);
}

static void whatever_happens_the_output_is_finite_within_limits_and_without_steps(void** state) {
    (void)state;
    const char* const names[] = {"touch", "omega3", "sigma7", "premium15_6dof"};
    for (uint64_t c = 0; c < 200; c++) {
        uint64_t seed = test_case_seed(6, c);
        sni_rng rng = {seed};
        rig* r = rig_of(names[c % 4]);
        const sn_device_profile* p = &r->s.def.profile;
        double rate = 1 / r->s.def.slew_time * 1e-3 * (1 + 1e-9), torque = 0;
        for (int i = 0; i < 2000; i++) {
            if (i % 60 == 0) make_trouble(r, &rng);
            if (i % 7 == 0) r->in.wanted.force.y = sni_rng_uniform(&rng, -20, 20);
            sn_device_force before = r->out;
            (void)tick_after(r, sni_rng_index(&rng, 50) ? MS : sni_rng_index(&rng, 100) * MS);
            sn_vec3 f = r->out.force, n = r->out.torque;
            CHECK(sn_vec3_norm(f) <= p->peak_force * (1 + 1e-12), seed);
            CHECK(sn_vec3_norm(n) <= p->peak_torque * (1 + 1e-12), seed);
            CHECK(sn_vec3_norm(sn_vec3_sub(f, before.force)) <= p->peak_force * rate, seed);
            CHECK(sn_vec3_norm(sn_vec3_sub(n, before.torque)) <= p->peak_torque * rate, seed);
            torque = fmax(torque, sn_vec3_norm(n));
        }
        CHECK(r->s.report.max_force_step <= p->peak_force * rate, seed);
        CHECK(p->outputs == 6 || torque == 0, seed);
        CHECK(r->s.report.ticks == 2000, seed);
    }
}

static void settings_that_make_no_sense_are_refused(void** state) {
    (void)state;
    sn_device_profile p;
    CHECK(sn_device_profile_find("omega3", &p), 0);
    static sn_safety s;
    sn_error error;
    for (int k = 0; k < 12; k++) {
        sn_safety_def d = sn_safety_def_default(&p, 1e-3);
        if (k == 0) d.period = 0;
        if (k == 1) d.slew_time = 0.1;
        if (k == 2) d.fall = 1;
        if (k == 3) d.period = 0.03;
        if (k == 4) d.thermal_share = 1.5;
        if (k == 5) d.friction_share = -1;
        if (k == 6) d.speed_trips = 9;
        if (k == 7) d.enable_button = true, d.profile.buttons = 0;
        if (k == 8) d.delay = NAN;
        if (k == 9) d.calm = INFINITY;
        if (k == 10) d.profile.outputs = 4;
        if (k == 11) d.stale_periods = -1;
        error.text[0] = 0;
        CHECK_STATUS(sn_safety_init(&s, &d, &error), SN_ERR_ARGUMENT);
        CHECK(error.text[0] != 0, 0);
    }
    for (int e = 0; e < SN_SAFETY_ELEMENTS; e++)
        CHECK(sn_safety_element_text((sn_safety_element)e)[0] != 0, 0);
    assert_string_equal(sn_safety_element_text(SN_SAFETY_ELEMENTS), "unknown element");
    assert_string_equal(sn_safety_cause_text(SN_CAUSES), "unknown cause");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(when_all_is_well_the_force_passes_unchanged),
        cmocka_unit_test(force_is_ramped_in_when_something_is_grabbed_and_out_when_it_is_let_go),
        cmocka_unit_test(no_force_without_the_enable_button),
        cmocka_unit_test(a_device_that_is_lost_silences_and_latches_after_a_second),
        cmocka_unit_test(a_force_that_is_not_a_number_latches_until_reset),
        cmocka_unit_test(a_device_that_is_too_fast_trips_and_latches_the_third_time),
        cmocka_unit_test(a_simulation_that_stops_silences_and_comes_back),
        cmocka_unit_test(gaps_and_clock_jumps_silence_and_pass),
        cmocka_unit_test(a_slow_simulation_changes_the_force_without_steps),
        cmocka_unit_test(motors_stay_cooler_than_their_limit),
        cmocka_unit_test(energy_counts_as_far_as_its_force_is_rendered),
        cmocka_unit_test(whatever_happens_the_output_is_finite_within_limits_and_without_steps),
        cmocka_unit_test(settings_that_make_no_sense_are_refused),
    };
    return cmocka_run_group_tests_name("haptics_safety", tests, NULL, NULL);
}
