// SPDX-License-Identifier: Apache-2.0
/// Fewer points for flat contact: of the points that two bodies share in one plane, those that carry the same loads but
/// for the area they lose.
#ifndef SN_COLLISION_PATCH_H
#define SN_COLLISION_PATCH_H

#include "collision/contact_list.h"

typedef struct sni_patch_work {
    int32_t* order; // [most] contacts by pairs of bodies
    bool* kept;     // [most]
} sni_patch_work;

void sni_patch_layout(sni_patch_work* work, sni_arena* arena, int32_t most);
/// Leaves at most `points` (4 or more) of each patch: the deepest, the farthest from it, the farthest from their
/// line, the farthest on its other side, then those farthest from all. Ties go to the first, so that a patch at rest keeps
/// its points. `depth`: overlaps closer than this to each other are equally deep.
void sni_patch_reduce(sni_contact_list* list, sni_patch_work* work, int32_t points, double depth);

#endif
