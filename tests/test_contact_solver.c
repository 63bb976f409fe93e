// SPDX-License-Identifier: Apache-2.0
// What is said of solvers, and the one that claims nothing: penalty.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support/check.h"
#include "support/contact_problems.h"

enum { ALL_KINDS = (1 << SN_CONTACT_KIND_COUNT) - 1, TEST_ALONE = 1, TEST_FEET };

static sn_contact_solver* create(const char* name, const contact_case* c) {
    sn_contact_solver* solver;
    sn_contact_capacity capacity = sn_contact_capacity_of(&c->p);
    CHECK_STATUS(sn_contact_solver_create(name, &capacity, 0, &solver, NULL), SN_OK);
    return solver;
}

static void every_solver_has_a_name_and_a_line_about_it(void** state) {
    (void)state;
    int count = 0;
    for (; sn_contact_solver_name(count); count++) {
        assert_true(strlen(sn_contact_solver_about(count)) > 10);
        for (int other = 0; other < count; other++)
            assert_string_not_equal(sn_contact_solver_name(count), sn_contact_solver_name(other));
    }
    assert_true(count >= 4);
    assert_null(sn_contact_solver_name(-1));
    assert_null(sn_contact_solver_about(count));
}

static void a_wrong_name_is_answered_with_the_nearest(void** state) {
    (void)state;
    const sn_contact_capacity capacity = {.contacts = 1, .rows = 3};
    sn_contact_solver* solver;
    sn_error error;
    CHECK_STATUS(sn_contact_solver_create("projecton", &capacity, 0, &solver, &error),
                 SN_ERR_ARGUMENT);
    assert_null(solver);
    assert_non_null(strstr(error.text, "did you mean 'projection'"));
    CHECK_STATUS(sn_contact_solver_create("gurobi", &capacity, 0, &solver, &error),
                 SN_ERR_ARGUMENT);
    assert_non_null(strstr(error.text, "admm"));
    CHECK_STATUS(sn_contact_solver_create(NULL, NULL, 0, &solver, &error), SN_ERR_ARGUMENT);
    CHECK_STATUS(sn_contact_solver_create(NULL, &capacity, -1, &solver, &error), SN_ERR_ARGUMENT);
    CHECK_STATUS(sn_contact_solver_create(NULL, &capacity, 0, &solver, NULL), SN_OK);
    sn_contact_solver_free(solver);
    sn_contact_solver_free(NULL); // as free
}

static void memory_that_cannot_be_had_is_said(void** state) {
    (void)state;
    const sn_contact_capacity capacity = {.contacts = INT32_MAX, .rows = INT32_MAX};
    sn_contact_solver* solver;
    sn_error error;
    CHECK_STATUS(sn_contact_solver_create("lcp", &capacity, 0, &solver, &error), SN_ERR_MEMORY);
    assert_null(solver);
}

static void the_last_impulses_are_recalled_by_id_and_rows(void** state) {
    (void)state;
    contact_case* c = contact_mixed(5, 6, ALL_KINDS);
    sn_contact_solver* solver = create(NULL, c);
    for (int32_t k = 0; k < c->rows; k++) c->u[k] = k + 1;
    for (int32_t i = 0; i < c->count; i++) c->id[i] = 1000003u * (uint64_t)(i + 1);
    sn_contact_remember(solver, &c->p, c->u);
    assert_int_equal(sn_contact_recall(solver, &c->p, c->r), c->count);
    assert_memory_equal(c->r, c->u, (size_t)c->rows * sizeof *c->r);
    c->p.id = NULL; // nobody is known
    assert_int_equal(sn_contact_recall(solver, &c->p, c->r), 0);
    sn_contact_remember(solver, &c->p, c->u);
    c->p.id = c->id;
    assert_int_equal(sn_contact_recall(solver, &c->p, c->r), 0);
    for (int32_t k = 0; k < c->rows; k++) assert_true(c->r[k] == 0);
    sn_contact_remember(solver, &c->p, c->u);
    contact_case* other =
        contact_mixed(6, 6, 1u << SN_CONTACT_PATCH); // the same ids, six rows each
    int32_t same = 0;
    for (int32_t i = 0; i < other->count; i++) {
        other->id[i] = c->id[i];
        same += c->law[i].rows == 6;
    }
    assert_int_equal(sn_contact_recall(solver, &other->p, other->r), same);
    sn_contact_solver_free(solver);
    contact_case_free(other);
    contact_case_free(c);
}

