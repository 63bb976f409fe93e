// SPDX-License-Identifier: Apache-2.0
/// Two solids that meet at edges or corners: many directions separate them almost as well, and which is best is
/// decided by rounding once they touch. They keep the one they had when they were clearly apart, so that a card that leans
/// against another is pushed level, not along one of its faces.
#ifndef SN_COLLISION_KEPT_H
#define SN_COLLISION_KEPT_H

#include "collision/manifold.h"

/// Touches along the direction in memory, if it came from nearest points and separates the cores about as well as the best one,
/// which does by s; false: it does not.
bool sni_touch_kept(sni_core* a, sni_core* b, double s, double margin, sn_vec3 origin,
                    const sni_pair_memory* memory, sni_touches* out);
/// Remembers the direction of nearest points.
void sni_keep_nearest(const sni_apart* apart, sni_pair_memory* memory);

#endif
