// SPDX-License-Identifier: Apache-2.0
// Distance of two cores by simplices of A - B.   [GJK88] [vdB03 ch 4]
#include "collision/gjk.h"

enum { ITERATIONS = 128 };
// Over the distance: upper and lower bound agree.
static const double AGREE = 1e-13;
// Nearer than this, over the scale, v has lost the digits that make it a direction.
static const double TOUCHING = 1e-9;

static bool known_corner(const sni_simplex* simplex, sn_vec3 w) {
    for (int32_t k = 0; k < simplex->count; k++) {
        sn_vec3 at = simplex->at[k].w;
        if (at.x == w.x && at.y == w.y && at.z == w.z) return true;
    }
    return false;
}

static sn_vec3 start_direction(const sni_core* a, const sni_core* b, sn_vec3 start) {
    if (sn_vec3_dot(start, start) > 0) return start;
    sn_vec3 centres = sn_vec3_sub(a->p, b->p);
    return sn_vec3_dot(centres, centres) > 0 ? centres : sn_vec3_make(0, 0, 1);
}

static void set_points(const sni_simplex* simplex, sni_apart* apart) {
    apart->a = apart->b = sn_vec3_zero();
    for (int32_t k = 0; k < simplex->count; k++) {
        const sni_difference* at = &simplex->at[k];
        apart->a = sn_vec3_add(apart->a, sn_vec3_scale(simplex->weight[k], at->a));
        apart->b = sn_vec3_add(apart->b, sn_vec3_scale(simplex->weight[k], at->b));
        apart->corner[k] = *at;
    }
    apart->count = simplex->count;
}

// s is a lower bound of the distance for any n, the length of v an upper one; they meet.
sni_gjk_result sni_gjk(sni_core* a, sni_core* b, sn_vec3 start, double enough, sni_apart* apart) {
    sn_vec3 v = start_direction(a, b, start);
    double most = INFINITY, tolerance = sni_search_tolerance(a, b); // most: upper bound
    *apart = (sni_apart){.n = {0, 0, 1}, .s = -INFINITY};
    sni_simplex simplex = {.count = 0};
    for (int32_t turn = 0; turn < ITERATIONS; turn++) {
        sn_vec3 n = sn_vec3_scale(1 / sn_vec3_norm(v), v);
        sni_difference at = sni_difference_farthest(a, b, sn_vec3_neg(n));
        double s = sn_vec3_dot(n, at.w);
        if (s > apart->s) {
            apart->s = s;
            apart->n = n;
        }
        if (s > enough) return SN_GJK_FAR;
        apart->scale = fmax(apart->scale, sn_vec3_norm(at.a) + sn_vec3_norm(at.b));
        double slack = AGREE * fabs(s) + tolerance * apart->scale;
        if (most - apart->s <= slack || known_corner(&simplex, at.w)) break;
        sni_simplex last = simplex;
        simplex.at[simplex.count++] = at;
        v = sni_simplex_nearest(&simplex);
        double length = sn_vec3_norm(v);
        if (simplex.count == 4 || length <= TOUCHING * apart->scale) return SN_GJK_OVERLAP;
        if (!(length < most)) { // rounding has the last word
            simplex = last;
            break;
        }
        most = length;
    }
    if (apart->s <= TOUCHING * apart->scale) return SN_GJK_OVERLAP;
    apart->most = most;
    set_points(&simplex, apart);
    return SN_GJK_APART;
}
