// SPDX-License-Identifier: Apache-2.0
// Groups by union-find: over blocks of W that are not zero, or over trees of bodies.   [C12 3]
#include "contact/groups.h"

#include <math.h>
#include <string.h>

#include "contact/operator.h"

void sni_contact_groups_layout(sni_groups_work* work, const sn_contact_capacity* capacity,
                               sni_arena* arena) {
    int32_t n = capacity->contacts;
    work->group = SN_ARENA_ARRAY(arena, sni_group, n);
    work->leader = SN_ARENA_ARRAY(arena, int32_t, n);
    work->tree_owner = SN_ARENA_ARRAY(arena, int32_t, capacity->bodies);
    work->tree_of = SN_ARENA_ARRAY(arena, int32_t, capacity->bodies);
    work->contact = SN_ARENA_ARRAY(arena, int32_t, n);
    work->local = SN_ARENA_ARRAY(arena, int32_t, n);
    work->first = SN_ARENA_ARRAY(arena, int32_t, (size_t)2 * (size_t)n);
    work->q = SN_ARENA_ARRAY(arena, double, capacity->rows);
    work->r = SN_ARENA_ARRAY(arena, double, capacity->rows);
    work->a = SN_ARENA_ARRAY(arena, int32_t, n);
    work->b = SN_ARENA_ARRAY(arena, int32_t, n);
    work->start = SN_ARENA_ARRAY(arena, int32_t, (size_t)n + 1);
    work->tree = SN_ARENA_ARRAY(arena, int32_t, (size_t)capacity->bodies + 1);
    work->contacts = -1;
}

// ---- who belongs together -----------------------------------------------------------------------------

static int32_t leader_of(int32_t* leader, int32_t i) {
    while (leader[i] != i) i = leader[i] = leader[leader[i]];
    return i;
}

/// The smaller number leads, so that a group's leader is its first contact.
static void join(int32_t* leader, int32_t i, int32_t j) {
    i = leader_of(leader, i);
    j = leader_of(leader, j);
    if (i < j)
        leader[j] = i;
    else
        leader[i] = j;
}

static void join_by_matrix(const sn_contact_problem* problem, int32_t* leader) {
    const sn_contact_matrix* W = &problem->matrix;
    for (int32_t i = 0; i < problem->count; i++) {
        for (int32_t at = W->start[i]; at < W->start[i + 1]; at++) {
            int32_t j = W->column[at], size = problem->law[i].rows * problem->law[j].rows;
            const double* block = W->value + W->offset[at];
            int32_t k = 0;
            while (k < size && block[k] == 0) k++;
            if (k < size) join(leader, i, j);
        }
    }
}

/// A contact and those that are on the tree of one of its bodies.
static inline void join_tree(sni_groups_work* work, int32_t body, int32_t contact) {
    if (body < 0) return;
    int32_t* owner = &work->tree_owner[work->tree_of[body]];
    if (*owner < 0)
        *owner = contact;
    else
        join(work->leader, contact, *owner);
}

static void join_by_trees(const sn_contact_problem* problem, sni_groups_work* work) {
    const sn_contact_bodies* bodies = &problem->bodies;
    for (int32_t t = 0; t < bodies->tree_count; t++) {
        work->tree_owner[t] = -1;
        for (int32_t k = bodies->tree[t]; k < bodies->tree[t + 1]; k++) work->tree_of[k] = t;
    }
    for (int32_t i = 0; i < problem->count; i++) {
        join_tree(work, bodies->a[i], i);
        join_tree(work, bodies->b[i], i);
    }
}

// ---- views --------------------------------------------------------------------------------------------

/// Numbers the groups in the order of their first contacts; leader[i] becomes i's group.
static int32_t number_groups(sni_groups_work* work, int32_t contacts) {
    int32_t groups = 0;
    for (int32_t i = 0; i < contacts; i++) {
        int32_t first = leader_of(work->leader, i);
        if (first == i) {
            memset(&work->group[groups], 0, sizeof work->group[groups]);
            work->local[i] = groups++; // until the places within groups are known
        }
    }
    for (int32_t i = contacts - 1; i >= 0; i--) // last first: leaders are read before they change
        work->leader[i] = work->local[leader_of(work->leader, i)];
    return groups;
}

