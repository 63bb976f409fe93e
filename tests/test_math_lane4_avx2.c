// SPDX-License-Identifier: Apache-2.0
// Four doubles at once do what one does. Compiled for AVX2 where that exists.
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/rng.h"
#include "math/lane4.h"
#include "math/sincos4.h"
#include "support/check.h"

static bool can_run(void) {
#if defined(__x86_64__)
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
#else
    return true;
#endif
}

/// Distance of two doubles in units of the last place of the second.
static double ulps(double a, double b) {
    double next = nextafter(fabs(b), INFINITY);
    return fabs(a - b) / (next - fabs(b));
}

static void sine_and_cosine_are_within_an_ulp_of_libm(void** state) {
    (void)state;
    if (!can_run()) skip();
    // libm is within one ulp itself, so two correct results may differ by two
    const double MOST = 2;
    sni_rng rng = {test_case_seed(920, 0)};
    const double ranges[] = {1e-300, 1e-9, 1e-3, 1, 10, 1e3, SN_SINCOS_LIMIT, 1e9, 1e300};
    double worst = 0;
    for (size_t r = 0; r < sizeof ranges / sizeof ranges[0]; r++) {
        for (int trial = 0; trial < 20000; trial++) {
            sni_lane4 x, s, c;
            for (int i = 0; i < 4; i++) {
                x[i] = sni_rng_uniform(&rng, -ranges[r], ranges[r]);
                // close to multiples of pi/2 the reduction must not lose digits
                if (i == 0) x[i] = (int)fmod(x[i], 60000) * 1.57079632679489661923;
            }
            sni_sincos4(x, &s, &c);
            for (int i = 0; i < 4; i++)
                worst = fmax(worst, fmax(ulps(s[i], sin(x[i])), ulps(c[i], cos(x[i]))));
        }
    }
    printf("worst difference from libm: %g ulp\n", worst);
    assert_true(worst <= MOST);
}

static void angles_that_are_none_give_nan_in_their_lane_only(void** state) {
    (void)state;
    if (!can_run()) skip();
    sni_lane4 x = {NAN, 0.5, INFINITY, -0.0}, s, c;
    sni_sincos4(x, &s, &c);
    assert_true(isnan(s[0]) && isnan(c[0]) && isnan(s[2]) && isnan(c[2]));
    assert_true(s[1] == sin(0.5) && c[1] == cos(0.5));
    assert_true(s[3] == 0 && c[3] == 1);
}

static void vectors_in_lanes_follow_those_in_structs(void** state) {
    (void)state;
    if (!can_run()) skip();
    for (uint64_t trial = 0; trial < 200; trial++) {
        uint64_t seed = test_case_seed(921, trial);
        sni_rng rng = {seed};
        double u[8];
        for (int i = 0; i < 8; i++) u[i] = sni_rng_uniform(&rng, -1, 1);
        sn_vec3 a = sn_vec3_make(u[0], u[1], u[2]), b = sn_vec3_make(u[3], u[4], u[5]);
        sni_lane4 la = sni_lane4_from(a), lb = sni_lane4_from(b);
        sn_vec3 c = sn_vec3_cross(a, b), lc = sni_lane4_vec(sni_cross4(la, lb));
        CHECK_NEAR(lc.x, c.x, TOL_ROUNDOFF, seed);
        CHECK_NEAR(lc.y, c.y, TOL_ROUNDOFF, seed);
        CHECK_NEAR(lc.z, c.z, TOL_ROUNDOFF, seed);
        CHECK(sni_cross4(la, lb)[3] == 0, seed);
        CHECK_NEAR(sni_sum4(la * lb), sn_vec3_dot(a, b), TOL_ROUNDOFF, seed);
        CHECK(sni_splat0(la)[3] == u[0] && sni_splat1(la)[0] == u[1] && sni_splat2(la)[1] == u[2],
              seed);
        CHECK(sni_yzx(la)[0] == u[1] && sni_yzx(la)[1] == u[2] && sni_yzx(la)[2] == u[0], seed);
    }
}

static void a_transpose_swaps_rows_and_lanes(void** state) {
    (void)state;
    if (!can_run()) skip();
    sni_lane4 row[4] = {{0, 1, 2, 3}, {10, 11, 12, 13}, {20, 21, 22, 23}, {30, 31, 32, 33}};
    sni_transpose4(&row[0], &row[1], &row[2], &row[3]);
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++) assert_true(row[i][j] == 10 * j + i);
}

static void a_selection_takes_each_lane_from_its_side(void** state) {
    (void)state;
    if (!can_run()) skip();
    sni_lane4 a = {1, 2, 3, 4}, b = {4, 3, 2, 1};
    sni_lane4 least = sni_select(b < a, b, a);
    assert_true(least[0] == 1 && least[1] == 2 && least[2] == 2 && least[3] == 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sine_and_cosine_are_within_an_ulp_of_libm),
        cmocka_unit_test(angles_that_are_none_give_nan_in_their_lane_only),
        cmocka_unit_test(vectors_in_lanes_follow_those_in_structs),
        cmocka_unit_test(a_transpose_swaps_rows_and_lanes),
        cmocka_unit_test(a_selection_takes_each_lane_from_its_side),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
