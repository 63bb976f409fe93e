// SPDX-License-Identifier: Apache-2.0
// Certified gains on the simulated device: stable and passive for every profile and hand; several times that is not.
// test_haptics_stability_soak.c has the whole matrix.
#include <math.h>

#include "support/check.h"
#include "support/haptic_loop.h"

static const double CYCLE = 0.05;        // N, that a hand does not feel
static const double TURN_CYCLE = 1.5e-3; // Nm, the same at 3 cm
static const double NOTHING = 1e-6;      // J: steps of the encoder, K step^2 / 2

static void expect_stable(const haptic_trial* t) {
    haptic_result r = haptic_run(t);
    CHECK(r.cycle < CYCLE && r.turn_cycle < TURN_CYCLE, 0);
    CHECK(r.produced < NOTHING, 0);
    if (t->task == HAPTIC_WALL && r.mean_depth > 1e-4) // dry friction may keep a light hand out
        CHECK_RELATIVE(r.mean_force / r.mean_depth, t->gains.stiffness, 0.01, 0);
    if (!t->safety) return;
    CHECK(r.report.trips == 0, 0);
    // a grip that starts beyond the peak force gives back more than its force tells
    if (t->gains.stiffness * 8e-3 > t->profile.peak_force) return;
    CHECK(r.report.count[SN_SAFETY_PEAK] == 0, 0);
    CHECK(r.report.energy_least > -1e-3 * t->profile.peak_force, 0);
}

static void certified_gains_are_stable_and_passive_for_every_profile_and_hand(void** state) {
    (void)state;
    sn_device_profile p;
    sn_hand_model hand;
    const char* name;
    int count = 0;
    for (int i = 0; sn_device_profile_at(i, &p); i++) {
        for (int h = 0; (name = sn_hand_model_at(h, &hand)) != NULL; h++) {
            haptic_trial t = haptic_trial_default(p.name, name);
            check_context(p.name);
            t.task = (haptic_task)(count % HAPTIC_TASKS);
            t.safety = count / 2 % 2 == 0;
            expect_stable(&t);
            count += h < 5 ? 1 : 2; // another pairing for the next profile
        }
    }
    check_context(NULL);
}

static void several_times_the_certified_stiffness_is_not_stable(void** state) {
    (void)state;
    const char* const names[] = {"touch_x", "omega3", "sigma7"};
    for (int i = 0; i < 3; i++) {
        haptic_trial t = haptic_trial_default(names[i], "none");
        t.task = HAPTIC_GRIP;
        t.gains.stiffness *= 4, t.gains.turn_stiffness *= 4;
        haptic_result r = haptic_run(&t);
        CHECK(r.cycle > 1, 0);
        // and the chain ends that: passivity control damps what the spring makes
        t.safety = true;
        r = haptic_run(&t);
        CHECK(r.cycle < CYCLE, 0);
        CHECK(r.report.count[SN_SAFETY_PASSIVITY] > 0 && r.report.energy_least < 0, 0);
    }
}

static void slower_loops_and_delays_are_stable_with_gains_certified_for_them(void** state) {
    (void)state;
    for (int i = 0; i < 4; i++) {
        haptic_trial t = haptic_trial_default(i % 2 ? "omega3" : "touch_x", "none");
        sn_certify_def def = sn_certify_def_default(&t.profile);
        sn_certificate c;
        t.task = HAPTIC_GRIP;
        t.period = i < 2 ? 2e-3 : 0.25e-3;
        t.jitter = 1e-3;
        def.period = t.period;
        def.delay = t.jitter;
        CHECK_STATUS(sn_certify(&def, &c, NULL, 0), SN_OK);
        t.gains = c.gains;
        expect_stable(&t);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(certified_gains_are_stable_and_passive_for_every_profile_and_hand),
        cmocka_unit_test(several_times_the_certified_stiffness_is_not_stable),
        cmocka_unit_test(slower_loops_and_delays_are_stable_with_gains_certified_for_them),
    };
    return cmocka_run_group_tests_name("haptics_stability", tests, NULL, NULL);
}
