// SPDX-License-Identifier: Apache-2.0
// W = H' M^-1 H and q = H' M^-1 f + w. M falls into parts that do not know each other (one for each body,
// in most files), which keeps everything small: each part is factored dense, with row pivots, because M
// need not be symmetric.
#include <float.h>
#include <stdlib.h>
#include <string.h>

#include "load/contact_parts.h"
#include "load/dense.h"

// What a part, and W, may grow to: 128 MB for each dense array, 320 MB of blocks. A small file can
// describe a full W of any size.
static const int64_t DENSE_MOST = (int64_t)1 << 24;
static const int64_t BLOCKS_MOST = (int64_t)1 << 22;

/// Coordinates of M in parts, and the lines of M and H.
typedef struct split {
    int32_t n, parts;
    int32_t* parent;          ///< [n] union-find; then the number of the coordinate's part
    int32_t* start;           ///< [parts + 1] into coordinate
    int32_t* coordinate;      ///< [n] those of a part together, increasing
    int32_t* place;           ///< [n] where a coordinate stands in its part
    int64_t *M_line, *H_line; ///< [n + 1] first entry of a line
    int32_t* local;           ///< [contacts] number in the part being worked on, or -1
    int32_t* contact;         ///< [contacts] of the part being worked on
} split;

/// One part, dense.
typedef struct part {
    int32_t k, contacts, width; ///< coordinates; contacts it feels; columns of X
    double* A;                  ///< k x k
    double* X;                  ///< k x width: M^-1 (H, f)
    double* W;                  ///< 3 contacts x 3 contacts
} part;

static void split_free(split* s) {
    free(s->parent);
    free(s->start);
    free(s->coordinate);
    free(s->place);
    free(s->M_line);
    free(s->H_line);
    free(s->local);
    free(s->contact);
}

static int32_t find_root(int32_t* parent, int32_t i) {
    while (parent[i] != i) {
        parent[i] = parent[parent[i]];
        i = parent[i];
    }
    return i;
}

static void find_lines(const sni_entries* A, int64_t* line) {
    int64_t at = 0;
    for (int32_t row = 0; row <= A->rows; row++) {
        while (at < A->count && A->at[at].row < row) at++;
        line[row] = at;
    }
}

/// Numbers the parts in the order of their first coordinates.
static void number_parts(split* s) {
    for (int32_t i = 0; i < s->n; i++) {
        int32_t root = find_root(s->parent, i);
        s->place[i] = root == i ? s->parts++ : s->place[root]; // roots come first: the smaller wins
    }
    memcpy(s->parent, s->place, (size_t)s->n * sizeof *s->parent);
    for (int32_t i = 0; i < s->n; i++) s->start[s->parent[i] + 1] += 1;
    for (int32_t p = 0; p < s->parts; p++) s->start[p + 1] += s->start[p];
    for (int32_t i = 0; i < s->n; i++) { // moves each start to the next part's
        int32_t* next = &s->start[s->parent[i]];
        s->coordinate[(*next)++] = i;
    }
    memmove(s->start + 1, s->start, (size_t)s->parts * sizeof *s->start);
    s->start[0] = 0;
    for (int32_t p = 0; p < s->parts; p++)
        for (int32_t j = s->start[p]; j < s->start[p + 1]; j++)
            s->place[s->coordinate[j]] = j - s->start[p];
}

static bool split_make(const sni_global* g, split* s) {
    size_t n = (size_t)g->M.rows, contacts = (size_t)g->H.columns / 3;
    *s = (split){.n = g->M.rows};
    s->parent = malloc((n + 1) * sizeof *s->parent);
    s->start = calloc(n + 2, sizeof *s->start);
    s->coordinate = malloc((n + 1) * sizeof *s->coordinate);
    s->place = malloc((n + 1) * sizeof *s->place);
    s->M_line = malloc((n + 2) * sizeof *s->M_line);
    s->H_line = malloc((n + 2) * sizeof *s->H_line);
    s->local = malloc((contacts + 1) * sizeof *s->local);
    s->contact = malloc((contacts + 1) * sizeof *s->contact);
    if (!s->parent || !s->start || !s->coordinate || !s->place || !s->M_line || !s->H_line ||
        !s->local || !s->contact)
        return false;
    for (int32_t i = 0; i < s->n; i++) s->parent[i] = i;
    for (int64_t k = 0; k < g->M.count; k++) {
        if (g->M.at[k].value == 0) continue;
        int32_t a = find_root(s->parent, g->M.at[k].row);
        int32_t b = find_root(s->parent, g->M.at[k].column);
        s->parent[a > b ? a : b] = a < b ? a : b;
    }
    for (size_t i = 0; i < contacts; i++) s->local[i] = -1;
    number_parts(s);
    find_lines(&g->M, s->M_line);
    find_lines(&g->H, s->H_line);
    return true;
}

// ---- one part ---------------------------------------------------------------------------------------

static void part_free(part* p) {
    free(p->A);
    free(p->X);
    free(p->W);
    *p = (part){0};
}

static void find_contacts(const sni_global* g, split* s, const int32_t* coordinate, part* p) {
    for (int32_t i = 0; i < p->k; i++) {
        for (int64_t e = s->H_line[coordinate[i]]; e < s->H_line[coordinate[i] + 1]; e++) {
            int32_t contact = g->H.at[e].column / 3;
            if (s->local[contact] >= 0) continue;
            s->local[contact] = p->contacts;
            s->contact[p->contacts++] = contact;
        }
    }
}

