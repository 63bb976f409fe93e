// SPDX-License-Identifier: Apache-2.0
#include <math.h>
#include <string.h>

#include "contact/operator.h"
#include "support/check.h"
#include "support/contact_problems.h"

enum {
    CASES = 60,
    ALL_KINDS = 31,
    TEST_DENSE = 1,
    TEST_APPLY,
    TEST_SCALE,
    TEST_BLOCKS,
    TEST_JUDGE
};

static contact_case* random_case(uint64_t test, int i) {
    uint64_t seed = test_case_seed(test, (uint64_t)i);
    contact_case* c = contact_mixed(seed, 1 + i % 8, ALL_KINDS);
    for (int32_t k = 0; k < c->count; k++) c->law[k].compliance = 0.01 * (k % 3);
    return c;
}

/// W = J response J' + compliance, with all of it dense.
static void dense_by_definition(const contact_case* c, double* W) {
    int32_t bodies = c->tree[c->p.bodies.tree_count], n = 6 * bodies, rows = c->rows;
    double* J = calloc((size_t)(rows * n), sizeof *J);
    double* R = calloc((size_t)(n * n), sizeof *R);
    for (int32_t t = 0; t < c->p.bodies.tree_count; t++) {
        int32_t first = 6 * c->tree[t], size = 6 * (c->tree[t + 1] - c->tree[t]);
        for (int32_t i = 0; i < size; i++)
            for (int32_t j = 0; j < size; j++)
                R[(first + i) * n + first + j] = c->response_value[c->response[t] + i * size + j];
    }
    for (int32_t i = 0; i < c->count; i++)
        for (int32_t k = c->first[i]; k < c->first[i + 1]; k++)
            for (int s = 0; s < 6; s++) {
                if (c->a[i] >= 0) J[k * n + 6 * c->a[i] + s] += c->C_a[6 * k + s];
                if (c->b[i] >= 0) J[k * n + 6 * c->b[i] + s] += c->C_b[6 * k + s];
            }
    for (int32_t k = 0; k < rows; k++)
        for (int32_t l = 0; l < rows; l++) {
            W[k * rows + l] = 0;
            for (int32_t i = 0; i < n; i++)
                for (int32_t j = 0; j < n; j++)
                    W[k * rows + l] += J[k * n + i] * R[i * n + j] * J[l * n + j];
        }
    for (int32_t i = 0; i < c->count; i++) {
        bool normal_only = c->law[i].kind == SN_CONTACT_POINT || c->law[i].kind == SN_CONTACT_PATCH;
        int32_t last = normal_only ? c->first[i] + 1 : c->first[i + 1];
        for (int32_t k = c->first[i]; k < last; k++) W[k * (rows + 1)] += c->law[i].compliance;
    }
    free(J), free(R);
}

static void the_dense_matrix_is_that_of_the_bodies(void** state) {
    (void)state;
    for (int i = 0; i < CASES; i++) {
        contact_case* c = random_case(TEST_DENSE, i);
        size_t size = (size_t)(c->rows * c->rows);
        double *W = calloc(size, sizeof *W), *expected = calloc(size, sizeof *W);
        sn_contact_dense(&c->p, W);
        dense_by_definition(c, expected);
        CHECK_VECTOR(W, expected, (int)size, TOL_CHAIN, c->seed);
        contact_case* m = contact_by_matrix(c);
        for (int32_t k = 0; k < m->count; k++) m->law[k].compliance = c->law[k].compliance;
        sn_contact_dense(&m->p, W);
        CHECK_VECTOR(W, expected, (int)size, TOL_CHAIN, c->seed);
        free(W), free(expected);
        contact_case_free(m);
        contact_case_free(c);
    }
}

