// SPDX-License-Identifier: Apache-2.0
/// Boxes along the axes.
#ifndef SN_COLLISION_BOX_H
#define SN_COLLISION_BOX_H

#include "collision/solid.h"

/// Whether a box has low <= high on all axes; with a NaN it has not.
static inline bool sni_box_is_there(const sni_box* b) {
    return b->low.x <= b->high.x && b->low.y <= b->high.y && b->low.z <= b->high.z;
}

/// Whether two boxes that are there have a point in common.
static inline bool sni_box_overlap(const sni_box* a, const sni_box* b) {
    return a->low.x <= b->high.x && b->low.x <= a->high.x && a->low.y <= b->high.y &&
           b->low.y <= a->high.y && a->low.z <= b->high.z && b->low.z <= a->high.z;
}

#endif
