// SPDX-License-Identifier: Apache-2.0
/// Overlapping pairs of few boxes, most of which move little from find to find. All wanted pairs of boxes that are drawn larger
/// by a slack are kept, and only these are looked at, as long as every box stays within its larger one. What is found does
/// not depend on what is kept. A box that is not there is NaN.
#ifndef SN_COLLISION_LOOSE_H
#define SN_COLLISION_LOOSE_H

#include "collision/broad.h"

typedef struct sni_loose {
    sni_box* box;        // [boxes] drawn larger
    sni_near_pair* pair; // [count] of [boxes (boxes - 1) / 2] wanted and overlapping, by (a, b)
    int32_t count;       ///< -1: none are kept yet
} sni_loose;

void sni_loose_layout(sni_loose* loose, sni_arena* arena, int32_t boxes);
/// Keeps nothing: `wanted` answers otherwise now.
void sni_loose_forget(sni_loose* loose);
/// Chooses pairs to keep when those that are kept are not all that can overlap. wanted NULL: all are.
void sni_loose_update(sni_loose* loose, const sni_box* box, int32_t boxes,
                      bool (*wanted)(const void* context, int32_t a, int32_t b),
                      const void* context);
/// As sni_broad_find, of the boxes of the last update.
int32_t sni_loose_find(const sni_loose* loose, const sni_box* box, const bool* still,
                       sni_near_pair* out, int32_t most);

#endif
