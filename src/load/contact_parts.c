// SPDX-License-Identifier: Apache-2.0
#include "load/contact_parts.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"

// ---- lists that grow --------------------------------------------------------------------------------

/// Room for one more of `size` bytes; NULL without memory, and the list stays as it was.
static void* grown(void* at, int64_t count, int64_t* capacity, size_t size) {
    if (count < *capacity) return at;
    int64_t larger = *capacity ? 2 * *capacity : 64;
    void* memory = realloc(at, (size_t)larger * size);
    if (memory) *capacity = larger;
    return memory;
}

bool sni_entries_add(sni_entries* entries, sni_entry entry) {
    sni_entry* at = grown(entries->at, entries->count, &entries->capacity, sizeof *at);
    if (!at) return false;
    entries->at = at;
    at[entries->count++] = entry;
    return true;
}

bool sni_blocks_add(sni_blocks* blocks, const sni_block* block) {
    sni_block* at = grown(blocks->at, blocks->count, &blocks->capacity, sizeof *at);
    if (!at) return false;
    blocks->at = at;
    at[blocks->count++] = *block;
    return true;
}

// ---- order ------------------------------------------------------------------------------------------

static int order_of(int32_t a, int32_t b) { return (a > b) - (a < b); }

/// By row, then column, then line.
static int compare_entries(const void* left, const void* right) {
    const sni_entry *a = left, *b = right;
    int order = order_of(a->row, b->row);
    if (!order) order = order_of(a->column, b->column);
    return order ? order : order_of(a->line, b->line);
}

static int compare_entries_by_3(const void* left, const void* right) {
    const sni_entry *a = left, *b = right;
    int order = order_of(a->row / 3, b->row / 3);
    if (!order) order = order_of(a->column / 3, b->column / 3);
    return order ? order : compare_entries(left, right);
}

sn_status sni_entries_sort(sni_entries* entries, int32_t block, const sni_scan* scan,
                           const char* name) {
    if (entries->count < 2) return SN_OK;
    qsort(entries->at, (size_t)entries->count, sizeof *entries->at,
          block == 3 ? compare_entries_by_3 : compare_entries);
    for (int64_t i = 1; i < entries->count; i++) {
        const sni_entry *a = &entries->at[i - 1], *b = &entries->at[i];
        if (a->row != b->row || a->column != b->column) continue;
        sni_scan there = *scan;
        there.line = b->line;
        return sni_scan_fail(
            &there, "%s: row %d, column %d: expected each place once, found it in line %d already",
            name, (int)b->row, (int)b->column, (int)a->line);
    }
    return SN_OK;
}

static int compare_blocks(const void* left, const void* right) {
    const sni_block *a = left, *b = right;
    int order = order_of(a->row, b->row);
    return order ? order : order_of(a->column, b->column);
}

/// Merge sort: unlike qsort it keeps the order of equals, so sums do not depend on the C library.
static void sort_stably(sni_block* at, sni_block* scratch, int64_t count) {
    if (count < 2) return;
    int64_t half = count / 2, i = 0, k = half, n = 0;
    sort_stably(at, scratch, half);
    sort_stably(at + half, scratch + half, count - half);
    while (i < half || k < count) {
        bool first = k == count || (i < half && compare_blocks(&at[i], &at[k]) <= 0);
        scratch[n++] = first ? at[i++] : at[k++];
    }
    memcpy(at, scratch, (size_t)count * sizeof *at);
}

bool sni_blocks_sum(sni_blocks* blocks) {
    if (blocks->count == 0) return true;
    sni_block* scratch = malloc((size_t)blocks->count * sizeof *scratch);
    if (!scratch) return false;
    sort_stably(blocks->at, scratch, blocks->count);
    free(scratch);
    int64_t last = 0;
    for (int64_t i = 1; i < blocks->count; i++) {
        const sni_block* block = &blocks->at[i];
        if (compare_blocks(&blocks->at[last], block) == 0)
            for (int k = 0; k < 9; k++) blocks->at[last].value[k] += block->value[k];
        else
            blocks->at[++last] = *block;
    }
    blocks->count = last + 1;
    return true;
}

bool sni_blocks_from_entries(sni_blocks* blocks, const sni_entries* entries) {
    sni_block block = {-1, -1, {0}};
    for (int64_t i = 0; i < entries->count; i++) {
        const sni_entry* entry = &entries->at[i];
        if (entry->row / 3 != block.row || entry->column / 3 != block.column) {
            if (block.row >= 0 && !sni_blocks_add(blocks, &block)) return false;
            block = (sni_block){entry->row / 3, entry->column / 3, {0}};
        }
        block.value[3 * (entry->row % 3) + entry->column % 3] = entry->value;
    }
    return block.row < 0 || sni_blocks_add(blocks, &block);
}

