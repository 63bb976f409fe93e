// SPDX-License-Identifier: Apache-2.0
/// Distance of two cores: the point nearest to the origin of the difference A - B of two convex sets, found
/// by Gilbert, Johnson and Keerthi's simplices; where they overlap, the nearest face of A - B by van den
/// Bergen's expanding polytope.
///
/// Both look for the unit vector n, from b to a, along which the cores are farthest apart (sni_cores_apart),
/// and any n gives a lower bound. So an answer that rounding kept from the best one is still a true
/// statement about its own n.
#ifndef SN_COLLISION_GJK_H
#define SN_COLLISION_GJK_H

#include "collision/support.h"

/// A corner of A - B and the points of A and B it is made of.
typedef struct sni_difference {
    sn_vec3 w, a, b;
} sni_difference;

/// One to four corners, and the weights of the point of their hull that is nearest to the origin.
typedef struct sni_simplex {
    int32_t count;
    sni_difference at[4];
    double weight[4];
} sni_simplex;

/// How far apart two cores are.
typedef struct sni_apart {
    sn_vec3 n;    ///< unit, from b to a
    double s;     ///< along n; negative: overlap
    double most;  ///< s along any n is no more than this, up to rounding
    sn_vec3 a, b; ///< points that are nearest, or deepest
    double scale; ///< m: size of the numbers it was computed with
    int32_t count;
    sni_difference corner[3]; ///< of A - B, about where it is nearest
} sni_apart;

typedef enum sni_gjk_result {
    SN_GJK_FAR,    ///< farther apart than was asked for; only n and s are set, s a lower bound
    SN_GJK_APART,  ///< *apart is the answer
    SN_GJK_OVERLAP ///< or touching, up to rounding; n is a guess
} sni_gjk_result;

static inline sni_difference sni_difference_farthest(sni_core* a, sni_core* b, sn_vec3 d) {
    sni_difference at;
    at.a = sni_core_support(a, d);
    at.b = sni_core_support(b, sn_vec3_neg(d));
    at.w = sn_vec3_sub(at.a, at.b);
    return at;
}

/// Over the scale: how exact the two searches are. They come near to round rims by ever smaller steps, and leave the
/// rest to sni_refine.
static const double SN_SEARCH_FLAT = 1e-15;
static const double SN_SEARCH_RIMS = 1e-9;

static inline double sni_search_tolerance(const sni_core* a, const sni_core* b) {
    bool rims = a->solid->type == SN_SHAPE_CYLINDER || b->solid->type == SN_SHAPE_CYLINDER;
    return rims ? SN_SEARCH_RIMS : SN_SEARCH_FLAT;
}

/// Distance of cores that do not overlap, unless it is more than `enough`. `start` is a guess of n; zero: none.
sni_gjk_result sni_gjk(sni_core* a, sni_core* b, sn_vec3 start, double enough, sni_apart* apart);
/// Depth of cores that overlap or touch; `guess` of n is a unit vector. Where they are apart after all, s is positive
/// and no more than a lower bound.   epa.c
void sni_epa(sni_core* a, sni_core* b, sn_vec3 guess, sni_apart* apart);

/// Drops corners until the rest are those whose hull has the point nearest to the origin; returns that point.
/// Four corners stay when the origin is inside.
sn_vec3 sni_simplex_nearest(sni_simplex* simplex);

#endif
