// SPDX-License-Identifier: Apache-2.0
/// What every forward-dynamics algorithm must do, judged by the dense oracle of tests/oracle:
/// accelerations, locked joints, impulse pass, response of bodies, wrenches, gravity, bad input.
/// A program of an algorithm is `int main(void) { return suite_forward_dynamics("aba"); }`.
///
/// Everything runs twice, in SI and in molecular units, on the models of fixture_of_list: forests
/// with every type of joint, chains, trees, stars and caterpillars, fixed and floating.
#ifndef SINEW_TESTS_SUITE_FORWARD_DYNAMICS_H
#define SINEW_TESTS_SUITE_FORWARD_DYNAMICS_H

#include <math.h>
#include <string.h>

#include "support/fixture.h"

typedef struct suite {
    const char* algorithm;
    test_units units;
} suite;

enum {
    SUITE_MODELS = 240,
    // first argument of test_case_seed: one stream of models per test
    SUITE_FORWARD = 100,
    SUITE_LOCKED,
    SUITE_IMPULSE,
    SUITE_RESPONSE,
    SUITE_ROUND_TRIP,
    SUITE_WRENCHES,
    SUITE_ORDER,
    SUITE_BAD
};

/// One model of the list with the algorithm under test, gravity set.
typedef struct suite_case {
    fixture* f;
    sn_dynamics* dynamics;
} suite_case;

static suite_case suite_begin(const suite* s, int test, int index) {
    suite_case c;
    c.f = fixture_of_list(index, s->units, test_case_seed((uint64_t)test, (uint64_t)index));
    c.dynamics = test_dynamics(c.f->model, s->algorithm);
    sn_dynamics_set_gravity(c.dynamics, c.f->gravity);
    return c;
}

static void suite_end(suite_case c) {
    sn_dynamics_free(c.dynamics);
    fixture_free(c.f);
}

/// Forward dynamics of the library into f->x and of the oracle into f->x_l.
static void suite_forward_both(suite_case c) {
    fixture* f = c.f;
    CHECK_STATUS(sn_dynamics_forward(c.dynamics, f->q, f->v, f->tau, f->x), SN_OK);
    CHECK(oracle_forward(f->o, f->tau_l, f->x_l, NULL), f->seed);
}

// ---- accelerations -------------------------------------------------------------------------------

static void forward_dynamics_equals_the_dense_oracle(void** state) {
    const suite* s = *state;
    unsigned seen = 0;
    for (int m = 0; m < SUITE_MODELS; m++) {
        suite_case c = suite_begin(s, SUITE_FORWARD, m);
        fixture* f = c.f;
        for (int i = 0; i < f->n; i++) seen |= 1u << f->o->body[i].type;
        fixture_random_wrenches(f, c.dynamics, 0.4);
        suite_forward_both(c);
        CHECK_SCALED(f->x, f->x_l, f->unit_qdd, f->nv, TOL_SOLVE, f->seed);
        fixture_check_motion(f, c.dynamics);
        fixture_check_accelerations(f, c.dynamics, f->x_l, TOL_SOLVE);
        suite_end(c);
    }
    for (int t = SN_JOINT_FIXED + 1; t < SN_JOINT_TYPE_COUNT; t++) // the list tests what it says
        CHECK(seen >> t & 1u, test_seed());
}

static void locked_joints_do_not_accelerate_and_the_others_feel_it(void** state) {
    const suite* s = *state;
    for (int m = 0; m < SUITE_MODELS; m++) {
        suite_case c = suite_begin(s, SUITE_LOCKED, m);
        fixture* f = c.f;
        fixture_random_wrenches(f, c.dynamics, 0.3);
        fixture_random_locks(f, c.dynamics, m % 8 == 7 ? 1.0 : 0.4); // sometimes all of them
        suite_forward_both(c);
        for (int i = 0; i < f->n; i++) {
            const oracle_body* b = &f->o->body[i];
            CHECK(sn_dynamics_is_locked(c.dynamics, sn_body(i)) == b->locked, f->seed);
            for (int k = 0; k < b->nv && b->locked; k++) {
                CHECK(f->x[b->iv + k] == 0, f->seed);
                f->x_l[b->iv + k] = 0; // the oracle's solution is zero up to its rounding
            }
        }
        CHECK_SCALED(f->x, f->x_l, f->unit_qdd, f->nv, TOL_SOLVE, f->seed);
        fixture_check_accelerations(f, c.dynamics, f->x_l, TOL_SOLVE);
        suite_end(c);
    }
}

