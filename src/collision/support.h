// SPDX-License-Identifier: Apache-2.0
/// Convex solids as what lies farthest in a direction. Spheres and capsules are a core, a point or segment,
/// and a radius around it, so that round surfaces are exact; other solids are their own core.
///
/// Everything of a pair is computed in world axes about the origin of solid a: far from the world's origin
/// no digit is lost.
#ifndef SN_COLLISION_SUPPORT_H
#define SN_COLLISION_SUPPORT_H

#include "collision/solid.h"

/// A core where it is.
typedef struct sni_core {
    const sni_solid* solid;
    sn_mat3 R; ///< shape axes in world axes
    sn_vec3 p; ///< origin of the shape
    double radius;
    int32_t climb; ///< hull: corner that was farthest last, where the next climb starts
} sni_core;

/// Larger hulls are climbed from corner to corner, smaller ones looked through.
enum { SN_HULL_CLIMB = 24 };

static inline bool sni_is_round(const sni_solid* solid) {
    return solid->type == SN_SHAPE_SPHERE || solid->type == SN_SHAPE_CAPSULE;
}

static inline sni_core sni_core_make(const sni_solid* solid, const sn_pose* X_ws, sn_vec3 origin) {
    return (sni_core){solid, X_ws->R, sn_vec3_sub(X_ws->p, origin),
                      sni_is_round(solid) ? solid->half.x : 0, 0};
}

/// Corner of a hull farthest along d, shape frame; a climb starts at `from`.
int32_t sni_hull_farthest(const sni_hull* hull, sn_vec3 d, int32_t from);

/// Point of a core farthest along d, both in the shape frame.
static inline sn_vec3 sni_solid_support(const sni_solid* solid, sn_vec3 d, int32_t* climb) {
    sn_vec3 half = solid->half;
    switch (solid->type) {
    case SN_SHAPE_BOX:
        return sn_vec3_make(copysign(half.x, d.x), copysign(half.y, d.y), copysign(half.z, d.z));
    case SN_SHAPE_CAPSULE: return sn_vec3_make(0, 0, copysign(half.z, d.z));
    case SN_SHAPE_CYLINDER: {
        double across = sqrt(d.x * d.x + d.y * d.y);
        double x = across > 0 ? half.x * d.x / across : half.x;
        double y = across > 0 ? half.x * d.y / across : 0;
        return sn_vec3_make(x, y, copysign(half.z, d.z));
    }
    case SN_SHAPE_HULL:
        *climb = sni_hull_farthest(solid->hull, d, *climb);
        return solid->hull->vertex[*climb];
    default: return sn_vec3_zero(); // the centre of a sphere
    }
}

/// The same in world axes.
static inline sn_vec3 sni_core_support(sni_core* core, sn_vec3 d) {
    sn_vec3 d_s = sn_mat3_apply_transposed(core->R, d);
    sn_vec3 x_s = sni_solid_support(core->solid, d_s, &core->climb);
    return sn_vec3_add(core->p, sn_mat3_apply(core->R, x_s));
}

/// How far apart two cores are along the unit vector n, from b to a; negative: they overlap along it. The distance
/// of two solids is its maximum over n, minus both radii; overlapping solids, too.
static inline double sni_cores_apart(sni_core* a, sni_core* b, sn_vec3 n) {
    sn_vec3 x_a = sni_core_support(a, sn_vec3_neg(n)), x_b = sni_core_support(b, n);
    return sn_vec3_dot(n, sn_vec3_sub(x_a, x_b));
}

/// Whether the axis remembered by a pair still has more than margin between the two solids.
bool sni_still_apart(sni_core* a, sni_core* b, double margin, const sni_pair_memory* memory);

#endif
