// SPDX-License-Identifier: Apache-2.0
#include "contact_scene.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"

static const double FALL = 9.81e-3;       // m/s: what gravity adds in a step of 1 ms
static const double PUSH = 0.3 * 9.81e-3; // m/s: what bodies have besides

double contact_scene_random(uint64_t* state) {
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (double)(*state >> 11) / 4503599627370496.0 - 1;
}

// ---- parts ------------------------------------------------------------------------------------------

contact_scene* contact_scene_make(int bodies, int contacts, double mass, const sn_vec3* half) {
    contact_scene* s = memory_take(1, sizeof *s);
    size_t n = (size_t)bodies, m = (size_t)contacts;
    size_t trees = half ? n : 1, numbers = half ? 36 * n : 36 * n * n;
    s->bodies = bodies;
    s->law = memory_take(m, sizeof *s->law);
    s->first = memory_take(m + 1, sizeof *s->first);
    s->a = memory_take(m, sizeof *s->a);
    s->b = memory_take(m, sizeof *s->b);
    s->q = memory_take(3 * m, sizeof *s->q);
    s->C_a = memory_take(18 * m, sizeof *s->C_a);
    s->C_b = memory_take(18 * m, sizeof *s->C_b);
    s->tree = memory_take(trees + 1, sizeof *s->tree);
    s->response = memory_take(trees + 1, sizeof *s->response);
    s->responses = memory_take(numbers, sizeof *s->responses);
    s->v = memory_take(6 * n, sizeof *s->v);
    for (size_t t = 0; t <= trees; t++) {
        s->tree[t] = (int32_t)(half ? t : t * n);
        s->response[t] = (int64_t)(half ? 36 * t : t * numbers);
    }
    for (size_t i = 0; i < n && half; i++) { // principal axes of a box: a diagonal
        double x = half->x * half->x, y = half->y * half->y, z = half->z * half->z;
        double inertia[3] = {mass / 3 * (y + z), mass / 3 * (x + z), mass / 3 * (x + y)};
        for (size_t k = 0; k < 6; k++)
            s->responses[36 * i + 7 * k] = 1 / (k < 3 ? inertia[k] : mass);
    }
    s->problem = (sn_contact_problem){.law = s->law, .first = s->first, .q = s->q};
    s->problem.bodies = (sn_contact_bodies){(int32_t)trees, s->tree, s->response, s->responses,
                                            s->a,           s->b,    s->C_a,      s->C_b};
    return s;
}

void contact_scene_free(contact_scene* s) {
    if (!s) return;
    free(s->law);
    free(s->first);
    free(s->a);
    free(s->b);
    free(s->q);
    free(s->C_a);
    free(s->C_b);
    free(s->tree);
    free(s->response);
    free(s->responses);
    free(s->v);
    free(s);
}

// Rows of one side: along direction d a point moves by (r x d).w + d.v.
static void put_rows(double* C, contact_scene_side side, const sn_vec3 axes[3], double sign) {
    for (int k = 0; k < 3; k++) {
        sn_vec3 d = sn_mat3_apply_transposed(side.R_wb, axes[k]), m = sn_vec3_cross(side.r, d);
        double row[6] = {m.x, m.y, m.z, d.x, d.y, d.z};
        for (int i = 0; i < 6; i++) C[6 * k + i] = sign * row[i];
    }
}

void contact_scene_add(contact_scene* s, contact_scene_side a, contact_scene_side b, sn_vec3 n_w,
                       double mu) {
    int32_t i = s->problem.count++;
    sn_vec3 other = fabs(n_w.x) < 0.7 ? sn_vec3_make(1, 0, 0) : sn_vec3_make(0, 1, 0);
    sn_vec3 t1 = sn_vec3_cross(n_w, other);
    t1 = sn_vec3_scale(1 / sn_vec3_norm(t1), t1);
    const sn_vec3 axes[3] = {n_w, t1, sn_vec3_cross(n_w, t1)};
    s->law[i] = sn_contact_law_make(SN_CONTACT_POINT);
    s->law[i].mu = s->law[i].mu_kinetic = mu;
    s->first[i + 1] = s->first[i] + 3;
    s->a[i] = a.body;
    s->b[i] = b.body;
    put_rows(s->C_a + 18 * (size_t)i, a, axes, 1);
    put_rows(s->C_b + 18 * (size_t)i, b, axes, -1);
}

void contact_scene_finish(contact_scene* s) {
    for (int32_t i = 0; i < s->problem.count; i++) {
        for (int32_t row = s->first[i]; row < s->first[i + 1]; row++) {
            s->q[row] = 0;
            for (int32_t k = 0; k < 6; k++) {
                size_t at = 6 * (size_t)row + (size_t)k;
                if (s->a[i] >= 0) s->q[row] += s->C_a[at] * s->v[6 * s->a[i] + k];
                if (s->b[i] >= 0) s->q[row] += s->C_b[at] * s->v[6 * s->b[i] + k];
            }
        }
    }
}