static void inverse_dynamics_of_the_answer_returns_the_forces(void** state) {
    const suite* s = *state;
    for (int m = 0; m < SUITE_MODELS; m++) {
        suite_case c = suite_begin(s, SUITE_ROUND_TRIP, m);
        fixture* f = c.f;
        fixture_random_wrenches(f, c.dynamics, 0.4);
        CHECK_STATUS(sn_dynamics_forward(c.dynamics, f->q, f->v, f->tau, f->x), SN_OK);
        CHECK_STATUS(sn_dynamics_inverse(c.dynamics, f->q, f->v, f->x, f->y), SN_OK);
        // what cancels in the sum is weights and inertial forces: compare with the largest of those
        memset(f->x_l, 0, (size_t)f->nv * sizeof *f->x_l);
        oracle_inverse(f->o, f->x_l, f->x_l);
        double most = 1;
        for (int k = 0; k < f->nv; k++) most = fmax(most, fabs((double)f->x_l[k]) / f->unit_tau[k]);
        for (int k = 0; k < f->nv; k++)
            CHECK_NEAR(f->y[k] / f->unit_tau[k], f->tau[k] / f->unit_tau[k], TOL_SOLVE * most,
                       f->seed);
        suite_end(c);
    }
}

static void inverse_dynamics_of_the_answer_returns_the_forces_for_large_models(void** state) {
    const suite* s = *state;
    static const sn_generate_shape shapes[] = {SN_GENERATE_CHAIN, SN_GENERATE_TREE,
                                               SN_GENERATE_STAR, SN_GENERATE_CATERPILLAR,
                                               SN_GENERATE_RANDOM};
    for (int m = 0; m < 10; m++) {
        uint64_t seed = test_case_seed(SUITE_ROUND_TRIP, (uint64_t)(1000 + m));
        fixture* f = fixture_create(test_generate(shapes[m % 5], 150, seed, m >= 5, true, s->units),
                                    s->units, seed);
        sn_dynamics* dynamics = test_dynamics(f->model, s->algorithm);
        CHECK_STATUS(sn_dynamics_forward(dynamics, f->q, f->v, f->tau, f->x), SN_OK);
        CHECK_STATUS(sn_dynamics_inverse(dynamics, f->q, f->v, f->x, f->y), SN_OK);
        double* bias = f->qdd;
        memset(bias, 0, (size_t)f->nv * sizeof *bias);
        CHECK_STATUS(sn_dynamics_inverse(dynamics, f->q, f->v, bias, bias), SN_OK);
        double most = 1;
        for (int k = 0; k < f->nv; k++) most = fmax(most, fabs(bias[k]) / f->unit_tau[k]);
        for (int k = 0; k < f->nv; k++)
            CHECK_NEAR(f->y[k] / f->unit_tau[k], f->tau[k] / f->unit_tau[k], TOL_SOLVE * most,
                       seed);
        sn_dynamics_free(dynamics);
        fixture_free(f);
    }
}

// ---- wrenches and gravity ------------------------------------------------------------------------

static void suite_expect_oracle(suite_case c) {
    suite_forward_both(c);
    CHECK_SCALED(c.f->x, c.f->x_l, c.f->unit_qdd, c.f->nv, TOL_SOLVE, c.f->seed);
}

static void suite_set_wrench(suite_case c, int body, sn_axes axes, sn_wrench w) {
    CHECK_STATUS(sn_dynamics_set_wrench(c.dynamics, sn_body(body), axes, w), SN_OK);
}

static void suite_oracle_wrench(suite_case c, int body, sn_axes axes, sn_wrench w) {
    double d[6];
    real l[6];
    wrench_numbers(w, d);
    for (int k = 0; k < 6; k++) l[k] = d[k];
    if (axes == SN_AXES_BODY)
        oracle_wrench_body_axes(c.f->o, body, l);
    else
        oracle_wrench_world_axes(c.f->o, body, l);
}