static void products_with_bodies_and_blocks_are_those_with_the_dense_matrix(void** state) {
    (void)state;
    for (int i = 0; i < CASES; i++) {
        contact_case* c = random_case(TEST_APPLY, i);
        contact_case* m = contact_by_matrix(c);
        double *W = calloc((size_t)(c->rows * c->rows), sizeof *W), expected[6 * 8];
        sn_contact_dense(&c->p, W);
        for (int32_t k = 0; k < c->rows; k++) c->r[k] = sin(3 * k + i);
        for (int32_t k = 0; k < c->rows; k++) {
            expected[k] = 0;
            for (int32_t l = 0; l < c->rows; l++) expected[k] += W[k * c->rows + l] * c->r[l];
        }
        sn_contact_apply(&c->p, c->r, c->u);
        CHECK_VECTOR(c->u, expected, c->rows, TOL_CHAIN, c->seed);
        sn_contact_apply(&m->p, c->r, c->u);
        CHECK_VECTOR(c->u, expected, c->rows, TOL_CHAIN, c->seed);
        free(W);
        contact_case_free(m);
        contact_case_free(c);
    }
}

static void the_scale_is_the_mean_of_the_diagonal(void** state) {
    (void)state;
    for (int i = 0; i < CASES; i++) {
        contact_case* c = random_case(TEST_SCALE, i);
        double *W = calloc((size_t)(c->rows * c->rows), sizeof *W), sum = 0;
        sn_contact_dense(&c->p, W);
        for (int32_t k = 0; k < c->rows; k++) sum += W[k * (c->rows + 1)];
        CHECK_RELATIVE(sni_operator_scale(&c->p), sum / c->rows, TOL_CHAIN, c->seed);
        free(W);
        contact_case_free(c);
    }
}

static void the_capacity_counts_the_blocks_that_bodies_would_make(void** state) {
    (void)state;
    for (int i = 0; i < CASES; i++) {
        contact_case* c = random_case(TEST_BLOCKS, i);
        contact_case* m = contact_by_matrix(c);
        sn_contact_capacity of_bodies = sn_contact_capacity_of(&c->p);
        sn_contact_capacity of_matrix = sn_contact_capacity_of(&m->p);
        CHECK(of_bodies.blocks == of_matrix.blocks, c->seed);
        CHECK(of_bodies.contacts == c->count && of_bodies.rows == c->rows, c->seed);
        CHECK(of_bodies.bodies == c->tree[c->p.bodies.tree_count], c->seed);
        CHECK(of_bodies.responses == c->response[c->p.bodies.tree_count], c->seed);
        CHECK(of_matrix.bodies == 0, c->seed);
        contact_case_free(m);
        contact_case_free(c);
    }
}

// A verdict by hand: natural maps, norms and energy from the dense matrix.
static void the_verdict_is_what_its_definition_says(void** state) {
    (void)state;
    for (int i = 0; i < CASES; i++) {
        contact_case* c = random_case(TEST_JUDGE, i);
        double *W = calloc((size_t)(c->rows * c->rows), sizeof *W), scale = 0, energy = 0;
        double q2 = 0, r2 = 0, u2 = 0, scaled = 0, given = 0, deepest = 0;
        sn_contact_dense(&c->p, W);
        for (int32_t k = 0; k < c->rows; k++) scale += W[k * (c->rows + 1)] / c->rows;
        for (int32_t k = 0; k < c->count; k++)
            for (int32_t l = c->first[k]; l < c->first[k + 1]; l++) c->r[l] = cos(2 * l + i);
        for (int32_t k = 0; k < c->rows; k++) {
            c->u[k] = c->q[k];
            for (int32_t l = 0; l < c->rows; l++) {
                c->u[k] += W[k * c->rows + l] * c->r[l];
                energy -= c->r[k] * W[k * c->rows + l] * c->r[l] / 2;
            }
            energy += c->r[k] * c->u[k];
            q2 += c->q[k] * c->q[k], r2 += c->r[k] * c->r[k], u2 += c->u[k] * c->u[k];
        }
        for (int32_t k = 0; k < c->count; k++) {
            double F[6], G[6];
            sni_law_defect(&c->law[k], scale, c->r + c->first[k], c->u + c->first[k], F);
            sni_law_defect(&c->law[k], 1, c->r + c->first[k], c->u + c->first[k], G);
            for (int32_t l = 0; l < c->law[k].rows; l++)
                scaled += F[l] * F[l], given += G[l] * G[l];
            if (c->law[k].kind != SN_CONTACT_EQUAL && c->law[k].kind != SN_CONTACT_DRY)
                deepest = fmax(deepest, -c->u[c->first[k]]);
        }
        double largest = fmax(sqrt(r2), sqrt(fmax(q2, u2)) / scale);
        sn_contact_verdict verdict = sn_contact_judge(&c->p, c->r);
        CHECK_RELATIVE(verdict.residual, sqrt(scaled) / largest, TOL_SOLVE, c->seed);
        CHECK_RELATIVE(verdict.error, sqrt(given / q2), TOL_SOLVE, c->seed);
        CHECK_NEAR(verdict.energy, energy, TOL_CHAIN * (r2 * scale + sqrt(r2 * u2)), c->seed);
        CHECK_NEAR(verdict.penetration, deepest, TOL_CHAIN * sqrt(u2), c->seed);
        free(W);
        contact_case_free(c);
    }
}

