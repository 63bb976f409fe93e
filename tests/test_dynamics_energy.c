// SPDX-License-Identifier: Apache-2.0
// Energy and momentum: their values against the dense sums, their rates against the laws.
#include <math.h>
#include <string.h>

#include "dynamics/sn_dynamics.h"
#include "support/fixture.h"

enum { MODELS = 120, TEST_VALUES = 500, TEST_POWER, TEST_MOMENTUM, TEST_SPRINGS, TEST_COLUMNS };

/// Step of central differences, in units of time; see TOL_DIFFERENCES.
static const double STEP = 1e-5;

static test_units units_of(void** state) { return *(const test_units*)*state; }

static double energy_unit(test_units u) { return u.mass * u.length * u.length / (u.time * u.time); }

static sn_dynamics* dynamics_of(fixture* f) {
    sn_dynamics* dynamics = test_dynamics(f->model, NULL);
    sn_dynamics_set_gravity(dynamics, f->gravity);
    return dynamics;
}

// ---- values --------------------------------------------------------------------------------------

static void check_values(fixture* f, sn_dynamics* dynamics) {
    test_units u = f->u;
    oracle_sums e = oracle_energy_momentum(f->o, f->v_l);
    sn_energy energy = sn_dynamics_energy(dynamics);
    sn_momentum p = sn_dynamics_momentum(dynamics);
    // potential energy may cancel between bodies above and below zero: compare with weight * length
    double weight = (double)e.mass * sn_vec3_norm(f->gravity) * u.length;
    CHECK_RELATIVE(energy.kinetic, e.kinetic, TOL_CHAIN, f->seed);
    CHECK_NEAR(energy.potential, e.potential, TOL_CHAIN * weight, f->seed);
    CHECK_RELATIVE(p.mass, e.mass, TOL_ROUNDOFF, f->seed);
    double speed = sqrt(2 * (double)(e.kinetic / e.mass)), length = u.length;
    const double com[3] = {p.com.x, p.com.y, p.com.z};
    const double linear[3] = {p.linear.x, p.linear.y, p.linear.z};
    const double angular[3] = {p.angular.x, p.angular.y, p.angular.z};
    for (int k = 0; k < 3; k++) {
        CHECK_NEAR(com[k], e.com[k], TOL_CHAIN * length, f->seed);
        CHECK_NEAR(linear[k], e.linear[k], TOL_CHAIN * speed * (double)e.mass, f->seed);
        CHECK_NEAR(angular[k], e.angular[k], TOL_CHAIN * speed * length * (double)e.mass, f->seed);
    }
}

static void energy_and_momentum_equal_the_dense_sums(void** state) {
    for (int m = 0; m < MODELS; m++) {
        fixture* f = fixture_of_list(m, units_of(state), test_case_seed(TEST_VALUES, (uint64_t)m));
        sn_dynamics* dynamics = dynamics_of(f);
        CHECK_STATUS(sn_dynamics_kinematics(dynamics, f->q, f->v), SN_OK);
        check_values(f, dynamics);
        fixture_random_state(f);
        CHECK_STATUS(sn_dynamics_forward(dynamics, f->q, f->v, f->tau, f->x), SN_OK);
        check_values(f, dynamics); // forward sets the state too
        sn_dynamics_free(dynamics);
        fixture_free(f);
    }
}