static void wrenches_persist_in_their_own_axes_until_changed(void** state) {
    const suite* s = *state;
    for (int m = 0; m < 40; m++) {
        suite_case c = suite_begin(s, SUITE_WRENCHES, m);
        fixture* f = c.f;
        int a = test_index(&f->rng, f->n), b = (a + 1) % f->n;
        sn_wrench wa = test_random_wrench(&f->rng, s->units);
        sn_wrench wb = test_random_wrench(&f->rng, s->units);
        suite_set_wrench(c, b, SN_AXES_BODY, wb);
        suite_set_wrench(c, a, SN_AXES_WORLD, wa); // when there is one body, this replaces
        for (int move = 0; move < 3; move++) {     // set once, moved three times
            oracle_clear_wrenches(f->o);
            suite_oracle_wrench(c, b, SN_AXES_BODY, wb);
            suite_oracle_wrench(c, a, SN_AXES_WORLD, wa);
            suite_expect_oracle(c);
            fixture_random_state(f);
        }
        suite_set_wrench(c, a, SN_AXES_BODY, sn_wrench_zero());
        oracle_clear_wrenches(f->o);
        if (b != a) suite_oracle_wrench(c, b, SN_AXES_BODY, wb);
        suite_expect_oracle(c);
        suite_set_wrench(c, a, SN_AXES_WORLD, wa);
        sn_dynamics_clear_wrenches(c.dynamics);
        oracle_clear_wrenches(f->o);
        suite_expect_oracle(c);
        suite_end(c);
    }
}

static void a_force_or_moment_along_one_axis_acts(void** state) {
    // most components zero is not the same as no wrench
    const suite* s = *state;
    suite_case c = suite_begin(s, SUITE_WRENCHES, 3000);
    double unit[6];
    test_unit_wrench(s->units, unit);
    for (int k = 0; k < 12; k++) {
        double w[6] = {0, 0, 0, 0, 0, 0};
        w[k % 6] = unit[k % 6];
        sn_wrench wrench =
            sn_wrench_make(sn_vec3_make(w[0], w[1], w[2]), sn_vec3_make(w[3], w[4], w[5]));
        sn_axes axes = k < 6 ? SN_AXES_BODY : SN_AXES_WORLD;
        suite_set_wrench(c, c.f->n - 1, axes, wrench);
        suite_oracle_wrench(c, c.f->n - 1, axes, wrench);
        suite_expect_oracle(c);
    }
    suite_end(c);
}

static void a_wrench_in_world_axes_is_its_components_in_body_axes(void** state) {
    const suite* s = *state;
    for (int m = 0; m < 40; m++) {
        suite_case c = suite_begin(s, SUITE_WRENCHES, 1000 + m);
        fixture* f = c.f;
        int body = f->n - 1;
        sn_wrench w = test_random_wrench(&f->rng, s->units);
        suite_set_wrench(c, body, SN_AXES_WORLD, w);
        CHECK_STATUS(sn_dynamics_forward(c.dynamics, f->q, f->v, f->tau, f->x), SN_OK);
        sn_mat3 R = sn_dynamics_pose(c.dynamics, sn_body(body)).R;
        suite_set_wrench(
            c, body, SN_AXES_BODY,
            sn_wrench_make(sn_mat3_apply_transposed(R, w.n), sn_mat3_apply_transposed(R, w.f)));
        CHECK_STATUS(sn_dynamics_forward(c.dynamics, f->q, f->v, f->tau, f->y), SN_OK);
        CHECK_SCALED(f->y, f->x, f->unit_qdd, f->nv, TOL_SOLVE, f->seed);
        suite_end(c);
    }
}

static void a_thrown_body_falls_with_gravity_in_any_direction(void** state) {
    const suite* s = *state;
    for (int m = 0; m < 20; m++) {
        uint64_t seed = test_case_seed(SUITE_WRENCHES, (uint64_t)(2000 + m));
        fixture* f = fixture_create(
            test_generate(SN_GENERATE_CHAIN, 1, seed, true, false, s->units), s->units, seed);
        sn_dynamics* dynamics = test_dynamics(f->model, s->algorithm);
        sn_vec3 g = sn_dynamics_gravity(dynamics);
        CHECK(g.x == 0 && g.y == 0 && g.z == -9.81, seed); // unless set
        sn_dynamics_set_gravity(dynamics, f->gravity);
        g = sn_dynamics_gravity(dynamics);
        CHECK(g.x == f->gravity.x && g.y == f->gravity.y && g.z == f->gravity.z, seed);
        memset(f->v, 0, (size_t)f->nv * sizeof *f->v); // not turning: every point falls with g
        CHECK_STATUS(sn_dynamics_forward(dynamics, f->q, f->v, NULL, f->x), SN_OK);
        sn_mat3 R = sn_dynamics_pose(dynamics, sn_body(0)).R;
        sn_vec3 g_b = sn_mat3_apply_transposed(R, f->gravity);
        const double expected[6] = {0, 0, 0, g_b.x, g_b.y, g_b.z};
        CHECK_SCALED(f->x, expected, f->unit_qdd, 6, TOL_CHAIN, seed);
        sn_dynamics_free(dynamics);
        fixture_free(f);
    }
}

