// SPDX-License-Identifier: Apache-2.0
#include "math/padded.h"

#include "base/rng.h"
#include "support/check.h"

enum { MOST = 23, ROWS = 4, WIDE = 24 };

/// n numbers, then zeros.
static void fill(sni_rng* rng, double* x, size_t n) {
    memset(x, 0, WIDE * sizeof *x);
    for (size_t k = 0; k < n; k++) x[k] = sni_rng_uniform(rng, -1, 1);
}

static double plain_dot(const double* a, const double* b, size_t n) {
    double sum = 0;
    for (size_t k = 0; k < n; k++) sum += a[k] * b[k];
    return sum;
}

static void products_are_those_of_plain_loops(void** state) {
    (void)state;
    for (uint64_t trial = 0; trial < 300; trial++) {
        uint64_t seed = test_case_seed(1, trial);
        sni_rng rng = {seed};
        size_t n = 1 + (size_t)sni_rng_index(&rng, MOST), wide = sni_padded(n);
        double a[WIDE], b[ROWS][WIDE], dots[ROWS];
        assert_true(wide % 4 == 0 && wide >= n && wide < n + 4);
        fill(&rng, a, n);
        for (int i = 0; i < ROWS; i++) fill(&rng, b[i], n);
        sni_padded_store(dots, sni_padded_dots(a, b[0], WIDE, wide));
        for (int i = 0; i < ROWS; i++) {
            CHECK_NEAR(dots[i], plain_dot(a, b[i], n), TOL_ROUNDOFF, seed);
            CHECK_NEAR(sni_padded_dot(a, b[i], wide), plain_dot(a, b[i], n), TOL_ROUNDOFF, seed);
        }
    }
}

static void vectors_are_added_and_multiplied_number_by_number(void** state) {
    (void)state;
    for (uint64_t trial = 0; trial < 100; trial++) {
        uint64_t seed = test_case_seed(2, trial);
        sni_rng rng = {seed};
        size_t n = 1 + (size_t)sni_rng_index(&rng, MOST), wide = sni_padded(n);
        double x[WIDE], y[WIDE], sum[WIDE], product[WIDE], s = sni_rng_uniform(&rng, -1, 1);
        fill(&rng, x, n);
        fill(&rng, y, n);
        memcpy(sum, y, sizeof sum);
        sni_padded_add(s, x, sum, wide);
        sni_padded_times(x, y, product, wide);
        for (size_t k = 0; k < wide; k++) {
            CHECK_NEAR(sum[k], y[k] + s * x[k], TOL_ROUNDOFF, seed);
            CHECK_NEAR(product[k], x[k] * y[k], TOL_ROUNDOFF, seed);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(products_are_those_of_plain_loops),
        cmocka_unit_test(vectors_are_added_and_multiplied_number_by_number),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