static void nothing_to_do_is_done_perfectly(void** state) {
    (void)state;
    contact_case* c = contact_box(1, 4, 0.5);
    memset(c->q, 0, (size_t)c->rows * sizeof *c->q);
    sn_contact_verdict verdict = sn_contact_judge(&c->p, c->r);
    assert_true(verdict.residual == 0 && verdict.error == 0 && verdict.energy == 0);
    contact_case_free(c);
}

// ---- what is refused ------------------------------------------------------------------------------------

#define REFUSED(change, undo, expected, word)                                                      \
    do {                                                                                           \
        sn_error error = {0};                                                                      \
        change;                                                                                    \
        CHECK_STATUS(sn_contact_check(&c->p, &error), expected);                                   \
        if (!strstr(error.text, word)) print_error("said: %s\n", error.text);                      \
        assert_non_null(strstr(error.text, word));                                                 \
        undo;                                                                                      \
        CHECK_STATUS(sn_contact_check(&c->p, NULL), SN_OK);                                        \
    } while (0)

static void bad_laws_and_rows_are_refused_by_contact(void** state) {
    (void)state;
    contact_case* c = contact_box(7, 5, 0.5);
    sn_contact_law good = c->law[3];
    double q = c->q[4];
    int32_t first = c->first[2];
    CHECK_STATUS(sn_contact_check(&c->p, NULL), SN_OK);
    REFUSED(c->law[3].mu = -1, c->law[3] = good, SN_ERR_ARGUMENT, "contact 3: mu is -1");
    REFUSED(c->law[3].mu = NAN, c->law[3] = good, SN_ERR_NUMERIC, "contact 3: mu is not finite");
    REFUSED(c->law[3].mu_kinetic = 0.1, c->law[3] = good, SN_ERR_ARGUMENT, "stribeck_speed");
    REFUSED(c->law[3].viscous = INFINITY, c->law[3] = good, SN_ERR_NUMERIC, "viscous");
    REFUSED(c->law[3].spin = -1, c->law[3] = good, SN_ERR_ARGUMENT, "spin");
    REFUSED(c->law[3].roll = -1, c->law[3] = good, SN_ERR_ARGUMENT, "roll");
    REFUSED(c->law[3].bound = -1, c->law[3] = good, SN_ERR_ARGUMENT, "bound");
    REFUSED(c->law[3].compliance = -1, c->law[3] = good, SN_ERR_ARGUMENT, "compliance");
    REFUSED(c->law[3].rows = 4, c->law[3] = good, SN_ERR_ARGUMENT, "POINT with 4 rows");
    REFUSED(c->law[3].kind = (sn_contact_kind)17, c->law[3] = good, SN_ERR_ARGUMENT, "kind");
    REFUSED(c->first[2] = 7, c->first[2] = first, SN_ERR_ARGUMENT, "contact 1: rows 3 to 7");
    REFUSED(c->first[0] = 1, c->first[0] = 0, SN_ERR_ARGUMENT, "rows do not start at 0");
    REFUSED(c->q[4] = NAN, c->q[4] = q, SN_ERR_NUMERIC, "contact 1: q is not finite");
    contact_case_free(c);
}