// ---- impulse pass and response -------------------------------------------------------------------

/// Joint velocity changes against the oracle's. Where locks leave nothing to move they are compared with
/// their natural unit, as impulses and masses here are of order one.
static void suite_check_changes(const fixture* f) {
    bool still = true;
    for (int k = 0; k < f->nv; k++) still &= f->x_l[k] == 0;
    for (int k = 0; k < f->nv && still; k++)
        CHECK_NEAR(f->y[k] / f->unit_qdd[k], 0, TOL_SOLVE, f->seed);
    if (!still) CHECK_SCALED(f->y, f->x_l, f->unit_qdd, f->nv, TOL_SOLVE, f->seed);
}

static void the_impulse_pass_is_the_dense_inverse_inertia(void** state) {
    const suite* s = *state;
    for (int m = 0; m < SUITE_MODELS; m++) {
        suite_case c = suite_begin(s, SUITE_IMPULSE, m);
        fixture* f = c.f;
        fixture_random_wrenches(f, c.dynamics, 0.3); // must not matter
        if (m % 3 == 0) fixture_random_locks(f, c.dynamics, 0.3);
        CHECK_STATUS(sn_dynamics_forward(c.dynamics, f->q, f->v, f->tau, f->x), SN_OK);
        enum { COUNT = 4 };
        sn_body_wrench impulse[COUNT];
        int count = m % (COUNT + 1);
        bool with_tau = m % 2 == 0 || count == 0;
        real* J = calloc(6 * (size_t)f->nv, sizeof *J);
        for (int k = 0; k < f->nv; k++) f->x_l[k] = with_tau ? f->tau_l[k] : 0;
        for (int i = 0; i < count; i++) { // the same body may come twice: they add
            double w[6];
            impulse[i].body = sn_body(test_index(&f->rng, f->n));
            impulse[i].wrench = test_random_wrench(&f->rng, s->units);
            wrench_numbers(impulse[i].wrench, w);
            oracle_jacobian_body(f->o, impulse[i].body.i, J);
            for (int r = 0; r < 6; r++)
                for (int k = 0; k < f->nv; k++) f->x_l[k] += J[r * f->nv + k] * w[r];
        }
        free(J);
        CHECK(oracle_solve_mass(f->o, f->x_l, 1), f->seed);
        CHECK_STATUS(
            sn_dynamics_impulse(c.dynamics, with_tau ? f->tau : NULL, impulse, count, f->y), SN_OK);
        suite_check_changes(f);
        for (int i = 0; i < f->n; i++)
            for (int k = 0; k < f->o->body[i].nv && f->o->body[i].locked; k++)
                CHECK(f->y[f->o->body[i].iv + k] == 0, f->seed);
        suite_end(c);
    }
}

static int suite_root_of(const oracle* o, int body) {
    while (o->body[body].parent >= 0) body = o->body[body].parent;
    return body;
}

/// Lambda with rows and columns in natural units, so that its parts can be compared.
static void suite_natural_response(test_units u, int rows, const double* Lambda, real* out) {
    double acceleration[6], wrench[6];
    test_unit_twist(u, 2, acceleration);
    test_unit_wrench(u, wrench);
    for (int r = 0; r < rows; r++)
        for (int k = 0; k < rows; k++)
            out[r * rows + k] =
                (real)Lambda[r * rows + k] * (real)wrench[k % 6] / (real)acceleration[r % 6];
}

