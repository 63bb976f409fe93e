// SPDX-License-Identifier: Apache-2.0
// The pieces of a record as time goes on, and planes between them and a ball.
#include "haptics/surfaces.h"

#include <string.h>

// ---- motion ---------------------------------------------------------------------------------------------------------------

bool sni_piece_moves(const sn_piece* piece) {
    const sn_vec3 w = piece->velocity.w, v = piece->velocity.v;
    return w.x != 0 || w.y != 0 || w.z != 0 || v.x != 0 || v.y != 0 || v.z != 0;
}

static sn_vec3 origin_of(const sn_piece* piece) {
    return piece->type == SN_PIECE_TRIANGLE ? piece->corner[0] : piece->X_wp.p;
}

sn_vec3 sni_piece_velocity(const sn_piece* piece, sn_vec3 x) {
    sn_vec3 r = sn_vec3_sub(x, origin_of(piece));
    return sn_vec3_add(piece->velocity.v, sn_vec3_cross(piece->velocity.w, r));
}

static void move_piece(sn_piece* piece, double period) {
    sn_vec3 step = sn_vec3_scale(period, piece->velocity.v), from = origin_of(piece);
    sn_mat3 R = sn_quat_matrix(sn_quat_exp(sn_vec3_scale(period, piece->velocity.w)));
    piece->X_wp.R = sn_mat3_mul(R, piece->X_wp.R);
    piece->X_wp.p = sn_vec3_add(piece->X_wp.p, step);
    for (int k = 0; piece->type == SN_PIECE_TRIANGLE && k < 3; k++) {
        sn_vec3 r = sn_mat3_apply(R, sn_vec3_sub(piece->corner[k], from));
        piece->corner[k] = sn_vec3_add(sn_vec3_add(from, step), r);
    }
}

void sni_surfaces_advance(sn_surfaces* surfaces, double period) {
    surfaces->age += period;
    if (surfaces->age > surfaces->horizon) return;
    for (int32_t k = 0; k < surfaces->count; k++)
        if (sni_piece_moves(&surfaces->piece[k])) move_piece(&surfaces->piece[k], period);
}

/// A frame that moves with a piece.
static sn_pose frame_of(const sn_piece* piece) {
    if (piece->type != SN_PIECE_TRIANGLE) return piece->X_wp;
    const sn_vec3* c = piece->corner;
    sn_vec3 x = sn_vec3_sub(c[1], c[0]), z = sn_vec3_cross(x, sn_vec3_sub(c[2], c[0]));
    x = sn_vec3_scale(1 / sn_vec3_norm(x), x);
    z = sn_vec3_scale(1 / sn_vec3_norm(z), z);
    return sn_pose_make(sn_mat3_transpose(sn_mat3_rows(x, sn_vec3_cross(z, x), z)), c[0]);
}

sn_vec3 sni_carried(const sn_piece* before, const sn_piece* now, sn_vec3 p) {
    sn_pose was = frame_of(before), is = frame_of(now);
    sn_vec3 r = sn_mat3_apply_transposed(was.R, sn_vec3_sub(p, was.p));
    return sn_pose_apply(is, r);
}

// ---- records ----------------------------------------------------------------------------------------------------------------

static bool is_same(const sn_piece* a, const sn_piece* b) {
    return a->shape == b->shape && a->triangle == b->triangle && a->type == b->type;
}

/// The number of a piece, most likely `near`; -1: it is new.
static int32_t find_piece(const sn_surfaces* surfaces, const sn_piece* wanted, int32_t near) {
    if (near < surfaces->count && is_same(&surfaces->piece[near], wanted)) return near;
    for (int32_t k = 0; k < surfaces->count; k++)
        if (is_same(&surfaces->piece[k], wanted)) return k;
    return -1;
}

static bool stands(const sn_piece* a, const sn_piece* b) {
    return memcmp(&a->X_wp, &b->X_wp, sizeof a->X_wp) == 0 &&
           memcmp(a->corner, b->corner, sizeof a->corner) == 0;
}

