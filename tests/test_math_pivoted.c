// SPDX-License-Identifier: Apache-2.0
#include "math/pivoted.h"

#include <math.h>
#include <string.h>

#include "support/check.h"
#include "support/random_state.h"

enum { MOST = 12, CASES = 300 };

/// A = C C' with C n x rank: positive semi-definite of that rank.
static void random_of_rank(test_rng* rng, int n, int rank, double* A) {
    double C[MOST * MOST];
    for (int i = 0; i < n * rank; i++) C[i] = test_normal(rng);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            A[i * n + j] = 0;
            for (int k = 0; k < rank; k++) A[i * n + j] += C[i * rank + k] * C[j * rank + k];
        }
}

static double largest(const double* A, int n) {
    double most = 0;
    for (int i = 0; i < n; i++) most = fmax(most, A[i * n + i]);
    return most;
}

static void the_rank_is_found_and_consistent_systems_are_solved(void** state) {
    (void)state;
    for (int m = 0; m < CASES; m++) {
        uint64_t seed = test_case_seed(0, (uint64_t)m);
        test_rng rng = test_rng_make(seed);
        int n = 1 + test_index(&rng, MOST), rank = test_index(&rng, n + 1);
        double A[MOST * MOST], L[MOST * MOST], x[MOST], b[MOST], solution[MOST];
        int32_t order[MOST];
        random_of_rank(&rng, n, rank, A);
        for (int i = 0; i < n; i++) x[i] = test_normal(&rng);
        for (int i = 0; i < n; i++) {
            b[i] = 0;
            for (int j = 0; j < n; j++) b[i] += A[i * n + j] * x[j];
            solution[i] = b[i];
        }
        memcpy(L, A, sizeof L);
        int found = sni_pivoted_cholesky(n, L, 1e-10 * largest(A, n), order);
        CHECK(found == rank, seed);
        sni_pivoted_solve(n, L, found, order, solution);
        double size = 0, error = 0;
        for (int i = 0; i < n; i++) {
            double Ax = 0;
            for (int j = 0; j < n; j++) Ax += A[i * n + j] * solution[j];
            size = fmax(size, fabs(b[i]));
            error = fmax(error, fabs(Ax - b[i]));
        }
        CHECK(error <= TOL_SOLVE * size, seed);
        for (int k = found; k < n; k++) CHECK(solution[order[k]] == 0, seed);
    }
}

static void pivots_fall_and_the_factors_give_the_matrix(void** state) {
    (void)state;
    for (int m = 0; m < CASES; m++) {
        uint64_t seed = test_case_seed(1, (uint64_t)m);
        test_rng rng = test_rng_make(seed);
        int n = 1 + test_index(&rng, MOST);
        double A[MOST * MOST], L[MOST * MOST];
        int32_t order[MOST];
        random_of_rank(&rng, n, n, A);
        memcpy(L, A, sizeof L);
        CHECK(sni_pivoted_cholesky(n, L, 0, order) == n, seed);
        for (int i = 0; i < n; i++) {
            if (i) CHECK(L[order[i] * n + order[i]] <= L[order[i - 1] * n + order[i - 1]], seed);
            for (int j = 0; j <= i; j++) {
                double sum = 0;
                for (int k = 0; k <= j; k++)
                    sum += L[order[i] * n + order[k]] * L[order[j] * n + order[k]];
                CHECK_NEAR(sum, A[order[i] * n + order[j]], TOL_CHAIN * largest(A, n), seed);
            }
        }
    }
}

static void nothing_and_what_is_not_a_number_have_no_rank(void** state) {
    (void)state;
    double zero[4] = {0, 0, 0, 0}, bad[4] = {NAN, 1, 1, NAN};
    int32_t order[2];
    assert_int_equal(sni_pivoted_cholesky(0, NULL, 0, order), 0);
    assert_int_equal(sni_pivoted_cholesky(2, zero, 0, order), 0);
    assert_int_equal(sni_pivoted_cholesky(2, bad, 0, order), 0);
}

int main(void) {
    (void)test_seed(); // print it first
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_rank_is_found_and_consistent_systems_are_solved),
        cmocka_unit_test(pivots_fall_and_the_factors_give_the_matrix),
        cmocka_unit_test(nothing_and_what_is_not_a_number_have_no_rank),
    };
    return cmocka_run_group_tests_name("pivoted", tests, NULL, NULL);
}