static void suite_check_response(suite_case c, const int* bodies, int count) {
    fixture* f = c.f;
    int rows = 6 * count;
    size_t size = (size_t)rows * (size_t)rows;
    sn_body_id ids[8];
    double* Lambda = calloc(size, sizeof *Lambda);
    double* natural = calloc(size, sizeof *natural);
    double* expected = calloc(size, sizeof *expected);
    real* dense = calloc(size, sizeof *dense);
    real* a = calloc(size, sizeof *a);
    real* values = calloc((size_t)rows, sizeof *values);
    for (int i = 0; i < count; i++) ids[i] = sn_body(bodies[i]);
    CHECK_STATUS(sn_dynamics_response(c.dynamics, ids, count, Lambda), SN_OK);
    CHECK(oracle_response(f->o, bodies, count, dense), f->seed);

    for (size_t i = 0; i < size; i++) expected[i] = (double)dense[i];
    suite_natural_response(f->u, rows, expected, a);
    for (size_t i = 0; i < size; i++) expected[i] = (double)a[i];
    suite_natural_response(f->u, rows, Lambda, a);
    for (size_t i = 0; i < size; i++) natural[i] = (double)a[i];
    double most = 0;
    for (size_t i = 0; i < size; i++) most = fmax(most, fabs(expected[i]));
    if (most == 0)
        most = 1; // all locked: compared with the natural unit, masses being of order one
    for (size_t i = 0; i < size; i++)
        CHECK_NEAR(natural[i], expected[i], TOL_SOLVE * most, f->seed);
    for (int r = 0; r < rows; r++) {
        for (int k = 0; k < rows; k++) {
            CHECK_NEAR(natural[r * rows + k], natural[k * rows + r], TOL_SOLVE * most, f->seed);
            if (suite_root_of(f->o, bodies[r / 6]) != suite_root_of(f->o, bodies[k / 6]))
                CHECK(Lambda[r * rows + k] == 0, f->seed); // independent trees do not meet
        }
    }
    for (int r = 0; r < rows; r++)
        for (int k = 0; k < rows; k++)
            a[r * rows + k] = ((real)natural[r * rows + k] + (real)natural[k * rows + r]) / 2;
    oracle_eigenvalues(rows, a, values);
    for (int r = 0; r < rows; r++) CHECK(values[r] >= -TOL_SOLVE * (real)most, f->seed);
    free(Lambda), free(natural), free(expected), free(dense), free(a), free(values);
}

static void the_response_of_bodies_is_the_dense_operator(void** state) {
    const suite* s = *state;
    bool independent = false;
    for (int m = 0; m < SUITE_MODELS; m += 2) {
        suite_case c = suite_begin(s, SUITE_RESPONSE, m);
        fixture* f = c.f;
        if (m % 3 == 0) fixture_random_locks(f, c.dynamics, 0.3);
        CHECK_STATUS(sn_dynamics_forward(c.dynamics, f->q, f->v, f->tau, f->x), SN_OK);
        int bodies[5], count = 0;
        for (int i = 0; i < f->n && count < 5; i++)
            if (i == f->n - 1 || test_chance(&f->rng, 0.5)) bodies[count++] = i;
        if (count > 1 && m % 4 == 0) { // in any order
            int t = bodies[0];
            bodies[0] = bodies[count - 1];
            bodies[count - 1] = t;
        }
        for (int i = 1; i < count; i++)
            independent |= suite_root_of(f->o, bodies[i]) != suite_root_of(f->o, bodies[0]);
        suite_check_response(c, bodies, count);
        suite_end(c);
    }
    CHECK(independent, test_seed()); // the list has forests of more than one tree
}

// ---- memory and bad input ------------------------------------------------------------------------

static void answers_do_not_depend_on_what_was_asked_before(void** state) {
    const suite* s = *state;
    for (int m = 0; m < 30; m++) {
        suite_case c = suite_begin(s, SUITE_ORDER, m);
        fixture* f = c.f;
        sn_body_wrench impulse = {sn_body(f->n - 1), test_random_wrench(&f->rng, s->units)};
        sn_body_id body = sn_body(0);
        double Lambda[36], *other_q = calloc((size_t)f->nq, sizeof(double));
        size_t size = (size_t)f->nv * sizeof(double);
        CHECK_STATUS(sn_dynamics_forward(c.dynamics, f->q, f->v, f->tau, f->x), SN_OK);
        CHECK_STATUS(sn_dynamics_impulse(c.dynamics, f->tau, &impulse, 1, f->y), SN_OK);
        CHECK_STATUS(sn_dynamics_response(c.dynamics, &body, 1, Lambda), SN_OK);
        CHECK_STATUS(sn_dynamics_mass_matrix(c.dynamics, f->q, f->A), SN_OK);
        CHECK_STATUS(sn_dynamics_inverse(c.dynamics, f->q, f->v, f->qdd, f->y), SN_OK);
        CHECK_STATUS(sn_dynamics_lock(c.dynamics, body, true), SN_OK);
        test_random_q(&f->rng, f->model, s->units, other_q);
        CHECK_STATUS(sn_dynamics_forward(c.dynamics, other_q, f->v, NULL, f->y), SN_OK);
        CHECK_STATUS(sn_dynamics_lock(c.dynamics, body, false), SN_OK);
        CHECK_STATUS(sn_dynamics_kinematics(c.dynamics, other_q, f->v), SN_OK);
        CHECK_STATUS(sn_dynamics_forward(c.dynamics, f->q, f->v, f->tau, f->y), SN_OK);
        CHECK(memcmp(f->x, f->y, size) == 0, f->seed); // to the bit
        free(other_q);
        suite_end(c);
    }
}