static void momentum_is_the_sum_of_what_each_joint_gives(void** state) {
    test_units u = units_of(state);
    for (int m = 0; m < MODELS; m++) {
        fixture* f = fixture_of_list(m, u, test_case_seed(TEST_COLUMNS, (uint64_t)m));
        sn_dynamics* d = dynamics_of(f);
        sn_wrench* column = calloc((size_t)f->nv + 1, sizeof *column);
        assert_non_null(column);
        if (m % 2)
            CHECK_STATUS(sn_dynamics_kinematics(d, f->q, f->v), SN_OK);
        else
            CHECK_STATUS(sn_dynamics_inverse(d, f->q, f->v, f->qdd, f->x), SN_OK);
        sn_vec3 moment = d->ops->momentum(d, column);
        oracle_sums e = oracle_energy_momentum(f->o, f->v_l);
        sn_wrench p = sn_wrench_zero();
        for (int k = 0; k < f->nv; k++) p = sn_wrench_add(p, sn_wrench_scale(f->v[k], column[k]));
        sn_vec3 com = sn_vec3_scale(1 / (double)e.mass, moment);
        p.n = sn_vec3_sub(p.n, sn_vec3_cross(com, p.f));
        double speed = sqrt(2 * (double)(e.kinetic / e.mass)), mass = (double)e.mass;
        const double got[3][3] = {
            {com.x, com.y, com.z}, {p.f.x, p.f.y, p.f.z}, {p.n.x, p.n.y, p.n.z}};
        for (int k = 0; k < 3; k++) {
            CHECK_NEAR(got[0][k], e.com[k], TOL_CHAIN * u.length, f->seed);
            CHECK_NEAR(got[1][k], e.linear[k], TOL_CHAIN * speed * mass, f->seed);
            CHECK_NEAR(got[2][k], e.angular[k], TOL_CHAIN * speed * u.length * mass, f->seed);
        }
        free(column);
        sn_dynamics_free(d);
        fixture_free(f);
    }
}

static void kinetic_energy_is_half_v_m_v(void** state) {
    for (int m = 0; m < MODELS; m++) {
        fixture* f =
            fixture_of_list(m, units_of(state), test_case_seed(TEST_VALUES, (uint64_t)(500 + m)));
        sn_dynamics* dynamics = dynamics_of(f);
        CHECK_STATUS(sn_dynamics_mass_matrix(dynamics, f->q, f->A), SN_OK);
        CHECK_STATUS(sn_dynamics_kinematics(dynamics, f->q, f->v), SN_OK);
        double kinetic = 0;
        for (int r = 0; r < f->nv; r++)
            for (int k = 0; k < f->nv; k++) kinetic += f->v[r] * f->A[r * f->nv + k] * f->v[k] / 2;
        CHECK_RELATIVE(sn_dynamics_energy(dynamics).kinetic, kinetic, TOL_CHAIN, f->seed);
        sn_dynamics_free(dynamics);
        fixture_free(f);
    }
}

// ---- rates ---------------------------------------------------------------------------------------

/// The state at time t on the motion with the accelerations qdd, to second order; queries of
/// dynamics refer to it afterwards.
static void move_to(fixture* f, sn_dynamics* dynamics, const double* qdd, double t) {
    double* q = calloc((size_t)f->nq, sizeof *q);
    double* dv = calloc((size_t)f->nv, sizeof *dv);
    double* v = calloc((size_t)f->nv, sizeof *v);
    for (int k = 0; k < f->nv; k++) {
        dv[k] = t * f->v[k] + t * t / 2 * qdd[k];
        v[k] = f->v[k] + t * qdd[k];
    }
    sn_model_integrate(f->model, f->q, dv, q);
    CHECK_STATUS(sn_dynamics_kinematics(dynamics, q, v), SN_OK);
    free(q), free(dv), free(v);
}

static void energy_changes_by_the_power_of_the_forces(void** state) {
    test_units u = units_of(state);
    for (int m = 0; m < MODELS / 2; m++) {
        fixture* f = fixture_of_list(m, u, test_case_seed(TEST_POWER, (uint64_t)m));
        sn_dynamics* dynamics = dynamics_of(f);
        fixture_random_wrenches(f, dynamics, 0.5);
        CHECK_STATUS(sn_dynamics_forward(dynamics, f->q, f->v, f->tau, f->x), SN_OK);
        double power = 0, size = 0;
        for (int k = 0; k < f->nv; k++) power += f->tau[k] * f->v[k];
        for (int i = 0; i < f->n; i++) {
            const oracle_body* b = &f->o->body[i]; // its wrench and velocity, world axes
            for (int k = 0; k < 3; k++)
                power += (double)(b->f_ext[k] * b->w[k] + b->f_ext[3 + k] * b->v[k]);
        }
        double e[2];
        for (int side = 0; side < 2; side++) {
            move_to(f, dynamics, f->x, (side ? STEP : -STEP) * u.time);
            sn_energy energy = sn_dynamics_energy(dynamics);
            e[side] = (energy.kinetic + energy.potential) / energy_unit(u);
        }
        for (int k = 0; k < f->nv; k++) // what is exchanged between the parts per unit of time
            size = fmax(size, fabs(f->x[k] / f->unit_qdd[k]));
        size = fmax(size * size, fabs(power) / energy_unit(u) * u.time);
        CHECK_NEAR((e[1] - e[0]) / (2 * STEP), power / energy_unit(u) * u.time,
                   TOL_DIFFERENCES * fmax(size, 1), f->seed);
        sn_dynamics_free(dynamics);
        fixture_free(f);
    }
}

