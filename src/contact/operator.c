// SPDX-License-Identifier: Apache-2.0
// u = W r where W is blocks, or where it is what bodies do: wrenches C' r on bodies, their response,
// C v at the contacts. The matrix is taken when both are there.
#include "contact/operator.h"
#include "base/hot.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "math/lane4.h"

enum { SIX = 6 };

double sni_law_compliance(const sn_contact_law* law, int32_t row) {
    bool normal_only = law->kind == SN_CONTACT_POINT || law->kind == SN_CONTACT_PATCH;
    return row > 0 && normal_only ? 0 : law->compliance;
}

// ---- bodies -------------------------------------------------------------------------------------------

int32_t sni_bodies_count(const sn_contact_bodies* bodies) {
    return bodies->tree_count ? bodies->tree[bodies->tree_count] : 0;
}

int32_t sni_bodies_tree(const sn_contact_bodies* bodies, int32_t body) {
    if (sni_bodies_count(bodies) == bodies->tree_count) return body; // every body is free
    int32_t low = 0, high = bodies->tree_count;
    while (high - low > 1) {
        int32_t middle = low + (high - low) / 2;
        if (bodies->tree[middle] <= body)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/// One of the two sides of a contact.
typedef struct side {
    int32_t body;    ///< -1: it does not move
    const double* C; ///< rows x 6
} side;

static side side_of(const sn_contact_problem* problem, int32_t i, int which) {
    const sn_contact_bodies* bodies = &problem->bodies;
    ptrdiff_t at = (ptrdiff_t)problem->first[i] * SIX;
    if (which == 0) return (side){bodies->a[i], bodies->C_a + at};
    return (side){bodies->b[i], bodies->C_b + at};
}

/// Velocities f of a tree's bodies under wrenches on them.
static void respond(const sn_contact_bodies* bodies, int32_t tree, const double* f, double* v) {
    int32_t n = SIX * (bodies->tree[tree + 1] - bodies->tree[tree]);
    const double* line = bodies->value + bodies->response[tree];
    for (int32_t i = 0; i < n; i++, line += n) {
        double sum = 0;
        for (int32_t k = 0; k < n; k++) sum += line[k] * f[k];
        v[i] = sum;
    }
}

int64_t sni_operator_scratch(const sn_contact_problem* problem) {
    if (problem->matrix.start) return 0;
    return (int64_t)(SIX + 2 * 4) * sni_bodies_count(&problem->bodies);
}

static void store4(double* to, sni_lane4 x) { memcpy(to, &x, sizeof x); }

/// f += C'r of one side of all contacts, eight numbers a body. Six numbers are two vectors of four: the first four, and the
/// last four. Contacts that follow each other are mostly on one body: its sum is put down when another one comes.
static void add_wrenches(const sn_contact_problem* problem, const int32_t* body, const double* C,
                         const double* r, double* f) {
    sni_lane4 low = sni_lane4_zero(), high = sni_lane4_zero();
    double* sum = NULL;
    for (int32_t i = 0, count = problem->count; i < count; i++) {
        if (body[i] < 0) continue;
        double* of_body = f + (ptrdiff_t)8 * body[i];
        if (of_body != sum) {
            if (sum) store4(sum, low), store4(sum + 4, high);
            low = sni_load4(of_body), high = sni_load4(of_body + 4);
            sum = of_body;
        }
        for (ptrdiff_t k = problem->first[i]; k < problem->first[i + 1]; k++) {
            low += r[k] * sni_load4(C + SIX * k);
            high += r[k] * sni_load4(C + SIX * k + 2);
        }
    }
    if (sum) store4(sum, low), store4(sum + 4, high);
}

SN_HOT void sni_operator_wrenches(const sn_contact_problem* problem, const double* r, double* f) {
    const sn_contact_bodies* bodies = &problem->bodies;
    int32_t count = sni_bodies_count(bodies);
    memset(f, 0, 8 * (size_t)count * sizeof *f);
    add_wrenches(problem, bodies->a, bodies->C_a, r, f);
    add_wrenches(problem, bodies->b, bodies->C_b, r, f);
    for (int32_t k = 0; k < count; k++) { // close up, in place
        double* to = f + (ptrdiff_t)SIX * k;
        const double* from = f + (ptrdiff_t)8 * k;
        for (int c = 0; c < SIX; c++) to[c] = from[c < 4 ? c : c + 2];
    }
}

void sni_operator_spread(const sn_contact_problem* problem, const double* r, double* scratch) {
    if (problem->matrix.start) return;
    const sn_contact_bodies* bodies = &problem->bodies;
    double *v = scratch, *f = scratch + (ptrdiff_t)SIX * sni_bodies_count(bodies);
    sni_operator_wrenches(problem, r, f);
    for (int32_t t = 0; t < bodies->tree_count; t++) {
        ptrdiff_t at = (ptrdiff_t)SIX * bodies->tree[t];
        respond(bodies, t, f + at, v + at);
    }
}

/// out += C v of the contact's bodies.
static void gather(const sn_contact_problem* problem, int32_t i, const double* v, double* out) {
    for (int which = 0; which < 2; which++) {
        side s = side_of(problem, i, which);
        if (s.body < 0) continue;
        const double* v_body = v + (ptrdiff_t)SIX * s.body;
        sni_lane4 low = sni_load4(v_body), high = sni_lane4_make(0, 0, v_body[4], v_body[5]);
        for (int32_t k = 0; k < problem->law[i].rows; k++, s.C += SIX)
            out[k] += sni_sum4(sni_load4(s.C) * low + sni_load4(s.C + 2) * high);
    }
}

/// block += C_i (response of i's body to a wrench on j's) C_j'.
static void add_pair(const sn_contact_problem* problem, int32_t i, side of_i, int32_t j, side of_j,
                     double* block) {
    const sn_contact_bodies* bodies = &problem->bodies;
    int32_t tree = sni_bodies_tree(bodies, of_i.body);
    int32_t first = bodies->tree[tree], n = SIX * (bodies->tree[tree + 1] - first);
    const double* response = bodies->value + bodies->response[tree] +
                             (ptrdiff_t)SIX * (of_i.body - first) * n +
                             (ptrdiff_t)SIX * (of_j.body - first);
    int32_t rows = problem->law[i].rows, columns = problem->law[j].rows;
    for (int32_t k = 0; k < rows; k++) {
        double line[SIX] = {0};
        for (int a = 0; a < SIX; a++)
            for (int c = 0; c < SIX; c++)
                line[c] += of_i.C[k * SIX + a] * response[(ptrdiff_t)a * n + c];
        for (int32_t l = 0; l < columns; l++)
            for (int c = 0; c < SIX; c++) block[k * columns + l] += line[c] * of_j.C[l * SIX + c];
    }
}

static bool bodies_block(const sn_contact_problem* problem, int32_t i, int32_t j, double* block) {
    const sn_contact_bodies* bodies = &problem->bodies;
    bool coupled = false;
    for (int p = 0; p < 2; p++) {
        side of_i = side_of(problem, i, p);
        if (of_i.body < 0) continue;
        int32_t tree = sni_bodies_tree(bodies, of_i.body);
        for (int q = 0; q < 2; q++) {
            side of_j = side_of(problem, j, q);
            if (of_j.body < 0 || sni_bodies_tree(bodies, of_j.body) != tree) continue;
            size_t size = (size_t)(problem->law[i].rows * problem->law[j].rows);
            if (!coupled) memset(block, 0, size * sizeof *block);
            coupled = true;
            add_pair(problem, i, of_i, j, of_j, block);
        }
    }
    return coupled;
}

// ---- matrix -------------------------------------------------------------------------------------------

static bool matrix_block(const sn_contact_problem* problem, int32_t i, int32_t j, double* block) {
    const sn_contact_matrix* W = &problem->matrix;
    int32_t low = W->start[i], high = W->start[i + 1];
    while (low < high) {
        int32_t middle = low + (high - low) / 2;
        if (W->column[middle] < j)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == W->start[i + 1] || W->column[low] != j) return false;
    size_t size = (size_t)(problem->law[i].rows * problem->law[j].rows);
    memcpy(block, W->value + W->offset[low], size * sizeof *block);
    return true;
}

/// out += (line of blocks i) r.
static void matrix_row(const sn_contact_problem* problem, int32_t i, const double* r, double* out) {
    const sn_contact_matrix* W = &problem->matrix;
    int32_t rows = problem->law[i].rows;
    for (int32_t at = W->start[i]; at < W->start[i + 1]; at++) {
        int32_t j = W->column[at], columns = problem->law[j].rows;
        const double* block = W->value + W->offset[at];
        const double* r_j = r + problem->first[j];
        for (int32_t k = 0; k < rows; k++, block += columns)
            for (int32_t l = 0; l < columns; l++) out[k] += block[l] * r_j[l];
    }
}

// ---- either -------------------------------------------------------------------------------------------

void sni_operator_row(const sn_contact_problem* problem, int32_t i, const double* r,
                      const double* scratch, double* out) {
    const sn_contact_law* law = &problem->law[i];
    const double* r_i = r + problem->first[i];
    for (int32_t k = 0; k < law->rows; k++) out[k] = sni_law_compliance(law, k) * r_i[k];
    if (problem->matrix.start)
        matrix_row(problem, i, r, out);
    else
        gather(problem, i, scratch, out);
}

bool sni_operator_block(const sn_contact_problem* problem, int32_t i, int32_t j, double* block) {
    if (problem->matrix.start) return matrix_block(problem, i, j, block);
    return bodies_block(problem, i, j, block);
}

double sni_operator_trace(const sn_contact_problem* problem) {
    double sum = 0;
    for (int32_t i = 0; i < problem->count; i++) {
        double block[SN_CONTACT_ROWS_MAX * SN_CONTACT_ROWS_MAX];
        int32_t rows = problem->law[i].rows;
        bool there = sni_operator_block(problem, i, i, block);
        for (int32_t k = 0; k < rows; k++) {
            sum += sni_law_compliance(&problem->law[i], k);
            if (there) sum += block[k * rows + k];
        }
    }
    return sum;
}

double sni_operator_scale(const sn_contact_problem* problem) {
    double trace = sni_operator_trace(problem);
    return trace > 0 ? trace / sn_contact_rows(problem) : 1;
}

void sn_contact_apply(const sn_contact_problem* problem, const double* r, double* out) {
    int64_t size = sni_operator_scratch(problem);
    double* scratch = size > 0 ? malloc((size_t)size * sizeof *scratch) : NULL;
    bool fits = size == 0 || scratch;
    if (fits) sni_operator_spread(problem, r, scratch);
    for (int32_t i = 0; i < problem->count; i++) {
        double* out_i = out + problem->first[i];
        if (fits)
            sni_operator_row(problem, i, r, scratch, out_i);
        else // no memory: nothing that looks like an answer
            for (int32_t k = 0; k < problem->law[i].rows; k++) out_i[k] = NAN;
    }
    free(scratch);
}

void sn_contact_dense(const sn_contact_problem* problem, double* W) {
    ptrdiff_t n = sn_contact_rows(problem);
    memset(W, 0, (size_t)(n * n) * sizeof *W);
    for (int32_t i = 0; i < problem->count; i++) {
        int32_t rows = problem->law[i].rows;
        double* at = W + problem->first[i] * n;
        for (int32_t j = 0; j < problem->count; j++) {
            double block[SN_CONTACT_ROWS_MAX * SN_CONTACT_ROWS_MAX];
            if (!sni_operator_block(problem, i, j, block)) continue;
            int32_t columns = problem->law[j].rows;
            for (int32_t k = 0; k < rows; k++)
                memcpy(at + k * n + problem->first[j], block + k * columns,
                       (size_t)columns * sizeof *at);
        }
        for (int32_t k = 0; k < rows; k++)
            at[k * n + problem->first[i] + k] += sni_law_compliance(&problem->law[i], k);
    }
}