// ---- points -----------------------------------------------------------------------------------------

bool sni_points_take(sni_points* points, int32_t count) {
    points->count = count;
    points->mu = calloc((size_t)count + 1, sizeof *points->mu);
    points->q = calloc(3 * (size_t)count + 1, sizeof *points->q);
    return points->mu && points->q;
}

void sni_points_free(sni_points* points) {
    free(points->mu);
    free(points->q);
    free(points->blocks.at);
    *points = (sni_points){0};
}

sn_status sni_points_scan_mu(sni_points* points, sni_scan* scan) {
    for (int32_t i = 0; i < points->count; i++) {
        sn_status status = sni_scan_number(scan, "mu", i, &points->mu[i]);
        if (status) return status;
        if (points->mu[i] < 0)
            return sni_scan_fail(scan,
                                 "mu[%d]: expected a coefficient of friction of at least 0, found "
                                 "%g",
                                 (int)i, points->mu[i]);
    }
    return SN_OK;
}

/// What sn_contact_problem_free frees: the problem comes first.
typedef struct owner {
    sn_contact_problem problem;
    sni_arena arena; ///< of all the arrays
    sn_contact_law* law;
    int32_t *first, *start, *column;
    int64_t* offset;
    double *q, *value;
} owner;

static void layout(owner* o, size_t contacts, size_t blocks, sni_arena* arena) {
    o->law = SN_ARENA_ARRAY(arena, sn_contact_law, contacts);
    o->first = SN_ARENA_ARRAY(arena, int32_t, contacts + 1);
    o->start = SN_ARENA_ARRAY(arena, int32_t, contacts + 1);
    o->column = SN_ARENA_ARRAY(arena, int32_t, blocks);
    o->offset = SN_ARENA_ARRAY(arena, int64_t, blocks);
    o->q = SN_ARENA_ARRAY(arena, double, 3 * contacts);
    o->value = SN_ARENA_ARRAY(arena, double, 9 * blocks);
}

static bool is_zero(const sni_block* block) {
    for (int k = 0; k < 9; k++)
        if (block->value[k] != 0) return false;
    return true;
}

/// Blocks of W as a matrix, without those that are zero, but with all on the diagonal.
static void put_blocks(owner* o, const sni_points* points) {
    int64_t from = 0;
    int32_t count = 0;
    for (int32_t row = 0; row < points->count; row++) {
        bool diagonal = false;
        o->start[row] = count;
        for (; from < points->blocks.count && points->blocks.at[from].row == row; from++) {
            const sni_block* block = &points->blocks.at[from];
            if (!diagonal && block->column > row) { // is missing in the file: zero
                diagonal = true;
                o->column[count++] = row;
            }
            diagonal = diagonal || block->column == row;
            if (block->column != row && is_zero(block)) continue;
            memcpy(o->value + 9 * (size_t)count, block->value, sizeof block->value);
            o->column[count++] = block->column;
        }
        if (!diagonal) o->column[count++] = row;
    }
    o->start[points->count] = count;
    for (int32_t k = 0; k < count; k++) o->offset[k] = 9 * (int64_t)k;
}

sn_status sni_points_to_problem(const sni_points* points, sn_contact_problem** problem) {
    size_t n = (size_t)points->count, blocks = (size_t)points->blocks.count + n;
    owner* o = calloc(1, sizeof *o);
    if (!o) return SN_ERR_MEMORY;
    layout(o, n, blocks, &o->arena);
    if (blocks > INT32_MAX || !sni_arena_allocate(&o->arena)) {
        free(o);
        return SN_ERR_MEMORY;
    }
    layout(o, n, blocks, &o->arena);
    for (size_t i = 0; i < n; i++) {
        o->law[i] = sn_contact_law_make(SN_CONTACT_POINT);
        o->law[i].mu = o->law[i].mu_kinetic = points->mu[i];
        o->first[i + 1] = (int32_t)(3 * (i + 1));
    }
    memcpy(o->q, points->q, 3 * n * sizeof *o->q);
    put_blocks(o, points);
    o->problem = (sn_contact_problem){.count = points->count,
                                      .law = o->law,
                                      .first = o->first,
                                      .q = o->q,
                                      .matrix = {o->start, o->column, o->offset, o->value}};
    *problem = &o->problem;
    return SN_OK;
}

void sn_contact_problem_free(sn_contact_problem* problem) {
    owner* o = (owner*)problem;
    if (!o) return;
    sni_arena_free(&o->arena);
    free(o);
}