static void momentum_of_a_floating_system_changes_by_the_outer_forces(void** state) {
    test_units u = units_of(state);
    for (int m = 0; m < 40; m++) {
        // one tree on a free joint: joint forces are inner forces
        static const sn_generate_shape shapes[] = {SN_GENERATE_CHAIN, SN_GENERATE_TREE,
                                                   SN_GENERATE_STAR, SN_GENERATE_CATERPILLAR};
        uint64_t seed = test_case_seed(TEST_MOMENTUM, (uint64_t)m);
        fixture* f =
            fixture_create(test_generate(shapes[m % 4], 2 + m % 9, seed, true, false, u), u, seed);
        sn_dynamics* dynamics = dynamics_of(f);
        for (int k = 0; k < 6; k++) f->tau[k] = 0; // the free joint pushes against the world
        fixture_random_wrenches(f, dynamics, 0.5);
        CHECK_STATUS(sn_dynamics_forward(dynamics, f->q, f->v, f->tau, f->x), SN_OK);
        sn_momentum p = sn_dynamics_momentum(dynamics);
        real force[3], moment[3] = {0, 0, 0}; // about the centre of mass
        const double g[3] = {f->gravity.x, f->gravity.y, f->gravity.z};
        const double com[3] = {p.com.x, p.com.y, p.com.z};
        for (int k = 0; k < 3; k++) force[k] = p.mass * g[k];
        for (int i = 0; i < f->n; i++) {
            const oracle_body* b = &f->o->body[i];
            real arm[3];
            for (int k = 0; k < 3; k++) arm[k] = b->p[k] - com[k];
            for (int k = 0; k < 3; k++) {
                int a = (k + 1) % 3, c = (k + 2) % 3;
                force[k] += b->f_ext[3 + k];
                moment[k] += b->f_ext[k] + arm[a] * b->f_ext[3 + c] - arm[c] * b->f_ext[3 + a];
            }
        }
        sn_momentum end[2];
        double h = STEP * u.time, size = 1;
        for (int k = 0; k < f->nv; k++) size = fmax(size, fabs(f->x[k] / f->unit_qdd[k]));
        for (int side = 0; side < 2; side++) {
            move_to(f, dynamics, f->x, side ? h : -h);
            end[side] = sn_dynamics_momentum(dynamics);
        }
        sn_vec3 linear = sn_vec3_scale(1 / (2 * h), sn_vec3_sub(end[1].linear, end[0].linear));
        sn_vec3 angular = sn_vec3_scale(1 / (2 * h), sn_vec3_sub(end[1].angular, end[0].angular));
        const double dp[3] = {linear.x, linear.y, linear.z},
                     dl[3] = {angular.x, angular.y, angular.z};
        double tolerance = TOL_DIFFERENCES * size * sn_model_mass(f->model) / u.mass;
        for (int k = 0; k < 3; k++) {
            double force_unit = energy_unit(u) / u.length, moment_unit = energy_unit(u);
            CHECK_NEAR(dp[k] / force_unit, force[k] / force_unit, tolerance, f->seed);
            CHECK_NEAR(dl[k] / moment_unit, moment[k] / moment_unit, tolerance, f->seed);
        }
        sn_dynamics_free(dynamics);
        fixture_free(f);
    }
}

// ---- springs and dampers -------------------------------------------------------------------------

