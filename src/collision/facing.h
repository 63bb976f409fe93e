// SPDX-License-Identifier: Apache-2.0
/// What of a convex solid faces a direction: a corner, an edge or a face. Two solids that touch along n do so
/// with what faces -n and n; where that is more than a corner, they touch in more than a point.
#ifndef SN_COLLISION_FACING_H
#define SN_COLLISION_FACING_H

#include "collision/support.h"

/// Of faces with more corners some are left out.
enum { SN_FACING_CORNERS = 32 };
/// Corners that stand for the rim of a cylinder's cap; they turn with the cylinder, so that contacts stay.
enum { SN_RIM_CORNERS = 8 };
/// In place of a corner's id: a face.
enum { SN_FEATURE_FACE = 255 };

typedef struct sni_facing {
    int32_t count; ///< 1: a corner, 2: an edge, more: a face, counter-clockwise seen from outside
    sn_vec3 at[SN_FACING_CORNERS]; ///< of the core, world axes
    uint32_t id[SN_FACING_CORNERS];
    sn_vec3 normal;  ///< of a face, outward
    double round;    ///< radius across an edge: capsule, side of a cylinder; else 0
    sn_vec3 axis[2]; ///< of a round edge: its centre line
    double lift;     ///< of the surface above `at`: radius of the solid
    bool disc;       ///< a cap: it has rim between its corners
} sni_facing;

/// What of the core faces d, a unit vector in world axes.
void sni_facing_find(sni_core* core, sn_vec3 d, sni_facing* facing);

#endif