// ---- penalty --------------------------------------------------------------------------------------------

/// Finite, and within the cones.
static sn_solve_report push(contact_case* c) {
    sn_solve_options options = sn_solve_options_default();
    sn_solve_report report;
    sn_contact_solver* solver = create("penalty", c);
    CHECK_STATUS(sn_contact_solve(solver, &c->p, &options, c->r, &report, NULL), SN_OK);
    for (int32_t i = 0; i < c->count; i++) {
        const double* r = c->r + c->first[i];
        double inside[SN_CONTACT_ROWS_MAX];
        sn_contact_project(&c->law[i], 0, r, inside);
        for (int32_t k = 0; k < c->law[i].rows; k++)
            CHECK_NEAR(r[k], inside[k], TOL_ROUNDOFF * (1 + fabs(r[0])), c->seed);
    }
    sn_contact_solver_free(solver);
    return report;
}

static void a_spring_is_right_where_rows_do_not_feel_each_other(void** state) {
    (void)state;
    for (int i = 0; i < 100; i++) {
        uint64_t seed = test_case_seed(TEST_ALONE, (uint64_t)i);
        contact_case* c = contact_single(seed, 0);
        memset(c->value, 0, 9 * sizeof *c->value);
        c->value[0] = 2, c->value[4] = c->value[8] = 3;
        CHECK(push(c).converged, seed);
        contact_case_free(c);
    }
}

// Four feet push as if each stood alone, so the box goes up faster than it came down.
static void springs_do_not_share_a_load(void** state) {
    (void)state;
    for (int i = 0; i < 60; i++) {
        uint64_t seed = test_case_seed(TEST_FEET, (uint64_t)i);
        contact_case* c = contact_box(seed, 8, 0.5);
        for (int32_t k = 0; k < c->count; k++) c->q[c->first[k]] -= 1;
        sn_solve_report report = push(c);
        CHECK(!report.converged && report.verdict.residual > 0.1, seed);
        contact_case_free(c);
        contact_case* mixed = contact_mixed(seed, 6, ALL_KINDS);
        (void)push(mixed); // all kinds
        contact_case_free(mixed);
    }
}

// ---- forms of W that are easily forgotten -----------------------------------------------------------------

/// Contacts that do not know each other, with blocks of zeros between all of them.
static void blocks_of_zeros_couple_nothing(void** state) {
    (void)state;
    enum { N = 20 };
    static sn_contact_law law[N];
    static int32_t first[N + 1], start[N + 1], column[N * N];
    static int64_t offset[N * N];
    static double value[N * N * 9], q[3 * N], r[3 * N];
    for (int32_t i = 0; i < N; i++) {
        law[i] = sn_contact_law_make(SN_CONTACT_POINT);
        law[i].mu = law[i].mu_kinetic = 0.5;
        first[i + 1] = 3 * (i + 1);
        start[i + 1] = N * (i + 1);
        q[3 * i] = -1 - i, q[3 * i + 1] = 2;
        for (int32_t j = 0; j < N; j++) {
            column[N * i + j] = j;
            offset[N * i + j] = 9 * (N * i + j);
            for (int k = 0; k < 3 && i == j; k++) value[9 * (N * i + j) + 4 * k] = 1 + k;
        }
    }
    sn_contact_problem p = {.count = N, .law = law, .first = first, .q = q};
    p.matrix = (sn_contact_matrix){start, column, offset, value};
    sn_contact_capacity capacity = sn_contact_capacity_of(&p);
    sn_solve_options options = sn_solve_options_default();
    for (int k = 0; k < 3; k++) {
        const char* const names[] = {"nsgs", "projection", "admm"};
        sn_contact_solver* solver;
        sn_solve_report report;
        memset(r, 0, sizeof r);
        CHECK_STATUS(sn_contact_solver_create(names[k], &capacity, 0, &solver, NULL), SN_OK);
        CHECK_STATUS(sn_contact_solve(solver, &p, &options, r, &report, NULL), SN_OK);
        assert_true(report.converged);
        assert_int_equal(report.groups, N);
        sn_contact_solver_free(solver);
    }
}

