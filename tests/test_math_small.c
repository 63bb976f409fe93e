// SPDX-License-Identifier: Apache-2.0
#include <math.h>

#include "base/rng.h"
#include "math/small.h"
#include "support/check.h"

static void cholesky_solves_random_positive_definite_systems(void** state) {
    (void)state;
    for (uint64_t trial = 0; trial < 300; trial++) {
        uint64_t seed = test_case_seed(1, trial);
        sni_rng rng = {seed};
        int n = 1 + sni_rng_index(&rng, SN_SMALL_MAX);
        double B[6][6], A[6][6] = {{0}}, L[6][6], x[6], b[6] = {0};
        for (int i = 0; i < n; i++) {
            x[i] = sni_rng_uniform(&rng, -1, 1);
            for (int j = 0; j < n; j++) B[i][j] = sni_rng_uniform(&rng, -1, 1);
        }
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) {
                for (int k = 0; k < n; k++) A[i][j] += B[i][k] * B[j][k];
                A[i][j] += i == j;
                L[i][j] = A[i][j];
            }
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) b[i] += A[i][j] * x[j];
        CHECK(sni_cholesky(L, n), seed);
        sni_cholesky_solve((const double(*)[6])L, n, b);
        CHECK_VECTOR(b, x, n, TOL_CHAIN, seed);
    }
}

static void cholesky_refuses_what_is_not_positive_definite(void** state) {
    (void)state;
    double singular[6][6] = {{1, 1}, {1, 1}}, negative[6][6] = {{-1}}, nan[6][6] = {{NAN}};
    assert_false(sni_cholesky(singular, 2));
    assert_false(sni_cholesky(negative, 1));
    assert_false(sni_cholesky(nan, 1));
}

static void eigenvalues_have_the_invariants_of_their_matrix(void** state) {
    (void)state;
    for (uint64_t trial = 0; trial < 300; trial++) {
        uint64_t seed = test_case_seed(2, trial);
        sni_rng rng = {seed};
        sn_mat3 A;
        for (int i = 0; i < 3; i++)
            for (int j = 0; j <= i; j++)
                A.m[i][j] = A.m[j][i] = sni_rng_uniform(&rng, -1, 1) * (trial % 3 ? 1 : 1e-40);
        double e[3];
        sni_symmetric_eigenvalues(A, e);
        double scale = fmax(fabs(e[0]), fabs(e[2]));
        CHECK(e[0] <= e[1] && e[1] <= e[2], seed);
        double trace = A.m[0][0] + A.m[1][1] + A.m[2][2], square = 0;
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++) square += A.m[i][j] / scale * (A.m[i][j] / scale);
        sn_mat3 scaled = sn_mat3_mul(A, sn_mat3_diagonal(1 / scale, 1 / scale, 1 / scale));
        double det = sn_vec3_dot(sn_mat3_row(scaled, 0),
                                 sn_vec3_cross(sn_mat3_row(scaled, 1), sn_mat3_row(scaled, 2)));
        double f[3] = {e[0] / scale, e[1] / scale, e[2] / scale};
        CHECK_NEAR(f[0] + f[1] + f[2], trace / scale, TOL_ROUNDOFF, seed);
        CHECK_NEAR(f[0] * f[0] + f[1] * f[1] + f[2] * f[2], square, TOL_ROUNDOFF, seed);
        CHECK_NEAR(f[0] * f[1] * f[2], det, TOL_ROUNDOFF, seed);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cholesky_solves_random_positive_definite_systems),
        cmocka_unit_test(cholesky_refuses_what_is_not_positive_definite),
        cmocka_unit_test(eigenvalues_have_the_invariants_of_their_matrix),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
