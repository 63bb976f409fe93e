// SPDX-License-Identifier: Apache-2.0
// The nearest surface of a local-geometry record, without the collider it came from.
#include "collision/mesh.h"
#include "collision/piece.h"
#include "sinew/collision.h"

/// The solid a piece is, with sizes halved.
static sni_solid solid_of(const sn_piece* piece) {
    sn_vec3 s = piece->size;
    switch (piece->type) {
    case SN_PIECE_SPHERE:
        return (sni_solid){.type = SN_SHAPE_SPHERE, .half = sn_vec3_make(s.x, s.x, s.x)};
    case SN_PIECE_CAPSULE:
        return (sni_solid){.type = SN_SHAPE_CAPSULE, .half = sn_vec3_make(s.x, s.x, 0.5 * s.z)};
    case SN_PIECE_CYLINDER:
        return (sni_solid){.type = SN_SHAPE_CYLINDER, .half = sn_vec3_make(s.x, s.x, 0.5 * s.z)};
    case SN_PIECE_BOX: return (sni_solid){.type = SN_SHAPE_BOX, .half = sn_vec3_scale(0.5, s)};
    default: return (sni_solid){.type = SN_SHAPE_PLANE};
    }
}

static double near_whole(const sn_piece* piece, sn_vec3 p, sn_vec3* x, sn_vec3* n) {
    sni_solid solid = solid_of(piece);
    sn_vec3 p_s = sn_mat3_apply_transposed(piece->X_wp.R, sn_vec3_sub(p, piece->X_wp.p));
    double distance = sni_solid_nearest(&solid, p_s, x, n);
    *x = sn_pose_apply(piece->X_wp, *x);
    *n = sn_mat3_apply(piece->X_wp.R, *n);
    return distance;
}

/// A point over a triangle.
typedef struct over {
    double square; ///< of the distance
    double
        facing;  ///< cosine of the angle between the way to p and the face normal, or its opposite
    double side; ///< -1: behind
    sn_vec3 x, n;
} over;

static over over_triangle(const sn_piece* piece, sn_vec3 p) {
    const sn_vec3* c = piece->corner;
    int part;
    over o;
    o.x = sni_triangle_nearest(c[0], c[1], c[2], p, &part);
    sn_vec3 face = sn_vec3_cross(sn_vec3_sub(c[1], c[0]), sn_vec3_sub(c[2], c[0]));
    face = sn_vec3_scale(1 / sn_vec3_norm(face), face);
    sn_vec3 to = sn_vec3_sub(p, o.x);
    o.square = sn_vec3_dot(to, to);
    double height = sn_vec3_dot(face, sn_vec3_sub(p, c[0])), distance = sqrt(o.square);
    o.side = height < 0 ? -1 : 1;
    o.facing = distance > 0 ? fabs(height) / distance : 1;
    o.n = part == 0 || !(distance > 0) ? face : sn_vec3_scale(o.side / distance, to);
    return o;
}

void sni_piece_nearest(const sn_piece* piece, sn_vec3 p, sni_near_piece* near) {
    *near = (sni_near_piece){0};
    if (piece->type != SN_PIECE_TRIANGLE) {
        near->distance = near_whole(piece, p, &near->x, &near->n);
        return;
    }
    const sn_vec3* c = piece->corner;
    int part;
    near->x = sni_triangle_nearest(c[0], c[1], c[2], p, &part);
    sn_vec3 face = sn_vec3_cross(sn_vec3_sub(c[1], c[0]), sn_vec3_sub(c[2], c[0]));
    near->face = sn_vec3_scale(1 / sn_vec3_norm(face), face);
    near->height = sn_vec3_dot(near->face, sn_vec3_sub(p, c[0]));
    sn_vec3 to = sn_vec3_sub(p, near->x);
    near->distance = sn_vec3_norm(to);
    near->edge = part != 0;
    near->n = near->edge && near->distance > 0 ? sn_vec3_scale(1 / near->distance, to) : near->face;
}

// Over the square of a distance: two triangles this equally near share the edge that is.
static const double AS_NEAR = 1e-12;

/// Nearest of all triangles of one shape. At an edge, two are equally near: the one that is seen less from the side
/// tells whether p is behind.
static double near_triangles(const sn_local_geometry* local, int32_t first, sn_vec3 p,
                             int32_t* piece, sn_vec3* x, sn_vec3* n) {
    over best = {.square = INFINITY};
    for (int32_t k = first; k < local->count; k++) {
        const sn_piece* at = &local->piece[k];
        if (at->type != SN_PIECE_TRIANGLE || at->shape != local->piece[first].shape) continue;
        over o = over_triangle(at, p);
        bool nearer = o.square < best.square * (1 - AS_NEAR);
        bool as_near = o.square <= best.square * (1 + AS_NEAR);
        if (!nearer && !(as_near && o.facing > best.facing)) continue;
        best = o;
        *piece = k;
    }
    *x = best.x;
    *n = best.n;
    return best.side * sqrt(best.square);
}

/// Whether an earlier piece stands for all triangles of this one's shape.
static bool is_done(const sn_local_geometry* local, int32_t k) {
    for (int32_t i = 0; i < k; i++)
        if (local->piece[i].type == SN_PIECE_TRIANGLE &&
            local->piece[i].shape == local->piece[k].shape)
            return true;
    return false;
}

bool sn_local_geometry_near(const sn_local_geometry* local, sn_vec3 p, sn_near_point* out,
                            int32_t* piece) {
    bool found = false;
    // triangles farther from p than this may not be the nearest of their shape: others were not recorded
    double reach = local->radius - sn_vec3_norm(sn_vec3_sub(p, local->centre));
    for (int32_t k = 0; k < local->count; k++) {
        const sn_piece* at = &local->piece[k];
        bool triangle = at->type == SN_PIECE_TRIANGLE;
        if (triangle && is_done(local, k)) continue;
        int32_t which = k;
        sn_vec3 x, n;
        double distance =
            triangle ? near_triangles(local, k, p, &which, &x, &n) : near_whole(at, p, &x, &n);
        if (triangle && fabs(distance) > reach) continue;
        if (found && !(distance < out->distance)) continue;
        at = &local->piece[which];
        *out = (sn_near_point){at->shape, at->body, distance, x, n, at->triangle};
        if (piece) *piece = which;
        found = true;
    }
    return found;
}
