// SPDX-License-Identifier: Apache-2.0
// Adaptive dynamics as a world uses it: joints fall asleep and wake up while forces, wrenches, locks and
// limits change; after every change it is what the oracle computes from nothing.
#include <math.h>
#include <string.h>

#include "dynamics/sn_dynamics.h"
#include "support/adaptive.h"

enum { MODELS = 120, STEPS = 8, MOVING = 800, PUSHED, STOPPED };

static adaptive_case begin(test_units u, int test, int index) {
    uint64_t seed = test_case_seed((uint64_t)test, (uint64_t)index);
    static const sn_generate_shape shapes[] = {SN_GENERATE_TREE, SN_GENERATE_STAR,
                                               SN_GENERATE_CATERPILLAR, SN_GENERATE_RANDOM,
                                               SN_GENERATE_CHAIN};
    fixture* f;
    if (index % 10 == 9) // some larger ones, whose parts are kept
        f = fixture_create(
            test_generate(shapes[index / 10 % 5], 24, seed, index / 20 % 2 == 0, index % 4 < 2, u),
            u, seed);
    else
        f = fixture_of_list(index, u, seed);
    return adaptive_begin(f, (adaptive_motion)(index / 2 % ADAPTIVE_MOTIONS),
                          (sn_metric)(index / 7 % SN_METRIC_COUNT));
}

static void forward(adaptive_case c) {
    memset(c.f->x, 0, (size_t)c.f->nv * sizeof *c.f->x); // what sleeps is left alone
    CHECK_STATUS(sni_forward(c.d, c.f->tau, c.f->x), SN_OK);
}

// ---- choosing anew --------------------------------------------------------------------------------------

/// Joints that are not active stand still; the others changed by no more than the impulses through those
/// ask for: their rows of M (v+ - v) are zero. f->y holds v.
static void check_stopped(adaptive_case c) {
    fixture* f = c.f;
    double most = 0;
    oracle_mass_matrix(f->o, f->A_l);
    for (int i = 0; i < f->nv; i++) {
        f->x_l[i] = 0;
        for (int k = 0; k < f->nv; k++) {
            f->x_l[i] += f->A_l[i * f->nv + k] * ((real)f->v[k] - f->y[k]);
            most = fmax(most, fabs((double)f->A_l[i * f->nv + k] * f->y[k]) / f->unit_tau[i]);
        }
    }
    for (int i = 0; i < f->n; i++) {
        const oracle_body* b = &f->o->body[i];
        for (int k = b->iv; k < b->iv + b->nv; k++) {
            if (!sn_dynamics_is_active(c.d, sn_body(i))) CHECK(f->v[k] == 0, f->seed);
            if (f->v[k] != 0)
                CHECK_NEAR((double)f->x_l[k] / f->unit_tau[k], 0, TOL_SOLVE * most, f->seed);
        }
    }
}

/// Chooses, and compares what it reports with the state before; then the motion.
static void update(adaptive_case c) {
    fixture* f = c.f;
    sn_adaptivity options;
    CHECK_STATUS(sn_dynamics_adaptivity(c.d, &options), SN_OK);
    memcpy(f->y, f->v, (size_t)f->nv * sizeof *f->y);
    adaptive_solve(c);
    CHECK_STATUS(sni_update_awake(c.d, f->tau, f->v, NULL), SN_OK);
    bool limited = options.threshold > 0 || (options.max_active >= 0 && options.max_active < f->n);
    if (limited) adaptive_check_report(c); // else the next forward knows
    check_stopped(c);
    adaptive_solve(c);
    forward(c);
    if (!limited) adaptive_check_report(c);
    adaptive_check_hybrid(c);
}

// ---- what happens between two choices ---------------------------------------------------------------------

