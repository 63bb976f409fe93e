// SPDX-License-Identifier: Apache-2.0
#include <math.h>
#include <string.h>

#include "contact/groups.h"
#include "support/check.h"
#include "support/contact_problems.h"

enum { CASES = 60, ALL_KINDS = 31, TEST_PATHS = 1, TEST_VIEWS, TEST_DEFECT };

typedef struct split_case {
    contact_case* c;
    sni_arena arena;
    sni_groups_work work;
    int32_t groups;
    double* W;
} split_case;

/// Heaps by bodies or by matrix, and mixed rows on trees, in any order.
static split_case split(uint64_t test, int i) {
    split_case s = {0};
    uint64_t seed = test_case_seed(test, (uint64_t)i);
    contact_case* c = i % 3 == 2 ? contact_mixed(seed, 6, ALL_KINDS) : contact_heap(seed, 4, 0.5);
    if (i % 3 == 1) {
        int32_t order[64];
        contact_random_order(seed, c->count, order);
        s.c = contact_in_order(c, order);
        contact_case_free(c);
    } else {
        s.c = c;
    }
    for (int32_t k = 0; k < s.c->rows; k++) s.c->r[k] = sin(5 * k + 1.0);
    sn_contact_capacity capacity = sn_contact_capacity_of(&s.c->p);
    sni_contact_groups_layout(&s.work, &capacity, &s.arena);
    assert_true(sni_arena_allocate(&s.arena));
    sni_contact_groups_layout(&s.work, &capacity, &s.arena);
    s.groups = sni_contact_groups_find(&s.work, &s.c->p);
    for (int32_t g = 0; g < s.groups; g++) sni_group_gather(&s.work.group[g], s.c->r);
    s.W = calloc((size_t)(s.c->rows * s.c->rows), sizeof *s.W);
    sn_contact_dense(&s.c->p, s.W);
    return s;
}

static void join(split_case* s) {
    free(s->W);
    contact_case_free(s->c);
    sni_arena_free(&s->arena);
}

static int32_t group_of(const split_case* s, int32_t contact) {
    for (int32_t g = 0; g < s->groups; g++)
        for (int32_t i = 0; i < s->work.group[g].count; i++)
            if (s->work.group[g].contact[i] == contact) return g;
    return -1;
}

static bool are_coupled(const split_case* s, int32_t i, int32_t j) {
    const contact_case* c = s->c;
    for (int32_t k = c->first[i]; k < c->first[i + 1]; k++)
        for (int32_t l = c->first[j]; l < c->first[j + 1]; l++)
            if (s->W[k * c->rows + l] != 0 || s->W[l * c->rows + k] != 0) return true;
    return false;
}

// Floyd and Warshall: whoever can be reached.
static void groups_are_who_can_be_reached_through_w(void** state) {
    (void)state;
    for (int i = 0; i < CASES; i++) {
        split_case s = split(TEST_PATHS, i);
        int32_t n = s.c->count;
        bool* reach = calloc((size_t)(n * n), sizeof *reach);
        for (int32_t a = 0; a < n; a++)
            for (int32_t b = 0; b < n; b++) reach[a * n + b] = a == b || are_coupled(&s, a, b);
        for (int32_t k = 0; k < n; k++)
            for (int32_t a = 0; a < n; a++)
                for (int32_t b = 0; b < n; b++)
                    if (reach[a * n + k] && reach[k * n + b]) reach[a * n + b] = true;
        for (int32_t a = 0; a < n; a++)
            for (int32_t b = 0; b < n; b++)
                CHECK((group_of(&s, a) == group_of(&s, b)) == reach[a * n + b], s.c->seed);
        free(reach);
        join(&s);
    }
}

