// SPDX-License-Identifier: Apache-2.0
/// Boxes sorted for sweeping: cut into slabs across one axis, each slab a row by the low ends along another. Made
/// anew from all boxes in O(n); asked by scanning rows eight boxes at a time.
///
/// A slab is as thick as the boxes in it, but for wide ones (thick or long), which are in a row of their own. So
/// two boxes that overlap are in the same slab or in neighbouring ones, or one of them is wide. The two axes are
/// those along which boxes are spread most. Ends are floats relative to an origin: rounding is monotone, so boxes
/// that overlap still do; whoever asks looks at the doubles of what is found.
#ifndef SN_COLLISION_SLABS_H
#define SN_COLLISION_SLABS_H

#include <float.h>
#include <math.h>

#include "base/arena.h"
#include "collision/box.h"
#if defined(__SSE__)
#include <xmmintrin.h>
#endif

enum {
    SNI_SLABS = 2047,
    SNI_SLABS_WIDE = SNI_SLABS, ///< the row of wide boxes comes last
    SNI_SLABS_SCAN = 8          ///< places that are looked at together
};

typedef struct sni_slab_key {
    uint64_t key;
    int32_t box;
} sni_slab_key;

/// Ends of a box: along the row, across slabs, along the third axis.
typedef struct sni_ends {
    float low[3], high[3];
} sni_ends;

typedef struct sni_slabs {
    int32_t count;                ///< boxes that are there
    int32_t axis[3];              ///< x, y or z: along rows, across slabs, the third
    double origin[3];             ///< along these axes
    double thickness;             ///< of a slab
    double length;                ///< of boxes along rows, at most, but for wide ones
    int32_t first[SNI_SLABS + 2]; ///< where a row begins
    float longest[SNI_SLABS + 1]; ///< box of a row, along it
    float *low[3], *high[3];      ///< [boxes + SNI_SLABS_SCAN] ends by place in the rows
    int32_t* box;                 ///< which box is at a place
    sni_slab_key *entry, *spare;
    uint32_t (*tally)[1 << 11];
} sni_slabs;

void sni_slabs_layout(sni_slabs* slabs, sni_arena* arena, int32_t boxes);
void sni_slabs_make(sni_slabs* slabs, const sni_box* box, int32_t boxes);

sni_ends sni_slabs_ends(const sni_slabs* slabs, const sni_box* box);
/// The slabs a box can find others in: those it reaches, and the one before.
void sni_slabs_reached(const sni_slabs* slabs, const sni_box* box, int32_t* first, int32_t* last);
/// Where boxes of a row begin, at least, that reach to `low` along it.
static inline float sni_slabs_reach(const sni_slabs* slabs, int32_t row, float low) {
    // rounding of the length, of this difference, and then some
    return low - slabs->longest[row] * (1 + 4 * FLT_EPSILON) - fabsf(low) * 4 * FLT_EPSILON;
}
/// The first place of a row with such a box.
int32_t sni_slabs_seek(const sni_slabs* slabs, int32_t row, float low);

static inline sni_ends sni_slabs_at(const sni_slabs* slabs, int32_t place) {
    sni_ends e;
    for (int k = 0; k < 3; k++) {
        e.low[k] = slabs->low[k][place];
        e.high[k] = slabs->high[k][place];
    }
    return e;
}

#if defined(__SSE__)
/// Bits of four boxes: which begin past the end of e along the row; *apart: which do not overlap it otherwise.
static inline unsigned sni_slabs_scan4(const sni_slabs* slabs, int32_t place, const sni_ends* e,
                                       unsigned* apart) {
    __m128 past = _mm_cmpgt_ps(_mm_loadu_ps(slabs->low[0] + place), _mm_set1_ps(e->high[0]));
    __m128 p = _mm_cmplt_ps(_mm_loadu_ps(slabs->high[0] + place), _mm_set1_ps(e->low[0]));
    __m128 q = _mm_cmpgt_ps(_mm_loadu_ps(slabs->low[1] + place), _mm_set1_ps(e->high[1]));
    __m128 r = _mm_cmplt_ps(_mm_loadu_ps(slabs->high[1] + place), _mm_set1_ps(e->low[1]));
    __m128 s = _mm_cmpgt_ps(_mm_loadu_ps(slabs->low[2] + place), _mm_set1_ps(e->high[2]));
    __m128 t = _mm_cmplt_ps(_mm_loadu_ps(slabs->high[2] + place), _mm_set1_ps(e->low[2]));
    p = _mm_or_ps(_mm_or_ps(p, q), _mm_or_ps(r, _mm_or_ps(s, t)));
    *apart = (unsigned)_mm_movemask_ps(p);
    return (unsigned)_mm_movemask_ps(past);
}
#else
static inline unsigned sni_slabs_scan4(const sni_slabs* slabs, int32_t place, const sni_ends* e,
                                       unsigned* apart) {
    unsigned past = 0;
    *apart = 0;
    for (int i = 0; i < 4; i++, place++) {
        past |= (slabs->low[0][place] > e->high[0] ? 1u : 0u) << i;
        bool gap = slabs->high[0][place] < e->low[0];
        for (int k = 1; k < 3; k++)
            gap |= (slabs->low[k][place] > e->high[k]) | (slabs->high[k][place] < e->low[k]);
        *apart |= (gap ? 1u : 0u) << i;
    }
    return past;
}
#endif

/// Of the eight places from `place` on: bit i set when box i overlaps `e`. *more is false when one of them begins
/// past the end of e along the row, so that all that follow do.
static inline unsigned sni_slabs_scan(const sni_slabs* slabs, int32_t place, const sni_ends* e,
                                      bool* more) {
    unsigned apart, apart_too;
    unsigned past = sni_slabs_scan4(slabs, place, e, &apart);
    past |= sni_slabs_scan4(slabs, place + 4, e, &apart_too) << 4;
    *more = past == 0;
    return ~(past | apart | apart_too << 4) & 0xffu;
}

#endif
