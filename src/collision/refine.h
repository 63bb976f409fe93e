// SPDX-License-Identifier: Apache-2.0
/// From the direction that a search has found to the exact one: the normal of the features that touch.
#ifndef SN_COLLISION_REFINE_H
#define SN_COLLISION_REFINE_H

#include "collision/facing.h"
#include "collision/gjk.h"

/// Improves n and s, and the points where they change with them; finds what faces n on both sides. So the result does
/// not carry the rounding of the search, nor where that started.
void sni_refine(sni_core* a, sni_core* b, sni_apart* apart, sni_facing* facing_a,
                sni_facing* facing_b);

#endif
