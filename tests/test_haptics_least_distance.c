// SPDX-License-Identifier: Apache-2.0
// The shortest vector under inequalities: it obeys them, and multipliers prove that none is shorter.
#include "haptics/least_distance.h"

#include <math.h>

#include "support/check.h"
#include "support/random_state.h"

enum { CASES = 2000, TEST_RANDOM = 990 };

static double along(const sni_least_distance* p, int32_t i) {
    double sum = 0;
    for (int k = 0; k < 6; k++) sum += p->g[i][k] * p->x[k];
    return sum;
}

/// x = G' y, y >= 0, G x >= h, y (G x - h) = 0.
static void check_optimal(const sni_least_distance* p, uint64_t seed) {
    double scale = 0, x[6] = {0};
    for (int32_t i = 0; i < p->count; i++) scale = fmax(scale, fabs(p->h[i]));
    for (int32_t i = 0; i < p->count; i++) {
        double room = along(p, i) - p->h[i];
        CHECK(p->multiplier[i] >= 0, seed);
        CHECK(room >= -1e-6 * scale, seed);
        if (p->multiplier[i] > 0) CHECK_NEAR(room, 0, 1e-6 * scale, seed);
        for (int k = 0; k < 6; k++) x[k] += p->multiplier[i] * p->g[i][k];
    }
    for (int k = 0; k < 6; k++) CHECK_NEAR(p->x[k], x[k], 1e-12 * (1 + fabs(x[k])), seed);
}

static void what_is_found_is_the_shortest(void** state) {
    (void)state;
    int solved = 0, repeated = 0;
    for (int k = 0; k < CASES; k++) {
        uint64_t seed = test_case_seed(TEST_RANDOM, (uint64_t)k);
        test_rng rng = test_rng_make(seed);
        sni_least_distance p = {.count = 1 + test_index(&rng, k % 2 ? 8 : 40)};
        double inside[6], length = pow(10, test_uniform(&rng, -4, 2));
        for (int i = 0; i < 6; i++) inside[i] = length * test_normal(&rng);
        for (int32_t i = 0; i < p.count; i++) {
            bool again = i > 0 && test_chance(&rng, 0.3); // corners of one face: nearly the same
            double room = length * fabs(test_normal(&rng));
            for (int c = 0; c < 6; c++) p.g[i][c] = again ? p.g[i - 1][c] : test_normal(&rng);
            if (again) room = 0, repeated++;
            p.h[i] = -room;
            for (int c = 0; c < 6; c++) p.h[i] += p.g[i][c] * inside[c];
        }
        CHECK(sni_least_distance_solve(&p), seed);
        check_optimal(&p, seed);
        solved++;
    }
    CHECK(solved == CASES && repeated > CASES, 0);
}

static void without_anything_in_the_way_it_is_zero(void** state) {
    (void)state;
    sni_least_distance p = {.count = 1, .g = {{1, 0, 0, 0, 0, 0}}, .h = {-1}};
    CHECK(sni_least_distance_solve(&p) && p.x[0] == 0 && p.multiplier[0] == 0, 0);
    p.count = 0;
    CHECK(sni_least_distance_solve(&p), 0);
}

static void contradictions_have_no_solution(void** state) {
    (void)state;
    sni_least_distance p = {
        .count = 2, .g = {{1, 0, 0, 0, 0, 0}, {-1, 0, 0, 0, 0, 0}}, .h = {1, 1}};
    CHECK(!sni_least_distance_solve(&p), 0);
    for (int k = 0; k < 6; k++) CHECK(p.x[k] == 0, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_found_is_the_shortest),
        cmocka_unit_test(without_anything_in_the_way_it_is_zero),
        cmocka_unit_test(contradictions_have_no_solution),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
