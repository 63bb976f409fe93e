// SPDX-License-Identifier: Apache-2.0
#include "support/adaptive.h"

#include <math.h>
#include <string.h>

#define NUMBERS(type, n) ((type*)calloc((size_t)(n) + 1, sizeof(type)))

// ---- cases --------------------------------------------------------------------------------------------

/// Composite inertia that a joint carries: what it does to all bodies outboard of it when only it moves.
static void weights_of_inertia(adaptive_case c) {
    fixture* f = c.f;
    oracle_mass_matrix(f->o, f->A_l);
    for (int i = 0; i < f->n; i++) {
        const oracle_body* b = &f->o->body[i];
        for (int k = 0; k < b->nv; k++)
            c.weight[b->iv + k] = f->A_l[(b->iv + k) * f->nv + b->iv + k] - b->armature[k];
    }
}

static void set_weights(adaptive_case c) {
    fixture* f = c.f;
    if (c.metric == SN_METRIC_INERTIA) weights_of_inertia(c);
    if (c.metric == SN_METRIC_UNIT)
        for (int k = 0; k < f->nv; k++) c.weight[k] = 1;
    if (c.metric != SN_METRIC_GIVEN) return;
    for (int k = 0; k < f->nv; k++) { // so that angles and lengths count alike
        f->y[k] = exp(test_uniform(&f->rng, -2, 2)) / (f->unit_qdd[k] * f->unit_qdd[k]);
        c.weight[k] = f->y[k];
    }
    CHECK_STATUS(sn_dynamics_set_metric_weights(c.d, f->y), SN_OK);
}

static void set_motion(adaptive_case c, adaptive_motion motion) {
    fixture* f = c.f;
    for (int i = 0; i < f->n; i++) {
        const oracle_body* b = &f->o->body[i];
        if (motion == ADAPTIVE_ALL_MOVE) continue;
        c.kept[i] = motion == ADAPTIVE_SOME_MOVE && test_chance(&f->rng, 0.15);
        CHECK_STATUS(sn_dynamics_keep_active(c.d, sn_body(i), c.kept[i]), SN_OK);
        if (c.kept[i] || (motion == ADAPTIVE_SOME_MOVE && b->parent < 0)) continue;
        for (int k = 0; k < b->nv; k++) f->v[b->iv + k] = 0;
    }
}

adaptive_case adaptive_begin(fixture* f, adaptive_motion motion, sn_metric metric) {
    adaptive_case c = {.f = f, .d = test_dynamics(f->model, "adaptive"), .metric = metric};
    c.locked = NUMBERS(bool, f->n), c.kept = NUMBERS(bool, f->n);
    c.wrench = NUMBERS(sn_wrench, f->n), c.axes = NUMBERS(sn_axes, f->n);
    c.weight = NUMBERS(real, f->nv), c.full = NUMBERS(real, f->nv);
    sn_dynamics_set_gravity(c.d, f->gravity);
    set_motion(c, motion);
    fixture_update(f);
    set_weights(c);
    bool some_locked = test_chance(&f->rng, 0.25);
    for (int i = 0; i < f->n; i++) {
        c.locked[i] = some_locked && test_chance(&f->rng, 0.3);
        CHECK_STATUS(sn_dynamics_lock(c.d, sn_body(i), c.locked[i]), SN_OK);
        if (test_chance(&f->rng, 0.4))
            adaptive_set_wrench(c, i, test_chance(&f->rng, 0.5) ? SN_AXES_BODY : SN_AXES_WORLD,
                                test_random_wrench(&f->rng, f->u));
    }
    adaptive_solve(c);
    return c;
}

void adaptive_end(adaptive_case c) {
    sn_dynamics_free(c.d);
    free(c.locked), free(c.kept), free(c.wrench), free(c.axes), free(c.weight), free(c.full);
    fixture_free(c.f);
}

void adaptive_set_wrench(adaptive_case c, int body, sn_axes axes, sn_wrench w) {
    c.wrench[body] = w;
    c.axes[body] = axes;
    CHECK_STATUS(sn_dynamics_set_wrench(c.d, sn_body(body), axes, w), SN_OK);
}

// ---- what the oracle says -----------------------------------------------------------------------------

