// SPDX-License-Identifier: Apache-2.0
// Forces that cannot pull, nearest to a wrench: against every subset of them, and by the conditions of optimality.
#include "control/cone_forces.h"

#include <math.h>
#include <string.h>

#include "math/pivoted.h"
#include "support/check.h"
#include "support/random_state.h"

enum { MOST = 64, FEW = 9, CASES = 200 };
static const double EASE = 1e-4;

static double cost(int n, const double (*B)[SN_CONE_ROWS], const double* b, const double* x) {
    double sum = 0;
    for (int r = 0; r < SN_CONE_ROWS; r++) {
        double left = -b[r];
        for (int j = 0; j < n; j++) left += B[j][r] * x[j];
        sum += left * left;
    }
    for (int j = 0; j < n; j++) sum += EASE * x[j] * x[j];
    return 0.5 * sum;
}

/// The least without signs, of the directions in `set`, by the dense normal equations.
static void solve_subset(int n, const double (*B)[SN_CONE_ROWS], const double* b, unsigned set,
                         double* x) {
    double A[FEW * FEW], right[FEW];
    int32_t order[FEW], member[FEW], count = 0;
    memset(x, 0, (size_t)n * sizeof *x);
    for (int j = 0; j < n; j++)
        if (set & (1u << j)) member[count++] = j;
    for (int i = 0; i < count; i++) {
        right[i] = 0;
        for (int r = 0; r < SN_CONE_ROWS; r++) right[i] += B[member[i]][r] * b[r];
        for (int k = 0; k < count; k++) {
            A[i * count + k] = i == k ? EASE : 0;
            for (int r = 0; r < SN_CONE_ROWS; r++)
                A[i * count + k] += B[member[i]][r] * B[member[k]][r];
        }
    }
    int32_t rank = sni_pivoted_cholesky(count, A, 0, order);
    sni_pivoted_solve(count, A, rank, order, right);
    for (int i = 0; i < count; i++) x[member[i]] = right[i];
}

static void fill(test_rng* rng, int n, double (*B)[SN_CONE_ROWS], double* b) {
    for (int j = 0; j < n; j++)
        for (int r = 0; r < SN_CONE_ROWS; r++) B[j][r] = test_normal(rng);
    for (int r = 0; r < SN_CONE_ROWS; r++) b[r] = 100 * test_normal(rng);
}

static void they_are_the_best_of_all_subsets(void** state) {
    (void)state;
    for (uint64_t m = 0; m < CASES; m++) {
        uint64_t seed = test_case_seed(810, m);
        test_rng rng = test_rng_make(seed);
        double B[FEW][SN_CONE_ROWS], b[SN_CONE_ROWS], x[FEW], y[SN_CONE_ROWS] = {0};
        int n = 1 + test_index(&rng, FEW);
        fill(&rng, n, B, b);
        sni_cone_forces(n, (const double(*)[SN_CONE_ROWS])B, b, EASE, y, x);
        double best = INFINITY, found = cost(n, (const double(*)[SN_CONE_ROWS])B, b, x);
        for (unsigned set = 0; set < 1u << n; set++) {
            double other[FEW];
            bool pulls = false;
            solve_subset(n, (const double(*)[SN_CONE_ROWS])B, b, set, other);
            for (int j = 0; j < n; j++) pulls |= other[j] < 0;
            if (!pulls) best = fmin(best, cost(n, (const double(*)[SN_CONE_ROWS])B, b, other));
        }
        CHECK_RELATIVE(found, best, TOL_SOLVE, seed);
    }
}

/// x >= 0, gradient >= 0, and one of each pair zero.
static void many_satisfy_the_conditions_of_optimality(void** state) {
    (void)state;
    for (uint64_t m = 0; m < CASES; m++) {
        uint64_t seed = test_case_seed(811, m);
        test_rng rng = test_rng_make(seed);
        double B[MOST][SN_CONE_ROWS], b[SN_CONE_ROWS], x[MOST], y[SN_CONE_ROWS] = {0};
        fill(&rng, MOST, B, b);
        for (int j = 0; j < MOST; j++) B[j][5] = 1; // all push one way, as soles do
        for (int again = 0; again < 3; again++) {   // from where the last search ended
            for (int r = 0; r < SN_CONE_ROWS; r++) b[r] += test_normal(&rng);
            int steps = sni_cone_forces(MOST, (const double(*)[SN_CONE_ROWS])B, b, EASE, y, x);
            CHECK(steps < 60, seed);
            for (int j = 0; j < MOST; j++) {
                double gradient = EASE * x[j];
                for (int r = 0; r < SN_CONE_ROWS; r++) {
                    double left = -b[r];
                    for (int k = 0; k < MOST; k++) left += B[k][r] * x[k];
                    gradient += B[j][r] * left;
                }
                CHECK(x[j] >= 0, seed);
                // a wrench of some hundreds, times directions of size one
                CHECK(gradient >= -1e-7, seed);
                CHECK(x[j] == 0 || fabs(gradient) <= 1e-7, seed);
            }
        }
    }
}

static void nothing_is_asked_nothing_is_given(void** state) {
    (void)state;
    const double B[2][SN_CONE_ROWS] = {{1, 0, 0, 0, 0, 1}, {0, 1, 0, 0, 0, 1}};
    double b[SN_CONE_ROWS] = {0}, y[SN_CONE_ROWS] = {0}, x[2] = {7, 7};
    CHECK(sni_cone_forces(2, B, b, EASE, y, x) == 0 && x[0] == 0 && x[1] == 0, 0);
    b[5] = -3; // only a pull would help
    sni_cone_forces(2, B, b, EASE, y, x);
    CHECK(x[0] == 0 && x[1] == 0, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(they_are_the_best_of_all_subsets),
        cmocka_unit_test(many_satisfy_the_conditions_of_optimality),
        cmocka_unit_test(nothing_is_asked_nothing_is_given),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
