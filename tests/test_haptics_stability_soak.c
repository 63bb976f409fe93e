// SPDX-License-Identifier: Apache-2.0
// Every profile, hand and task at three rates, with and without jitter and the safety chain: certified gains are
// stable and passive. And how many times the certified stiffness it takes until one is not, printed.
#include <math.h>
#include <stdio.h>

#include "support/check.h"
#include "support/haptic_loop.h"

static const double CYCLE = 0.05, TURN_CYCLE = 1.5e-3, NOTHING = 1e-6; // N, Nm, J

static haptic_trial trial_of(const char* profile, const char* hand, int variant) {
    haptic_trial t = haptic_trial_default(profile, hand);
    sn_certify_def def = sn_certify_def_default(&t.profile);
    sn_certificate c;
    const double periods[] = {2e-3, 1e-3, 0.25e-3};
    t.period = def.period = periods[variant % 3];
    t.jitter = def.delay = variant / 3 % 2 ? 0.5e-3 : 0;
    t.safety = variant / 6 % 2 != 0;
    t.task = (haptic_task)(variant / 12 % HAPTIC_TASKS);
    CHECK_STATUS(sn_certify(&def, &c, NULL, 0), SN_OK);
    t.gains = c.gains;
    return t;
}

static bool is_stable(const haptic_trial* t, haptic_result* r) {
    *r = haptic_run(t);
    return r->cycle < CYCLE && r->turn_cycle < TURN_CYCLE && r->produced < NOTHING;
}

static void all_certified_gains_are_stable_and_passive(void** state) {
    (void)state;
    sn_device_profile p;
    sn_hand_model hand;
    const char* name;
    for (int i = 0; sn_device_profile_at(i, &p); i++) {
        for (int h = 0; (name = sn_hand_model_at(h, &hand)) != NULL; h++) {
            for (int v = 0; v < 12 * HAPTIC_TASKS; v++) {
                haptic_trial t = trial_of(p.name, name, v);
                haptic_result r;
                bool stable = is_stable(&t, &r);
                if (!stable)
                    print_message("%s %s variant %d: cycle %g N %g Nm, produced %g J\n", p.name,
                                  name, v, r.cycle, r.turn_cycle, r.produced);
                CHECK(stable, 0);
            }
        }
    }
}

static void
the_certificate_is_within_a_few_times_of_where_each_device_becomes_unstable(void** state) {
    (void)state;
    sn_device_profile p;
    for (int i = 0; sn_device_profile_at(i, &p); i++) {
        double times = 1;
        for (; times < 16; times *= 1.25) {
            haptic_trial t = trial_of(p.name, "none", 1 + 12 * HAPTIC_GRIP);
            haptic_result r;
            t.gains.stiffness *= times, t.gains.turn_stiffness *= times;
            if (!is_stable(&t, &r)) break;
        }
        print_message("%-15s unstable from %.2f times the certified stiffness on\n", p.name, times);
        CHECK(times > 1 && times < 8, 0);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_certified_gains_are_stable_and_passive),
        cmocka_unit_test(
            the_certificate_is_within_a_few_times_of_where_each_device_becomes_unstable),
    };
    return cmocka_run_group_tests_name("haptics_stability_soak", tests, NULL, NULL);
}
