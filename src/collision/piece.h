// SPDX-License-Identifier: Apache-2.0
/// One piece of a local-geometry record, as a convex thing that a point can be near to.
#ifndef SN_COLLISION_PIECE_H
#define SN_COLLISION_PIECE_H

#include "sinew/collision.h"

/// The point of a piece that is nearest to another.
typedef struct sni_near_piece {
    double distance; ///< negative inside; of triangles never
    sn_vec3 x, n;    ///< point, and unit vector from there to the other; world
    bool edge;       ///< of a triangle: x is on its rim
    double height;   ///< of a triangle: of the other point over its plane
    sn_vec3 face;    ///< of a triangle: normal
} sni_near_piece;

void sni_piece_nearest(const sn_piece* piece, sn_vec3 p, sni_near_piece* near);

#endif