static void bad_bodies_are_refused(void** state) {
    (void)state;
    contact_case* c = contact_pile(7, 3, 0.5, 1);
    double good = c->response_value[40], C = c->C_a[20];
    sn_contact_bodies bodies = c->p.bodies;
    int64_t end = c->response[2];
    REFUSED(c->a[2] = 3, c->a[2] = 0, SN_ERR_ARGUMENT, "contact 2: on body 3");
    REFUSED(c->b[2] = -2, c->b[2] = -1, SN_ERR_ARGUMENT, "contact 2: on body -2");
    REFUSED(c->tree[1] = 2, c->tree[1] = 1, SN_ERR_ARGUMENT, "tree 0");
    REFUSED(c->tree[1] = 0, c->tree[1] = 1, SN_ERR_ARGUMENT, "tree 0: it has no body");
    REFUSED(c->response[2]++, c->response[2] = end, SN_ERR_ARGUMENT, "tree 1");
    REFUSED(c->response_value[40] = NAN, c->response_value[40] = good, SN_ERR_NUMERIC, "tree 1");
    REFUSED(c->C_a[20] = INFINITY, c->C_a[20] = C, SN_ERR_NUMERIC, "contact 1");
    REFUSED(c->p.bodies.C_b = NULL, c->p.bodies = bodies, SN_ERR_ARGUMENT, "missing");
    REFUSED(c->p.bodies.tree_count = 0, c->p.bodies = bodies, SN_ERR_ARGUMENT, "without W");
    REFUSED(c->p.bodies.value = NULL, c->p.bodies = bodies, SN_ERR_ARGUMENT, "without");
    c->C_b[0] = NAN; // of a body that does not move: never read
    CHECK_STATUS(sn_contact_check(&c->p, NULL), SN_OK);
    contact_case_free(c);
}

static void bad_matrices_are_refused(void** state) {
    (void)state;
    contact_case* c = contact_random(7, 4, 9, 0.5);
    double good = c->value[50];
    sn_contact_matrix matrix = c->p.matrix;
    REFUSED(c->column[5] = 9, c->column[5] = 1, SN_ERR_ARGUMENT, "contact 1: W couples it");
    REFUSED(c->column[5] = 0, c->column[5] = 1, SN_ERR_ARGUMENT, "do not increase");
    REFUSED(c->start[2] = 3, c->start[2] = 8, SN_ERR_ARGUMENT, "contact 1: its line of W ends");
    REFUSED(c->start[0] = 1, c->start[0] = 0, SN_ERR_ARGUMENT, "block 0");
    REFUSED(c->offset[3] = -9, c->offset[3] = 27, SN_ERR_ARGUMENT, "negative offset");
    REFUSED(c->value[50] = NAN, c->value[50] = good, SN_ERR_NUMERIC, "contact 1: W is not finite");
    REFUSED(c->p.matrix.value = NULL, c->p.matrix = matrix, SN_ERR_ARGUMENT, "missing");
    contact_case_free(c);
}

static void a_missing_problem_is_refused_and_an_empty_one_is_not(void** state) {
    (void)state;
    const int32_t first[1] = {0};
    sn_contact_problem empty = {.first = first};
    CHECK_STATUS(sn_contact_check(NULL, NULL), SN_ERR_ARGUMENT);
    CHECK_STATUS(sn_contact_check(&empty, NULL), SN_OK);
    empty.count = -1;
    CHECK_STATUS(sn_contact_check(&empty, NULL), SN_ERR_ARGUMENT);
    empty.count = 1;
    CHECK_STATUS(sn_contact_check(&empty, NULL), SN_ERR_ARGUMENT);
}

int main(void) {
    (void)test_seed(); // print it first
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_dense_matrix_is_that_of_the_bodies),
        cmocka_unit_test(products_with_bodies_and_blocks_are_those_with_the_dense_matrix),
        cmocka_unit_test(the_scale_is_the_mean_of_the_diagonal),
        cmocka_unit_test(the_capacity_counts_the_blocks_that_bodies_would_make),
        cmocka_unit_test(the_verdict_is_what_its_definition_says),
        cmocka_unit_test(nothing_to_do_is_done_perfectly),
        cmocka_unit_test(bad_laws_and_rows_are_refused_by_contact),
        cmocka_unit_test(bad_bodies_are_refused),
        cmocka_unit_test(bad_matrices_are_refused),
        cmocka_unit_test(a_missing_problem_is_refused_and_an_empty_one_is_not),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
