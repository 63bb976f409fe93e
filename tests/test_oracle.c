// SPDX-License-Identifier: Apache-2.0
// Who guards the guards: the oracle against finite differences, against itself by another route,
// and against textbook formulas.
#include <math.h>
#include <string.h>

#include "support/fixture.h"

enum { MODELS = 40, TEST_JACOBIAN = 1, TEST_BIAS, TEST_ROUTES, TEST_ENERGY };

/// Long-double rounding through a system of some 200 unknowns.
#define TOL_LONG_SOLVE 1e-14L
/// As TOL_DIFFERENCES_LONG, times the fifth derivative of velocities of a dozen bodies in a row.
#define TOL_VELOCITY_DIFFERENCES 1e-8

/// twist = (log (R' R_h), R' (p_h - p)) of a small motion, body axes.
static void small_motion(const oracle_body* from, const oracle_body* to, real twist[6]) {
    real R[9], d[3];
    memset(R, 0, sizeof R);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            for (int k = 0; k < 3; k++) R[3 * i + j] += from->R[3 * k + i] * to->R[3 * k + j];
    const real skew[3] = {R[7] - R[5], R[2] - R[6], R[3] - R[1]}; // 2 sin(angle) axis
    real s = sqrtl(skew[0] * skew[0] + skew[1] * skew[1] + skew[2] * skew[2]) / 2;
    real k = s > 0 ? asinl(s) / s : 1;
    for (int i = 0; i < 3; i++) twist[i] = k * skew[i] / 2;
    for (int i = 0; i < 3; i++) d[i] = to->p[i] - from->p[i];
    for (int i = 0; i < 3; i++)
        twist[3 + i] = from->R[i] * d[0] + from->R[3 + i] * d[1] + from->R[6 + i] * d[2];
}

/// Motion of every body from q to q (+) h e, in body axes at q; out is 6 n.
static void motion_along(fixture* f, const real* direction, real h, real* out) {
    oracle_body* before = malloc((size_t)f->n * sizeof *before);
    oracle_move(f->o, f->q_l, f->v_l);
    memcpy(before, f->o->body, (size_t)f->n * sizeof *before);
    real* q = malloc((size_t)f->nq * sizeof *q);
    for (int k = 0; k < f->nv; k++) f->y_l[k] = h * direction[k];
    oracle_integrate(f->o, f->q_l, f->y_l, q);
    oracle_move(f->o, q, f->v_l);
    for (int i = 0; i < f->n; i++) small_motion(&before[i], &f->o->body[i], out + 6 * i);
    oracle_move(f->o, f->q_l, f->v_l);
    free(before), free(q);
}

/// Derivative at zero of a vector function by central differences with one Richardson step.
static real richardson(real minus2, real minus1, real plus1, real plus2, real h) {
    return (8 * (plus1 - minus1) - (plus2 - minus2)) / (12 * h);
}

static void the_jacobian_is_the_derivative_of_the_poses(void** state) {
    (void)state;
    const real h = 1e-4L;
    for (int m = 0; m < MODELS; m++) {
        fixture* f =
            fixture_of_list(m, test_units_si(), test_case_seed(TEST_JACOBIAN, (uint64_t)m));
        real* J = calloc(6 * (size_t)f->nv, sizeof *J);
        real* d = calloc(24 * (size_t)f->n, sizeof *d);
        double column[6];
        for (int k = 0; k < f->nv; k++) {
            memset(f->x_l, 0, (size_t)f->nv * sizeof *f->x_l);
            f->x_l[k] = 1;
            const real steps[4] = {-2 * h, -h, h, 2 * h};
            for (int s = 0; s < 4; s++) motion_along(f, f->x_l, steps[s], d + 6 * f->n * s);
            for (int i = 0; i < f->n; i++) {
                oracle_jacobian_body(f->o, i, J);
                for (int r = 0; r < 6; r++) {
                    int at = 6 * i + r, n6 = 6 * f->n;
                    column[r] =
                        (double)richardson(d[at], d[n6 + at], d[2 * n6 + at], d[3 * n6 + at], h);
                    CHECK_NEAR(column[r], J[r * f->nv + k], TOL_DIFFERENCES_LONG, f->seed);
                }
            }
        }
        free(J), free(d);
        fixture_free(f);
    }
}