static void tell_wrenches(adaptive_case c) {
    oracle_clear_wrenches(c.f->o);
    for (int i = 0; i < c.f->n; i++) {
        double w[6];
        real l[6];
        wrench_numbers(c.wrench[i], w);
        for (int k = 0; k < 6; k++) l[k] = w[k];
        if (c.axes[i] == SN_AXES_BODY)
            oracle_wrench_body_axes(c.f->o, i, l);
        else
            oracle_wrench_world_axes(c.f->o, i, l);
    }
}

/// M^-1 (tau - bias), less the locked joints.
static void accelerate(const fixture* f, real* qdd) {
    memset(qdd, 0, (size_t)f->nv * sizeof *qdd);
    oracle_inverse(f->o, qdd, qdd);
    for (int k = 0; k < f->nv; k++) qdd[k] = f->tau_l[k] - qdd[k];
    CHECK(oracle_solve_mass(f->o, qdd, 1), f->seed);
}

void adaptive_solve(adaptive_case c) {
    fixture_update(c.f);
    tell_wrenches(c);
    for (int i = 0; i < c.f->n; i++) c.f->o->body[i].locked = c.locked[i];
    accelerate(c.f, c.full);
}

static void lock_sleeping(adaptive_case c) {
    for (int i = 0; i < c.f->n; i++) {
        bool active = sn_dynamics_is_active(c.d, sn_body(i));
        CHECK(!active || !c.locked[i], c.f->seed);
        c.f->o->body[i].locked = !active;
    }
}

static real sum(adaptive_case c, bool of_all) {
    real r = 0;
    for (int i = 0; i < c.f->n; i++) {
        const oracle_body* b = &c.f->o->body[i];
        if (!of_all && sn_dynamics_is_active(c.d, sn_body(i))) continue;
        for (int k = b->iv; k < b->iv + b->nv; k++) r += c.weight[k] * c.full[k] * c.full[k];
    }
    return r;
}

real adaptive_total(adaptive_case c) { return sum(c, true); }
real adaptive_left_out(adaptive_case c) { return sum(c, false); }

// ---- what the library does ----------------------------------------------------------------------------

void adaptive_limit(adaptive_case c, int max_active, double threshold) {
    sn_adaptivity options = sn_adaptivity_default();
    options.max_active = max_active;
    options.threshold = threshold;
    options.settling_time *= c.f->u.time;
    options.metric = c.metric;
    CHECK_STATUS(sn_dynamics_set_adaptivity(c.d, &options), SN_OK);
}

void adaptive_limit_randomly(adaptive_case c) {
    test_rng* rng = &c.f->rng;
    int most = test_chance(rng, 0.7) ? test_index(rng, c.f->n + 1) : -1;
    double part = test_chance(rng, 0.6) ? exp(test_uniform(rng, -6, 0.2)) : 0;
    adaptive_limit(c, most, part * sqrt((double)adaptive_total(c)));
}

void adaptive_forward(adaptive_case c) {
    CHECK_STATUS(sn_dynamics_forward(c.d, c.f->q, c.f->v, c.f->tau, c.f->x), SN_OK);
}

// ---- comparing ----------------------------------------------------------------------------------------

void adaptive_check_scaled(const double* actual, const real* expected, const double* unit, int n,
                           uint64_t seed) {
    double *a = NUMBERS(double, n + 1), *units = NUMBERS(double, n + 1);
    real* e = NUMBERS(real, n + 1);
    memcpy(a, actual, (size_t)n * sizeof *a);
    memcpy(e, expected, (size_t)n * sizeof *e);
    memcpy(units, unit, (size_t)n * sizeof *units);
    a[n] = units[n] = 1, e[n] = 1;
    CHECK_SCALED(a, e, units, n + 1, TOL_SOLVE, seed);
    free(a), free(units), free(e);
}

/// Numbers of sleeping joints are zero to the bit; the oracle's are up to its rounding.
static void check_sleeping(adaptive_case c, const double* x, real* expected) {
    for (int i = 0; i < c.f->n; i++) {
        const oracle_body* b = &c.f->o->body[i];
        for (int k = b->iv; k < b->iv + b->nv && b->locked; k++) {
            CHECK(x[k] == 0, c.f->seed);
            expected[k] = 0;
        }
    }
}

