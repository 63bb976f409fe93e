// SPDX-License-Identifier: Apache-2.0
// Each element of the safety chain alone, against its formula or a count done another way.
#include <math.h>
#include <string.h>

#include "base/rng.h"
#include "sinew/safety.h"
#include "support/check.h"

static sn_vec3 random_vector(sni_rng* rng, double size) {
    double x = sni_rng_uniform(rng, -size, size), y = sni_rng_uniform(rng, -size, size);
    return sn_vec3_make(x, y, sni_rng_uniform(rng, -size, size));
}

static double distance(sn_vec3 a, sn_vec3 b) { return sn_vec3_norm(sn_vec3_sub(a, b)); }

static void a_force_that_is_not_finite_is_replaced_by_the_last_that_was(void** state) {
    (void)state;
    sn_finite e = {{{0, 0, 0}, {0, 0, 0}}};
    sn_device_force f = {{1, 2, 3}, {4, 5, 6}};
    CHECK(sn_finite_apply(&e, true, &f), 0);
    f.force.y = NAN;
    CHECK(!sn_finite_apply(&e, true, &f) && f.force.y == 2 && f.torque.z == 6, 0);
    f.torque.x = -INFINITY;
    CHECK(!sn_finite_apply(&e, true, &f) && f.torque.x == 4, 0);
    f.force.x = 9;
    CHECK(!sn_finite_apply(&e, false, &f) && f.force.x == 1, 0);
}

// ---- passivity ------------------------------------------------------------------------------------------------------

static sn_passivity observer(void) {
    sn_passivity p;
    memset(&p, 0, sizeof p);
    p.credit = HUGE_VAL, p.most_damping = 5;
    return p;
}

static void the_observer_counts_work_of_the_force_that_acted(void** state) {
    (void)state;
    for (uint64_t c = 0; c < 20; c++) {
        uint64_t seed = test_case_seed(2, c);
        sni_rng rng = {seed};
        sn_passivity p = observer();
        p.most_damping = 0;
        p.friction = 0.3;
        int delay = (int)(c % 5);
        p.delay = delay * 1e-3;
        long double work = 0;
        sn_vec3 sent[200];
        double stored = 0;
        for (int i = 0; i < 200; i++) {
            sn_passivity_input in = {.h = 1e-3,
                                     .moved = random_vector(&rng, 1e-3),
                                     .velocity = {1, 0, 0},
                                     .stiffness = 50,
                                     .limit = 3,
                                     .share = 0.5,
                                     .supplied = sni_rng_uniform(&rng, -1e-3, 1e-3)};
            sn_vec3 f = random_vector(&rng, 4);
            sn_passivity_apply(&p, &in, f);
            sn_vec3 acted = i - 1 - delay >= 0 ? sent[i - 1 - delay] : sn_vec3_zero();
            double size = fmin(3, sn_vec3_norm(f));
            work -= 0.5 * (size * size / 100 - stored);
            stored = size * size / 100;
            work += -sn_vec3_dot(acted, in.moved) + in.supplied +
                    0.3 * sn_vec3_dot(in.moved, in.moved) / 1e-3;
            CHECK_NEAR(p.energy, work, 1e-12, seed);
            CHECK(p.least <= p.energy, seed);
            sent[i] = random_vector(&rng, 3);
            sn_passivity_sent(&p, sent[i]);
        }
        sn_passivity_reset(&p);
        CHECK(p.energy == 0 && p.stored == 0 && p.sent[5].x == 0, seed);
    }
}