static void accelerations_are_the_derivatives_of_velocities(void** state) {
    (void)state;
    const real h = 1e-4L;
    for (int m = 0; m < MODELS; m++) {
        fixture* f = fixture_of_list(m, test_units_si(), test_case_seed(TEST_BIAS, (uint64_t)m));
        real* d = calloc(24 * (size_t)f->n, sizeof *d);
        real* q = calloc((size_t)f->nq, sizeof *q);
        const real times[4] = {-2 * h, -h, h, 2 * h};
        for (int s = 0; s < 4; s++) { // q(t) = q (+) (t v + t^2 qdd / 2), v(t) = v + t qdd
            for (int k = 0; k < f->nv; k++) {
                real t = times[s];
                f->x_l[k] = t * f->v_l[k] + t * t / 2 * f->qdd_l[k];
                f->y_l[k] = f->v_l[k] + t * f->qdd_l[k];
            }
            oracle_integrate(f->o, f->q_l, f->x_l, q);
            oracle_move(f->o, q, f->y_l);
            for (int i = 0; i < f->n; i++) oracle_velocity(f->o, i, d + 6 * (f->n * s + i));
        }
        oracle_move(f->o, f->q_l, f->v_l);
        for (int i = 0; i < f->n; i++) {
            real a[6];
            oracle_acceleration(f->o, i, f->qdd_l, a);
            for (int r = 0; r < 6; r++) {
                int at = 6 * i + r, n6 = 6 * f->n;
                real rate = richardson(d[at], d[n6 + at], d[2 * n6 + at], d[3 * n6 + at], h);
                // (+) of t^2 qdd / 2 with t v is exact to O(t^3): enough for the first derivative
                CHECK_NEAR((double)rate, a[r], TOL_VELOCITY_DIFFERENCES, f->seed);
            }
        }
        free(d), free(q);
        fixture_free(f);
    }
}

static void maximal_coordinates_agree_with_virtual_power(void** state) {
    (void)state;
    for (int m = 0; m < MODELS; m++) {
        bool molecular = m % 2 == 1;
        fixture* f = fixture_of_list(m, molecular ? test_units_molecular() : test_units_si(),
                                     test_case_seed(TEST_ROUTES, (uint64_t)m));
        for (int i = 0; i < f->n; i += 2) { // some wrenches, some locks
            double d[6];
            real w[6];
            wrench_numbers(test_random_wrench(&f->rng, f->u), d);
            for (int k = 0; k < 6; k++) w[k] = d[k];
            oracle_wrench_body_axes(f->o, i, w);
            f->o->body[i].locked = m % 4 >= 2;
        }
        CHECK(oracle_forward(f->o, f->tau_l, f->x_l, NULL), f->seed);
        memset(f->y_l, 0, (size_t)f->nv * sizeof *f->y_l);
        oracle_inverse(f->o, f->y_l, f->y_l);
        for (int k = 0; k < f->nv; k++) f->y_l[k] = f->tau_l[k] - f->y_l[k];
        CHECK(oracle_solve_mass(f->o, f->y_l, 1), f->seed);
        real most = 0, error = 0;
        for (int k = 0; k < f->nv; k++) {
            most = fmaxl(most, fabsl(f->y_l[k] / f->unit_qdd[k]));
            error = fmaxl(error, fabsl((f->y_l[k] - f->x_l[k]) / f->unit_qdd[k]));
        }
        CHECK(error <= TOL_LONG_SOLVE * most, f->seed);
        fixture_free(f);
    }
}

static void the_energy_of_a_simulated_model_changes_by_the_work_done_on_it(void** state) {
    (void)state;
    // without springs, dampers and forces: not at all. h^4 = 4e-15 times fifth derivatives
    // of the motion.
    const double tolerance = 1e-9;
    test_rng rng = test_rng_make(test_case_seed(TEST_ENERGY, 0));
    fixture* f = fixture_create(test_all_joints(&rng, false, false), test_units_si(),
                                test_case_seed(TEST_ENERGY, 1));
    oracle_sums before = oracle_energy_momentum(f->o, f->v_l);
    oracle_simulate(f->o, f->q_l, f->v_l, NULL, 2.5e-4L, 400);
    oracle_move(f->o, f->q_l, f->v_l);
    oracle_sums after = oracle_energy_momentum(f->o, f->v_l);
    CHECK_NEAR((double)(after.kinetic + after.potential), before.kinetic + before.potential,
               tolerance * (double)before.kinetic, f->seed);
    CHECK(fabsl(after.kinetic - before.kinetic) > 1e-3L, f->seed); // it did move
    fixture_free(f);
}

