// SPDX-License-Identifier: Apache-2.0
// Where a ray enters a solid. A ray that starts inside enters nowhere.
#include "collision/solid.h"

/// The part of a ray, from `in` to `out`, that is left after cutting it by surfaces.
typedef struct part {
    double in, out;
    sn_vec3 n; ///< of the surface it enters by
} part;

/// Keeps what is behind the plane n . x = offset.
static void cut(part* left, sn_vec3 n, double offset, sn_vec3 from, sn_vec3 d) {
    double above = sn_vec3_dot(n, from) - offset, rate = sn_vec3_dot(n, d);
    if (rate < 0) {
        double t = above / -rate;
        if (t > left->in) {
            left->in = t;
            left->n = n;
        }
    } else if (rate > 0) {
        left->out = fmin(left->out, -above / rate);
    } else if (above > 0) {
        left->out = -INFINITY; // beside it all along
    }
}

static double entry(const part* left, double length, sn_vec3* n) {
    if (!(left->in >= 0 && left->in <= left->out && left->in <= length)) return INFINITY;
    *n = left->n;
    return left->in;
}

static part whole(void) { return (part){-INFINITY, INFINITY, sn_vec3_zero()}; }

static part cut_box(sn_vec3 half, sn_vec3 from, sn_vec3 d) {
    part left = whole();
    cut(&left, sn_vec3_make(1, 0, 0), half.x, from, d);
    cut(&left, sn_vec3_make(-1, 0, 0), half.x, from, d);
    cut(&left, sn_vec3_make(0, 1, 0), half.y, from, d);
    cut(&left, sn_vec3_make(0, -1, 0), half.y, from, d);
    cut(&left, sn_vec3_make(0, 0, 1), half.z, from, d);
    cut(&left, sn_vec3_make(0, 0, -1), half.z, from, d);
    return left;
}

static part cut_hull(const sni_hull* hull, sn_vec3 from, sn_vec3 d) {
    part left = whole();
    for (int32_t f = 0; f < hull->face_count; f++)
        cut(&left, hull->normal[f], hull->offset[f], from, d);
    return left;
}

/// Ball about c. The roots are taken about the point of the ray nearest to c: exact from afar, too.
static part cut_ball(sn_vec3 c, double r, sn_vec3 from, sn_vec3 d) {
    part left = whole();
    sn_vec3 m = sn_vec3_sub(from, c);
    double t = -sn_vec3_dot(m, d);
    sn_vec3 nearest = sn_vec3_add(m, sn_vec3_scale(t, d));
    double square = r * r - sn_vec3_dot(nearest, nearest);
    if (!(square >= 0)) {
        left.out = -INFINITY;
        return left;
    }
    left.in = t - sqrt(square);
    left.out = t + sqrt(square);
    left.n = sn_vec3_scale(1 / r, sn_vec3_add(m, sn_vec3_scale(left.in, d)));
    return left;
}

/// Infinite cylinder about z.
static part cut_side(double r, sn_vec3 from, sn_vec3 d) {
    part left = whole();
    double rate = d.x * d.x + d.y * d.y;
    if (!(rate > 0)) {
        if (hypot(from.x, from.y) > r) left.out = -INFINITY;
        return left;
    }
    double t = -(from.x * d.x + from.y * d.y) / rate;
    double x = from.x + t * d.x, y = from.y + t * d.y, square = r * r - x * x - y * y;
    if (!(square >= 0)) {
        left.out = -INFINITY;
        return left;
    }
    double half = sqrt(square / rate);
    left.in = t - half;
    left.out = t + half;
    left.n = sn_vec3_make((from.x + left.in * d.x) / r, (from.y + left.in * d.y) / r, 0);
    return left;
}

static part cut_cylinder(sn_vec3 half, sn_vec3 from, sn_vec3 d) {
    part left = cut_side(half.x, from, d);
    cut(&left, sn_vec3_make(0, 0, 1), half.z, from, d);
    cut(&left, sn_vec3_make(0, 0, -1), half.z, from, d);
    return left;
}

/// A capsule is the union of a cylinder and two balls: it is entered where the first of them is.
static part cut_capsule(sn_vec3 half, sn_vec3 from, sn_vec3 d) {
    part best = {INFINITY, -INFINITY, sn_vec3_zero()};
    for (int32_t k = -1; k <= 1; k++) {
        part left = k == 0 ? cut_cylinder(half, from, d)
                           : cut_ball(sn_vec3_make(0, 0, k * half.z), half.x, from, d);
        if (!(left.in <= left.out) || left.out == -INFINITY) continue; // missed
        if (left.in < best.in) {
            best.in = left.in;
            best.n = left.n;
        }
        best.out = fmax(best.out, left.out);
    }
    return best;
}

static double cross_plane(sn_vec3 from, sn_vec3 d, double length, sn_vec3* n) {
    double t = -from.z / d.z;
    if (!(d.z != 0 && t >= 0 && t <= length)) return INFINITY;
    *n = sn_vec3_make(0, 0, 1);
    return t;
}

double sni_solid_ray(const sni_solid* solid, sn_vec3 from, sn_vec3 direction, double length,
                     sn_vec3* n) {
    part left;
    switch (solid->type) {
    case SN_SHAPE_BOX: left = cut_box(solid->half, from, direction); break;
    case SN_SHAPE_CYLINDER: left = cut_cylinder(solid->half, from, direction); break;
    case SN_SHAPE_CAPSULE: left = cut_capsule(solid->half, from, direction); break;
    case SN_SHAPE_HULL: left = cut_hull(solid->hull, from, direction); break;
    case SN_SHAPE_PLANE: return cross_plane(from, direction, length, n);
    default: left = cut_ball(sn_vec3_zero(), solid->half.x, from, direction); break;
    }
    return entry(&left, length, n);
}