/// A record that had no room for all knows what is as near as the farthest that it has.
static double reach_of(const sn_local_geometry* local) {
    double farthest = 0;
    if (local->complete) return local->radius;
    for (int32_t k = 0; k < local->count; k++) {
        sni_near_piece near;
        sni_piece_nearest(&local->piece[k], local->centre, &near);
        farthest = fmax(farthest, near.distance);
    }
    return fmin(farthest, local->radius);
}

bool sni_surfaces_take(sn_surfaces* surfaces, const sn_local_geometry* local, sn_piece* before,
                       int32_t* from) {
    bool moved = false;
    int32_t count = local->count < SN_LOCAL_PIECES ? local->count : SN_LOCAL_PIECES;
    for (int32_t k = 0; k < count; k++) {
        from[k] = find_piece(surfaces, &local->piece[k], k);
        before[k] = from[k] >= 0 ? surfaces->piece[from[k]] : local->piece[k];
        moved = moved || !stands(&before[k], &local->piece[k]);
    }
    memcpy(surfaces->piece, local->piece, (size_t)count * sizeof *local->piece);
    surfaces->count = count;
    surfaces->centre = local->centre;
    surfaces->reach = reach_of(local);
    surfaces->age = 0;
    return moved;
}

// ---- planes -----------------------------------------------------------------------------------------------------------------

static sni_plane plane_at(sn_vec3 n, sn_vec3 x, double radius, int32_t piece) {
    return (sni_plane){.n = n, .b = sn_vec3_dot(n, x) + radius, .piece = piece};
}

// Of unit vectors: planes more parallel than this have no line in common.
static const double PARALLEL = 1e-7;
// m: so much lower than its radius a ball still is over a plane.
static const double LOWER = 1e-8;

bool sni_plane_between(const sn_piece* piece, int32_t number, sn_vec3 p, double radius,
                       sn_vec3 target, sni_plane* plane, double* distance) {
    sni_near_piece near;
    sni_piece_nearest(piece, p, &near);
    *distance = near.distance;
    *plane = plane_at(near.n, near.x, radius, number);
    if (piece->type != SN_PIECE_TRIANGLE) return true;
    if (near.height < 0) {
        if (near.edge || near.height < -radius) return false;
        *distance = near.height; // pressed a little behind it
        return true;
    }
    // over its plane, beside the triangle: that plane will do as well, and lets p slide on over the rim
    if (!near.edge || near.height < radius - LOWER) return true;
    sni_plane flat = plane_at(near.face, near.x, radius, number);
    if (sni_plane_room(&flat, target) > sni_plane_room(plane, target)) *plane = flat;
    plane->beside = true;
    plane->face = flat.n;
    plane->face_b = flat.b;
    return true;
}

static bool covers(const sni_plane* plane, const sni_plane* other) {
    sn_vec3 d = sn_vec3_sub(plane->n, other->face);
    return !plane->beside && sn_vec3_dot(d, d) < PARALLEL * PARALLEL &&
           fabs(plane->b - other->face_b) < LOWER;
}

int32_t sni_planes_tidy(sni_plane* planes, int32_t count) {
    int32_t kept = 0;
    for (int32_t i = 0; i < count; i++) {
        bool covered = false;
        for (int32_t k = 0; k < count && planes[i].beside && !covered; k++)
            covered = covers(&planes[k], &planes[i]);
        if (!covered) planes[kept++] = planes[i];
    }
    return kept;
}

// ---- the nearest free point --------------------------------------------------------------------------------------------------
//
// One plane after the other [S91]: when the best point so far is beyond a new plane, the best with it lies on that
// plane, where the same is done in two dimensions, then in one.

// m: a free point may be so far beyond a plane; skins are a thousand times thicker.
static const double ROUNDING = 1e-9;

