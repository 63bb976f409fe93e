// SPDX-License-Identifier: Apache-2.0
// A sphere touches in one point: the nearest one to its centre.
#include "collision/pairs.h"

void sni_touch_sphere(const sni_solid* a, const sn_pose* X_wa, const sni_solid* b,
                      const sn_pose* X_wb, double margin, sni_pair_memory* memory,
                      sni_touches* out) {
    (void)memory; // nothing to search for
    sn_vec3 from = sn_vec3_sub(X_wa->p, X_wb->p);
    double reach = a->half.x + margin + b->radius;
    if (sn_vec3_dot(from, from) > reach * reach) return;
    sn_vec3 x_b, n_b;
    sn_vec3 centre_b = sn_mat3_apply_transposed(X_wb->R, from);
    double gap = sni_solid_nearest(b, centre_b, &x_b, &n_b) - a->half.x;
    if (!(gap <= margin)) return;
    sn_vec3 n = sn_mat3_apply(X_wb->R, n_b);
    sn_vec3 x = sn_vec3_sub(X_wa->p, sn_vec3_scale(a->half.x + 0.5 * gap, n));
    sni_touches_add(out, (sni_touch){x, n, gap, 0});
}
