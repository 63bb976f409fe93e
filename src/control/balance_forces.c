// SPDX-License-Identifier: Apache-2.0
// What soles can give: forces along the edges of a friction pyramid at each of their corners.
#include "base/hot.h"
#include "control/balance.h"

static sn_vec3 corner(const sn_balance* b, const sn_sole* sole, int k) {
    double mx = fmin(b->def.margin, 0.5 * (sole->x1 - sole->x0));
    double my = fmin(b->def.margin, 0.5 * (sole->y1 - sole->y0));
    return sn_vec3_make(k & 1 ? sole->x1 - mx : sole->x0 + mx,
                        k & 2 ? sole->y1 - my : sole->y0 + my, 0);
}

/// Rays of one sole; the pyramid lies inside the cone.
static void aim(sn_balance* b, int foot) {
    sn_pose X = b->sole[foot];
    double slope = b->def.mu / sqrt(2.0);
    for (int k = 0; k < SN_SOLE_CORNERS; k++) {
        sn_vec3 at = sn_pose_apply(X, corner(b, &b->def.foot[foot], k));
        for (int e = 0; e < SN_SOLE_EDGES; e++) {
            int ray = foot * SN_SOLE_RAYS + k * SN_SOLE_EDGES + e;
            sn_vec3 along = {e & 1 ? slope : -slope, e & 2 ? slope : -slope, 1};
            b->ray_at[ray] = at;
            b->ray_along[ray] = sn_mat3_apply(X.R, along);
        }
    }
}

SN_HOT sn_wrench sni_balance_forces(sn_balance* b, sn_wrench wanted, int* iterations) {
    static const double EASE = 1e-4; // of a force squared against an error squared
    double turn = sqrt(b->def.turn_weight);
    int rays = b->def.foot_count * SN_SOLE_RAYS;
    for (int i = 0; i < b->def.foot_count; i++) aim(b, i);
    for (int j = 0; j < rays; j++) {
        sn_vec3 f = b->ray_along[j];
        sn_vec3 n = sn_vec3_scale(turn, sn_vec3_cross(sn_vec3_sub(b->ray_at[j], b->com), f));
        const double column[SN_CONE_ROWS] = {n.x, n.y, n.z, f.x, f.y, f.z};
        for (int r = 0; r < SN_CONE_ROWS; r++) b->ray[j][r] = column[r];
    }
    const double right[SN_CONE_ROWS] = {turn * wanted.n.x, turn * wanted.n.y, turn * wanted.n.z,
                                        wanted.f.x,        wanted.f.y,        wanted.f.z};
    *iterations = sni_cone_forces(rays, (const double(*)[SN_CONE_ROWS])b->ray, right, EASE, b->dual,
                                  b->ray_force);
    sn_wrench sum = sn_wrench_zero();
    for (int j = 0; j < rays; j++) {
        sn_vec3 f = sn_vec3_scale(b->ray_force[j], b->ray_along[j]);
        sn_vec3 n = sn_vec3_cross(sn_vec3_sub(b->ray_at[j], b->com), f);
        sum = sn_wrench_add(sum, sn_wrench_make(n, f));
    }
    return sum;
}
