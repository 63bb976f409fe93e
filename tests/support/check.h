// SPDX-License-Identifier: Apache-2.0
/// Checks that print what, how far off and the seed; NaN always fails.
///
///   CHECK(condition, seed)                               a fact
///   CHECK_STATUS(call, SN_OK)                            a status
///   CHECK_NEAR(actual, expected, tolerance, seed)        |actual - expected| <= tolerance
///   CHECK_RELATIVE(actual, expected, tolerance, seed)    ... <= tolerance * |expected|
///   CHECK_VECTOR(actual, expected, n, tolerance, seed)   max |a - e| <= tolerance * max |e|
///   CHECK_SCALED(actual, expected, unit, n, ...)         the same after a[i] / unit[i], e[i] / unit[i]
///
/// A vector that mixes angles and lengths is compared by CHECK_SCALED with one natural unit per
/// entry; otherwise, in molecular units, the lengths would never be looked at.
#ifndef SINEW_TESTS_CHECK_H
#define SINEW_TESTS_CHECK_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "sinew/status.h"

// ---- named tolerances ------------------------------------------------------------------------------

/// A few operations on numbers of order one: some tens of ulps (eps = 2.2e-16).
#define TOL_ROUNDOFF 1e-14
/// Sums and products along a chain of up to a dozen bodies: each adds a few ulps, amplified by the
/// lever arms.
#define TOL_CHAIN 1e-12
/// Solutions of M x = b, where rounding is amplified by the condition of M. Random models here stay
/// below 1e4 in natural units, so eps * condition leaves 1e-12; a factor 100 for the tail.
#define TOL_SOLVE 1e-10
/// Central differences of a smooth function with step 1e-5 in double: truncation h^2/6 = 2e-11 times
/// third derivatives (tens), rounding eps/h = 2e-11.
#define TOL_DIFFERENCES 1e-7
/// Central differences with one Richardson step in long double, h = 1e-4: truncation h^4, rounding
/// 1e-19/h.
#define TOL_DIFFERENCES_LONG 1e-11

// ---- seeds -----------------------------------------------------------------------------------------

/// The seed of this run: SN_TEST_SEED from the environment, else a fixed number. Printed once.
uint64_t test_seed(void);
/// The seed of one case of this run.
uint64_t test_case_seed(uint64_t test, uint64_t index);

/// What is being looked at, printed when a check fails: a file, say. NULL: nothing. Copied.
void check_context(const char* text);

// ---- checks ----------------------------------------------------------------------------------------

typedef struct check_place {
    const char* what;
    const char* file;
    int line;
    uint64_t seed;
} check_place;

#define CHECK_PLACE(what, seed)                                                                    \
    (check_place) { what, __FILE__, __LINE__, seed }

void check_true(int holds, check_place place);
void check_status(sn_status actual, sn_status expected, check_place place);
void check_near(double actual, long double expected, double tolerance, check_place place);
void check_vector_d(const double* actual, const double* expected, const double* unit, int n,
                    double tolerance, check_place place);
void check_vector_l(const double* actual, const long double* expected, const double* unit, int n,
                    double tolerance, check_place place);

#define CHECK(condition, seed) check_true((condition) ? 1 : 0, CHECK_PLACE(#condition, seed))
#define CHECK_STATUS(call, expected) check_status(call, expected, CHECK_PLACE(#call, 0))
#define CHECK_NEAR(actual, expected, tolerance, seed)                                              \
    check_near(actual, expected, tolerance, CHECK_PLACE(#actual, seed))
#define CHECK_RELATIVE(actual, expected, tolerance, seed)                                          \
    check_near(actual, expected, (tolerance)*fabs((double)(expected)), CHECK_PLACE(#actual, seed))
#define CHECK_SCALED(actual, expected, unit, n, tolerance, seed)                                   \
    _Generic((expected)[0], long double                                                            \
             : check_vector_l, double                                                              \
             : check_vector_d)(actual, expected, unit, n, tolerance, CHECK_PLACE(#actual, seed))
#define CHECK_VECTOR(actual, expected, n, tolerance, seed)                                         \
    CHECK_SCALED(actual, expected, NULL, n, tolerance, seed)

/// Largest relative deviation, NaN counted as infinite: what CHECK_SCALED compares.
double relative_error(const double* actual, const long double* expected, const double* unit, int n);

#endif
