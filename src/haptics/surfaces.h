// SPDX-License-Identifier: Apache-2.0
/// Surfaces near a device as half-spaces. Every piece is convex, so a plane between it and a point keeps whole
/// straight paths free of it: what stays on the free side of one plane for each piece has passed through none.
#ifndef SN_HAPTICS_SURFACES_H
#define SN_HAPTICS_SURFACES_H

#include "collision/sn_collision.h"
#include "sinew/touch.h"

/// Free is where n . x >= b.
typedef struct sni_plane {
    sn_vec3 n;
    double b;
    int32_t piece;
    bool beside;  ///< the ball is over the plane of a triangle, but not over the triangle
    sn_vec3 face; ///< then that plane: face . x >= face_b
    double face_b;
} sni_plane;

static inline double sni_plane_room(const sni_plane* plane, sn_vec3 x) {
    return sn_vec3_dot(plane->n, x) - plane->b;
}

/// Moves pieces on by their velocities, unless the record is too old.
void sni_surfaces_advance(sn_surfaces* surfaces, double period);
/// Takes over a record. from[k] is the number that piece k had, -1: none; before[k] is where it was, of new ones the
/// piece itself. Returns whether any is not where it was.
bool sni_surfaces_take(sn_surfaces* surfaces, const sn_local_geometry* local, sn_piece* before,
                       int32_t* from);
/// The point that moves with a piece.
sn_vec3 sni_carried(const sn_piece* before, const sn_piece* now, sn_vec3 p);
/// Whether it moves.
bool sni_piece_moves(const sn_piece* piece);
sn_vec3 sni_piece_velocity(const sn_piece* piece, sn_vec3 x);

/// A plane between ball and piece, with room for the ball's radius: of those that there are, the one that is less in the
/// way of `target`. False: p is behind a triangle, which does not hold it. distance: of p from the piece.
bool sni_plane_between(const sn_piece* piece, int32_t number, sn_vec3 p, double radius,
                       sn_vec3 target, sni_plane* plane, double* distance);

/// Leaves out triangles that the ball is beside of, in one plane with a face that it is over: their rim is no rim. How
/// many are left.
int32_t sni_planes_tidy(sni_plane* planes, int32_t count);

/// The point nearest to x that is on the free side of all planes; which of them it lies on. False: there is none.
typedef struct sni_corner {
    sn_vec3 x;
    int32_t count, plane[3];
} sni_corner;
bool sni_nearest_free(const sni_plane* planes, int32_t count, sn_vec3 x, sni_corner* corner);
/// Shares of the planes' normals in x - corner->x, from that corner: x - from = sum share n.
void sni_corner_shares(const sni_plane* planes, const sni_corner* corner, sn_vec3 from,
                       double share[3]);

#endif
