// SPDX-License-Identifier: Apache-2.0
/// Pair functions by type; sni_touch_pair picks among them.
#ifndef SN_COLLISION_PAIRS_H
#define SN_COLLISION_PAIRS_H

#include "collision/solid.h"

sni_pair_function sni_touch_sphere;  ///< a: a sphere, b: any convex solid or plane   pair_sphere.c
sni_pair_function sni_touch_plane;   ///< a: any convex solid, b: a plane             pair_plane.c
sni_pair_function sni_touch_capsule; ///< two capsules                                pair_capsule.c
sni_pair_function sni_touch_box;     ///< two boxes                                   pair_box.c

/// The function for b and a; normals are turned back.
void sni_touch_swapped(sni_pair_function* function, const sni_solid* a, const sn_pose* X_wa,
                       const sni_solid* b, const sn_pose* X_wb, double margin,
                       sni_pair_memory* memory, sni_touches* out);

#endif
