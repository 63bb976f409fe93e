// SPDX-License-Identifier: Apache-2.0
#include "collision/loose.h"

#include <math.h>

#include "collision/box.h"

void sni_loose_layout(sni_loose* loose, sni_arena* arena, int32_t boxes) {
    size_t n = (size_t)boxes;
    loose->box = SN_ARENA_ARRAY(arena, sni_box, n);
    loose->pair = SN_ARENA_ARRAY(arena, sni_near_pair, n > 0 ? n * (n - 1) / 2 : 0);
    loose->count = -1;
}

static bool is_within(const sni_box* a, const sni_box* b) {
    return a->low.x >= b->low.x && a->high.x <= b->high.x && a->low.y >= b->low.y &&
           a->high.y <= b->high.y && a->low.z >= b->low.z && a->high.z <= b->high.z;
}

/// Whether what is kept has all that overlaps. A box that is not there has nothing to be found.
static bool holds_all(const sni_loose* loose, const sni_box* box, int32_t boxes) {
    if (loose->count < 0) return false;
    for (int32_t k = 0; k < boxes; k++)
        if (!is_within(&box[k], &loose->box[k]) && sni_box_is_there(&box[k])) return false;
    return true;
}

/// A part of the mean edge of the boxes that have an end.
static double slack_of(const sni_box* box, int32_t boxes) {
    static const double PART = 0.05;
    double sum = 0;
    int32_t count = 0;
    for (int32_t k = 0; k < boxes; k++) {
        sn_vec3 edge = sn_vec3_sub(box[k].high, box[k].low);
        double mean = (edge.x + edge.y + edge.z) / 3;
        if (!(mean >= 0 && isfinite(mean))) continue;
        sum += mean;
        count++;
    }
    return count > 0 ? PART * sum / count : 0;
}

static void make(sni_loose* loose, const sni_box* box, int32_t boxes,
                 bool (*wanted)(const void* context, int32_t a, int32_t b), const void* context) {
    double slack = slack_of(box, boxes);
    sn_vec3 all_around = sn_vec3_make(slack, slack, slack);
    for (int32_t k = 0; k < boxes; k++)
        loose->box[k] =
            (sni_box){sn_vec3_sub(box[k].low, all_around), sn_vec3_add(box[k].high, all_around)};
    loose->count = 0;
    for (int32_t a = 0; a < boxes; a++)
        for (int32_t b = a + 1; b < boxes; b++)
            if (sni_box_overlap(&loose->box[a], &loose->box[b]) &&
                (!wanted || wanted(context, a, b)))
                loose->pair[loose->count++] = (sni_near_pair){a, b};
}

void sni_loose_forget(sni_loose* loose) { loose->count = -1; }

void sni_loose_update(sni_loose* loose, const sni_box* box, int32_t boxes,
                      bool (*wanted)(const void* context, int32_t a, int32_t b),
                      const void* context) {
    if (!holds_all(loose, box, boxes)) make(loose, box, boxes, wanted, context);
}

int32_t sni_loose_find(const sni_loose* loose, const sni_box* box, const bool* still,
                       sni_near_pair* out, int32_t most) {
    int32_t found = 0;
    for (int32_t k = 0; k < loose->count; k++) {
        sni_near_pair at = loose->pair[k];
        if ((still[at.a] && still[at.b]) || !sni_box_overlap(&box[at.a], &box[at.b])) continue;
        if (found < most) out[found] = at;
        found++;
    }
    return found;
}