static void passive_forces_equal_the_oracle(void** state) {
    (void)state;
    for (int m = 0; m < 40; m++) {
        uint64_t seed = test_case_seed(TEST_SPRINGS, (uint64_t)m);
        test_rng rng = test_rng_make(seed);
        fixture* f = fixture_create(test_all_joints(&rng, m % 2 == 0, true), test_units_si(), seed);
        sn_dynamics* dynamics = dynamics_of(f);
        sn_dynamics_passive_force(dynamics, f->q, f->v, f->x);
        oracle_passive_force(f->o, f->q_l, f->v_l, f->x_l);
        CHECK_VECTOR(f->x, f->x_l, f->nv, TOL_CHAIN, seed);
        sn_dynamics_free(dynamics);
        fixture_free(f);
    }
}

static void spring_forces_are_the_slope_of_spring_energy(void** state) {
    (void)state;
    for (int m = 0; m < 40; m++) {
        uint64_t seed = test_case_seed(TEST_SPRINGS, (uint64_t)(100 + m));
        test_rng rng = test_rng_make(seed);
        fixture* f = fixture_create(test_all_joints(&rng, m % 2 == 0, true), test_units_si(), seed);
        sn_dynamics* dynamics = dynamics_of(f);
        double* q = calloc((size_t)f->nq, sizeof *q);
        memset(f->v, 0, (size_t)f->nv * sizeof *f->v);
        sn_dynamics_passive_force(dynamics, f->q, f->v, f->x);
        double size = 0;
        for (int k = 0; k < f->nv; k++) size = fmax(size, fabs(f->x[k]));
        for (int k = 0; k < f->nv; k++) {
            double e[2];
            for (int side = 0; side < 2; side++) {
                memset(f->y, 0, (size_t)f->nv * sizeof *f->y);
                f->y[k] = side ? STEP : -STEP;
                sn_model_integrate(f->model, f->q, f->y, q);
                CHECK_STATUS(sn_dynamics_kinematics(dynamics, q, f->v), SN_OK);
                e[side] = sn_dynamics_energy(dynamics).spring;
            }
            CHECK_NEAR(f->x[k], -(e[1] - e[0]) / (2 * STEP), TOL_DIFFERENCES * size, seed);
        }
        free(q);
        sn_dynamics_free(dynamics);
        fixture_free(f);
    }
}

static void springs_are_slack_at_rest(void** state) {
    (void)state;
    uint64_t seed = test_case_seed(TEST_SPRINGS, 999);
    test_rng rng = test_rng_make(seed);
    fixture* f = fixture_create(test_all_joints(&rng, true, true), test_units_si(), seed);
    sn_dynamics* dynamics = dynamics_of(f);
    for (int i = 0; i < f->n; i++) {
        sn_body_info b = sn_model_body(f->model, sn_body(i));
        memcpy(f->q + b.iq, b.rest, (size_t)b.nq * sizeof(double));
    }
    memset(f->v, 0, (size_t)f->nv * sizeof *f->v);
    sn_dynamics_passive_force(dynamics, f->q, f->v, f->x);
    for (int k = 0; k < f->nv; k++) CHECK_NEAR(f->x[k], 0, TOL_ROUNDOFF, seed);
    CHECK_STATUS(sn_dynamics_kinematics(dynamics, f->q, f->v), SN_OK);
    CHECK_NEAR(sn_dynamics_energy(dynamics).spring, 0, TOL_ROUNDOFF, seed);
    sn_dynamics_free(dynamics);
    fixture_free(f);
}

int main(void) {
    (void)test_seed(); // print it first
    test_units si = test_units_si(), molecular = test_units_molecular();
    const struct CMUnitTest tests[] = {
        TEST_IN_BOTH_UNITS(energy_and_momentum_equal_the_dense_sums),
        TEST_IN_BOTH_UNITS(momentum_is_the_sum_of_what_each_joint_gives),
        TEST_IN_BOTH_UNITS(kinetic_energy_is_half_v_m_v),
        TEST_IN_BOTH_UNITS(energy_changes_by_the_power_of_the_forces),
        TEST_IN_BOTH_UNITS(momentum_of_a_floating_system_changes_by_the_outer_forces),
        cmocka_unit_test(passive_forces_equal_the_oracle),
        cmocka_unit_test(spring_forces_are_the_slope_of_spring_energy),
        cmocka_unit_test(springs_are_slack_at_rest),
    };
#undef BOTH
    return cmocka_run_group_tests(tests, NULL, NULL);
}