/// Impulse pass and response after `look` was asked for at another state: refused, or right for the
/// configuration of the last forward; never a mixture.
static void suite_look_elsewhere(suite_case c, int look, const double* other_q) {
    fixture* f = c.f;
    sn_dynamics* d = c.dynamics;
    CHECK_STATUS(sn_dynamics_forward(d, f->q, f->v, f->tau, f->x), SN_OK);
    switch (look) {
    case 0: CHECK_STATUS(sn_dynamics_kinematics(d, other_q, f->v), SN_OK); break;
    case 1: CHECK_STATUS(sn_dynamics_inverse(d, other_q, f->v, f->qdd, f->x), SN_OK); break;
    default: CHECK_STATUS(sn_dynamics_mass_matrix(d, other_q, f->A), SN_OK); break;
    }
    sn_body_wrench impulse = {sn_body(f->n - 1), test_random_wrench(&f->rng, f->u)};
    double w[6];
    wrench_numbers(impulse.wrench, w);
    if (sn_dynamics_impulse(d, f->tau, &impulse, 1, f->y) == SN_OK) {
        real* J = calloc(6 * (size_t)f->nv, sizeof *J);
        oracle_jacobian_body(f->o, f->n - 1, J);
        for (int k = 0; k < f->nv; k++) {
            f->x_l[k] = f->tau_l[k];
            for (int r = 0; r < 6; r++) f->x_l[k] += J[r * f->nv + k] * w[r];
        }
        free(J);
        CHECK(oracle_solve_mass(f->o, f->x_l, 1), f->seed);
        CHECK_SCALED(f->y, f->x_l, f->unit_qdd, f->nv, TOL_SOLVE, f->seed);
    }
    const int body = f->n - 1;
    const sn_body_id id = sn_body(body);
    double Lambda[36];
    if (sn_dynamics_response(d, &id, 1, Lambda) == SN_OK) suite_check_response(c, &body, 1);
}

static void impulses_after_looking_elsewhere_are_right_or_refused(void** state) {
    const suite* s = *state;
    for (int m = 0; m < 30; m++) {
        suite_case c = suite_begin(s, SUITE_ORDER, 200 + m);
        double* other_q = calloc((size_t)c.f->nq, sizeof *other_q);
        test_random_q(&c.f->rng, c.f->model, s->units, other_q);
        for (int look = 0; look < 3; look++) suite_look_elsewhere(c, look, other_q);
        free(other_q);
        suite_end(c);
    }
}

static void impulses_after_changing_locks_are_right_or_refused(void** state) {
    const suite* s = *state;
    for (int m = 0; m < 30; m++) {
        suite_case c = suite_begin(s, SUITE_ORDER, 300 + m);
        fixture* f = c.f;
        bool before = m % 2 == 0; // locked, then free; or free, then locked
        int joint = test_index(&f->rng, f->n);
        CHECK_STATUS(sn_dynamics_lock(c.dynamics, sn_body(joint), before), SN_OK);
        CHECK_STATUS(sn_dynamics_forward(c.dynamics, f->q, f->v, f->tau, f->x), SN_OK);
        CHECK_STATUS(sn_dynamics_lock(c.dynamics, sn_body(joint), !before), SN_OK);
        if (sn_dynamics_impulse(c.dynamics, f->tau, NULL, 0, f->y) == SN_OK) {
            double error[2]; // with the locks of the last forward, or with those of now
            for (int now = 0; now < 2; now++) {
                f->o->body[joint].locked = now ? !before : before;
                memcpy(f->x_l, f->tau_l, (size_t)f->nv * sizeof *f->x_l);
                CHECK(oracle_solve_mass(f->o, f->x_l, 1), f->seed);
                error[now] = relative_error(f->y, f->x_l, f->unit_qdd, f->nv);
            }
            CHECK(error[0] <= TOL_SOLVE || error[1] <= TOL_SOLVE, f->seed);
        }
        suite_end(c);
    }
}

