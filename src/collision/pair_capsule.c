// SPDX-License-Identifier: Apache-2.0
// Two capsules: nearest points of their axes.
#include "collision/manifold.h"
#include "collision/pairs.h"

/// A segment from -half to half about p.
typedef struct segment {
    sn_vec3 p, half;
} segment;

/// Points of the two segments, and how far apart they are, squared.
typedef struct couple {
    sn_vec3 a, b;
    double square;
} couple;

static sn_vec3 at(const segment* s, double t) {
    return sn_vec3_add(s->p, sn_vec3_scale(t, s->half));
}

static sn_vec3 nearest_on(const segment* s, sn_vec3 x) {
    double square = sn_vec3_dot(s->half, s->half);
    double t = square > 0 ? sn_vec3_dot(sn_vec3_sub(x, s->p), s->half) / square : 0;
    return at(s, fmin(fmax(t, -1), 1));
}

static couple couple_of(sn_vec3 a, sn_vec3 b) {
    sn_vec3 d = sn_vec3_sub(a, b);
    return (couple){a, b, sn_vec3_dot(d, d)};
}

static couple nearer(couple p, couple q) { return q.square < p.square ? q : p; }

/// Either two inner points, where the lines are nearest, or an end of one segment.
static couple nearest_points(const segment* a, const segment* b) {
    sn_vec3 cross = sn_vec3_cross(a->half, b->half), from = sn_vec3_sub(b->p, a->p);
    double square = sn_vec3_dot(cross, cross);
    couple best = {.square = INFINITY};
    if (square > 0) {
        double s = sn_vec3_dot(sn_vec3_cross(from, b->half), cross) / square;
        double t = sn_vec3_dot(sn_vec3_cross(from, a->half), cross) / square;
        if (fabs(s) <= 1 && fabs(t) <= 1) best = couple_of(at(a, s), at(b, t));
    }
    for (int32_t end = -1; end <= 1; end += 2) {
        sn_vec3 end_a = at(a, end), end_b = at(b, end);
        best = nearer(best, couple_of(end_a, nearest_on(b, end_a)));
        best = nearer(best, couple_of(nearest_on(a, end_b), end_b));
    }
    return best;
}

/// Of axes that cross: across both; of axes that lie in each other: away from the other's centre.
static sn_vec3 crossing_normal(const segment* a, const segment* b) {
    sn_vec3 n = sn_vec3_cross(a->half, b->half), between = sn_vec3_sub(a->p, b->p);
    if (!(sn_vec3_norm(n) > 0)) {
        sn_vec3 axis = sn_vec3_dot(a->half, a->half) > 0 ? a->half : b->half;
        sn_vec3 least = fabs(axis.x) <= fabs(axis.y) && fabs(axis.x) <= fabs(axis.z)
                            ? sn_vec3_make(1, 0, 0)
                        : fabs(axis.y) <= fabs(axis.z) ? sn_vec3_make(0, 1, 0)
                                                       : sn_vec3_make(0, 0, 1);
        n = sn_vec3_cross(axis, least);
    }
    double norm = sn_vec3_norm(n);
    if (!(norm > 0)) return sn_vec3_make(0, 0, 1);
    return sn_vec3_scale((sn_vec3_dot(n, between) < 0 ? -1 : 1) / norm, n);
}

void sni_touch_capsule(const sni_solid* a, const sn_pose* X_wa, const sni_solid* b,
                       const sn_pose* X_wb, double margin, sni_pair_memory* memory,
                       sni_touches* out) {
    (void)memory; // nothing to search for
    // Over the sizes: nearer axes have no direction between them.
    static const double CROSSING = 1e-14;
    sni_core core_a = sni_core_make(a, X_wa, X_wa->p), core_b = sni_core_make(b, X_wb, X_wa->p);
    double reach = margin + a->radius + b->radius;
    if (sn_vec3_dot(core_b.p, core_b.p) > reach * reach) return;
    segment s_a = {core_a.p, sn_vec3_scale(a->half.z, sn_mat3_column(core_a.R, 2))};
    segment s_b = {core_b.p, sn_vec3_scale(b->half.z, sn_mat3_column(core_b.R, 2))};
    couple near = nearest_points(&s_a, &s_b);
    double distance = sqrt(near.square);
    if (!(distance - a->half.x - b->half.x <= margin)) return;
    sni_apart apart = {.s = distance, .a = near.a, .b = near.b, .scale = a->radius + b->radius};
    if (distance > CROSSING * apart.scale) {
        apart.n = sn_vec3_scale(1 / distance, sn_vec3_sub(near.a, near.b));
    } else {
        apart.n = crossing_normal(&s_a, &s_b);
        apart.s = sni_cores_apart(&core_a, &core_b, apart.n);
    }
    sni_facing facing_a, facing_b;
    sni_facing_find(&core_a, sn_vec3_neg(apart.n), &facing_a);
    sni_facing_find(&core_b, apart.n, &facing_b);
    sni_manifold(&facing_a, &facing_b, &apart, true, margin, X_wa->p, out);
}
