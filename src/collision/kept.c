// SPDX-License-Identifier: Apache-2.0
#include "collision/kept.h"

// Over the size. Nearer than CLOSE the nearest points no longer give a direction to trust. ...
static const double CLOSE = 1e-5;
// ... The kept one may be worse by so much, and by half the overlap: edges that overlap along one direction do so by
// up to 1.4 times along another.
static const double WORSE = 1e-6;
// Deeper overlaps have left the edge they began at.
static const double DEEP = 1e-3;

void sni_keep_nearest(const sni_apart* apart, sni_pair_memory* memory) {
    if (!(apart->s > CLOSE * apart->scale)) return; // what was kept, if anything, is better
    memory->axis = apart->n;
    memory->hint = SNI_HINT_NEAREST;
}

bool sni_touch_kept(sni_core* a, sni_core* b, double s, double margin, sn_vec3 origin,
                    const sni_pair_memory* memory, sni_touches* out) {
    double scale = a->solid->radius + b->solid->radius;
    if (memory->hint != SNI_HINT_NEAREST || !(s <= CLOSE * scale && s >= -DEEP * scale))
        return false;
    sni_apart apart = {.n = memory->axis, .scale = scale};
    apart.a = sni_core_support(a, sn_vec3_neg(apart.n));
    apart.b = sni_core_support(b, apart.n);
    apart.s = sn_vec3_dot(apart.n, sn_vec3_sub(apart.a, apart.b));
    if (!(apart.s >= s + fmin(0.5 * s, 0) - WORSE * scale)) return false;
    sni_facing facing_a, facing_b;
    sni_facing_find(a, sn_vec3_neg(apart.n), &facing_a);
    sni_facing_find(b, apart.n, &facing_b);
    sni_manifold(&facing_a, &facing_b, &apart, true, margin, origin, out);
    return true;
}