static void no_forces_means_zero_forces(void** state) {
    const suite* s = *state;
    suite_case c = suite_begin(s, SUITE_ORDER, 100);
    fixture* f = c.f;
    memset(f->tau, 0, (size_t)f->nv * sizeof *f->tau);
    CHECK_STATUS(sn_dynamics_forward(c.dynamics, f->q, f->v, f->tau, f->x), SN_OK);
    CHECK_STATUS(sn_dynamics_forward(c.dynamics, f->q, f->v, NULL, f->y), SN_OK);
    CHECK(memcmp(f->x, f->y, (size_t)f->nv * sizeof(double)) == 0, f->seed);
    suite_end(c);
}

static void bodies_that_do_not_exist_are_refused(void** state) {
    const suite* s = *state;
    suite_case c = suite_begin(s, SUITE_BAD, 7);
    fixture* f = c.f;
    sn_wrench w = test_random_wrench(&f->rng, s->units);
    const int bad[] = {-1, f->n, f->n + 1000, -2000000000};
    double Lambda[36];
    CHECK_STATUS(sn_dynamics_forward(c.dynamics, f->q, f->v, f->tau, f->x), SN_OK);
    for (int i = 0; i < 4; i++) {
        sn_body_id id = sn_body(bad[i]);
        sn_body_wrench impulse = {id, w};
        CHECK_STATUS(sn_dynamics_set_wrench(c.dynamics, id, SN_AXES_BODY, w), SN_ERR_ARGUMENT);
        CHECK_STATUS(sn_dynamics_lock(c.dynamics, id, true), SN_ERR_ARGUMENT);
        CHECK_STATUS(sn_dynamics_impulse(c.dynamics, f->tau, &impulse, 1, f->y), SN_ERR_ARGUMENT);
        CHECK_STATUS(sn_dynamics_response(c.dynamics, &id, 1, Lambda), SN_ERR_ARGUMENT);
    }
    CHECK_STATUS(sn_dynamics_forward(c.dynamics, f->q, f->v, f->tau, f->y), SN_OK);
    CHECK(memcmp(f->x, f->y, (size_t)f->nv * sizeof(double)) == 0, f->seed); // nothing changed
    suite_end(c);
}

static void missing_arguments_are_refused(void** state) {
    const suite* s = *state;
    suite_case c = suite_begin(s, SUITE_BAD, 5);
    fixture* f = c.f;
    sn_dynamics *d = c.dynamics, *none = NULL;
    sn_error error;
    sn_body_id body = sn_body(0);
    double Lambda[36];
    CHECK_STATUS(sn_dynamics_create(NULL, s->algorithm, &none, &error), SN_ERR_ARGUMENT);
    CHECK_STATUS(sn_dynamics_create(f->model, "phlogiston", &none, &error), SN_ERR_ARGUMENT);
    CHECK(none == NULL && strstr(error.text, "phlogiston"), f->seed);
    CHECK_STATUS(sn_dynamics_create(f->model, s->algorithm, NULL, &error), SN_ERR_ARGUMENT);
    CHECK_STATUS(sn_dynamics_forward(NULL, f->q, f->v, f->tau, f->x), SN_ERR_ARGUMENT);
    CHECK_STATUS(sn_dynamics_forward(d, NULL, f->v, f->tau, f->x), SN_ERR_ARGUMENT);
    CHECK_STATUS(sn_dynamics_forward(d, f->q, f->v, f->tau, NULL), SN_ERR_ARGUMENT);
    CHECK_STATUS(sn_dynamics_kinematics(d, NULL, f->v), SN_ERR_ARGUMENT);
    CHECK_STATUS(sn_dynamics_inverse(d, NULL, f->v, f->qdd, f->x), SN_ERR_ARGUMENT);
    CHECK_STATUS(sn_dynamics_inverse(d, f->q, f->v, f->qdd, NULL), SN_ERR_ARGUMENT);
    CHECK_STATUS(sn_dynamics_mass_matrix(d, NULL, f->A), SN_ERR_ARGUMENT);
    CHECK_STATUS(sn_dynamics_mass_matrix(d, f->q, NULL), SN_ERR_ARGUMENT);
    // nothing to reuse before the first forward
    CHECK_STATUS(sn_dynamics_impulse(d, f->tau, NULL, 0, f->x), SN_ERR_ARGUMENT);
    CHECK_STATUS(sn_dynamics_response(d, &body, 1, Lambda), SN_ERR_ARGUMENT);
    CHECK_STATUS(sn_dynamics_forward(d, f->q, f->v, f->tau, f->x), SN_OK);
    CHECK_STATUS(sn_dynamics_impulse(d, f->tau, NULL, 1, f->x), SN_ERR_ARGUMENT);
    CHECK_STATUS(sn_dynamics_impulse(d, f->tau, NULL, -1, f->x), SN_ERR_ARGUMENT);
    CHECK_STATUS(sn_dynamics_impulse(d, f->tau, NULL, 0, NULL), SN_ERR_ARGUMENT);
    CHECK_STATUS(sn_dynamics_response(d, NULL, 1, Lambda), SN_ERR_ARGUMENT);
    CHECK_STATUS(sn_dynamics_response(d, &body, -1, Lambda), SN_ERR_ARGUMENT);
    CHECK_STATUS(sn_dynamics_response(d, &body, 1, NULL), SN_ERR_ARGUMENT);
    sn_dynamics_free(NULL); // as free
    suite_end(c);
}

