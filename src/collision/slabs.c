// SPDX-License-Identifier: Apache-2.0
#include "collision/slabs.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum {
    DIGIT_BITS = 11, // of the sort; an end along the row has 32 bits, a row 11
    DIGITS = 4,
    SAMPLE = 63 // boxes that scale is taken from
};

// Boxes thicker than this times what three quarters of them are at most are wide.
static const double WIDE = 2;
// Slabs are so much thicker than the thickest box that rounding does not put two that overlap farther apart.
static const double SLACK = 1.001;

void sni_slabs_layout(sni_slabs* slabs, sni_arena* arena, int32_t boxes) {
    for (int k = 0; k < 3; k++) { // scans read past the end
        slabs->low[k] = SN_ARENA_ARRAY(arena, float, (size_t)boxes + SNI_SLABS_SCAN);
        slabs->high[k] = SN_ARENA_ARRAY(arena, float, (size_t)boxes + SNI_SLABS_SCAN);
    }
    slabs->box = SN_ARENA_ARRAY(arena, int32_t, (size_t)boxes + SNI_SLABS_SCAN);
    slabs->entry = SN_ARENA_ARRAY(arena, sni_slab_key, boxes);
    slabs->spare = SN_ARENA_ARRAY(arena, sni_slab_key, boxes);
    slabs->tally = sni_arena_take(arena, DIGITS, sizeof *slabs->tally);
}

// ---- scale ----------------------------------------------------------------------------------------------

static double low_of(const sni_box* b, int axis) { return (&b->low.x)[axis]; }
static double high_of(const sni_box* b, int axis) { return (&b->high.x)[axis]; }
static double extent_of(const sni_box* b, int axis) { return high_of(b, axis) - low_of(b, axis); }

static void sort_numbers(double* x, int n) {
    for (int gap = n / 2; gap > 0; gap /= 2)
        for (int i = gap; i < n; i++) {
            double v = x[i];
            int j = i;
            for (; j >= gap && x[j - gap] > v; j -= gap) x[j] = x[j - gap];
            x[j] = v;
        }
}

/// How boxes lie along an axis. Quartiles, because one body far away must not take the resolution from all others.
typedef struct lie {
    double middle, spread; ///< of low ends; half of them are within `spread`
    double thick;          ///< three quarters are at most
} lie;

static lie lie_along(const sni_box* box, int32_t boxes, int axis) {
    double low[SAMPLE], extent[SAMPLE];
    int n = 0;
    int32_t stride = boxes / SAMPLE + 1;
    for (int32_t k = 0; k < boxes; k += stride) {
        double l = low_of(&box[k], axis), e = extent_of(&box[k], axis);
        if (!sni_box_is_there(&box[k]) || !isfinite(l) || !isfinite(e)) continue;
        low[n] = l;
        extent[n++] = e;
    }
    if (n == 0) return (lie){0, 0, 0};
    sort_numbers(low, n);
    sort_numbers(extent, n);
    return (lie){low[n / 2], low[n - 1 - n / 4] - low[n / 4], extent[n - 1 - n / 4]};
}

/// Rows along the axis with most boxes side by side, slabs across the next.
static void choose_axes(sni_slabs* slabs, const sni_box* box, int32_t boxes) {
    lie lies[3];
    double side_by_side[3];
    for (int k = 0; k < 3; k++) {
        lies[k] = lie_along(box, boxes, k);
        double ratio = lies[k].spread / lies[k].thick;
        side_by_side[k] = ratio >= 0 ? ratio : 0; // NaN: points in a plane
        slabs->axis[k] = k;
    }
    for (int i = 1; i < 3; i++)
        for (int j = i; j > 0; j--) {
            int32_t *a = &slabs->axis[j - 1], *b = &slabs->axis[j], swap = *a;
            if (!(side_by_side[*b] > side_by_side[*a])) break;
            *a = *b;
            *b = swap;
        }
    for (int k = 0; k < 3; k++) slabs->origin[k] = lies[slabs->axis[k]].middle;
    slabs->length = WIDE * lies[slabs->axis[0]].thick;
    const lie* across = &lies[slabs->axis[1]];
    double most = WIDE * across->thick, thickest = 0;
    for (int32_t k = 0; k < boxes; k++) {
        double e = extent_of(&box[k], slabs->axis[1]);
        if (e <= most && e > thickest) thickest = e;
    }
    // half of the boxes in a quarter of the slabs, at worst
    slabs->thickness = fmax(SLACK * thickest, 4 * across->spread / SNI_SLABS);
    if (!(slabs->thickness > 0)) slabs->thickness = 1; // points in a plane
}

// ---- rows -----------------------------------------------------------------------------------------------