static void a_spring_that_friction_pays_for_is_left_alone_and_a_stiffer_one_is_not(void** state) {
    (void)state;
    for (int stiffer = 0; stiffer < 2; stiffer++) {
        sni_rng rng = {test_case_seed(3, 0)};
        sn_passivity p = observer();
        p.friction = 0.2;
        double k = (stiffer ? 1.1 : 1.0) * 2 * 0.2 / 1e-3, damped = 0;
        sn_vec3 x = sn_vec3_zero();
        for (int i = 0; i < 5000; i++) {
            sn_vec3 moved = random_vector(&rng, 1e-3);
            x = sn_vec3_add(sn_vec3_scale(0.99, x), moved);
            moved = sn_vec3_add(moved, sn_vec3_scale(-0.01 / 0.99, sn_vec3_sub(x, moved)));
            sn_passivity_input in = {.h = 1e-3,
                                     .moved = moved,
                                     .velocity = sn_vec3_scale(1e3, moved),
                                     .stiffness = k,
                                     .limit = HUGE_VAL,
                                     .share = 1};
            p.most_damping = stiffer ? 0 : 5; // only looks on
            sn_vec3 f = sn_vec3_scale(-k, x);
            sn_passivity_apply(&p, &in, f);
            damped = fmax(damped, p.damping);
            sn_passivity_sent(&p, f);
        }
        CHECK(stiffer ? p.energy < -1e-3 : p.energy > -1e-9 && damped < 1e-3, 0);
    }
}

/// A mass that is pushed along its velocity: energy after a second, with the controller or without.
static double energy_of_pushed_mass(bool controlled, sn_passivity* p) {
    double m = 0.1, h = 1e-3, v = 0.05;
    *p = observer();
    p->most_damping = controlled ? 5 : 0;
    p->slack = 1e-4;
    for (int i = 0; i < 1000; i++) {
        sn_passivity_input in = {.h = h, .moved = {v * h, 0, 0}, .velocity = {v, 0, 0}};
        sn_vec3 f = sn_passivity_apply(p, &in, sn_vec3_make(2 * v, 0, 0));
        sn_passivity_sent(p, f);
        v += h * f.x / m;
    }
    return 0.5 * m * v * v;
}

static void the_controller_takes_back_what_a_law_produces(void** state) {
    (void)state;
    sn_passivity p;
    double first = 0.5 * 0.1 * 0.05 * 0.05;
    CHECK(energy_of_pushed_mass(false, &p) > 1e6 * first, 0);
    CHECK(energy_of_pushed_mass(true, &p) < first + 2 * p.slack, 0);
    CHECK(p.least > -2 * p.slack, 0);
}

static void a_debt_that_cannot_be_paid_at_once_is_carried(void** state) {
    (void)state;
    sn_passivity p = observer();
    p.energy = -1e-3;
    p.most_damping = 2;
    double paid = 0;
    int ticks = 0;
    for (; ticks < 10000 && p.energy < -1e-9; ticks++) {
        sn_passivity_input in = {.h = 1e-3, .moved = {1e-4, 0, 0}, .velocity = {0.1, 0, 0}};
        sn_vec3 f = sn_passivity_apply(&p, &in, sn_vec3_zero());
        CHECK(p.damping <= 2 && f.x >= -0.2 - 1e-15, 0);
        paid += -f.x * 1e-4;
        sn_passivity_sent(&p, f);
    }
    CHECK_NEAR(paid, 1e-3, 1e-5, 0);
    CHECK(ticks >= 50, 0); // 2 N s/m at 0.1 m/s take 20 uJ a tick
    sn_passivity_input still = {.h = 1e-3};
    p.energy = -1;
    CHECK(sn_passivity_apply(&p, &still, sn_vec3_make(1, 0, 0)).x == 1,
          0); // nothing moves, nothing to damp
    p.forget = 0.1;
    for (int i = 0; i < 1000; i++) sn_passivity_apply(&p, &still, sn_vec3_zero());
    CHECK(p.energy > -1e-4, 0);
    p.credit = 0.01, p.energy = 5;
    sn_passivity_apply(&p, &still, sn_vec3_zero());
    CHECK(p.energy <= 0.01, 0);
}

// ---- tank -----------------------------------------------------------------------------------------------------------

