// SPDX-License-Identifier: Apache-2.0
// Siconos' global problem of a problem by bodies: v = M^-1 (H r + f), u = H' v + w, with
//   M   the inverse of the bodies' responses, a block a tree
//   H   C' of each contact, a block for each tree that it touches
//   f   zero, w = q: the free velocities are in q already
// Compliance c of a row is a coordinate of its own, with M = 1/c and H = 1: it adds c to W there.
#include <stdlib.h>
#include <string.h>

#include "load/contact_express.h"
#include "load/contact_write.h"
#include "load/dense.h"

// Responses whose inverse would be wrong in its sixth digit or worse are not written so.
static const double SMALLEST_PIVOT = 1e-10;

/// Lines of blocks: a tree each, then a compliant contact each.
typedef struct global_lines {
    int32_t count, trees;
    int32_t* end;     ///< [count] last row of a line, and one
    int32_t* contact; ///< [count] of a compliant contact; -1 of a tree
} global_lines;

typedef struct global_text {
    const sn_contact_problem* problem;
    global_lines lines;
    int32_t* tree_of; ///< [bodies]
    int32_t* columns; ///< [contacts] last column of a contact, and one
} global_text;

static int32_t body_count(const sn_contact_bodies* bodies) {
    return bodies->tree[bodies->tree_count];
}

static void global_free(global_text* g) {
    free(g->lines.end);
    free(g->lines.contact);
    free(g->tree_of);
    free(g->columns);
}

static bool global_make(const sn_contact_problem* problem, global_text* g) {
    const sn_contact_bodies* bodies = &problem->bodies;
    size_t most = (size_t)bodies->tree_count + (size_t)problem->count + 1;
    *g = (global_text){.problem = problem};
    global_lines* lines = &g->lines;
    lines->trees = bodies->tree_count;
    lines->end = malloc(most * sizeof *lines->end);
    lines->contact = malloc(most * sizeof *lines->contact);
    g->tree_of = malloc(((size_t)body_count(bodies) + 1) * sizeof *g->tree_of);
    g->columns = malloc(((size_t)problem->count + 1) * sizeof *g->columns);
    if (!lines->end || !lines->contact || !g->tree_of || !g->columns) return false;
    int32_t rows = 0;
    for (int32_t t = 0; t < bodies->tree_count; t++) {
        for (int32_t b = bodies->tree[t]; b < bodies->tree[t + 1]; b++) g->tree_of[b] = t;
        rows += 6 * (bodies->tree[t + 1] - bodies->tree[t]);
        lines->contact[lines->count] = -1;
        lines->end[lines->count++] = rows;
    }
    for (int32_t i = 0; i < problem->count; i++) {
        g->columns[i] = 3 * (i + 1);
        if (problem->law[i].compliance == 0) continue;
        lines->contact[lines->count] = i;
        lines->end[lines->count++] = ++rows;
    }
    return true;
}

// ---- M ----------------------------------------------------------------------------------------------

/// M as a diagonal of blocks. `value` has room for all of them.
static sn_status fill_M(const global_text* g, int64_t* offset, double* value, double* scratch,
                        sn_error* error) {
    const sn_contact_bodies* bodies = &g->problem->bodies;
    int64_t at = 0;
    for (int32_t l = 0; l < g->lines.count; l++) {
        int32_t n = g->lines.end[l] - (l ? g->lines.end[l - 1] : 0);
        offset[l] = at;
        if (g->lines.contact[l] >= 0) {
            value[at++] = 1 / g->problem->law[g->lines.contact[l]].compliance;
            continue;
        }
        memcpy(scratch, bodies->value + bodies->response[l],
               (size_t)n * (size_t)n * sizeof *scratch);
        memset(value + at, 0, (size_t)n * (size_t)n * sizeof *value);
        for (int32_t i = 0; i < n; i++) value[at + (int64_t)i * n + i] = 1;
        if (!sni_dense_solve(n, scratch, n, value + at, SMALLEST_PIVOT))
            return sni_fail(
                error, SN_ERR_NUMERIC, sni_nowhere(),
                "the response of tree %d (bodies %d to %d) has no inverse, so there is no "
                "global problem; write a local one",
                (int)l, (int)bodies->tree[l], (int)bodies->tree[l + 1] - 1);
        at += (int64_t)n * n;
    }
    return SN_OK;
}

static sn_status put_M(sni_text* out, const global_text* g, sn_error* error) {
    size_t count = (size_t)g->lines.count, numbers = 0, largest = 0;
    for (int32_t l = 0; l < g->lines.count; l++) {
        size_t n = (size_t)(g->lines.end[l] - (l ? g->lines.end[l - 1] : 0));
        numbers += n * n;
        if (n * n > largest) largest = n * n;
    }
    int64_t *start = malloc((count + 1) * sizeof *start),
            *offset = malloc((count + 1) * sizeof *offset);
    int32_t* column = malloc((count + 1) * sizeof *column);
    double *value = malloc((numbers + 1) * sizeof *value),
           *scratch = malloc((largest + 1) * sizeof *scratch);
    sn_status status = SN_OK;
    if (!start || !offset || !column || !value || !scratch)
        status = sni_fail(error, SN_ERR_MEMORY, sni_nowhere(), "not enough memory");
    if (!status) status = fill_M(g, offset, value, scratch, error);
    if (!status) {
        for (int32_t l = 0; l < g->lines.count; l++) start[l] = column[l] = l;
        start[count] = (int64_t)count;
        sni_block_matrix M = {g->lines.count, g->lines.count, g->lines.end,
                              g->lines.end,   (int64_t)count, start,
                              column,         offset,         value};
        sni_put_block_matrix(out, &M);
    }
    free(start);
    free(offset);
    free(column);
    free(value);
    free(scratch);
    return status;
}