static int32_t slab_of(const sni_slabs* slabs, double low) {
    double s = SNI_SLABS / 2 + floor((low - slabs->origin[1]) / slabs->thickness);
    return s > 0 ? s < SNI_SLABS - 1 ? (int32_t)s : SNI_SLABS - 1 : 0;
}

static int32_t row_of(const sni_slabs* slabs, const sni_box* b) {
    bool fits = SLACK * extent_of(b, slabs->axis[1]) <= slabs->thickness &&
                extent_of(b, slabs->axis[0]) <= slabs->length;
    return fits ? slab_of(slabs, low_of(b, slabs->axis[1])) : SNI_SLABS_WIDE;
}

static float rounded(double x) {
    return x > FLT_MAX ? INFINITY : x < -FLT_MAX ? -INFINITY : (float)x;
}

sni_ends sni_slabs_ends(const sni_slabs* slabs, const sni_box* box) {
    sni_ends e;
    for (int k = 0; k < 3; k++) {
        e.low[k] = rounded(low_of(box, slabs->axis[k]) - slabs->origin[k]);
        e.high[k] = rounded(high_of(box, slabs->axis[k]) - slabs->origin[k]);
    }
    return e;
}

/// Bits of a float in the order of its value.
static uint32_t ordered(float x) {
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits & 0x80000000u ? ~bits : bits | 0x80000000u;
}

/// Sorts n entries by key, digit by digit; equal keys keep their order. Returns where the result is.
static const sni_slab_key* sort_entries(sni_slabs* slabs, int32_t n) {
    const uint64_t mask = (1 << DIGIT_BITS) - 1;
    sni_slab_key *from = slabs->entry, *to = slabs->spare;
    memset(slabs->tally, 0, DIGITS * sizeof *slabs->tally);
    for (int32_t i = 0; i < n; i++)
        for (int d = 0; d < DIGITS; d++) slabs->tally[d][from[i].key >> (d * DIGIT_BITS) & mask]++;
    for (int d = 0; d < DIGITS; d++) {
        uint32_t *tally = slabs->tally[d], sum = 0;
        if (n == 0 || tally[from[0].key >> (d * DIGIT_BITS) & mask] == (uint32_t)n) continue;
        for (uint64_t v = 0; v <= mask; v++) {
            uint32_t of = tally[v];
            tally[v] = sum;
            sum += of;
        }
        for (int32_t i = 0; i < n; i++)
            to[tally[from[i].key >> (d * DIGIT_BITS) & mask]++] = from[i];
        sni_slab_key* swap = from;
        from = to;
        to = swap;
    }
    return from;
}

void sni_slabs_make(sni_slabs* slabs, const sni_box* box, int32_t boxes) {
    choose_axes(slabs, box, boxes);
    int32_t n = 0;
    for (int32_t k = 0; k < boxes; k++) {
        if (!sni_box_is_there(&box[k])) continue;
        float low = rounded(low_of(&box[k], slabs->axis[0]) - slabs->origin[0]);
        uint64_t row = (uint64_t)row_of(slabs, &box[k]);
        slabs->entry[n++] = (sni_slab_key){row << 32 | ordered(low), k};
    }
    const sni_slab_key* sorted = sort_entries(slabs, n);
    int32_t row = -1;
    for (int32_t i = 0; i < n; i++) {
        for (; row < (int32_t)(sorted[i].key >> 32); slabs->longest[row] = 0)
            slabs->first[++row] = i;
        sni_ends e = sni_slabs_ends(slabs, &box[sorted[i].box]);
        for (int k = 0; k < 3; k++) {
            slabs->low[k][i] = e.low[k];
            slabs->high[k][i] = e.high[k];
        }
        slabs->box[i] = sorted[i].box;
        float length = e.high[0] - e.low[0];
        if (!(length <= slabs->longest[row])) slabs->longest[row] = length;
    }
    while (row <= SNI_SLABS_WIDE) slabs->first[++row] = n;
    slabs->count = n;
}

void sni_slabs_reached(const sni_slabs* slabs, const sni_box* box, int32_t* first, int32_t* last) {
    int32_t begin = slab_of(slabs, low_of(box, slabs->axis[1]));
    *first = begin > 0 ? begin - 1 : 0;
    *last = slab_of(slabs, high_of(box, slabs->axis[1]));
}

int32_t sni_slabs_seek(const sni_slabs* slabs, int32_t row, float low) {
    int32_t begin = slabs->first[row], end = slabs->first[row + 1];
    float from = sni_slabs_reach(slabs, row, low);
    while (begin < end) {
        int32_t middle = begin + (end - begin) / 2;
        if (slabs->low[0][middle] < from)
            begin = middle + 1;
        else
            end = middle;
    }
    return begin;
}
