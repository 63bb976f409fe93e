// SPDX-License-Identifier: Apache-2.0
// The point of a solid's surface that is nearest to a given point.
#include "collision/gjk.h"

/// Surface of a ball about c, seen from p; `otherwise` when p is c.
static double ball(sn_vec3 p, sn_vec3 c, double r, sn_vec3 otherwise, sn_vec3* x, sn_vec3* n) {
    sn_vec3 from = sn_vec3_sub(p, c);
    double distance = sn_vec3_norm(from);
    *n = distance > 0 ? sn_vec3_scale(1 / distance, from) : otherwise;
    *x = sn_vec3_add(c, sn_vec3_scale(r, *n));
    return distance - r;
}

/// p is outside and *x is the point: distance and normal.
static double from_surface(sn_vec3 p, sn_vec3 x, sn_vec3* n) {
    sn_vec3 from = sn_vec3_sub(p, x);
    double distance = sn_vec3_norm(from);
    *n = sn_vec3_scale(1 / distance, from);
    return distance;
}

static double clamp(double x, double half) { return fmin(fmax(x, -half), half); }

static double box(sn_vec3 half, sn_vec3 p, sn_vec3* x, sn_vec3* n) {
    *x = sn_vec3_make(clamp(p.x, half.x), clamp(p.y, half.y), clamp(p.z, half.z));
    if (x->x != p.x || x->y != p.y || x->z != p.z) return from_surface(p, *x, n);
    double dx = fabs(p.x) - half.x, dy = fabs(p.y) - half.y, dz = fabs(p.z) - half.z;
    if (dx >= dy && dx >= dz) {
        *n = sn_vec3_make(copysign(1, p.x), 0, 0);
        x->x = copysign(half.x, p.x);
        return dx;
    }
    if (dy >= dz) {
        *n = sn_vec3_make(0, copysign(1, p.y), 0);
        x->y = copysign(half.y, p.y);
        return dy;
    }
    *n = sn_vec3_make(0, 0, copysign(1, p.z));
    x->z = copysign(half.z, p.z);
    return dz;
}

static double cylinder(sn_vec3 half, sn_vec3 p, sn_vec3* x, sn_vec3* n) {
    double r = half.x, h = half.z, rho = hypot(p.x, p.y);
    sn_vec3 out = rho > 0 ? sn_vec3_make(p.x / rho, p.y / rho, 0) : sn_vec3_make(1, 0, 0);
    double beside = rho - r, above = fabs(p.z) - h;
    if (beside > 0 && above > 0) {
        *x = sn_vec3_make(r * out.x, r * out.y, copysign(h, p.z));
        double distance = hypot(beside, above);
        *n = sn_vec3_scale(1 / distance,
                           sn_vec3_make(beside * out.x, beside * out.y, copysign(above, p.z)));
        return distance;
    }
    if (beside >= above) {
        *x = sn_vec3_make(r * out.x, r * out.y, p.z);
        *n = out;
        return beside;
    }
    *x = sn_vec3_make(p.x, p.y, copysign(h, p.z));
    *n = sn_vec3_make(0, 0, copysign(1, p.z));
    return above;
}

static double on_face(const sni_hull* hull, int32_t face, double distance, sn_vec3 p, sn_vec3* x,
                      sn_vec3* n) {
    *n = hull->normal[face];
    *x = sn_vec3_sub(p, sn_vec3_scale(distance, *n));
    return distance;
}

// Over the scale: as near as a face's plane, and the face has the exact answer.
static const double FACE_NEAREST = 1e-14;

static double nearest_hull(const sni_solid* solid, sn_vec3 p, sn_vec3* x, sn_vec3* n) {
    const sni_hull* hull = solid->hull;
    int32_t face = 0;
    double most = -INFINITY;
    for (int32_t f = 0; f < hull->face_count; f++) {
        double distance = sn_vec3_dot(hull->normal[f], p) - hull->offset[f];
        if (distance > most) {
            most = distance;
            face = f;
        }
    }
    // A flat hull has no inside: p in its plane may be beside it.
    bool flat = hull->face_count == 2;
    if (most <= 0 && !flat) return on_face(hull, face, most, p, x, n);
    sni_solid point = {.type = SN_SHAPE_SPHERE};
    sn_pose at = sn_pose_identity(), X_p = {at.R, p};
    sni_core a = sni_core_make(&point, &X_p, p), b = sni_core_make(solid, &at, p);
    sni_apart apart;
    if (sni_gjk(&a, &b, hull->normal[face], INFINITY, &apart) == SN_GJK_OVERLAP)
        return on_face(hull, face, most, p, x, n);
    *n = apart.n;
    *x = sn_vec3_add(p, apart.b);
    if (apart.s - most <= FACE_NEAREST * apart.scale) return on_face(hull, face, most, p, x, n);
    return apart.s;
}

double sni_solid_nearest(const sni_solid* solid, sn_vec3 p, sn_vec3* x, sn_vec3* n) {
    sn_vec3 half = solid->half, side = sn_vec3_make(1, 0, 0), up = sn_vec3_make(0, 0, 1);
    switch (solid->type) {
    case SN_SHAPE_BOX: return box(half, p, x, n);
    case SN_SHAPE_CYLINDER: return cylinder(half, p, x, n);
    case SN_SHAPE_CAPSULE:
        return ball(p, sn_vec3_make(0, 0, clamp(p.z, half.z)), half.x, side, x, n);
    case SN_SHAPE_HULL: return nearest_hull(solid, p, x, n);
    case SN_SHAPE_PLANE:
        *x = sn_vec3_make(p.x, p.y, 0);
        *n = up;
        return p.z;
    default: return ball(p, sn_vec3_zero(), half.x, up, x, n);
    }
}
