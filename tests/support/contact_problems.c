// SPDX-License-Identifier: Apache-2.0
#include "support/contact_problems.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"

enum { SIX = 6, TREE_BODIES_MOST = 3 };

static double uniform(sni_rng* rng, double low, double high) {
    return sni_rng_uniform(rng, low, high);
}

static void* take(size_t count, size_t size) {
    void* at = calloc(count ? count : 1, size);
    if (!at) abort();
    return at;
}
#define TAKE(type, count) ((type*)take((size_t)(count), sizeof(type)))

void contact_case_free(contact_case* c) {
    if (!c) return;
    free(c->law), free(c->first), free(c->id), free(c->q);
    free(c->tree), free(c->a), free(c->b), free(c->response), free(c->response_value);
    free(c->C_a), free(c->C_b), free(c->v_free);
    free(c->start), free(c->column), free(c->offset), free(c->value);
    free(c->r), free(c->u);
    free(c);
}

/// Contacts with their laws; everything else zero. Room for `rows_most` rows and `bodies` free bodies.
static contact_case* begin(uint64_t seed, int32_t count, int32_t rows_most, int32_t trees,
                           int32_t bodies_most) {
    contact_case* c = TAKE(contact_case, 1);
    c->seed = seed;
    c->count = count;
    c->law = TAKE(sn_contact_law, count);
    c->first = TAKE(int32_t, count + 1);
    c->id = TAKE(uint64_t, count);
    c->q = TAKE(double, rows_most);
    c->r = TAKE(double, rows_most);
    c->u = TAKE(double, rows_most);
    for (int32_t i = 0; i < count; i++) c->id[i] = (uint64_t)i + 1;
    if (trees > 0) {
        size_t k = SIX * (size_t)(bodies_most / trees + 1);
        c->tree = TAKE(int32_t, trees + 1);
        c->response = TAKE(int64_t, trees + 1);
        c->response_value = TAKE(double, (size_t)trees* k* k);
        c->a = TAKE(int32_t, count);
        c->b = TAKE(int32_t, count);
        c->C_a = TAKE(double, SIX* rows_most);
        c->C_b = TAKE(double, SIX* rows_most);
        c->v_free = TAKE(double, SIX* bodies_most);
        c->p.bodies = (sn_contact_bodies){trees, c->tree, c->response, c->response_value,
                                          c->a,  c->b,    c->C_a,      c->C_b};
    }
    return c;
}

static contact_case* finish(contact_case* c) {
    c->rows = c->first[c->count];
    c->p.count = c->count;
    c->p.law = c->law;
    c->p.first = c->first;
    c->p.id = c->id;
    c->p.q = c->q;
    for (int32_t i = 0; c->a && i < c->count; i++) {
        for (int32_t k = c->first[i]; k < c->first[i + 1]; k++) {
            c->q[k] = 0;
            for (int s = 0; s < SIX; s++) {
                if (c->a[i] >= 0) c->q[k] += c->C_a[SIX * k + s] * c->v_free[SIX * c->a[i] + s];
                if (c->b[i] >= 0) c->q[k] += c->C_b[SIX * k + s] * c->v_free[SIX * c->b[i] + s];
            }
        }
    }
    return c;
}

void contact_set_mu(contact_case* c, double mu) {
    for (int32_t i = 0; i < c->count; i++) c->law[i].mu = c->law[i].mu_kinetic = mu;
}

/// The law of contact i, whose rows start where those of the last end.
static sn_contact_law* add_law(contact_case* c, int32_t i, sn_contact_kind kind, int32_t rows,
                               double mu) {
    c->law[i] = sn_contact_law_make(kind);
    if (kind == SN_CONTACT_EQUAL) c->law[i].rows = rows;
    c->law[i].mu = c->law[i].mu_kinetic = mu;
    c->first[i + 1] = c->first[i] + c->law[i].rows;
    return &c->law[i];
}

// ---- geometry -------------------------------------------------------------------------------------------

static void cross(const double a[3], const double b[3], double out[3]) {
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

static void normalise(double x[3]) {
    double length = sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]);
    for (int k = 0; k < 3; k++) x[k] /= length;
}

/// Axes n, t1, t2 with n within `tilt` of z.
static void random_frame(sni_rng* rng, double tilt, double axis[3][3]) {
    double any[3] = {uniform(rng, -1, 1), uniform(rng, -1, 1), uniform(rng, 2, 3)};
    axis[0][0] = uniform(rng, -tilt, tilt);
    axis[0][1] = uniform(rng, -tilt, tilt);
    axis[0][2] = 1;
    normalise(axis[0]);
    any[0] += 3; // not along n
    cross(axis[0], any, axis[1]);
    normalise(axis[1]);
    cross(axis[0], axis[1], axis[2]);
}

