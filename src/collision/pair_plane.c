// SPDX-License-Identifier: Apache-2.0
// A convex solid on a plane: all corners that are near; of round solids the lowest points.
#include "base/hot.h"
#include "collision/manifold.h"
#include "collision/pairs.h"
#include "math/lane4.h"

// A cap within 20 degrees of the plane lies on it with four fixed points; the lowest point of its rim counts
// besides, when it is lower than those by this over the radius.
static const double CAP_COSINE = 0.94;
static const double RIM_LOWER = 1e-5;

/// A solid above a plane.
typedef struct site {
    const sni_solid* solid;
    const sn_pose* X;
    sn_vec3 n;     ///< of the plane
    double height; ///< of the solid's origin above it
    double margin;
    sni_touches* out;
} site;

/// A point of the solid from its origin, in world axes.
static sn_vec3 arm_to(const site* s, sn_vec3 x_s) { return sn_mat3_apply(s->X->R, x_s); }

static double gap_at(const site* s, sn_vec3 arm) { return s->height + sn_vec3_dot(s->n, arm); }

static sni_touch touch_at(const site* s, sn_vec3 arm, double gap, uint32_t feature) {
    sn_vec3 x = sn_vec3_sub(sn_vec3_add(arm, s->X->p), sn_vec3_scale(0.5 * gap, s->n));
    return (sni_touch){x, s->n, gap, feature};
}

static void add(const site* s, sn_vec3 arm, uint32_t feature) {
    double gap = gap_at(s, arm);
    if (gap <= s->margin) sni_touches_add(s->out, touch_at(s, arm, gap, feature));
}

static void add_ball(const site* s, sn_vec3 centre_s, uint32_t feature) {
    sn_vec3 arm = arm_to(s, centre_s);
    double r = s->solid->half.x, gap = gap_at(s, arm) - r;
    if (!(gap <= s->margin)) return;
    sni_touch touch = touch_at(s, arm, gap, feature);
    touch.x = sn_vec3_sub(touch.x, sn_vec3_scale(r, s->n));
    sni_touches_add(s->out, touch);
}

/// Corners of one of the two faces across z, which is at `z` from the middle of the box: four at once, the one of bits
/// k at +x where k & 1 and at +y where k & 2.
static void touch_corners(const site* s, const sni_lane4 across[3], sn_vec3 z, uint32_t first) {
    const double *n = &s->n.x, *p = &s->X->p.x;
    sni_lane4 arm[3], gap = sni_lane4_zero();
    for (int k = 0; k < 3; k++) {
        arm[k] = across[k] + (&z.x)[k];
        gap += n[k] * arm[k];
    }
    gap += s->height;
    sni_lane4 down = 0.5 * gap;
    for (int k = 0; k < 3; k++) arm[k] = arm[k] + p[k] - down * n[k];
    for (int c = 0; c < 4; c++) {
        if (!(gap[c] <= s->margin)) continue;
        sn_vec3 x = sn_vec3_make(arm[0][c], arm[1][c], arm[2][c]);
        sni_touches_add(s->out, (sni_touch){x, s->n, gap[c], first + (uint32_t)c});
    }
}

SN_HOT static void touch_box(const site* s) {
    const sni_lane4 along_x = {-1, 1, -1, 1}, along_y = {-1, -1, 1, 1};
    sn_vec3 half = s->solid->half;
    sni_lane4 across[3];
    for (int k = 0; k < 3; k++)
        across[k] = along_x * (half.x * s->X->R.m[k][0]) + along_y * (half.y * s->X->R.m[k][1]);
    sn_vec3 z = sn_vec3_scale(half.z, sn_mat3_column(s->X->R, 2));
    touch_corners(s, across, sn_vec3_neg(z), 0);
    touch_corners(s, across, z, 4);
}

/// Four points of a cap that turn with it, and the lowest of its rim.
static void touch_cap(const site* s, double z, sn_vec3 lowest, uint32_t first) {
    double r = s->solid->half.x, least = INFINITY;
    for (uint32_t k = 0; k < 4; k++) {
        sn_vec3 x = sn_vec3_make(k == 0 ? r : k == 2 ? -r : 0, k == 1 ? r : k == 3 ? -r : 0, z);
        sn_vec3 arm = arm_to(s, x);
        least = fmin(least, gap_at(s, arm));
        add(s, arm, first + k);
    }
    sn_vec3 arm = arm_to(s, lowest);
    if (gap_at(s, arm) < least - RIM_LOWER * r) add(s, arm, first + 4);
}

static void touch_cylinder(const site* s) {
    double r = s->solid->half.x, h = s->solid->half.z;
    sn_vec3 up = sn_mat3_apply_transposed(s->X->R, s->n);
    double across = hypot(up.x, up.y);
    double x = across > 0 ? -r * up.x / across : r, y = across > 0 ? -r * up.y / across : 0;
    bool standing = fabs(up.z) >= CAP_COSINE;
    for (uint32_t side = 0; side < 2; side++) {
        double z = side ? h : -h;
        sn_vec3 lowest = sn_vec3_make(x, y, z);
        if (!standing)
            add(s, arm_to(s, lowest), 5 * side + 4);
        else if ((up.z < 0) == (side == 1))
            touch_cap(s, z, lowest, 5 * side);
    }
}

static void touch_hull(const site* s) {
    enum { GATHERED = 256 };
    const sni_hull* hull = s->solid->hull;
    sni_touch near[GATHERED];
    int32_t count = 0;
    int32_t lowest =
        sni_hull_farthest(hull, sn_vec3_neg(sn_mat3_apply_transposed(s->X->R, s->n)), 0);
    if (!(gap_at(s, arm_to(s, hull->vertex[lowest])) <= s->margin)) return;
    for (int32_t k = 0; k < hull->vertex_count; k++) {
        sn_vec3 arm = arm_to(s, hull->vertex[k]);
        double gap = gap_at(s, arm);
        if (!(gap <= s->margin) || (count == GATHERED - 1 && k < lowest) || count == GATHERED)
            continue; // one place is kept for the lowest
        near[count++] = touch_at(s, arm, gap, (uint32_t)k);
    }
    sni_touches_spread(near, count, s->n, s->out);
}

void sni_touch_plane(const sni_solid* a, const sn_pose* X_wa, const sni_solid* b,
                     const sn_pose* X_wb, double margin, sni_pair_memory* memory,
                     sni_touches* out) {
    (void)b; // its pose says all
    (void)memory;
    sn_vec3 n = sn_mat3_column(X_wb->R, 2);
    double height = sn_vec3_dot(n, sn_vec3_sub(X_wa->p, X_wb->p));
    if (height > a->radius + margin) return;
    const site s = {a, X_wa, n, height, margin, out};
    double h = a->half.z;
    switch (a->type) {
    case SN_SHAPE_BOX: touch_box(&s); return;
    case SN_SHAPE_CYLINDER: touch_cylinder(&s); return;
    case SN_SHAPE_CAPSULE:
        add_ball(&s, sn_vec3_make(0, 0, -h), 0);
        add_ball(&s, sn_vec3_make(0, 0, h), 1);
        return;
    case SN_SHAPE_HULL: touch_hull(&s); return;
    default: add_ball(&s, sn_vec3_zero(), 0); return;
    }
}