static void a_group_is_its_part_of_the_problem(void** state) {
    (void)state;
    for (int i = 0; i < CASES; i++) {
        split_case s = split(TEST_VIEWS, i);
        int32_t contacts = 0, last_first = -1;
        for (int32_t g = 0; g < s.groups; g++) {
            const sni_group* group = &s.work.group[g];
            int32_t n = group->rows;
            double* W = calloc((size_t)(n * n), sizeof *W);
            sni_group_dense(group, W);
            contacts += group->count;
            CHECK(group->contact[0] > last_first, s.c->seed);
            last_first = group->contact[0];
            CHECK(group->first[group->count] == n, s.c->seed);
            for (int32_t a = 0; a < group->count; a++) {
                int32_t whole = group->contact[a], from = s.c->first[whole];
                CHECK(group->local[whole] == a, s.c->seed);
                CHECK(a == 0 || whole > group->contact[a - 1], s.c->seed);
                CHECK(sni_group_law(group, a) == &s.c->law[whole], s.c->seed);
                for (int32_t k = 0; k < sni_group_law(group, a)->rows; k++) {
                    CHECK(group->q[group->first[a] + k] == s.c->q[from + k], s.c->seed);
                    CHECK(group->r[group->first[a] + k] == s.c->r[from + k], s.c->seed);
                    for (int32_t b = 0; b < group->count; b++)
                        for (int32_t l = 0; l < sni_group_law(group, b)->rows; l++)
                            CHECK_NEAR(
                                W[(group->first[a] + k) * n + group->first[b] + l],
                                s.W[(from + k) * s.c->rows + s.c->first[group->contact[b]] + l],
                                TOL_CHAIN, s.c->seed);
                }
            }
            free(W);
        }
        CHECK(contacts == s.c->count, s.c->seed);
        join(&s);
    }
}

static void the_defects_of_groups_add_up_to_that_of_the_whole(void** state) {
    (void)state;
    for (int i = 0; i < CASES; i++) {
        split_case s = split(TEST_DEFECT, i);
        double sum = 0, q = 0;
        sn_contact_apply(&s.c->p, s.c->r, s.c->u);
        for (int32_t k = 0; k < s.c->rows; k++) {
            s.c->u[k] += s.c->q[k];
            q += s.c->q[k] * s.c->q[k];
        }
        for (int32_t g = 0; g < s.groups; g++) {
            sni_group* group = &s.work.group[g];
            double u[6 * 64];
            group->scale = 1;
            for (int32_t a = 0; a < group->count; a++)
                memcpy(u + group->first[a], s.c->u + s.c->first[group->contact[a]],
                       (size_t)sni_group_law(group, a)->rows * sizeof *u);
            double defect = sni_group_defect(group, group->r, u);
            sum += defect * defect;
        }
        CHECK_RELATIVE(sqrt(sum / q), sn_contact_judge(&s.c->p, s.c->r).error, TOL_SOLVE,
                       s.c->seed);
        join(&s);
    }
}

static void blocks_of_zeros_join_nobody(void** state) {
    (void)state;
    contact_case* c = contact_random(3, 4, 12, 0.5);
    for (int32_t at = 0; at < c->start[4]; at++) { // 0 with 2, 1 with 3
        int32_t line = at / 4;
        if ((c->column[at] + line) % 2) memset(c->value + c->offset[at], 0, 9 * sizeof *c->value);
    }
    sni_arena arena = {0};
    sni_groups_work work = {0};
    sn_contact_capacity capacity = sn_contact_capacity_of(&c->p);
    sni_contact_groups_layout(&work, &capacity, &arena);
    assert_true(sni_arena_allocate(&arena));
    sni_contact_groups_layout(&work, &capacity, &arena);
    assert_int_equal(sni_contact_groups_find(&work, &c->p), 2);
    for (int32_t g = 0; g < 2; g++) {
        double W[36];
        assert_int_equal(work.group[g].count, 2);
        sni_group_dense(&work.group[g], W);
        for (int k = 0; k < 36; k++) assert_true(W[k] != 0);
    }
    sni_arena_free(&arena);
    contact_case_free(c);
}

int main(void) {
    (void)test_seed(); // print it first
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(groups_are_who_can_be_reached_through_w),
        cmocka_unit_test(a_group_is_its_part_of_the_problem),
        cmocka_unit_test(the_defects_of_groups_add_up_to_that_of_the_whole),
        cmocka_unit_test(blocks_of_zeros_join_nobody),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
