// SPDX-License-Identifier: Apache-2.0
#include "contact/lemke.h"

#include <math.h>
#include <string.h>

#include "base/rng.h"
#include "support/check.h"

enum { N_MOST = 12, CASES = 400, PIVOTS_MOST = 2000, TEST_POSITIVE = 1, TEST_DEGENERATE, TEST_RAY };

typedef struct lcp_case {
    int32_t n;
    double M[N_MOST][N_MOST], q[N_MOST], z[N_MOST];
    double T[N_MOST * (N_MOST + 2)];
    int32_t basic[N_MOST], outside[N_MOST + 1], column[2 * N_MOST + 1];
    int pivots;
} lcp_case;

static sni_lemke_state solve(lcp_case* c) {
    sni_lemke lemke = {
        .n = c->n, .T = c->T, .basic = c->basic, .outside = c->outside, .column = c->column};
    for (int32_t i = 0; i < c->n; i++) {
        memcpy(sni_lemke_line(&lemke, i), c->M[i], (size_t)c->n * sizeof(double));
        sni_lemke_line(&lemke, i)[c->n + 1] = c->q[i];
    }
    sni_lemke_state state = sni_lemke_start(&lemke);
    for (c->pivots = 0; state == SNI_LEMKE_GOING && c->pivots < PIVOTS_MOST; c->pivots++)
        state = sni_lemke_pivot(&lemke);
    sni_lemke_solution(&lemke, c->z);
    return state;
}

static void check_solution(const lcp_case* c, uint64_t seed) {
    for (int32_t i = 0; i < c->n; i++) {
        double w = c->q[i];
        for (int32_t j = 0; j < c->n; j++) w += c->M[i][j] * c->z[j];
        CHECK(c->z[i] >= 0 && w >= -TOL_SOLVE, seed);
        CHECK_NEAR(w * c->z[i], 0, TOL_SOLVE, seed);
    }
}

/// M = B B' of low rank and q = B v, of numbers that `draw` gives.
static void fill(lcp_case* c, sni_rng* rng, int32_t rank, double (*draw)(sni_rng*)) {
    double B[N_MOST][N_MOST], v[N_MOST];
    c->n = 1 + sni_rng_index(rng, N_MOST);
    for (int32_t i = 0; i < c->n; i++)
        for (int32_t j = 0; j < c->n; j++) B[i][j] = draw(rng);
    for (int32_t j = 0; j < c->n; j++) v[j] = draw(rng);
    for (int32_t i = 0; i < c->n; i++) {
        c->q[i] = 0;
        for (int32_t k = 0; k < rank && k < c->n; k++) c->q[i] += B[i][k] * v[k];
        for (int32_t j = 0; j < c->n; j++) {
            c->M[i][j] = 0;
            for (int32_t k = 0; k < rank && k < c->n; k++) c->M[i][j] += B[i][k] * B[j][k];
        }
    }
}

static double draw_real(sni_rng* rng) { return sni_rng_uniform(rng, -1, 1); }
static double draw_whole(sni_rng* rng) { return sni_rng_index(rng, 3) - 1; }

static void positive_problems_are_solved(void** state) {
    (void)state;
    for (int i = 0; i < CASES; i++) {
        static lcp_case c;
        uint64_t seed = test_case_seed(TEST_POSITIVE, (uint64_t)i);
        sni_rng rng = {seed};
        fill(&c, &rng, N_MOST, draw_real);
        for (int32_t j = 0; j < c.n; j++) c.M[j][j] += 0.01;
        CHECK(solve(&c) == SNI_LEMKE_SOLVED, seed);
        check_solution(&c, seed);
    }
}

// Whole numbers of low rank tie all the time: without an order among ties it would go round in circles.
static void ties_do_not_lead_in_circles(void** state) {
    (void)state;
    int longest = 0;
    for (int i = 0; i < CASES; i++) {
        static lcp_case c;
        uint64_t seed = test_case_seed(TEST_DEGENERATE, (uint64_t)i);
        sni_rng rng = {seed};
        fill(&c, &rng, 1 + i % 4, draw_whole);
        CHECK(solve(&c) == SNI_LEMKE_SOLVED, seed);
        check_solution(&c, seed);
        if (c.pivots > longest) longest = c.pivots;
    }
    print_message("most pivots %d\n", longest);
}

static void what_has_no_solution_ends_in_a_ray(void** state) {
    (void)state;
    static lcp_case c = {.n = 2, .M = {{0, 0}, {0, 1}}, .q = {-1, -1}}; // w_0 = -1 whatever z is
    assert_int_equal(solve(&c), SNI_LEMKE_RAY);
}

static void nothing_to_do_takes_no_pivot(void** state) {
    (void)state;
    static lcp_case c = {.n = 2, .M = {{1, 0}, {0, 1}}, .q = {1, 0}};
    assert_int_equal(solve(&c), SNI_LEMKE_SOLVED);
    assert_true(c.pivots == 0 && c.z[0] == 0 && c.z[1] == 0);
}

int main(void) {
    (void)test_seed(); // print it first
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(positive_problems_are_solved),
        cmocka_unit_test(ties_do_not_lead_in_circles),
        cmocka_unit_test(what_has_no_solution_ends_in_a_ray),
        cmocka_unit_test(nothing_to_do_takes_no_pivot),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
