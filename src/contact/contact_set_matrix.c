// SPDX-License-Identifier: Apache-2.0
// W of a contact set as a matrix: a block for every two contacts that touch one tree.
#include "contact/contact_set.h"
#include "contact/operator.h"

/// Trees of an entry's two sides, the smaller first; the same twice where there is one. Returns how many.
static int trees_of(const sn_contact_problem* p, int32_t i, int32_t tree[2]) {
    int32_t a = p->bodies.a[i], b = p->bodies.b[i];
    int32_t t_a = a < 0 ? -1 : sni_bodies_tree(&p->bodies, a);
    int32_t t_b = b < 0 ? -1 : sni_bodies_tree(&p->bodies, b);
    tree[0] = t_a < 0 ? t_b : t_a;
    tree[1] = t_b < 0 ? t_a : t_b;
    if (tree[0] > tree[1]) {
        int32_t larger = tree[0];
        tree[0] = tree[1], tree[1] = larger;
    }
    return tree[0] == tree[1] ? 1 : 2;
}

/// Entries of each tree, in order.
static void list_by_tree(sn_contact_set* set) {
    const sn_contact_problem* p = &set->problem;
    int32_t *start = set->of_tree_start, trees = p->bodies.tree_count, tree[2];
    for (int32_t t = 0; t <= trees; t++) start[t] = 0;
    for (int32_t i = 0; i < p->count; i++)
        for (int k = trees_of(p, i, tree); k > 0; k--) start[tree[k - 1]]++;
    int32_t sum = 0;
    for (int32_t t = 0; t <= trees; t++) {
        sum += start[t];
        start[t] = sum; // its end; filled from behind
    }
    for (int32_t i = p->count - 1; i >= 0; i--)
        for (int k = trees_of(p, i, tree); k > 0; k--) set->of_tree[--start[tree[k - 1]]] = i;
}

/// Appends the block of entries i and j; false when there is no room.
static bool append(sn_contact_set* set, int32_t i, int32_t j, int64_t* block, int64_t* number) {
    if (*block == set->block_most) return false;
    set->block_column[*block] = j;
    set->block_offset[*block] = *number;
    if (sni_operator_block(&set->problem, i, j, set->block_value + *number)) {
        *number += (int64_t)set->problem.law[i].rows * set->problem.law[j].rows;
        ++*block;
    }
    return true;
}

/// The line of entry i: its trees' lists, merged.
static bool append_line(sn_contact_set* set, int32_t i, int64_t* block, int64_t* number) {
    int32_t tree[2];
    trees_of(&set->problem, i, tree);
    int32_t at[2], end[2];
    for (int k = 0; k < 2; k++) {
        at[k] = set->of_tree_start[tree[k]];
        end[k] = set->of_tree_start[tree[k] + 1];
    }
    while (at[0] < end[0] || at[1] < end[1]) {
        int32_t j = at[0] < end[0] ? set->of_tree[at[0]] : INT32_MAX;
        if (at[1] < end[1] && set->of_tree[at[1]] < j) j = set->of_tree[at[1]];
        if (!append(set, i, j, block, number)) return false;
        for (int k = 0; k < 2; k++)
            if (at[k] < end[k] && set->of_tree[at[k]] == j) at[k]++;
    }
    return true;
}

sn_status sn_contact_set_make_matrix(sn_contact_set* set, sn_error* error) {
    sn_contact_problem* p = &set->problem;
    p->matrix = (sn_contact_matrix){0};
    if (p->count == 0) return SN_OK;
    if (set->block_most > 0) list_by_tree(set);
    int64_t block = 0, number = 0;
    for (int32_t i = 0; i < p->count; i++) {
        if (set->block_most > 0) set->block_start[i] = (int32_t)block;
        if (set->block_most == 0 || !append_line(set, i, &block, &number))
            return sni_fail(error, SN_ERR_CAPACITY, sni_nowhere(),
                            "W of %d contacts takes more than %lld blocks", p->count,
                            (long long)set->block_most);
    }
    set->block_start[p->count] = (int32_t)block;
    p->matrix = (sn_contact_matrix){set->block_start, set->block_column, set->block_offset,
                                    set->block_value};
    return SN_OK;
}