/// Joints that are awake go somewhere else with another velocity.
static void move(adaptive_case c) {
    fixture* f = c.f;
    test_random_v(&f->rng, f->model, f->u, f->y);
    memset(f->x_l, 0, (size_t)f->nv * sizeof *f->x_l);
    for (int i = 0; i < f->n; i++) {
        const oracle_body* b = &f->o->body[i];
        if (!sn_dynamics_is_active(c.d, sn_body(i))) continue;
        for (int k = b->iv; k < b->iv + b->nv; k++) {
            f->x_l[k] = 0.3L * f->y[k] * f->u.time;
            f->v[k] = f->y[k];
        }
    }
    oracle_integrate(f->o, f->q_l, f->x_l, f->q_l);
    for (int k = 0; k < f->nq; k++) f->q[k] = (double)f->q_l[k];
    sni_move(c.d, f->q, f->v);
}

/// Sets, changes or removes wrenches on a few bodies, asleep or not.
static void change_wrenches(adaptive_case c) {
    test_rng* rng = &c.f->rng;
    for (int k = 0; k < 3; k++) {
        sn_wrench w = test_random_wrench(rng, c.f->u);
        if (test_chance(rng, 0.3)) w = sn_wrench_zero();
        adaptive_set_wrench(c, test_index(rng, c.f->n),
                            test_chance(rng, 0.5) ? SN_AXES_BODY : SN_AXES_WORLD, w);
    }
    if (!test_chance(rng, 0.1)) return;
    for (int i = 0; i < c.f->n; i++) c.wrench[i] = sn_wrench_zero();
    sn_dynamics_clear_wrenches(c.d);
}

/// Joints that are awake are given new forces by the next forward; the others are told.
static void change_forces(adaptive_case c) {
    fixture* f = c.f;
    test_random_tau(&f->rng, f->model, f->u, f->tau);
    for (int i = 0; i < f->n; i++)
        if (!sn_dynamics_is_active(c.d, sn_body(i)))
            sni_force_changed(c.d, i, f->tau + f->o->body[i].iv);
}

static void change_wishes(adaptive_case c) {
    test_rng* rng = &c.f->rng;
    int i = test_index(rng, c.f->n);
    c.kept[i] = !c.kept[i];
    CHECK_STATUS(sn_dynamics_keep_active(c.d, sn_body(i), c.kept[i]), SN_OK);
    i = test_index(rng, c.f->n);
    c.locked[i] = !c.locked[i] && test_chance(rng, 0.5);
    CHECK_STATUS(sn_dynamics_lock(c.d, sn_body(i), c.locked[i]), SN_OK);
}

static void regions_follow_the_motion_and_whatever_is_changed(void** state) {
    const test_units* u = *state;
    for (int m = 0; m < MODELS; m++) {
        adaptive_case c = begin(*u, MOVING, m);
        fixture* f = c.f;
        sni_kinematics(c.d, f->q, f->v);
        for (int step = 0; step < STEPS; step++) {
            if (step != 5) adaptive_limit_randomly(c); // once unchanged
            update(c);
            adaptive_check_impulse(c);
            adaptive_check_response(c);
            for (int k = test_index(&f->rng, 3); k > 0; k--) {
                move(c);
                if (test_chance(&f->rng, 0.5)) change_wrenches(c);
                if (test_chance(&f->rng, 0.5)) change_forces(c);
                adaptive_solve(c);
                forward(c);
                adaptive_check_hybrid(c);
            }
            if (test_chance(&f->rng, 0.5)) continue;
            change_wishes(c); // locks act at once
            adaptive_solve(c);
            forward(c);
            adaptive_check_hybrid(c);
        }
        adaptive_end(c);
    }
}