/// Rows of a body at arm p: velocity along the axes, and turning about them when there are six.
static void body_rows(double axis[3][3], const double p[3], double sign, int32_t rows, double* C) {
    memset(C, 0, (size_t)(SIX * rows) * sizeof *C);
    for (int k = 0; k < 3; k++) {
        double moment[3];
        cross(p, axis[k], moment);
        for (int s = 0; s < 3; s++) {
            C[SIX * k + s] = sign * moment[s];
            C[SIX * k + 3 + s] = sign * axis[k][s];
            if (rows == SIX) C[SIX * (3 + k) + s] = sign * axis[k][s];
        }
    }
}

static void free_box(contact_case* c, int32_t tree, const double half[3], double mass) {
    double* response = c->response_value + (ptrdiff_t)36 * tree;
    memset(response, 0, 36 * sizeof *response);
    for (int k = 0; k < 3; k++) {
        double a = half[(k + 1) % 3], b = half[(k + 2) % 3];
        response[k * 7] = 3 / (mass * (a * a + b * b));
        response[(3 + k) * 7] = 1 / mass;
    }
    c->tree[tree + 1] = tree + 1;
    c->response[tree + 1] = (int64_t)36 * (tree + 1);
}

static void random_motion(contact_case* c, sni_rng* rng, int32_t body, double speed) {
    double* v = c->v_free + SIX * body;
    for (int k = 0; k < SIX; k++) v[k] = uniform(rng, -speed, speed);
    v[5] -= 0.2; // falling
}

// ---- boxes ----------------------------------------------------------------------------------------------

/// A pile from contact `at` and body `body` on; `feet` points under the lowest box, four under the others.
static int32_t add_pile(contact_case* c, sni_rng* rng, int32_t at, int32_t body, int32_t boxes,
                        int32_t feet, double mu, double ratio, double tilt) {
    double mass = uniform(rng, 0.5, 3), below = 0;
    for (int32_t k = 0; k < boxes; k++, body++) {
        double half[3] = {uniform(rng, 0.2, 0.4), uniform(rng, 0.2, 0.4), uniform(rng, 0.05, 0.3)};
        free_box(c, body, half, mass);
        random_motion(c, rng, body, 0.3);
        mass *= k % 2 ? 1 / ratio : ratio;
        for (int32_t i = 0; i < (k ? 4 : feet); i++, at++) {
            double axis[3][3];
            double p[3] = {i & 1 ? half[0] : -half[0], i & 2 ? half[1] : -half[1], -half[2]};
            for (int s = 0; s < 2; s++) p[s] *= uniform(rng, 0.3, 1);
            random_frame(rng, tilt, axis);
            add_law(c, at, SN_CONTACT_POINT, 3, mu);
            c->a[at] = body;
            c->b[at] = k ? body - 1 : -1;
            body_rows(axis, p, 1, 3, c->C_a + SIX * c->first[at]);
            double p_below[3] = {p[0], p[1], below};
            if (k) body_rows(axis, p_below, -1, 3, c->C_b + SIX * c->first[at]);
        }
        below = half[2];
    }
    return at;
}

contact_case* contact_box(uint64_t seed, int32_t contacts, double mu) {
    sni_rng rng = {seed};
    contact_case* c = begin(seed, contacts, 3 * contacts, 1, 1);
    add_pile(c, &rng, 0, 0, 1, contacts, mu, 1, 0.05);
    return finish(c);
}

contact_case* contact_pile(uint64_t seed, int32_t boxes, double mu, double mass_ratio) {
    sni_rng rng = {seed};
    contact_case* c = begin(seed, 4 * boxes, 12 * boxes, boxes, boxes);
    add_pile(c, &rng, 0, 0, boxes, 4, mu, mass_ratio, 0);
    return finish(c);
}

contact_case* contact_heap(uint64_t seed, int32_t parts, double mu) {
    sni_rng rng = {seed};
    int32_t most = 3 * parts, at = 0, body = 0;
    contact_case* c = begin(seed, 12 * parts, 36 * parts, most, most);
    for (int32_t k = 0; k < parts; k++) {
        int32_t boxes = 1 + k % 3;
        at = add_pile(c, &rng, at, body, boxes, 4, mu, 1, 0.02);
        body += boxes;
    }
    c->count = at;
    c->p.bodies.tree_count = body;
    return finish(c);
}

