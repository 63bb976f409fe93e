// SPDX-License-Identifier: Apache-2.0
#include "collision/pairs.h"

/// The function that takes types a and b in this order; NULL: they go the other way round.
static sni_pair_function* function_for(sn_shape_type a, sn_shape_type b) {
    if (a == SN_SHAPE_MESH) return sni_touch_mesh;
    if (b == SN_SHAPE_MESH) return NULL;
    if (b == SN_SHAPE_PLANE) return sni_touch_plane;
    if (a == SN_SHAPE_PLANE) return NULL;
    if (a == SN_SHAPE_SPHERE) return sni_touch_sphere;
    if (b == SN_SHAPE_SPHERE) return NULL;
    if (a == SN_SHAPE_BOX && b == SN_SHAPE_BOX) return sni_touch_box;
    if (a == SN_SHAPE_CAPSULE && b == SN_SHAPE_CAPSULE) return sni_touch_capsule;
    return a <= b ? sni_touch_convex : NULL;
}

void sni_touch_swapped(sni_pair_function* function, const sni_solid* a, const sn_pose* X_wa,
                       const sni_solid* b, const sn_pose* X_wb, double margin,
                       sni_pair_memory* memory, sni_touches* out) {
    int32_t first = out->count;
    memory->axis = sn_vec3_neg(memory->axis);
    function(b, X_wb, a, X_wa, margin, memory, out);
    memory->axis = sn_vec3_neg(memory->axis);
    for (int32_t k = first; k < out->count; k++) out->at[k].n = sn_vec3_neg(out->at[k].n);
}

void sni_touch_pair(const sni_solid* a, const sn_pose* X_wa, const sni_solid* b,
                    const sn_pose* X_wb, double margin, sni_pair_memory* memory, sni_touches* out) {
    if (a->type == SN_SHAPE_PLANE && b->type == SN_SHAPE_PLANE) return;
    sni_pair_function* function = function_for(a->type, b->type);
    if (function)
        function(a, X_wa, b, X_wb, margin, memory, out);
    else
        sni_touch_swapped(function_for(b->type, a->type), a, X_wa, b, X_wb, margin, memory, out);
}
