// SPDX-License-Identifier: Apache-2.0
// The joint-space inertia: symmetric, positive definite, the dense sum, and what inverse dynamics
// says column by column. In SI and in molecular units.
#include <math.h>
#include <string.h>

#include "support/fixture.h"

enum { MODELS = 120, TEST_DENSE = 400, TEST_COLUMNS };

static test_units units_of(void** state) { return *(const test_units*)*state; }

/// Entries of M in natural units: rows are forces, columns accelerations.
static void natural(const fixture* f, const double* M, double* out) {
    for (int r = 0; r < f->nv; r++)
        for (int k = 0; k < f->nv; k++)
            out[r * f->nv + k] = M[r * f->nv + k] / f->unit_tau[r] * f->unit_qdd[k];
}

static void the_mass_matrix_is_the_dense_sum_and_positive_definite(void** state) {
    for (int m = 0; m < MODELS; m++) {
        fixture* f = fixture_of_list(m, units_of(state), test_case_seed(TEST_DENSE, (uint64_t)m));
        sn_dynamics* dynamics = test_dynamics(f->model, NULL);
        int nv = f->nv;
        double* expected = calloc((size_t)(nv * nv), sizeof *expected);
        CHECK_STATUS(sn_dynamics_mass_matrix(dynamics, f->q, f->A), SN_OK);
        for (int r = 0; r < nv; r++)
            for (int k = 0; k < r; k++)
                CHECK(f->A[r * nv + k] == f->A[k * nv + r], f->seed); // to the bit
        oracle_mass_matrix(f->o, f->A_l);
        for (int i = 0; i < nv * nv; i++) expected[i] = (double)f->A_l[i];
        natural(f, expected, expected);
        natural(f, f->A, f->A);
        CHECK_VECTOR(f->A, expected, nv * nv, TOL_CHAIN, f->seed);
        for (int i = 0; i < nv * nv; i++) f->A_l[i] = f->A[i];
        CHECK(oracle_cholesky(nv, f->A_l), f->seed);
        free(expected);
        sn_dynamics_free(dynamics);
        fixture_free(f);
    }
}

static void columns_of_the_mass_matrix_are_forces_of_unit_accelerations(void** state) {
    for (int m = 0; m < MODELS / 2; m++) {
        fixture* f = fixture_of_list(m, units_of(state), test_case_seed(TEST_COLUMNS, (uint64_t)m));
        sn_dynamics* dynamics = test_dynamics(f->model, NULL);
        sn_dynamics_set_gravity(dynamics, sn_vec3_zero());
        int nv = f->nv;
        double* columns = calloc((size_t)(nv * nv), sizeof *columns);
        memset(f->v, 0, (size_t)nv * sizeof *f->v);
        for (int k = 0; k < nv; k++) {
            memset(f->qdd, 0, (size_t)nv * sizeof *f->qdd);
            f->qdd[k] = f->unit_qdd[k];
            CHECK_STATUS(sn_dynamics_inverse(dynamics, f->q, f->v, f->qdd, f->x), SN_OK);
            for (int r = 0; r < nv; r++) columns[r * nv + k] = f->x[r] / f->unit_tau[r];
        }
        CHECK_STATUS(sn_dynamics_mass_matrix(dynamics, f->q, f->A), SN_OK);
        natural(f, f->A, f->A);
        CHECK_VECTOR(f->A, columns, nv * nv, TOL_CHAIN, f->seed);
        free(columns);
        sn_dynamics_free(dynamics);
        fixture_free(f);
    }
}

static void armature_adds_to_the_diagonal_only(void** state) {
    (void)state;
    sn_model_builder* builder = sn_model_builder_create("geared");
    uint64_t seed = test_case_seed(TEST_DENSE, 5000);
    const char* parent = NULL;
    static const char* names[3] = {"a", "b", "c"};
    double M[2][9];
    for (int with = 0; with < 2; with++) {
        test_rng rng = test_rng_make(seed); // the same bodies again
        if (with) builder = sn_model_builder_create("geared");
        parent = NULL;
        for (int i = 0; i < 3; i++) {
            sn_body_def def = test_random_body(&rng, names[i], parent, SN_JOINT_REVOLUTE);
            def.joint.armature[0] = with ? 0.5 * (i + 1) : 0;
            CHECK_STATUS(sn_model_builder_add_body(builder, &def), SN_OK);
            parent = names[i];
        }
        sn_model* model = test_compile(builder);
        sn_dynamics* dynamics = test_dynamics(model, NULL);
        const double q[3] = {0.3, -0.7, 1.1};
        CHECK_STATUS(sn_dynamics_mass_matrix(dynamics, q, M[with]), SN_OK);
        sn_dynamics_free(dynamics);
        sn_model_free(model);
    }
    for (int r = 0; r < 3; r++)
        for (int k = 0; k < 3; k++)
            CHECK_NEAR(M[1][3 * r + k] - M[0][3 * r + k], r == k ? 0.5 * (r + 1) : 0, TOL_ROUNDOFF,
                       seed);
}

int main(void) {
    (void)test_seed(); // print it first
    test_units si = test_units_si(), molecular = test_units_molecular();
    const struct CMUnitTest tests[] = {
        TEST_IN_BOTH_UNITS(the_mass_matrix_is_the_dense_sum_and_positive_definite),
        TEST_IN_BOTH_UNITS(columns_of_the_mass_matrix_are_forces_of_unit_accelerations),
        cmocka_unit_test(armature_adds_to_the_diagonal_only),
    };
#undef BOTH
    return cmocka_run_group_tests(tests, NULL, NULL);
}