static bool part_take(part* p) {
    size_t k = (size_t)p->k, rows = 3 * (size_t)p->contacts;
    p->width = 3 * p->contacts + 1;
    p->A = calloc(k * k, sizeof *p->A);
    p->X = calloc(k * (rows + 1), sizeof *p->X);
    p->W = calloc(rows * rows, sizeof *p->W);
    return p->A && p->X && p->W;
}

static void part_fill(const sni_global* g, const split* s, const int32_t* coordinate, part* p) {
    for (int32_t i = 0; i < p->k; i++) {
        int32_t row = coordinate[i];
        double *A = p->A + (size_t)i * (size_t)p->k, *X = p->X + (size_t)i * (size_t)p->width;
        for (int64_t e = s->M_line[row]; e < s->M_line[row + 1]; e++) {
            if (g->M.at[e].value == 0) continue; // may lie in another part
            A[s->place[g->M.at[e].column]] = g->M.at[e].value;
        }
        for (int64_t e = s->H_line[row]; e < s->H_line[row + 1]; e++) {
            int32_t column = g->H.at[e].column;
            X[3 * s->local[column / 3] + column % 3] = g->H.at[e].value;
        }
        X[p->width - 1] = g->f[row];
    }
}

/// W += H' X, q += H' M^-1 f, of the contacts that the part feels.
static bool part_gather(const sni_global* g, const split* s, const int32_t* coordinate, part* p,
                        sni_points* points) {
    size_t rows = 3 * (size_t)p->contacts;
    for (int32_t i = 0; i < p->k; i++) {
        const double* X = p->X + (size_t)i * (size_t)p->width;
        for (int64_t e = s->H_line[coordinate[i]]; e < s->H_line[coordinate[i] + 1]; e++) {
            int32_t column = g->H.at[e].column;
            double h = g->H.at[e].value;
            double* W = p->W + (size_t)(3 * s->local[column / 3] + column % 3) * rows;
            for (size_t j = 0; j < rows; j++) W[j] += h * X[j];
            points->q[column] += h * X[rows];
        }
    }
    for (int32_t i = 0; i < p->contacts; i++) {
        for (int32_t j = 0; j < p->contacts; j++) {
            sni_block block = {s->contact[i], s->contact[j], {0}};
            for (size_t r = 0; r < 3; r++)
                memcpy(block.value + 3 * r, p->W + (3 * (size_t)i + r) * rows + 3 * (size_t)j,
                       3 * sizeof *block.value);
            if (!sni_blocks_add(&points->blocks, &block)) return false;
        }
    }
    return true;
}

static sn_status fail_at(const sni_scan* scan, sn_status status, const char* text) {
    sn_place place = {scan->file, 0, 0};
    return sni_fail(scan->error, status, place, "%s", text);
}

static sn_status reduce_part(const sni_global* g, const sni_scan* scan, split* s, int32_t number,
                             sni_points* points) {
    const int32_t* coordinate = s->coordinate + s->start[number];
    part p = {.k = s->start[number + 1] - s->start[number]};
    sn_status status = SN_OK;
    find_contacts(g, s, coordinate, &p);
    int64_t k = p.k, rows = 3 * (int64_t)p.contacts;
    if (p.contacts == 0) return SN_OK; // moves, but touches nothing
    if (k * k > DENSE_MOST || k * (rows + 1) > DENSE_MOST || rows * rows > DENSE_MOST ||
        points->blocks.count + (rows / 3) * (rows / 3) > BLOCKS_MOST)
        status =
            fail_at(scan, SN_ERR_CAPACITY,
                    "the global problem is too large to be reduced to contacts here; write it as "
                    "a local problem");
    else if (!part_take(&p))
        status = sni_scan_no_memory(scan);
    if (!status) part_fill(g, s, coordinate, &p);
    if (!status && !sni_dense_solve(p.k, p.A, p.width, p.X, p.k * DBL_EPSILON)) {
        sn_place place = {scan->file, 0, 0};
        status =
            sni_fail(scan->error, SN_ERR_NUMERIC, place,
                     "M: expected a matrix that has an inverse, found it singular in the part of "
                     "row %d",
                     (int)coordinate[0]);
    }
    if (!status && !part_gather(g, s, coordinate, &p, points)) status = sni_scan_no_memory(scan);
    for (int32_t i = 0; i < p.contacts; i++) s->local[s->contact[i]] = -1;
    part_free(&p);
    return status;
}

static bool all_finite(const sni_points* points) {
    double sum = 0; // 0 x is NaN when x is not finite
    for (int64_t i = 0; i < 3 * (int64_t)points->count; i++) sum += 0 * points->q[i];
    for (int64_t i = 0; i < points->blocks.count; i++)
        for (int k = 0; k < 9; k++) sum += 0 * points->blocks.at[i].value[k];
    return sum == 0;
}

sn_status sni_global_reduce(const sni_global* global, const sni_scan* scan, sni_points* points) {
    split s;
    sn_status status = split_make(global, &s) ? SN_OK : sni_scan_no_memory(scan);
    memcpy(points->q, global->w, 3 * (size_t)points->count * sizeof *points->q);
    for (int32_t p = 0; p < s.parts && !status; p++)
        status = reduce_part(global, scan, &s, p, points);
    split_free(&s);
    if (!status && !sni_blocks_sum(&points->blocks)) status = sni_scan_no_memory(scan);
    if (!status && !all_finite(points))
        status = fail_at(scan, SN_ERR_NUMERIC,
                         "reduced to contacts, numbers are too large for a double; look at M");
    return status;
}
