// SPDX-License-Identifier: Apache-2.0
#include "collision/support.h"

static int32_t look_through(const sni_hull* hull, sn_vec3 d) {
    int32_t best = 0;
    double most = sn_vec3_dot(d, hull->vertex[0]);
    for (int32_t k = 1; k < hull->vertex_count; k++) {
        double along = sn_vec3_dot(d, hull->vertex[k]);
        if (along > most) {
            most = along;
            best = k;
        }
    }
    return best;
}

// On a convex body a corner that no neighbour surpasses is the farthest.
static int32_t climb(const sni_hull* hull, sn_vec3 d, int32_t at) {
    double most = sn_vec3_dot(d, hull->vertex[at]);
    for (;;) {
        int32_t best = at;
        for (int32_t k = hull->neighbour[at]; k < hull->neighbour[at + 1]; k++) {
            double along = sn_vec3_dot(d, hull->vertex[hull->next[k]]);
            if (along > most) {
                most = along;
                best = hull->next[k];
            }
        }
        if (best == at) return at;
        at = best;
    }
}

int32_t sni_hull_farthest(const sni_hull* hull, sn_vec3 d, int32_t from) {
    return hull->vertex_count <= SN_HULL_CLIMB ? look_through(hull, d) : climb(hull, d, from);
}

bool sni_still_apart(sni_core* a, sni_core* b, double margin, const sni_pair_memory* memory) {
    sn_vec3 n = memory->axis;
    if (!(sn_vec3_dot(n, n) > 0)) return false;
    return sni_cores_apart(a, b, n) - a->radius - b->radius > margin;
}
