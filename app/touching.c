// SPDX-License-Identifier: Apache-2.0
#include "touching.h"

#include <stdlib.h>
#include <string.h>

#include "memory.h"
#include "message.h"

static const double LENGTH = 0.24, WIDTH = 0.13, BELOW = 0.1; // m: a sole, seen from the ankle

static touching make(const sn_body_id* bodies, int body_count, int groups, int rows_of_one) {
    touching t = {.count = groups, .rows = groups * rows_of_one, .body_count = body_count};
    size_t rows = (size_t)t.rows;
    t.groups = memory_take((size_t)groups, sizeof *t.groups);
    t.bodies = memory_take((size_t)body_count, sizeof *t.bodies);
    t.C = memory_take(6 * rows, sizeof *t.C);
    t.W = memory_take(rows * rows, sizeof *t.W);
    memcpy(t.bodies, bodies, (size_t)body_count * sizeof *bodies);
    for (int g = 0; g < groups; g++) {
        const double* C = t.C + (size_t)(6 * rows_of_one * g);
        sn_body_id body = bodies[g / (groups / body_count)];
        t.groups[g] = (sn_delassus_rows){body, sn_body_world(), rows_of_one, C, NULL};
    }
    return t;
}

static void put_row(double* row, sn_vec3 w, sn_vec3 v) {
    row[0] = w.x, row[1] = w.y, row[2] = w.z;
    row[3] = v.x, row[4] = v.y, row[5] = v.z;
}

// Point k of `points`, in two rows along the sole.
static sn_vec3 point(int k, int points) {
    int columns = (points + 1) / 2;
    double along = columns > 1 ? (double)(k / 2) / (columns - 1) - 0.5 : 0;
    return sn_vec3_make(LENGTH * along, k % 2 ? 0.5 * WIDTH : -0.5 * WIDTH, -BELOW);
}

touching touching_points(const sn_body_id* bodies, int body_count, int points) {
    touching t = make(bodies, body_count, body_count * points, 3);
    // a normal that is along no axis, so that no number happens to be zero
    const sn_mat3 frame = sn_quat_matrix(sn_quat_exp(sn_vec3_make(0.2, -0.3, 0.4)));
    double* row = t.C;
    for (int g = 0; g < t.count; g++) {
        sn_vec3 r = point(g % points, points);
        for (int k = 0; k < 3; k++, row += 6) {
            sn_vec3 along = sn_mat3_column(frame, (k + 2) % 3); // z is the normal
            put_row(row, sn_vec3_cross(r, along), along);
        }
    }
    return t;
}

touching touching_welds(const sn_body_id* bodies, int body_count) {
    touching t = make(bodies, body_count, body_count, 6);
    for (int r = 0; r < t.rows; r++) t.C[6 * r + r % 6] = 1;
    return t;
}

void touching_free(touching* t) {
    free(t->groups);
    free(t->bodies);
    free(t->C);
    free(t->W);
    *t = (touching){0};
}

sn_delassus* touching_operator(const touching* t, sn_dynamics* dynamics, const char* method) {
    sn_delassus_capacity most = {t->body_count, t->count, t->rows};
    sn_delassus* x = NULL;
    sn_error error = {0};
    if (sn_delassus_create(dynamics, method, &most, &x, &error)) message_error_from(&error);
    return x;
}