/// On the line of two planes, within the first `count`.
static bool nearest_on_line(const sni_plane* planes, int32_t count, int32_t i, int32_t j, sn_vec3 x,
                            sni_corner* corner) {
    sn_vec3 a = planes[i].n, b = planes[j].n, along = sn_vec3_cross(a, b);
    double square = sn_vec3_dot(along, along), c = sn_vec3_dot(a, b);
    if (square < PARALLEL * PARALLEL) return false;
    double over_a = planes[i].b - sn_vec3_dot(a, x), over_b = planes[j].b - sn_vec3_dot(b, x);
    double s = (over_a - c * over_b) / square, t = (over_b - c * over_a) / square;
    sn_vec3 foot = sn_vec3_add(x, sn_vec3_add(sn_vec3_scale(s, a), sn_vec3_scale(t, b)));
    along = sn_vec3_scale(1 / sqrt(square), along);
    double low = -INFINITY, high = INFINITY;
    int32_t at_low = -1, at_high = -1;
    for (int32_t k = 0; k < count; k++) {
        if (k == i || k == j) continue;
        double rate = sn_vec3_dot(planes[k].n, along), room = sni_plane_room(&planes[k], foot);
        if (fabs(rate) < PARALLEL) {
            if (room < -2 * ROUNDING) return false;
        } else if (rate > 0 && -room / rate > low) {
            low = -room / rate, at_low = k;
        } else if (rate < 0 && -room / rate < high) {
            high = -room / rate, at_high = k;
        }
    }
    if (low > high + 2 * ROUNDING) return false;
    double move = low > 0 ? low : high < 0 ? high : 0;
    corner->x = sn_vec3_add(foot, sn_vec3_scale(move, along));
    corner->count = 2;
    corner->plane[0] = i, corner->plane[1] = j;
    if (move != 0) corner->plane[corner->count++] = low > 0 ? at_low : at_high;
    return true;
}

/// Faces in one plane, but for rounding: what is free of one is free of the other.
static bool is_same_plane(const sni_plane* a, const sni_plane* b) {
    sn_vec3 d = sn_vec3_sub(a->n, b->n);
    return sn_vec3_dot(d, d) < PARALLEL * PARALLEL;
}

static bool nearest_on_plane(const sni_plane* planes, int32_t count, int32_t i, sn_vec3 x,
                             sni_corner* corner) {
    corner->x = sn_vec3_sub(x, sn_vec3_scale(sni_plane_room(&planes[i], x), planes[i].n));
    corner->count = 1;
    corner->plane[0] = i;
    for (int32_t j = 0; j < count; j++) {
        if (sni_plane_room(&planes[j], corner->x) >= -ROUNDING) continue;
        if (is_same_plane(&planes[i], &planes[j])) continue;
        if (!nearest_on_line(planes, j, i, j, x, corner)) return false;
    }
    return true;
}

bool sni_nearest_free(const sni_plane* planes, int32_t count, sn_vec3 x, sni_corner* corner) {
    corner->x = x;
    corner->count = 0;
    for (int32_t i = 0; i < count; i++) {
        if (sni_plane_room(&planes[i], corner->x) >= -ROUNDING) continue;
        if (!nearest_on_plane(planes, i, i, x, corner)) return false;
    }
    return true;
}

/// Determinant of three columns.
static double triple(sn_vec3 a, sn_vec3 b, sn_vec3 c) {
    return sn_vec3_dot(a, sn_vec3_cross(b, c));
}

void sni_corner_shares(const sni_plane* planes, const sni_corner* corner, sn_vec3 from,
                       double share[3]) {
    sn_vec3 d = sn_vec3_sub(corner->x, from), n[3];
    share[0] = share[1] = share[2] = 0;
    for (int k = 0; k < corner->count; k++) n[k] = planes[corner->plane[k]].n;
    if (corner->count == 1) {
        share[0] = sn_vec3_dot(d, n[0]);
    } else if (corner->count > 1) {
        sn_vec3 third = corner->count == 3 ? n[2] : sn_vec3_cross(n[0], n[1]);
        double all = triple(n[0], n[1], third);
        share[0] = triple(d, n[1], third) / all;
        share[1] = triple(n[0], d, third) / all;
        if (corner->count == 3) share[2] = triple(n[0], n[1], d) / all;
    }
    for (int k = 0; k < 3; k++) share[k] = fmax(share[k], 0); // what rounding left
}
