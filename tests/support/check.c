// SPDX-License-Identifier: Apache-2.0
#include "support/check.h"

#include <math.h>
#include <stdio.h>

uint64_t test_seed(void) {
    static uint64_t seed;
    static int known;
    if (!known) {
        const char* text = getenv("SN_TEST_SEED");
        seed = text && *text ? strtoull(text, NULL, 0) : 20240229;
        known = 1;
        print_message("seed %llu (SN_TEST_SEED sets another)\n", (unsigned long long)seed);
    }
    return seed;
}

uint64_t test_case_seed(uint64_t test, uint64_t index) {
    uint64_t z = test_seed() + test * 0x9e3779b97f4a7c15u + index * 0xd1b54a32d192ed03u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

static char context[512];

void check_context(const char* text) {
    (void)snprintf(context, sizeof context, "%s", text ? text : ""); // cut when too long
}

static void complain(check_place place) {
    if (*context) print_error("%s\n", context);
    print_error("%s:%d: %s (case seed %llu; rerun with SN_TEST_SEED=%llu)\n", place.file,
                place.line, place.what, (unsigned long long)place.seed,
                (unsigned long long)test_seed());
    _fail(place.file, place.line);
}

void check_true(int holds, check_place place) {
    if (!holds) complain(place);
}

void check_status(sn_status actual, sn_status expected, check_place place) {
    if (actual == expected) return;
    print_error("status \"%s\", expected \"%s\"\n", sn_status_text(actual),
                sn_status_text(expected));
    complain(place);
}

void check_near(double actual, long double expected, double tolerance, check_place place) {
    if (fabsl((long double)actual - expected) <= (long double)tolerance) return; // false for NaN
    print_error("%.17g, expected %.17Lg within %.3g\n", actual, expected, tolerance);
    complain(place);
}

static double one_over(const double* unit, int i) { return unit ? 1 / unit[i] : 1; }

double relative_error(const double* actual, const long double* expected, const double* unit,
                      int n) {
    long double most = 0, error = 0;
    for (int i = 0; i < n; i++) {
        long double e = expected[i] * one_over(unit, i);
        long double d = fabsl(actual[i] * one_over(unit, i) - e);
        if (!(fabsl(e) <= most)) most = fabsl(e);
        if (!(d <= error)) error = d;
    }
    if (error == 0) return 0;
    return isfinite(error) && most > 0 ? (double)(error / most) : INFINITY;
}

void check_vector_l(const double* actual, const long double* expected, const double* unit, int n,
                    double tolerance, check_place place) {
    double error = relative_error(actual, expected, unit, n);
    if (error <= tolerance) return;
    for (int i = 0; i < n && i < 64; i++)
        print_error("  [%d] %.17g, expected %.17Lg\n", i, actual[i], expected[i]);
    print_error("relative error %.3g, allowed %.3g\n", error, tolerance);
    complain(place);
}

void check_vector_d(const double* actual, const double* expected, const double* unit, int n,
                    double tolerance, check_place place) {
    long double* e = malloc((size_t)(n > 0 ? n : 1) * sizeof *e);
    for (int i = 0; i < n; i++) e[i] = expected[i];
    double error = relative_error(actual, e, unit, n);
    if (!(error <= tolerance)) check_vector_l(actual, e, unit, n, tolerance, place); // longjmps
    free(e);
}