// ---- H ----------------------------------------------------------------------------------------------

/// Adds C' of one body to the block of its tree, 6k x 3.
static void add_body(const global_text* g, int32_t contact, int32_t body, const double* C,
                     double* block) {
    const sn_contact_problem* problem = g->problem;
    int32_t first = 6 * (body - problem->bodies.tree[g->tree_of[body]]);
    const double* rows = C + 6 * (int64_t)problem->first[contact];
    for (int32_t r = 0; r < problem->law[contact].rows; r++)
        for (int32_t k = 0; k < 6; k++)
            block[3 * (int64_t)(first + k) + r] += rows[6 * (int64_t)r + k];
}

static bool touches(const global_text* g, int32_t contact, int32_t line) {
    if (line >= g->lines.trees) return g->lines.contact[line] == contact;
    int32_t a = g->problem->bodies.a[contact], b = g->problem->bodies.b[contact];
    return (a >= 0 && g->tree_of[a] == line) || (b >= 0 && g->tree_of[b] == line);
}

static void fill_block(const global_text* g, int32_t contact, int32_t line, double* block) {
    const sn_contact_bodies* bodies = &g->problem->bodies;
    int32_t a = bodies->a[contact], b = bodies->b[contact];
    if (line >= g->lines.trees) {
        block[0] = 1; // the normal row, or the only one
        return;
    }
    if (a >= 0 && g->tree_of[a] == line) add_body(g, contact, a, bodies->C_a, block);
    if (b >= 0 && g->tree_of[b] == line) add_body(g, contact, b, bodies->C_b, block);
}

/// H as a matrix of blocks; counts them first. A block has at most as many numbers as 3 columns of H.
typedef struct H_blocks {
    int64_t count, numbers;
    int64_t *start, *offset;
    int32_t* column;
    double* value;
} H_blocks;

/// Contacts by lines: two passes over the same loops, the first of which only counts.
static void fill_H(const global_text* g, H_blocks* H) {
    H->count = H->numbers = 0;
    for (int32_t l = 0; l < g->lines.count; l++) {
        int32_t n = g->lines.end[l] - (l ? g->lines.end[l - 1] : 0);
        if (H->start) H->start[l] = H->count;
        for (int32_t i = 0; i < g->problem->count; i++) {
            if (!touches(g, i, l)) continue;
            if (H->value) {
                H->offset[H->count] = H->numbers;
                H->column[H->count] = i;
                fill_block(g, i, l, H->value + H->numbers);
            }
            H->count += 1;
            H->numbers += 3 * (int64_t)n;
        }
    }
    if (H->start) H->start[g->lines.count] = H->count;
}

static sn_status put_H(sni_text* out, const global_text* g, sn_error* error) {
    H_blocks H = {0};
    sn_status status = SN_OK;
    fill_H(g, &H);
    H.start = malloc(((size_t)g->lines.count + 1) * sizeof *H.start);
    H.offset = malloc(((size_t)H.count + 1) * sizeof *H.offset);
    H.column = malloc(((size_t)H.count + 1) * sizeof *H.column);
    H.value = calloc((size_t)H.numbers + 1, sizeof *H.value);
    if (!H.start || !H.offset || !H.column || !H.value) {
        status = sni_fail(error, SN_ERR_MEMORY, sni_nowhere(), "not enough memory");
    } else {
        fill_H(g, &H);
        sni_block_matrix blocks = {g->lines.count, g->problem->count, g->lines.end,
                                   g->columns,     H.count,           H.start,
                                   H.column,       H.offset,          H.value};
        sni_put_block_matrix(out, &blocks);
    }
    free(H.start);
    free(H.offset);
    free(H.column);
    free(H.value);
    return status;
}

// ---- all of it --------------------------------------------------------------------------------------

static void put_vectors(sni_text* out, const global_text* g) {
    const sn_contact_problem* problem = g->problem;
    for (int32_t i = 0; i < g->lines.end[g->lines.count - 1]; i++) sni_text_add(out, "0 ");
    sni_text_add(out, "\n");
    for (int32_t i = 0; i < problem->count; i++) {
        double w[3] = {0, 0, 0};
        memcpy(w, problem->q + problem->first[i], (size_t)problem->law[i].rows * sizeof *w);
        sni_put_line(out, 3, w);
    }
    for (int32_t i = 0; i < problem->count; i++) {
        sni_text_number(out, problem->law[i].kind == SN_CONTACT_POINT ? problem->law[i].mu : 0);
        sni_text_add(out, " ");
    }
    sni_text_add(out, "\n");
}

sn_status sni_put_global(sni_text* out, const sn_contact_problem* problem, sn_error* error) {
    if (problem->bodies.tree_count == 0)
        return sni_fail(
            error, SN_ERR_ARGUMENT, sni_nowhere(),
            "the problem is not by bodies, so there is no global one; write a local one");
    if (problem->count == 0)
        return sni_fail(error, SN_ERR_ARGUMENT, sni_nowhere(),
                        "the problem has no contact; Siconos' files need one");
    sn_status status = sni_express_check(problem, false, error);
    if (status) return status;
    global_text g;
    if (!global_make(problem, &g))
        status = sni_fail(error, SN_ERR_MEMORY, sni_nowhere(), "not enough memory");
    if (!status) {
        sni_text_add(out, "3\n%d\n", (int)problem->count);
        status = put_M(out, &g, error);
    }
    if (!status) status = put_H(out, &g, error);
    if (!status) put_vectors(out, &g);
    global_free(&g);
    return status;
}