static void a_jump_of_the_simulation_adds_no_more_energy_than_the_tank_has(void** state) {
    (void)state;
    int cut = 0, whole = 0;
    for (uint64_t c = 0; c < 500; c++) {
        uint64_t seed = test_case_seed(4, c);
        sni_rng rng = {seed};
        double k = sni_rng_uniform(&rng, 50, 3000), level = sni_rng_uniform(&rng, 0, 5e-3);
        sn_tank t = {.capacity = 0.01, .release = HUGE_VAL, .level = level};
        sn_vec3 before = random_vector(&rng, 3), moved = random_vector(&rng, 1e-4);
        sn_vec3 jump = random_vector(&rng, sni_rng_uniform(&rng, 0, 3));
        t.before = before;
        sn_vec3 expected = sn_vec3_sub(before, sn_vec3_scale(k, moved));
        sn_vec3 wanted = sn_vec3_add(expected, jump);
        sn_vec3 out = sn_tank_apply(&t, 1e-3, true, moved, k, 0, wanted);
        double added = (sn_vec3_dot(out, out) - sn_vec3_dot(expected, expected)) / (2 * k);
        double asked = (sn_vec3_dot(wanted, wanted) - sn_vec3_dot(expected, expected)) / (2 * k);
        if (asked <= level) {
            CHECK_NEAR(distance(out, wanted), 0, 1e-12, seed);
            CHECK_NEAR(t.level, level - fmax(0, asked), 1e-12, seed);
            whole++;
        } else {
            CHECK_NEAR(added, level, 1e-9, seed);
            CHECK_NEAR(t.level, 0, 1e-9, seed);
            // what is left out is along the jump
            CHECK_NEAR(sn_vec3_norm(sn_vec3_cross(sn_vec3_sub(wanted, out), jump)), 0, 1e-9, seed);
            cut++;
        }
    }
    CHECK(cut > 50 && whole > 50, 0);
}

static void what_the_tank_held_back_comes_slowly_and_is_counted(void** state) {
    (void)state;
    sn_tank t = {.capacity = 0.01, .refill = 0.01, .release = 0.01};
    sn_vec3 wanted = sn_vec3_make(2, 0, 0),
            out = sn_tank_apply(&t, 1e-3, true, sn_vec3_zero(), 100, 0, wanted);
    CHECK(out.x < 0.3, 0);
    double last = out.x;
    for (int i = 0; i < 200; i++) {
        out = sn_tank_apply(&t, 1e-3, false, sn_vec3_zero(), 100, 0, wanted);
        CHECK(out.x >= last && out.x - last <= 0.21, 0);
        last = out.x;
    }
    CHECK_NEAR(out.x, 2, 1e-6, 0);
    CHECK(t.unpaid > 0.01 && t.unpaid < 0.02, 0); // of 2^2/200 J
    for (int i = 0; i < 2000; i++) sn_tank_apply(&t, 1e-3, false, sn_vec3_zero(), 100, 0, wanted);
    CHECK_NEAR(t.level, 0.01, 1e-12, 0); // full again
    t.level = 0;
    sn_tank_apply(&t, 1e-3, false, sn_vec3_zero(), 100, 0.005, wanted);
    CHECK(t.level > 0.005, 0); // by what a damper took
    sn_tank_reset(&t);
    CHECK(t.level == 0.01 && t.held.x == 0 && t.before.x == 0, 0);
    // without a spring there is nothing to count
    out = sn_tank_apply(&t, 1e-3, true, sn_vec3_zero(), 0, 0, wanted);
    CHECK(out.x == 2, 0);
}

// ---- limits ---------------------------------------------------------------------------------------------------------

static void a_vector_is_shortened_and_keeps_its_direction(void** state) {
    (void)state;
    sn_vec3 f = sn_vec3_make(3, 0, 4);
    CHECK(!sn_peak_apply(5, &f) && f.x == 3, 0);
    CHECK(sn_peak_apply(1, &f), 0);
    CHECK_NEAR(f.x, 0.6, TOL_ROUNDOFF, 0);
    CHECK_NEAR(f.z, 0.8, TOL_ROUNDOFF, 0);
    f = sn_vec3_make(1e300, -1e300, 0); // whose square is no number
    CHECK(sn_peak_apply(2, &f), 0);
    CHECK_NEAR(f.x, sqrt(2), TOL_ROUNDOFF, 0);
    CHECK_NEAR(f.y, -sqrt(2), TOL_ROUNDOFF, 0);
}