// ---- matrices -------------------------------------------------------------------------------------------

/// Blocks from W (rows x rows) where they are not zero.
static void make_blocks(contact_case* c, const double* W) {
    int32_t rows = c->first[c->count], blocks = 0;
    int64_t numbers = 0;
    c->start = TAKE(int32_t, c->count + 1);
    c->column = TAKE(int32_t, c->count * c->count);
    c->offset = TAKE(int64_t, c->count * c->count);
    c->value = TAKE(double, rows* rows);
    for (int32_t i = 0; i < c->count; i++) {
        for (int32_t j = 0; j < c->count; j++) {
            int64_t at = numbers;
            bool any = false;
            for (int32_t k = c->first[i]; k < c->first[i + 1]; k++) {
                for (int32_t l = c->first[j]; l < c->first[j + 1]; l++) {
                    c->value[at] = W[(ptrdiff_t)k * rows + l];
                    any = any || c->value[at] != 0;
                    at++;
                }
            }
            if (!any) continue;
            c->column[blocks] = j;
            c->offset[blocks++] = numbers;
            numbers = at;
        }
        c->start[i + 1] = blocks;
    }
    c->p.matrix = (sn_contact_matrix){c->start, c->column, c->offset, c->value};
}

contact_case* contact_random(uint64_t seed, int32_t contacts, int32_t freedoms, double mu) {
    sni_rng rng = {seed};
    contact_case* c = begin(seed, contacts, 3 * contacts, 0, 0);
    for (int32_t i = 0; i < contacts; i++) add_law(c, i, SN_CONTACT_POINT, 3, mu);
    int32_t rows = 3 * contacts;
    double *J = TAKE(double, rows*freedoms), *W = TAKE(double, rows*rows);
    double* v = TAKE(double, freedoms);
    for (int32_t k = 0; k < rows * freedoms; k++) J[k] = uniform(&rng, -1, 1);
    for (int32_t s = 0; s < freedoms; s++) v[s] = uniform(&rng, -1, 1);
    for (int32_t k = 0; k < rows; k++) {
        for (int32_t s = 0; s < freedoms; s++) c->q[k] += J[k * freedoms + s] * v[s];
        for (int32_t l = 0; l < rows; l++)
            for (int32_t s = 0; s < freedoms; s++)
                W[k * rows + l] += J[k * freedoms + s] * J[l * freedoms + s];
    }
    make_blocks(c, W);
    free(J), free(W), free(v);
    return finish(c);
}

contact_case* contact_single(uint64_t seed, double mu) {
    contact_case* c = contact_random(seed, 1, 6, mu);
    if (c->q[0] > 0) c->q[0] = -c->q[0];
    return c;
}

// ---- trees and all kinds --------------------------------------------------------------------------------

/// Response L L' of k bodies that hang together: like k boxes, each of which feels the others.
static void random_tree(contact_case* c, sni_rng* rng, int32_t tree, int32_t bodies) {
    int32_t n = SIX * bodies;
    double* response = c->response_value + c->response[tree];
    double* L = TAKE(double, n* n);
    double mass = uniform(rng, 0.5, 3);
    for (int32_t i = 0; i < n; i++) {
        double size = (i % SIX < 3 ? 5 : 1) / sqrt(mass); // turning is easier than moving, in SI
        for (int32_t k = 0; k <= i; k++) L[i * n + k] = 0.3 * size * uniform(rng, -1, 1);
        L[i * n + i] = size * uniform(rng, 0.7, 1.3);
    }
    for (int32_t i = 0; i < n; i++)
        for (int32_t j = 0; j < n; j++)
            for (int32_t k = 0; k <= (i < j ? i : j); k++)
                response[i * n + j] += L[i * n + k] * L[j * n + k];
    free(L);
    c->tree[tree + 1] = c->tree[tree] + bodies;
    c->response[tree + 1] = c->response[tree] + (int64_t)n * n;
}

static sn_contact_kind random_kind(sni_rng* rng, unsigned kinds) {
    for (;;) {
        int kind = sni_rng_index(rng, SN_CONTACT_KIND_COUNT);
        if (kinds >> kind & 1) return (sn_contact_kind)kind;
    }
}

static void random_side(contact_case* c, sni_rng* rng, int32_t i, double sign, double* C) {
    double axis[3][3], p[3];
    int32_t rows = c->law[i].rows;
    for (int k = 0; k < 3; k++) p[k] = uniform(rng, -0.3, 0.3);
    random_frame(rng, 0.5, axis);
    if (c->law[i].kind == SN_CONTACT_POINT || c->law[i].kind == SN_CONTACT_PATCH) {
        body_rows(axis, p, sign, rows, C);
    } else {
        for (int32_t k = 0; k < SIX * rows; k++)
            C[k] = uniform(rng, -1, 1) * (k % SIX < 3 ? 0.3 : 1);
    }
}