/// Hands each group its part of the arrays; counts start again from zero.
static void place_groups(sni_groups_work* work, int32_t groups) {
    int32_t contact = 0, row = 0;
    for (int32_t g = 0; g < groups; g++) {
        sni_group* group = &work->group[g];
        group->contact = work->contact + contact;
        group->local = work->local;
        group->tree_of = work->tree_of;
        group->first = work->first + contact + g;
        group->q = work->q + row;
        group->r = work->r + row;
        contact += group->count;
        row += group->rows;
        group->count = group->rows = 0;
    }
}

/// Whether all contacts are on bodies of one tree.
static bool is_one_tree(const sn_contact_problem* problem) {
    const sn_contact_bodies* bodies = &problem->bodies;
    if (problem->matrix.start || bodies->tree_count != 1) return false;
    for (int32_t i = 0; i < problem->count; i++)
        if (bodies->a[i] < 0 && bodies->b[i] < 0) return false;
    return problem->count > 0;
}

/// Then they are one group.
static int32_t take_whole(sni_groups_work* work, const sn_contact_problem* problem) {
    for (int32_t k = 0; k < problem->bodies.tree[1]; k++) work->tree_of[k] = 0;
    for (int32_t i = 0; i < problem->count; i++) work->contact[i] = work->local[i] = i;
    work->group[0] = (sni_group){.count = problem->count,
                                 .rows = sn_contact_rows(problem),
                                 .contact = work->contact,
                                 .local = work->local,
                                 .tree_of = work->tree_of,
                                 .first = work->start, // as soon as it is remembered
                                 .q = work->q,
                                 .r = work->r};
    return 1;
}

/// Who belongs together, and where.
static int32_t split(sni_groups_work* work, const sn_contact_problem* problem) {
    for (int32_t i = 0; i < problem->count; i++) work->leader[i] = i;
    // a tree is in one group, even where its bodies do not feel each other
    if (problem->matrix.start) join_by_matrix(problem, work->leader);
    if (problem->bodies.tree_count) join_by_trees(problem, work);
    int32_t groups = number_groups(work, problem->count);
    for (int32_t i = 0; i < problem->count; i++) {
        sni_group* group = &work->group[work->leader[i]];
        group->count++;
        group->rows += problem->law[i].rows;
    }
    place_groups(work, groups);
    for (int32_t i = 0; i < problem->count; i++) {
        sni_group* group = &work->group[work->leader[i]];
        int32_t* start = work->first + (group->first - work->first) + group->count;
        work->contact[group->contact - work->contact + group->count] = i;
        work->local[i] = group->count++;
        start[0] = group->rows;
        start[1] = group->rows += problem->law[i].rows;
    }
    return groups;
}

// ---- values -------------------------------------------------------------------------------------------

void sni_group_gather(const sni_group* group, const double* r) {
    const sn_contact_problem* whole = group->whole;
    for (int32_t k = 0; k < group->count; k++) {
        int32_t to = group->first[k], from = whole->first[group->contact[k]];
        sni_copy_rows(group->q + to, whole->q + from, sni_group_law(group, k)->rows);
        sni_copy_rows(group->r + to, r + from, sni_group_law(group, k)->rows);
    }
}

void sni_group_scatter(const sni_group* group, double* r) {
    for (int32_t k = 0; k < group->count; k++)
        sni_copy_rows(r + group->whole->first[group->contact[k]], group->r + group->first[k],
                      sni_group_law(group, k)->rows);
}

// ---- from problem to problem --------------------------------------------------------------------------

static bool are_equal(const int32_t* x, const int32_t* y, int32_t count) {
    return memcmp(x, y, (size_t)count * sizeof *x) == 0;
}