static void motors_warm_as_the_formula_says_and_never_above_one(void** state) {
    (void)state;
    sn_thermal t = {.peak = 3, .continuous = 1, .time = 20};
    for (int i = 1; i <= 5000; i++) {
        sn_thermal_warm(&t, 1e-3, sn_vec3_make(0, 0.9, 0));
        CHECK_NEAR(t.heat, 0.81 * (1 - exp(-1e-3 * i / 20)), 1e-12, 0);
    }
    CHECK(sn_thermal_limit(&t) == 3, 0);
    double spent = 0;
    t.heat = 0;
    for (int i = 0; i < 400000; i++) {
        double f = sn_thermal_limit(&t);
        sn_thermal_warm(&t, 1e-3, sn_vec3_make(f, 0, 0));
        CHECK(t.heat <= 1 + 1e-9, 0);
        if (f >= 3) spent += 1e-3;
    }
    CHECK_NEAR(sn_thermal_limit(&t), 1, 1e-3, 0);
    CHECK_NEAR(spent, -20 * log(1 - 0.9 / 9), 2e-3, 0); // until 9 (1 - e^-t/20) = 0.9
    sn_thermal none = {.peak = 3};
    sn_thermal_warm(&none, 1, sn_vec3_make(100, 0, 0));
    CHECK(sn_thermal_limit(&none) == 3, 0);
}

static void a_force_changes_no_faster_than_it_may(void** state) {
    (void)state;
    sni_rng rng = {test_case_seed(5, 0)};
    sn_slew s = {.rate = 100};
    sn_vec3 last = sn_vec3_zero();
    for (int i = 0; i < 1000; i++) {
        sn_vec3 want = random_vector(&rng, i % 3 ? 0.2 : 5), f = want;
        bool late = sn_slew_apply(&s, 1e-3, &f);
        CHECK(distance(f, last) <= 0.1 + 1e-12, 0);
        CHECK(late == (distance(want, last) > 0.1), 0);
        if (!late) CHECK(distance(f, want) == 0, 0);
        if (late)
            CHECK_NEAR(sn_vec3_norm(sn_vec3_cross(sn_vec3_sub(f, last), sn_vec3_sub(want, f))), 0,
                       1e-12, 0);
        last = f;
    }
}

static void the_ramp_opens_and_closes_in_its_times(void** state) {
    (void)state;
    sn_ramp r = {.rise = 0.5, .fall = 0.05};
    for (int i = 1; i <= 600; i++)
        CHECK_NEAR(sn_ramp_apply(&r, 1e-3, true), fmin(1, i / 500.0), 1e-12, 0);
    for (int i = 1; i <= 60; i++)
        CHECK_NEAR(sn_ramp_apply(&r, 1e-3, false), fmax(0, 1 - i / 50.0), 1e-12, 0);
}

static void speed_trips_at_the_limit_and_ends_at_half_of_it(void** state) {
    (void)state;
    sn_speed_trip s = {.limit = 2, .turn_limit = 30};
    const double speed[] = {1, 2, 2.01, 1.5, 1.01, 1, 1.5}, turn[] = {0, 0, 0, 0, 0, 0, 31};
    const bool trips[] = {false, false, true, true, true, false, true};
    for (int i = 0; i < 7; i++) {
        sn_twist v = {{0, turn[i], 0}, {0, 0, speed[i]}};
        CHECK(sn_speed_trip_apply(&s, &v) == trips[i], 0);
    }
    sn_speed_trip none = {0, 0, false};
    sn_twist fast = {{0, 1e9, 0}, {1e9, 0, 0}};
    CHECK(!sn_speed_trip_apply(&none, &fast), 0);
}