static void a_wrench_on_a_sleeping_body_acts_at_once(void** state) {
    const test_units* u = *state;
    int inside = 0;
    for (int m = 0; m < MODELS; m++) {
        adaptive_case c = begin(*u, PUSHED, m);
        fixture* f = c.f;
        adaptive_limit(c, f->n / 3, 0);
        adaptive_forward(c);
        for (int k = 0; k < 4; k++) { // set, changed, in other axes, removed
            int body = test_index(&f->rng, f->n);
            inside += !sn_dynamics_is_active(c.d, sn_body(body));
            sn_wrench w = test_random_wrench(&f->rng, f->u);
            adaptive_set_wrench(c, body, SN_AXES_BODY, w);
            adaptive_solve(c);
            forward(c); // the region is the same
            adaptive_check_hybrid(c);
            adaptive_set_wrench(c, body, SN_AXES_WORLD, test_random_wrench(&f->rng, f->u));
            adaptive_solve(c);
            forward(c);
            adaptive_check_hybrid(c);
            adaptive_set_wrench(c, body, SN_AXES_WORLD, sn_wrench_zero());
            adaptive_solve(c);
            forward(c);
            adaptive_check_hybrid(c);
            adaptive_set_wrench(c, body, SN_AXES_WORLD, w);
            adaptive_solve(c);
            memcpy(f->y, f->x, (size_t)f->nv * sizeof *f->y);
            adaptive_forward(c); // a new region, from nothing
            adaptive_check_hybrid(c);
            adaptive_check_report(c);
        }
        adaptive_end(c);
    }
    CHECK(inside > MODELS, test_seed());
}

static void falling_asleep_keeps_the_momentum_and_no_energy_appears(void** state) {
    const test_units* u = *state;
    for (int m = 0; m < MODELS; m++) {
        uint64_t seed = test_case_seed(STOPPED, (uint64_t)m);
        sn_model* model = test_generate(m % 2 ? SN_GENERATE_CHAIN : SN_GENERATE_TREE, 2 + m % 11,
                                        seed, true, m % 4 < 2, *u);
        adaptive_case c =
            adaptive_begin(fixture_create(model, *u, seed), ADAPTIVE_ALL_MOVE, SN_METRIC_UNIT);
        fixture* f = c.f;
        for (int i = 0; i < f->n; i++) {
            c.locked[i] = false;
            CHECK_STATUS(sn_dynamics_lock(c.d, sn_body(i), false), SN_OK);
        }
        CHECK_STATUS(sn_dynamics_keep_active(c.d, sn_body(0), true), SN_OK); // the floating base
        adaptive_limit(c, f->n / 2 + 1, 0);
        oracle_sums before = oracle_energy_momentum(f->o, f->v_l);
        sni_kinematics(c.d, f->q, f->v);
        CHECK_STATUS(sni_update_awake(c.d, f->tau, f->v, NULL), SN_OK);
        fixture_update(f);
        oracle_sums after = oracle_energy_momentum(f->o, f->v_l);
        CHECK(after.kinetic <= before.kinetic * (1 + TOL_SOLVE), seed);
        if (!sn_dynamics_is_active(c.d, sn_body(0))) {
            adaptive_end(c);
            continue;
        }
        double linear = u->mass * u->length / u->time, angular = linear * u->length;
        for (int k = 0; k < 3; k++) {
            CHECK_NEAR((double)(after.linear[k] - before.linear[k]) / linear, 0, f->n * TOL_SOLVE,
                       seed);
            CHECK_NEAR((double)(after.angular[k] - before.angular[k]) / angular, 0,
                       f->n * TOL_SOLVE, seed);
        }
        adaptive_end(c);
    }
}

int main(void) {
    (void)test_seed(); // print it first
    static test_units si, molecular;
    si = test_units_si();
    molecular = test_units_molecular();
    const struct CMUnitTest tests[] = {
        TEST_IN_BOTH_UNITS(regions_follow_the_motion_and_whatever_is_changed),
        TEST_IN_BOTH_UNITS(a_wrench_on_a_sleeping_body_acts_at_once),
        TEST_IN_BOTH_UNITS(falling_asleep_keeps_the_momentum_and_no_energy_appears),
    };
    return cmocka_run_group_tests_name("awake", tests, NULL, NULL);
}