static bool is_alike(const sni_groups_work* work, const sn_contact_problem* problem) {
    const sn_contact_bodies* bodies = &problem->bodies;
    return !problem->matrix.start && work->contacts == problem->count &&
           work->trees == bodies->tree_count && are_equal(work->a, bodies->a, work->contacts) &&
           are_equal(work->b, bodies->b, work->contacts) &&
           are_equal(work->start, problem->first, work->contacts + 1) &&
           are_equal(work->tree, bodies->tree, work->trees + 1);
}

static void remember(sni_groups_work* work, const sn_contact_problem* problem) {
    const sn_contact_bodies* bodies = &problem->bodies;
    work->contacts = -1;
    if (problem->matrix.start || problem->count == 0 || bodies->tree_count == 0) return;
    work->contacts = problem->count;
    work->trees = bodies->tree_count;
    memcpy(work->a, bodies->a, (size_t)work->contacts * sizeof *work->a);
    memcpy(work->b, bodies->b, (size_t)work->contacts * sizeof *work->b);
    memcpy(work->start, problem->first, (size_t)(work->contacts + 1) * sizeof *work->start);
    memcpy(work->tree, bodies->tree, (size_t)(work->trees + 1) * sizeof *work->tree);
}

int32_t sni_contact_groups_find(sni_groups_work* work, const sn_contact_problem* problem) {
    if (!is_alike(work, problem)) {
        work->shape++;
        work->count = is_one_tree(problem) ? take_whole(work, problem) : split(work, problem);
        remember(work, problem);
    }
    for (int32_t g = 0; g < work->count; g++) work->group[g].whole = problem;
    return work->count;
}

// ---- what a solver asks of a group --------------------------------------------------------------------

/// Writes block (i, j) of the group at its place.
static void put_block(const sni_group* group, int32_t i, int32_t j, const double* block,
                      double* W) {
    int32_t rows = sni_group_law(group, i)->rows, columns = sni_group_law(group, j)->rows;
    double* at = W + (ptrdiff_t)group->first[i] * group->rows + group->first[j];
    for (int32_t k = 0; k < rows; k++)
        memcpy(at + (ptrdiff_t)k * group->rows, block + k * columns, (size_t)columns * sizeof *at);
}

void sni_group_dense(const sni_group* group, double* W) {
    ptrdiff_t n = group->rows;
    const sn_contact_problem* whole = group->whole;
    const sn_contact_matrix* matrix = &whole->matrix;
    memset(W, 0, (size_t)(n * n) * sizeof *W);
    for (int32_t i = 0; i < group->count; i++) {
        int32_t line = group->contact[i];
        if (matrix->start) {
            for (int32_t at = matrix->start[line]; at < matrix->start[line + 1]; at++) {
                int32_t j = group->local[matrix->column[at]];
                // a block of zeros may lead to another group
                if (j < group->count && group->contact[j] == matrix->column[at])
                    put_block(group, i, j, matrix->value + matrix->offset[at], W);
            }
        } else {
            for (int32_t j = 0; j < group->count; j++) {
                double block[SN_CONTACT_ROWS_MAX * SN_CONTACT_ROWS_MAX];
                if (sni_operator_block(whole, line, group->contact[j], block))
                    put_block(group, i, j, block, W);
            }
        }
        for (int32_t k = 0; k < sni_group_law(group, i)->rows; k++)
            W[(group->first[i] + k) * (n + 1)] += sni_law_compliance(sni_group_law(group, i), k);
    }
}

double sni_group_defect(const sni_group* group, const double* r, const double* u) {
    double sum = 0;
    for (int32_t i = 0; i < group->count; i++) {
        double F[SN_CONTACT_ROWS_MAX];
        int32_t first = group->first[i];
        sni_law_defect(sni_group_law(group, i), group->scale, r + first, u + first, F);
        for (int32_t k = 0; k < sni_group_law(group, i)->rows; k++) sum += F[k] * F[k];
    }
    return sqrt(sum);
}