static void the_watchdog_knows_late_ticks_clock_jumps_and_a_stopped_simulation(void** state) {
    (void)state;
    const int64_t ms = 1000000;
    sn_watchdog w = {
        .gap = 0.02, .jump = 1, .stale_least = 0.05, .stale_periods = 3, .stale_most = 5};
    double h, passed;
    int64_t now = 100 * ms, law = now;
    CHECK(sn_watchdog_apply(&w, 1e-3, now, law, &h, &passed) == SN_WATCHDOG_WELL && h == 1e-3, 0);
    for (int i = 1; i < 1000; i++) { // 10 ms a step
        now += ms;
        law = now - now % (10 * ms);
        CHECK(sn_watchdog_apply(&w, 1e-3, now, law, &h, &passed) == SN_WATCHDOG_WELL, 0);
    }
    CHECK_NEAR(w.law_period, 0.01, 1e-6, 0);
    CHECK(sn_watchdog_apply(&w, 1e-3, now + 20 * ms, now + 20 * ms, &h, &passed) ==
              SN_WATCHDOG_WELL,
          0);
    CHECK_NEAR(passed, 0.02, 1e-12, 0);
    CHECK(h == 1e-3, 0);
    now += 20 * ms, law = now;
    now += 21 * ms;
    CHECK(sn_watchdog_apply(&w, 1e-3, now, law, &h, &passed) == SN_WATCHDOG_GAP, 0);
    for (int i = 22; i <= 60; i++) {
        now += ms;
        sn_watchdog_verdict v = sn_watchdog_apply(&w, 1e-3, now, law, &h, &passed);
        CHECK(v == (i > 50 ? SN_WATCHDOG_STALE : SN_WATCHDOG_WELL), 0);
    }
    CHECK(sn_watchdog_apply(&w, 1e-3, now - 1, now - 1, &h, &passed) == SN_WATCHDOG_CLOCK &&
              passed == 1e-3,
          0);
    CHECK(sn_watchdog_apply(&w, 1e-3, now + 1002 * ms, now + 1002 * ms, &h, &passed) ==
              SN_WATCHDOG_CLOCK,
          0);
    CHECK(sn_watchdog_apply(&w, 1e-3, INT64_MIN, 0, &h, &passed) == SN_WATCHDOG_CLOCK && h == 1e-3,
          0);
}

static void a_simulation_of_one_step_a_second_is_slow_and_not_stopped(void** state) {
    (void)state;
    const int64_t ms = 1000000;
    sn_watchdog w = {
        .gap = 0.02, .jump = 1, .stale_least = 0.05, .stale_periods = 3, .stale_most = 5};
    double h, passed;
    int stale = 0, late = 0;
    for (int64_t now = 0; now < 20000 * ms; now += ms) {
        int64_t law = now < 15000 * ms ? now - now % (1000 * ms) : 14000 * ms;
        bool is = sn_watchdog_apply(&w, 1e-3, now, law, &h, &passed) == SN_WATCHDOG_STALE;
        stale += is && now > 1000 * ms && now < 15000 * ms;
        late += is && now > 17001 * ms;
    }
    CHECK(stale == 0 && late > 2000, 0);
}

static void force_is_enabled_by_its_button(void** state) {
    (void)state;
    sn_enable e = {.needed = true, .button = 1};
    CHECK(!sn_enable_apply(&e, 0) && !sn_enable_apply(&e, 5) && sn_enable_apply(&e, 2), 0);
    e.needed = false;
    CHECK(sn_enable_apply(&e, 0), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_force_that_is_not_finite_is_replaced_by_the_last_that_was),
        cmocka_unit_test(the_observer_counts_work_of_the_force_that_acted),
        cmocka_unit_test(a_spring_that_friction_pays_for_is_left_alone_and_a_stiffer_one_is_not),
        cmocka_unit_test(the_controller_takes_back_what_a_law_produces),
        cmocka_unit_test(a_debt_that_cannot_be_paid_at_once_is_carried),
        cmocka_unit_test(a_jump_of_the_simulation_adds_no_more_energy_than_the_tank_has),
        cmocka_unit_test(what_the_tank_held_back_comes_slowly_and_is_counted),
        cmocka_unit_test(a_vector_is_shortened_and_keeps_its_direction),
        cmocka_unit_test(motors_warm_as_the_formula_says_and_never_above_one),
        cmocka_unit_test(a_force_changes_no_faster_than_it_may),
        cmocka_unit_test(the_ramp_opens_and_closes_in_its_times),
        cmocka_unit_test(speed_trips_at_the_limit_and_ends_at_half_of_it),
        cmocka_unit_test(the_watchdog_knows_late_ticks_clock_jumps_and_a_stopped_simulation),
        cmocka_unit_test(a_simulation_of_one_step_a_second_is_slow_and_not_stopped),
        cmocka_unit_test(force_is_enabled_by_its_button),
    };
    return cmocka_run_group_tests_name("haptics_safety_elements", tests, NULL, NULL);
}