contact_case* contact_mixed(uint64_t seed, int32_t contacts, unsigned kinds) {
    sni_rng rng = {seed};
    int32_t trees = 1 + sni_rng_index(&rng, 3), most = TREE_BODIES_MOST * trees;
    contact_case* c = begin(seed, contacts, SIX * contacts, trees, most);
    for (int32_t t = 0; t < trees; t++)
        random_tree(c, &rng, t, 1 + sni_rng_index(&rng, TREE_BODIES_MOST));
    int32_t bodies = c->tree[trees];
    for (int32_t b = 0; b < bodies; b++) random_motion(c, &rng, b, 1);
    for (int32_t i = 0; i < contacts; i++) {
        sn_contact_kind kind = random_kind(&rng, kinds);
        sn_contact_law* law =
            add_law(c, i, kind, 1 + sni_rng_index(&rng, 3), uniform(&rng, 0.2, 0.9));
        law->spin = uniform(&rng, 0, 0.05);
        law->roll = uniform(&rng, 0, 0.1);
        law->carries = sni_rng_index(&rng, 2);
        law->bound = uniform(&rng, 0, 0.3);
        c->a[i] = sni_rng_index(&rng, bodies);
        c->b[i] = sni_rng_index(&rng, bodies + 1) - 1;
        random_side(c, &rng, i, 1, c->C_a + SIX * c->first[i]);
        random_side(c, &rng, i, -1, c->C_b + SIX * c->first[i]);
    }
    return finish(c);
}

// ---- the same problem said another way ------------------------------------------------------------------

contact_case* contact_by_matrix(const contact_case* from) {
    contact_case* c = begin(from->seed, from->count, from->rows, 0, 0);
    double* W = TAKE(double, from->rows * from->rows);
    sn_contact_dense(&from->p, W);
    memcpy(c->law, from->law, (size_t)from->count * sizeof *c->law);
    memcpy(c->first, from->first, (size_t)(from->count + 1) * sizeof *c->first);
    for (int32_t i = 0; i < c->count; i++) { // the dense W has it already
        const sn_contact_law* law = &from->law[i];
        bool normal = law->kind == SN_CONTACT_POINT || law->kind == SN_CONTACT_PATCH;
        for (int32_t k = c->first[i]; k < c->first[i + 1]; k++)
            if (k == c->first[i] || !normal) W[(ptrdiff_t)k * (from->rows + 1)] -= law->compliance;
    }
    make_blocks(c, W);
    memcpy(c->q, from->q, (size_t)from->rows * sizeof *c->q);
    memcpy(c->id, from->id, (size_t)from->count * sizeof *c->id);
    free(W);
    return finish(c);
}

contact_case* contact_in_order(const contact_case* from, const int32_t* order) {
    contact_case* c = begin(from->seed, from->count, from->rows, 0, 0);
    int32_t n = from->rows;
    double *W = TAKE(double, n*n), *V = TAKE(double, n*n);
    int32_t* row = TAKE(int32_t, n); // where a row was
    sn_contact_dense(&from->p, W);
    for (int32_t i = 0; i < c->count; i++) {
        const sn_contact_law* law = &from->law[order[i]];
        c->law[i] = *law;
        c->id[i] = from->id[order[i]];
        c->first[i + 1] = c->first[i] + law->rows;
        for (int32_t k = 0; k < law->rows; k++) {
            row[c->first[i] + k] = from->first[order[i]] + k;
            c->q[c->first[i] + k] = from->q[from->first[order[i]] + k];
        }
        c->law[i].compliance = 0; // W has it
    }
    for (int32_t k = 0; k < n; k++)
        for (int32_t l = 0; l < n; l++) V[k * n + l] = W[(ptrdiff_t)row[k] * n + row[l]];
    make_blocks(c, V);
    free(W), free(V), free(row);
    return finish(c);
}

void contact_random_order(uint64_t seed, int32_t count, int32_t* order) {
    sni_rng rng = {seed};
    for (int32_t i = 0; i < count; i++) order[i] = i;
    for (int32_t i = count - 1; i > 0; i--) {
        int32_t j = sni_rng_index(&rng, i + 1), kept = order[i];
        order[i] = order[j];
        order[j] = kept;
    }
}
