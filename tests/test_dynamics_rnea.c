// SPDX-License-Identifier: Apache-2.0
// Inverse dynamics against the principle of virtual power, in SI and in molecular units.
#include <math.h>
#include <string.h>

#include "support/fixture.h"

enum { MODELS = 120, TEST_INVERSE = 300, TEST_LINEAR, TEST_GRAVITY, TEST_LOCKED };

static test_units units_of(void** state) { return *(const test_units*)*state; }

static sn_dynamics* dynamics_of(fixture* f) {
    sn_dynamics* dynamics = test_dynamics(f->model, NULL);
    sn_dynamics_set_gravity(dynamics, f->gravity);
    return dynamics;
}

static void inverse_dynamics_equals_virtual_power(void** state) {
    for (int m = 0; m < MODELS; m++) {
        fixture* f = fixture_of_list(m, units_of(state), test_case_seed(TEST_INVERSE, (uint64_t)m));
        sn_dynamics* dynamics = dynamics_of(f);
        fixture_random_wrenches(f, dynamics, 0.4);
        CHECK_STATUS(sn_dynamics_inverse(dynamics, f->q, f->v, f->qdd, f->x), SN_OK);
        oracle_inverse(f->o, f->qdd_l, f->x_l);
        CHECK_SCALED(f->x, f->x_l, f->unit_tau, f->nv, TOL_CHAIN, f->seed);
        fixture_check_motion(f, dynamics);
        fixture_check_accelerations(f, dynamics, f->qdd_l, TOL_CHAIN);
        sn_dynamics_free(dynamics);
        fixture_free(f);
    }
}

static void forces_are_bias_plus_inertia_times_acceleration(void** state) {
    for (int m = 0; m < MODELS; m++) {
        fixture* f = fixture_of_list(m, units_of(state), test_case_seed(TEST_LINEAR, (uint64_t)m));
        sn_dynamics* dynamics = dynamics_of(f);
        fixture_random_wrenches(f, dynamics, 0.4);
        memset(f->x, 0, (size_t)f->nv * sizeof *f->x);
        CHECK_STATUS(sn_dynamics_inverse(dynamics, f->q, f->v, f->x, f->y), SN_OK); // bias
        CHECK_STATUS(sn_dynamics_mass_matrix(dynamics, f->q, f->A), SN_OK);
        double most = 0;
        for (int r = 0; r < f->nv; r++) {
            most = fmax(most, fabs(f->y[r]) / f->unit_tau[r]);
            for (int k = 0; k < f->nv; k++) f->y[r] += f->A[r * f->nv + k] * f->qdd[k];
        }
        CHECK_STATUS(sn_dynamics_inverse(dynamics, f->q, f->v, f->qdd, f->x), SN_OK);
        for (int r = 0; r < f->nv; r++)
            CHECK_NEAR(f->x[r] / f->unit_tau[r], f->y[r] / f->unit_tau[r],
                       TOL_CHAIN * fmax(most, 1), f->seed);
        sn_dynamics_free(dynamics);
        fixture_free(f);
    }
}

static void holding_still_takes_the_gradient_of_potential_energy(void** state) {
    const double h = 1e-5; // angle, or fraction of the length unit
    test_units u = units_of(state);
    for (int m = 0; m < 40; m++) {
        fixture* f = fixture_of_list(m, u, test_case_seed(TEST_GRAVITY, (uint64_t)m));
        sn_dynamics* dynamics = dynamics_of(f);
        double* q = calloc((size_t)f->nq, sizeof *q);
        memset(f->v, 0, (size_t)f->nv * sizeof *f->v);
        memset(f->qdd, 0, (size_t)f->nv * sizeof *f->qdd);
        CHECK_STATUS(sn_dynamics_inverse(dynamics, f->q, f->v, f->qdd, f->x), SN_OK);
        double energy_unit = u.mass * u.length * u.length / (u.time * u.time);
        double size = sn_model_mass(f->model) / u.mass * 10; // weights times a length
        for (int k = 0; k < f->nv; k++) {
            double e[2], step = h * energy_unit / f->unit_tau[k]; // h in the unit of the joint
            for (int side = 0; side < 2; side++) {
                memset(f->y, 0, (size_t)f->nv * sizeof *f->y);
                f->y[k] = side ? step : -step;
                sn_model_integrate(f->model, f->q, f->y, q);
                CHECK_STATUS(sn_dynamics_kinematics(dynamics, q, f->v), SN_OK);
                e[side] = sn_dynamics_energy(dynamics).potential / energy_unit;
            }
            CHECK_NEAR(f->x[k] / f->unit_tau[k], (e[1] - e[0]) / (2 * h), TOL_DIFFERENCES * size,
                       f->seed);
        }
        free(q);
        sn_dynamics_free(dynamics);
        fixture_free(f);
    }
}

static void locks_do_not_change_inverse_dynamics(void** state) {
    fixture* f = fixture_of_list(9, units_of(state), test_case_seed(TEST_LOCKED, 0));
    sn_dynamics* dynamics = dynamics_of(f);
    CHECK_STATUS(sn_dynamics_inverse(dynamics, f->q, f->v, f->qdd, f->x), SN_OK);
    for (int i = 0; i < f->n; i++)
        CHECK_STATUS(sn_dynamics_lock(dynamics, sn_body(i), true), SN_OK);
    CHECK_STATUS(sn_dynamics_inverse(dynamics, f->q, f->v, f->qdd, f->y), SN_OK);
    CHECK(memcmp(f->x, f->y, (size_t)f->nv * sizeof(double)) == 0, f->seed);
    sn_dynamics_free(dynamics);
    fixture_free(f);
}

int main(void) {
    (void)test_seed(); // print it first
    test_units si = test_units_si(), molecular = test_units_molecular();
    const struct CMUnitTest tests[] = {
        TEST_IN_BOTH_UNITS(inverse_dynamics_equals_virtual_power),
        TEST_IN_BOTH_UNITS(forces_are_bias_plus_inertia_times_acceleration),
        TEST_IN_BOTH_UNITS(holding_still_takes_the_gradient_of_potential_energy),
        TEST_IN_BOTH_UNITS(locks_do_not_change_inverse_dynamics),
    };
#undef BOTH
    return cmocka_run_group_tests(tests, NULL, NULL);
}