static void a_pendulum_accelerates_by_the_textbook(void** state) {
    (void)state;
    // rod of mass m, length l, hinged at its end about y, angle from straight down:
    //   qdd = -3 g sin(q) / (2 l)
    const double m = 1.7, l = 0.8, g = 9.81, angle = 0.9, rate = 1.3;
    sn_model_builder* builder = sn_model_builder_create("pendulum");
    sn_body_def def = sn_body_def_default();
    def.name = "rod";
    def.joint.type = SN_JOINT_REVOLUTE;
    def.joint.axis = sn_vec3_make(0, 1, 0);
    def.inertia.mass = m;
    def.inertia.com = sn_vec3_make(0, 0, -l / 2);
    def.inertia.I = sn_mat3_diagonal(m * l * l / 12, m * l * l / 12, 1e-3);
    CHECK_STATUS(sn_model_builder_add_body(builder, &def), SN_OK);
    sn_model* model = test_compile(builder);
    oracle* o = oracle_create(model);
    oracle_set_gravity(o, sn_vec3_make(0, 0, -g));
    const real q = angle, v = rate;
    real qdd = 0, wrench[6];
    oracle_move(o, &q, &v);
    CHECK(oracle_forward(o, NULL, &qdd, wrench), 0);
    CHECK_NEAR((double)qdd, -3 * g * sin(angle) / (2 * l), TOL_ROUNDOFF * g, 0);
    // force in the hinge: weight plus mass times acceleration of the middle of the rod
    double x = l / 2 * (rate * rate * sin(angle) - (double)qdd * cos(angle));
    CHECK_NEAR((double)wrench[3], m * x, TOL_ROUNDOFF * m * g, 0);
    oracle_free(o);
    sn_model_free(model);
}

static void a_free_body_turns_by_eulers_equations(void** state) {
    (void)state;
    const double A = 2, B = 3, C = 4, wx = 0.3, wy = -0.5, wz = 0.7;
    sn_model_builder* builder = sn_model_builder_create("top");
    sn_body_def def = sn_body_def_default();
    def.name = "top";
    def.joint.type = SN_JOINT_FREE;
    def.inertia.mass = 1;
    def.inertia.I = sn_mat3_diagonal(A, B, C);
    CHECK_STATUS(sn_model_builder_add_body(builder, &def), SN_OK);
    sn_model* model = test_compile(builder);
    oracle* o = oracle_create(model);
    const real q[7] = {0, 0, 0, 1, 0, 0, 0}, v[6] = {wx, wy, wz, 0, 0, 0};
    real qdd[6];
    oracle_move(o, q, v);
    CHECK(oracle_forward(o, NULL, qdd, NULL), 0);
    CHECK_NEAR((double)qdd[0], (B - C) / A * wy * wz, TOL_ROUNDOFF, 0);
    CHECK_NEAR((double)qdd[1], (C - A) / B * wz * wx, TOL_ROUNDOFF, 0);
    CHECK_NEAR((double)qdd[2], (A - B) / C * wx * wy, TOL_ROUNDOFF, 0);
    oracle_free(o);
    sn_model_free(model);
}

int main(void) {
    (void)test_seed(); // print it first
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_jacobian_is_the_derivative_of_the_poses),
        cmocka_unit_test(accelerations_are_the_derivatives_of_velocities),
        cmocka_unit_test(maximal_coordinates_agree_with_virtual_power),
        cmocka_unit_test(the_energy_of_a_simulated_model_changes_by_the_work_done_on_it),
        cmocka_unit_test(a_pendulum_accelerates_by_the_textbook),
        cmocka_unit_test(a_free_body_turns_by_eulers_equations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
