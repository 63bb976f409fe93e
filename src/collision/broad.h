// SPDX-License-Identifier: Apache-2.0
/// Broad phase: which of many boxes overlap. Boxes are set anew as shapes move; a find lists all overlapping
/// pairs, in an order that depends on nothing but the boxes. Holds 10^4 moving boxes in about a millisecond. Boxes may be infinite
/// (planes, huge floors). Never allocates after layout.
#ifndef SN_COLLISION_BROAD_H
#define SN_COLLISION_BROAD_H

#include "base/arena.h"
#include "collision/solid.h"

typedef struct sni_near_pair {
    int32_t a, b; ///< a < b
} sni_near_pair;

typedef struct sni_broad sni_broad;

/// Memory for `boxes` boxes; all are empty until set. Returns NULL while measuring.
sni_broad* sni_broad_layout(sni_arena* arena, int32_t boxes);
/// low > high: empty, overlaps nothing.
void sni_broad_set(sni_broad* broad, int32_t k, const sni_box* box);
/// Two still boxes are no pair. None is still at first.
void sni_broad_still(sni_broad* broad, int32_t k, bool still);
/// Overlapping pairs for which wanted says so, ordered by (a, b). Returns how many there are; the first `most` in that order are
/// written. wanted NULL: all are.
int32_t sni_broad_find(sni_broad* broad, bool (*wanted)(const void* context, int32_t a, int32_t b),
                       const void* context, sni_near_pair* out, int32_t most);
/// Boxes that overlap the given one, at most `most`, in rising order; returns how many there are.
int32_t sni_broad_overlapping(const sni_broad* broad, const sni_box* box, int32_t* out,
                              int32_t most);

#endif
