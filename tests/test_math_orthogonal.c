// SPDX-License-Identifier: Apache-2.0
// Square systems of any rank: the solution is that of the pseudo-inverse, told by Penrose's conditions.
#include <math.h>
#include <string.h>

#include "math/orthogonal.h"
#include "support/check.h"
#include "support/random_state.h"

enum { MOST = 24, CASES = 200 };

typedef struct system {
    int32_t n, rank;
    double A[MOST * MOST]; ///< row-major
    double X[MOST * MOST]; ///< its pseudo-inverse as found
} system_case;

static void multiply(int32_t n, const double* A, const double* B, double* C) {
    for (int32_t i = 0; i < n; i++) {
        for (int32_t j = 0; j < n; j++) {
            double sum = 0;
            for (int32_t k = 0; k < n; k++) sum += A[i * n + k] * B[k * n + j];
            C[i * n + j] = sum;
        }
    }
}

/// A product of n x rank and rank x n numbers.
static system_case make(test_rng* rng, int32_t n, int32_t rank) {
    system_case c = {.n = n, .rank = rank};
    double left[MOST * MOST], right[MOST * MOST];
    for (int32_t k = 0; k < n * rank; k++) {
        left[k] = test_normal(rng);
        right[k] = test_normal(rng);
    }
    for (int32_t i = 0; i < n; i++)
        for (int32_t j = 0; j < n; j++)
            for (int32_t k = 0; k < rank; k++)
                c.A[i * n + j] += left[i * rank + k] * right[k * n + j];
    return c;
}

static void invert(system_case* c, uint64_t seed) {
    int32_t n = c->n, order[MOST];
    double A[MOST * MOST], left[MOST], corner[MOST], right[MOST], b[MOST], x[MOST];
    for (int32_t i = 0; i < n; i++)
        for (int32_t j = 0; j < n; j++) A[j * n + i] = c->A[i * n + j];
    sni_orthogonal f = {n, 0, A, left, corner, right, order};
    sni_orthogonal_factor(&f, 1e-10);
    CHECK(f.rank == c->rank, seed);
    for (int32_t j = 0; j < n; j++) {
        memset(b, 0, sizeof b);
        b[j] = 1;
        sni_orthogonal_solve(&f, b, x);
        for (int32_t i = 0; i < n; i++) c->X[i * n + j] = x[i];
    }
}

static void check_symmetric(int32_t n, const double* A, uint64_t seed) {
    for (int32_t i = 0; i < n; i++)
        for (int32_t j = 0; j < i; j++) CHECK_NEAR(A[i * n + j], A[j * n + i], 1e-9, seed);
}

static void the_solution_is_that_of_the_pseudo_inverse(void** state) {
    (void)state;
    for (int k = 0; k < CASES; k++) {
        uint64_t seed = test_case_seed(910, (uint64_t)k);
        test_rng rng = test_rng_make(seed);
        int32_t n = 1 + test_index(&rng, MOST), rank = test_index(&rng, n + 1);
        if (k % 3 == 0) rank = n;
        system_case c = make(&rng, n, rank);
        invert(&c, seed);
        double AX[MOST * MOST], XA[MOST * MOST], AXA[MOST * MOST], XAX[MOST * MOST];
        multiply(n, c.A, c.X, AX);
        multiply(n, c.X, c.A, XA);
        multiply(n, AX, c.A, AXA);
        multiply(n, XA, c.X, XAX);
        CHECK_VECTOR(AXA, c.A, n * n, 1e-9, seed);
        CHECK_VECTOR(XAX, c.X, n * n, 1e-9, seed);
        check_symmetric(n, AX, seed);
        check_symmetric(n, XA, seed);
    }
}

static void nothing_has_rank_zero(void** state) {
    (void)state;
    system_case c = {.n = 3};
    invert(&c, 0);
    for (int i = 0; i < 9; i++) CHECK(c.X[i] == 0, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_solution_is_that_of_the_pseudo_inverse),
        cmocka_unit_test(nothing_has_rank_zero),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
