// SPDX-License-Identifier: Apache-2.0
#include "support/pieces.h"

#include <math.h>
#include <string.h>

#include "support/check.h"

sn_local_geometry test_record(void) {
    sn_local_geometry local;
    memset(&local, 0, sizeof local);
    local.radius = 10;
    local.complete = true;
    return local;
}

static sn_piece* next(sn_local_geometry* local, double mu) {
    assert_true(local->count < SN_LOCAL_PIECES);
    sn_piece* piece = &local->piece[local->count];
    memset(piece, 0, sizeof *piece);
    piece->body = sn_body(local->count);
    piece->shape = local->count++;
    piece->triangle = -1;
    piece->X_wp = sn_pose_identity();
    piece->material = sn_material_default();
    piece->material.mu = piece->material.mu_kinetic = mu;
    return piece;
}

sn_piece* test_add_piece(sn_local_geometry* local, sn_piece_type type, sn_vec3 size, sn_pose X,
                         double mu) {
    sn_piece* piece = next(local, mu);
    piece->type = type;
    piece->size = size;
    piece->X_wp = X;
    return piece;
}

sn_piece* test_add_triangle(sn_local_geometry* local, int shape, sn_vec3 a, sn_vec3 b, sn_vec3 c,
                            double mu) {
    int32_t number = local->count;
    sn_piece* piece = next(local, mu);
    piece->type = SN_PIECE_TRIANGLE;
    piece->body = sn_body(shape);
    piece->shape = shape;
    piece->triangle = number;
    piece->corner[0] = a, piece->corner[1] = b, piece->corner[2] = c;
    return piece;
}

static sn_vec3 on_side(int axis, int sign, double u, double v, sn_vec3 half) {
    double x[3];
    x[axis] = sign;
    x[(axis + 1) % 3] = u;
    x[(axis + 2) % 3] = sign * v; // keeps triangles counter-clockwise
    return sn_vec3_make(x[0] * half.x, x[1] * half.y, x[2] * half.z);
}

void test_add_mesh_box(sn_local_geometry* local, int shape, sn_vec3 half, int n, double mu) {
    for (int side = 0; side < 6; side++) {
        for (int k = 0; k < n * n; k++) {
            double u = 2.0 * (k % n) / n - 1, v = 2.0 * (k / n) / n - 1, step = 2.0 / n;
            int axis = side / 2, sign = side % 2 ? 1 : -1;
            sn_vec3 a = on_side(axis, sign, u, v, half), b = on_side(axis, sign, u + step, v, half);
            sn_vec3 c = on_side(axis, sign, u + step, v + step, half);
            sn_vec3 d = on_side(axis, sign, u, v + step, half);
            test_add_triangle(local, shape, a, b, c, mu);
            test_add_triangle(local, shape, a, c, d, mu);
        }
    }
}

static double box_distance(sn_vec3 half, sn_vec3 p) {
    double d[3] = {fabs(p.x) - half.x, fabs(p.y) - half.y, fabs(p.z) - half.z}, square = 0;
    double most = fmax(d[0], fmax(d[1], d[2]));
    for (int k = 0; k < 3; k++) square += d[k] > 0 ? d[k] * d[k] : 0;
    return most < 0 ? most : sqrt(square);
}

static double cylinder_distance(double radius, double half, sn_vec3 p) {
    double out = hypot(p.x, p.y) - radius, over = fabs(p.z) - half;
    if (out > 0 && over > 0) return hypot(out, over);
    return fmax(out, over);
}

/// By brute force over a grid that is made finer about the best point.
static double triangle_distance(const sn_vec3* c, sn_vec3 p) {
    double u0 = 0, v0 = 0, size = 1, best = INFINITY;
    for (int level = 0; level < 30; level++) {
        double bu = u0, bv = v0;
        for (int i = -4; i <= 4; i++) {
            for (int k = -4; k <= 4; k++) {
                double u = fmin(fmax(u0 + size * i / 4, 0), 1);
                double v = fmin(fmax(v0 + size * k / 4, 0), 1 - u);
                sn_vec3 x =
                    sn_vec3_add(c[0], sn_vec3_add(sn_vec3_scale(u, sn_vec3_sub(c[1], c[0])),
                                                  sn_vec3_scale(v, sn_vec3_sub(c[2], c[0]))));
                double d = sn_vec3_norm(sn_vec3_sub(p, x));
                if (d < best) best = d, bu = u, bv = v;
            }
        }
        u0 = bu, v0 = bv, size *= 0.6;
    }
    return best;
}

double test_piece_distance(const sn_piece* piece, sn_vec3 p) {
    sn_vec3 q = sn_mat3_apply_transposed(piece->X_wp.R, sn_vec3_sub(p, piece->X_wp.p)),
            s = piece->size;
    const sn_vec3* c = piece->corner;
    switch (piece->type) {
    case SN_PIECE_PLANE: return q.z;
    case SN_PIECE_SPHERE: return sn_vec3_norm(q) - s.x;
    case SN_PIECE_CAPSULE:
        q.z -= fmin(fmax(q.z, -0.5 * s.z), 0.5 * s.z);
        return sn_vec3_norm(q) - s.x;
    case SN_PIECE_CYLINDER: return cylinder_distance(s.x, 0.5 * s.z, q);
    case SN_PIECE_BOX: return box_distance(sn_vec3_scale(0.5, s), q);
    case SN_PIECE_TRIANGLE: break;
    }
    sn_vec3 face = sn_vec3_cross(sn_vec3_sub(c[1], c[0]), sn_vec3_sub(c[2], c[0]));
    return sn_vec3_dot(face, sn_vec3_sub(p, c[0])) < 0 ? INFINITY : triangle_distance(c, p);
}
