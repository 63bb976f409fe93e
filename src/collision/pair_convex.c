// SPDX-License-Identifier: Apache-2.0
// Two convex solids by their support functions: the direction they touch along, then all points.
#include "collision/kept.h"
#include "collision/pairs.h"
#include "collision/refine.h"

/// The direction cores are farthest apart along; false: more than reach. Those that overlapped last time are
/// likely to do so still, along about the same direction.
static bool find_apart(sni_core* a, sni_core* b, double reach, sni_pair_memory* memory,
                       sni_apart* apart) {
    bool overlapped = memory->hint == SNI_HINT_OVERLAP;
    if (overlapped) sni_epa(a, b, memory->axis, apart);
    if (overlapped && !(apart->s > 0)) return true;
    sni_gjk_result result = sni_gjk(a, b, memory->axis, reach, apart);
    if (result == SN_GJK_OVERLAP) sni_epa(a, b, apart->n, apart);
    return result != SN_GJK_FAR;
}

void sni_touch_convex(const sni_solid* a, const sn_pose* X_wa, const sni_solid* b,
                      const sn_pose* X_wb, double margin, sni_pair_memory* memory,
                      sni_touches* out) {
    if (a->type == SN_SHAPE_SPHERE) {
        sni_touch_sphere(a, X_wa, b, X_wb, margin, memory, out);
        return;
    }
    if (b->type == SN_SHAPE_SPHERE) {
        sni_touch_swapped(sni_touch_sphere, a, X_wa, b, X_wb, margin, memory, out);
        return;
    }
    sni_core core_a = sni_core_make(a, X_wa, X_wa->p), core_b = sni_core_make(b, X_wb, X_wa->p);
    if (sni_still_apart(&core_a, &core_b, margin, memory)) return;
    double reach = margin + core_a.radius + core_b.radius;
    sni_apart apart;
    bool near = find_apart(&core_a, &core_b, reach, memory, &apart);
    if (near && sni_touch_kept(&core_a, &core_b, apart.s, margin, X_wa->p, memory, out)) return;
    memory->axis = apart.n;
    memory->hint = near && !(apart.s > 0) ? SNI_HINT_OVERLAP : SNI_HINT_NONE;
    if (!near) return;
    sni_facing facing_a, facing_b;
    sni_refine(&core_a, &core_b, &apart, &facing_a, &facing_b);
    sni_keep_nearest(&apart, memory);
    if (!(apart.s <= reach)) return;
    sni_manifold(&facing_a, &facing_b, &apart, true, margin, X_wa->p, out);
}