/// Bodies of one tree that do not feel each other, given by matrix and by bodies: one group.
static void a_tree_is_in_one_group(void** state) {
    (void)state;
    contact_case* c = contact_heap(5, 4, 0.5);
    contact_case* by_matrix = contact_by_matrix(c);
    int32_t tree[2] = {0, c->p.bodies.tree[c->p.bodies.tree_count]}, n = 6 * tree[1];
    int64_t response[2] = {0, (int64_t)n * n};
    double* whole = calloc((size_t)response[1], sizeof *whole);
    for (int32_t t = 0; t < c->p.bodies.tree_count; t++) // one tree out of all
        for (int32_t i = 6 * c->p.bodies.tree[t], k = 0; i < 6 * c->p.bodies.tree[t + 1]; i++)
            for (int32_t j = 6 * c->p.bodies.tree[t]; j < 6 * c->p.bodies.tree[t + 1]; j++, k++)
                whole[i * n + j] = c->p.bodies.value[c->p.bodies.response[t] + k];
    sn_contact_problem p = c->p;
    p.matrix = by_matrix->p.matrix;
    p.bodies.tree_count = 1, p.bodies.tree = tree;
    p.bodies.response = response, p.bodies.value = whole;
    for (int space = SN_SPACE_AUTO; space <= SN_SPACE_BODY; space++) {
        sn_contact_capacity capacity = sn_contact_capacity_of(&p);
        sn_solve_options options = sn_solve_options_default();
        options.space = (sn_contact_space)space;
        sn_contact_solver* solver;
        sn_solve_report report;
        memset(c->r, 0, (size_t)c->rows * sizeof *c->r);
        CHECK_STATUS(sn_contact_solver_create("nsgs", &capacity, 0, &solver, NULL), SN_OK);
        CHECK_STATUS(sn_contact_solve(solver, &p, &options, c->r, &report, NULL), SN_OK);
        assert_true(report.converged);
        assert_int_equal(report.groups, 1);
        sn_contact_solver_free(solver);
        capacity.tree -= 1; // a solver for smaller trees has no room for this one
        CHECK_STATUS(sn_contact_solver_create("nsgs", &capacity, 0, &solver, NULL), SN_OK);
        CHECK_STATUS(sn_contact_solve(solver, &p, &options, c->r, &report, NULL), SN_ERR_CAPACITY);
        sn_contact_solver_free(solver);
    }
    free(whole);
    contact_case_free(by_matrix);
    contact_case_free(c);
}

static void numbers_whose_squares_leave_the_range_are_refused(void** state) {
    (void)state;
    const double sizes[] = {1e160, 1e300, -1e141};
    for (int k = 0; k < 3; k++) {
        contact_case* c = contact_box(1, 4, 0.5);
        sn_error error = {0};
        for (int32_t i = 0; i < c->rows; i++) c->q[i] = i == 0 ? sizes[k] : 0;
        CHECK_STATUS(sn_contact_check(&c->p, &error), SN_ERR_NUMERIC);
        assert_non_null(strstr(error.text, "choose units"));
        contact_case_free(c);
    }
}

int main(void) {
    (void)test_seed(); // print it first
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blocks_of_zeros_couple_nothing),
        cmocka_unit_test(a_tree_is_in_one_group),
        cmocka_unit_test(numbers_whose_squares_leave_the_range_are_refused),
        cmocka_unit_test(every_solver_has_a_name_and_a_line_about_it),
        cmocka_unit_test(a_wrong_name_is_answered_with_the_nearest),
        cmocka_unit_test(memory_that_cannot_be_had_is_said),
        cmocka_unit_test(the_last_impulses_are_recalled_by_id_and_rows),
        cmocka_unit_test(a_spring_is_right_where_rows_do_not_feel_each_other),
        cmocka_unit_test(springs_do_not_share_a_load),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