static contact_scene_side side(int body, double x, double y, double z) {
    return (contact_scene_side){body, sn_mat3_identity(), {x, y, z}};
}

static contact_scene_side ground(void) { return side(-1, 0, 0, 0); }

static const sn_vec3 UP = {0, 0, 1};

// All fall, and each is pushed its own way.
static void drop(contact_scene* s, uint64_t* random) {
    for (int i = 0; i < s->bodies; i++) {
        for (int k = 0; k < 6; k++) s->v[6 * i + k] = PUSH * contact_scene_random(random);
        s->v[6 * i + 5] -= FALL;
    }
    contact_scene_finish(s);
}

// ---- scenes -----------------------------------------------------------------------------------------

contact_scene* contact_scene_tower(int boxes) {
    const sn_vec3 half = {0.1, 0.1, 0.05};
    uint64_t random = 1;
    contact_scene* s = contact_scene_make(boxes, 4 * boxes, 1, &half);
    for (int i = 0; i < boxes; i++) {
        for (int corner = 0; corner < 4; corner++) {
            double x = (corner & 1 ? 0.09 : -0.09) + 0.01 * contact_scene_random(&random);
            double y = (corner & 2 ? 0.09 : -0.09) + 0.01 * contact_scene_random(&random);
            contact_scene_add(s, side(i, x, y, -half.z), i ? side(i - 1, x, y, half.z) : ground(),
                              UP, 0.6);
        }
    }
    drop(s, &random);
    return s;
}

contact_scene* contact_scene_wall(int rows, int columns) {
    const sn_vec3 half = {0.1, 0.05, 0.04};
    uint64_t random = 2;
    contact_scene* s = contact_scene_make(rows * columns, 4 * rows * columns, 2, &half);
    for (int row = 0; row < rows; row++) {
        for (int column = 0; column < columns; column++) {
            for (int corner = 0; corner < 4; corner++) {
                // Every second row is half a brick further: its left half stands on the brick below,
                // its right half on the next one, and half of the last one on nothing.
                bool right = corner & 1;
                int below = column + right - (row % 2 ? 0 : 1);
                double x = right ? 0.08 : -0.08, y = corner & 2 ? 0.05 : -0.05;
                if (row && (below < 0 || below == columns)) {
                    below = column;
                    x = row % 2 ? -0.02 : 0.02;
                }
                double x_below = x + (row % 2 ? 0.1 : -0.1) - 0.2 * (below - column);
                contact_scene_add(s, side(row * columns + column, x, y, -half.z),
                                  row ? side((row - 1) * columns + below, x_below, y, half.z)
                                      : ground(),
                                  UP, 0.5);
            }
        }
    }
    drop(s, &random);
    return s;
}

contact_scene* contact_scene_object(int contacts) {
    const sn_vec3 half = {0.2, 0.15, 0.1};
    uint64_t random = 3;
    contact_scene* s = contact_scene_make(1, contacts, 5, &half);
    for (int i = 0; i < contacts; i++) {
        sn_vec3 n = {0.3 * contact_scene_random(&random), 0.3 * contact_scene_random(&random), 1};
        double x = half.x * contact_scene_random(&random),
               y = half.y * contact_scene_random(&random);
        n = sn_vec3_scale(1 / sn_vec3_norm(n), n);
        contact_scene_add(s, side(0, x, y, -half.z), ground(), n, 0.7);
    }
    drop(s, &random);
    return s;
}

contact_scene* contact_scene_capsules(int capsules, int longest) {
    const sn_vec3 half = {0.12, 0.03, 0.03};
    uint64_t random = 4;
    contact_scene* s = contact_scene_make(capsules, 4 * capsules, 0.5, &half);
    int left = 0, length = 0; // of the chain at hand
    for (int i = 0; i < capsules; i++) {
        bool first = left == 0;
        if (first) left = length = length % longest + 1;
        left -= 1;
        for (int end = -1; end <= 1; end += 2) {
            contact_scene_add(s, side(i, 0.09 * end, 0, -half.z), ground(), UP, 0.7);
            if (first) continue;
            double x = 0.08 * end + 0.01 * contact_scene_random(&random);
            sn_vec3 n = {0.05 * contact_scene_random(&random), 1,
                         0.2}; // lies a little on its neighbour
            n = sn_vec3_scale(1 / sn_vec3_norm(n), n);
            contact_scene_add(s, side(i, x, -half.y, 0), side(i - 1, x, half.y, 0), n, 0.7);
        }
    }
    drop(s, &random);
    return s;
}