void adaptive_check_hybrid(adaptive_case c) {
    fixture* f = c.f;
    lock_sleeping(c);
    accelerate(f, f->x_l);
    check_sleeping(c, f->x, f->x_l);
    adaptive_check_scaled(f->x, f->x_l, f->unit_qdd, f->nv, f->seed);
    fixture_check_motion(f, c.d);
    fixture_check_accelerations(f, c.d, f->x_l, TOL_SOLVE);
}

void adaptive_check_impulse(adaptive_case c) {
    enum { COUNT = 4 };
    fixture* f = c.f;
    sn_body_wrench impulse[COUNT];
    real* J = NUMBERS(real, 6 * f->nv);
    bool with_tau = test_chance(&f->rng, 0.5);
    lock_sleeping(c);
    for (int k = 0; k < f->nv; k++) f->x_l[k] = with_tau ? f->tau_l[k] : 0;
    for (int i = 0; i < COUNT; i++) {
        double w[6];
        impulse[i].body = sn_body(test_index(&f->rng, f->n));
        impulse[i].wrench = test_random_wrench(&f->rng, f->u);
        wrench_numbers(impulse[i].wrench, w);
        oracle_jacobian_body(f->o, impulse[i].body.i, J);
        for (int r = 0; r < 6; r++)
            for (int k = 0; k < f->nv; k++) f->x_l[k] += J[r * f->nv + k] * w[r];
    }
    free(J);
    CHECK(oracle_solve_mass(f->o, f->x_l, 1), f->seed);
    CHECK_STATUS(sn_dynamics_impulse(c.d, with_tau ? f->tau : NULL, impulse, COUNT, f->y), SN_OK);
    check_sleeping(c, f->y, f->x_l);
    adaptive_check_scaled(f->y, f->x_l, f->unit_qdd, f->nv, f->seed);
}

void adaptive_check_response(adaptive_case c) {
    enum { MOST = 4, ROWS = 6 * MOST };
    fixture* f = c.f;
    int bodies[MOST], count = f->n < MOST ? f->n : MOST, rows = 6 * count;
    sn_body_id ids[MOST];
    double Lambda[ROWS * ROWS], unit[ROWS * ROWS], acceleration[6], wrench[6];
    real expected[ROWS * ROWS];
    lock_sleeping(c);
    int first = test_index(&f->rng, f->n);
    for (int i = 0; i < count; i++) { // different ones
        bodies[i] = (first + i * (1 + (f->n - 1) / MOST)) % f->n;
        for (int k = 0; k < i; k++)
            if (bodies[k] == bodies[i]) bodies[i] = (bodies[i] + 1) % f->n, k = -1;
        ids[i] = sn_body(bodies[i]);
    }
    test_unit_twist(f->u, 2, acceleration);
    test_unit_wrench(f->u, wrench);
    for (int r = 0; r < rows; r++)
        for (int k = 0; k < rows; k++) unit[r * rows + k] = acceleration[r % 6] / wrench[k % 6];
    CHECK_STATUS(sn_dynamics_response(c.d, ids, count, Lambda), SN_OK);
    CHECK(oracle_response(f->o, bodies, count, expected), f->seed);
    adaptive_check_scaled(Lambda, expected, unit, rows * rows, f->seed);
}

void adaptive_check_report(adaptive_case c) {
    fixture* f = c.f;
    sn_region_report report = sn_dynamics_region(c.d);
    real total = adaptive_total(c), left = adaptive_left_out(c), most = 0, slack = 0;
    int active = 0;
    for (int i = 0; i < f->n; i++) active += sn_dynamics_is_active(c.d, sn_body(i));
    CHECK(report.active == active, f->seed);
    // accelerations are known to TOL_SOLVE of the largest, which the metric may hardly count: a length
    // among angles in molecular units
    for (int k = 0; k < f->nv; k++) most = fmaxl(most, fabsl(c.full[k]) / f->unit_qdd[k]);
    for (int k = 0; k < f->nv; k++)
        slack += 2 * c.weight[k] * fabsl(c.full[k]) * f->unit_qdd[k] * most * TOL_SOLVE;
    CHECK_NEAR(report.total * report.total, total, (double)slack, f->seed);
    CHECK_NEAR(report.error * report.error, left, (double)slack, f->seed);
}