static void numbers_that_are_not_finite_are_reported_and_leave_no_trace(void** state) {
    const suite* s = *state;
    suite_case c = suite_begin(s, SUITE_BAD, 11);
    fixture* f = c.f;
    CHECK_STATUS(sn_dynamics_forward(c.dynamics, f->q, f->v, f->tau, f->x), SN_OK);
    double good = f->tau[f->nv - 1], good_v = f->v[0];
    f->tau[f->nv - 1] = NAN;
    CHECK_STATUS(sn_dynamics_forward(c.dynamics, f->q, f->v, f->tau, f->y), SN_ERR_NUMERIC);
    f->tau[f->nv - 1] = good;
    f->v[0] = INFINITY;
    CHECK_STATUS(sn_dynamics_forward(c.dynamics, f->q, f->v, f->tau, f->y), SN_ERR_NUMERIC);
    f->v[0] = good_v;
    CHECK_STATUS(sn_dynamics_forward(c.dynamics, f->q, f->v, f->tau, f->y), SN_OK);
    CHECK(memcmp(f->x, f->y, (size_t)f->nv * sizeof(double)) == 0, f->seed);
    suite_end(c);
}

// ---- running -------------------------------------------------------------------------------------

static int suite_forward_dynamics(const char* algorithm) {
    (void)test_seed(); // print it first
    static suite si, molecular;
    if (!test_algorithm_exists(algorithm)) {
        print_error("there is no algorithm \"%s\"\n", algorithm);
        return 1;
    }
    si.algorithm = molecular.algorithm = algorithm;
    si.units = test_units_si();
    molecular.units = test_units_molecular();
#define SUITE_BOTH(test)                                                                           \
    {#test, test, NULL, NULL, &si}, { #test "_in_molecular_units", test, NULL, NULL, &molecular }
    const struct CMUnitTest tests[] = {
        SUITE_BOTH(forward_dynamics_equals_the_dense_oracle),
        SUITE_BOTH(locked_joints_do_not_accelerate_and_the_others_feel_it),
        SUITE_BOTH(inverse_dynamics_of_the_answer_returns_the_forces),
        SUITE_BOTH(inverse_dynamics_of_the_answer_returns_the_forces_for_large_models),
        SUITE_BOTH(wrenches_persist_in_their_own_axes_until_changed),
        SUITE_BOTH(a_force_or_moment_along_one_axis_acts),
        SUITE_BOTH(a_wrench_in_world_axes_is_its_components_in_body_axes),
        SUITE_BOTH(a_thrown_body_falls_with_gravity_in_any_direction),
        SUITE_BOTH(the_impulse_pass_is_the_dense_inverse_inertia),
        SUITE_BOTH(the_response_of_bodies_is_the_dense_operator),
        SUITE_BOTH(answers_do_not_depend_on_what_was_asked_before),
        SUITE_BOTH(impulses_after_looking_elsewhere_are_right_or_refused),
        SUITE_BOTH(impulses_after_changing_locks_are_right_or_refused),
        SUITE_BOTH(no_forces_means_zero_forces),
        SUITE_BOTH(bodies_that_do_not_exist_are_refused),
        SUITE_BOTH(missing_arguments_are_refused),
        SUITE_BOTH(numbers_that_are_not_finite_are_reported_and_leave_no_trace),
    };
#undef SUITE_BOTH
    return cmocka_run_group_tests_name(algorithm, tests, NULL, NULL);
}

#endif
