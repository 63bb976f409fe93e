// SPDX-License-Identifier: Apache-2.0
/// Points of contact of two solids that touch along a known direction: what faces it on both sides, one clipped by the
/// other.
#ifndef SN_COLLISION_MANIFOLD_H
#define SN_COLLISION_MANIFOLD_H

#include "collision/facing.h"
#include "collision/gjk.h"

/// Most points of one pair of convex solids; of more, those that are spread widest stay.
enum { SN_MANIFOLD_POINTS = 16 };

/// Name of a point: corners of the edge or the corner on either side, SN_FEATURE_FACE twice for a face.
uint32_t sni_feature(uint32_t a0, uint32_t a1, uint32_t b0, uint32_t b1);

/// Points where a and b face each other along apart->n with gaps up to `margin`. The deepest point of *apart is
/// added when no other is as deep; without `complete` it is not, and nothing is written unless there is one.
/// Returns whether there was.
bool sni_manifold(const sni_facing* a, const sni_facing* b, const sni_apart* apart, bool complete,
                  double margin, sn_vec3 origin, sni_touches* out);

/// Appends up to SN_MANIFOLD_POINTS of the points: the deepest, and those farthest out along directions of
/// the plane across n.
void sni_touches_spread(const sni_touch* at, int32_t count, sn_vec3 n, sni_touches* out);

#endif
