// SPDX-License-Identifier: Apache-2.0
// A flat area of contact, given by points, as one contact: what its convex hull can carry.
#include "base/error.h"
#include "sinew/contact_set.h"

// Normals of one area differ by at most 2 degrees.
static const double NORMALS_COSINE = 0.99939;
// How far points may be from their plane, over the size of the area: the same angle.
static const double FLATNESS = 0.035;
// Hulls narrower than this, area over size squared, are lines: what they carry is no disc.
static const double LINE_AREA = 1e-6;

typedef struct point2 {
    double x, y;
} point2;

typedef struct hull {
    int32_t count;
    point2 at[SN_PATCH_POINTS]; ///< counter-clockwise
} hull;

/// Twice the area of the triangle o a b.
static double cross(point2 o, point2 a, point2 b) {
    return (a.x - o.x) * (b.y - o.y) - (a.y - o.y) * (b.x - o.x);
}

static bool before(point2 a, point2 b) { return a.x < b.x || (a.x == b.x && a.y < b.y); }

static void sort_points(point2* at, int32_t count) {
    for (int32_t i = 1; i < count; i++) {
        point2 moved = at[i];
        int32_t k = i;
        for (; k > 0 && before(moved, at[k - 1]); k--) at[k] = at[k - 1];
        at[k] = moved;
    }
}

/// Andrew's monotone chain: the lower side from left to right, then the upper one back.
static hull hull_of(point2* points, int32_t count) {
    point2 chain[2 * SN_PATCH_POINTS];
    int32_t used = 0;
    sort_points(points, count);
    for (int32_t side = 0; side < 2; side++) {
        int32_t start = used + 1; // of a side: what may be taken back comes after its first point
        for (int32_t k = 0; k < count; k++) {
            point2 p = points[side ? count - 1 - k : k];
            while (used > start && !(cross(chain[used - 2], chain[used - 1], p) > 0)) used--;
            chain[used++] = p;
        }
        used--; // its last point is the first of the other side
    }
    hull h = {.count = used < SN_PATCH_POINTS ? used : SN_PATCH_POINTS};
    for (int32_t k = 0; k < h.count; k++) h.at[k] = chain[k];
    return h;
}

/// What matters of an area about its centre.
typedef struct area {
    double size; ///< m^2
    point2 centre;
    double mean_distance; ///< m, from the centre
    double disc;          ///< m, largest radius about the centre
} area;

static void find_centre(const hull* h, area* out) {
    double twice = 0, x = 0, y = 0;
    point2 o = h->at[0];
    for (int32_t k = 2; k < h->count; k++) {
        point2 a = h->at[k - 1], b = h->at[k];
        double triangle = cross(o, a, b);
        twice += triangle;
        x += triangle * (a.x + b.x - 2 * o.x);
        y += triangle * (a.y + b.y - 2 * o.y);
    }
    out->size = twice / 2;
    out->centre = (point2){o.x + x / (3 * twice), o.y + y / (3 * twice)};
}

// Over the triangle of the centre and an edge at distance d, with ends s1 and s2 along it:
//   int r dA = d^3/3 int sec^3 = d/6 [ s sqrt(s^2 + d^2) + d^2 asinh(s/d) ] from s1 to s2
static double distance_integral(double d, double s1, double s2) {
    double at_2 = s2 * hypot(s2, d) + d * d * asinh(s2 / d);
    double at_1 = s1 * hypot(s1, d) + d * d * asinh(s1 / d);
    return d * (at_2 - at_1) / 6;
}

static area area_of(const hull* h) {
    area out = {.disc = INFINITY};
    find_centre(h, &out);
    double sum = 0;
    for (int32_t k = 0; k < h->count; k++) {
        point2 a = h->at[k], b = h->at[(k + 1) % h->count];
        double length = hypot(b.x - a.x, b.y - a.y), c = (b.x - a.x) / length,
               s = (b.y - a.y) / length;
        double ax = a.x - out.centre.x, ay = a.y - out.centre.y;
        double d = ax * s - ay * c, s1 = ax * c + ay * s; // the centre is to the left
        sum += distance_integral(d, s1, s1 + length);
        out.disc = fmin(out.disc, d);
    }
    out.mean_distance = sum / out.size;
    return out;
}

// ---- the contact ------------------------------------------------------------------------------------------

static bool finite3(sn_vec3 x) { return isfinite(x.x) && isfinite(x.y) && isfinite(x.z); }

/// Mean point and normal of the points, or why they have none.
static sn_status mean_plane(const sn_contact* points, int32_t count, sn_vec3* x, sn_vec3* n,
                            sn_error* error) {
    sn_vec3 sum_x = sn_vec3_zero(), sum_n = sn_vec3_zero();
    for (int32_t i = 0; i < count; i++) {
        if (!finite3(points[i].x) || !finite3(points[i].n) || !isfinite(points[i].gap))
            return sni_fail(error, SN_ERR_NUMERIC, sni_nowhere(), "point %d is not finite", i);
        if (points[i].a.i != points[0].a.i || points[i].b.i != points[0].b.i)
            return sni_fail(error, SN_ERR_ARGUMENT, sni_nowhere(),
                            "point %d is between other bodies than the first", i);
        sum_x = sn_vec3_add(sum_x, points[i].x);
        sum_n = sn_vec3_add(sum_n, points[i].n);
    }
    double norm = sn_vec3_norm(sum_n);
    *x = sn_vec3_scale(1.0 / count, sum_x);
    *n = sn_vec3_scale(norm > 0 ? 1 / norm : 0, sum_n);
    for (int32_t i = 0; i < count; i++)
        if (!(sn_vec3_dot(points[i].n, *n) >= NORMALS_COSINE))
            return sni_fail(error, SN_ERR_ARGUMENT, sni_nowhere(),
                            "the normal of point %d is more than 2 degrees from the mean", i);
    return SN_OK;
}

static sn_status check_flat(const sn_contact* points, int32_t count, const sn_contact* patch,
                            double size, sn_error* error) {
    for (int32_t i = 0; i < count; i++) {
        double height = sn_vec3_dot(patch->n, sn_vec3_sub(points[i].x, patch->x));
        if (!(fabs(height) <= FLATNESS * size))
            return sni_fail(error, SN_ERR_ARGUMENT, sni_nowhere(),
                            "point %d is %g m off the plane of an area of %g m", i, height, size);
    }
    return SN_OK;
}

static sn_material material_of(const sn_contact* points, int32_t count, const area* a) {
    sn_material m = points[0].material;
    m.spin += m.mu * a->mean_distance;
    m.roll = a->disc;
    m.stiffness *= count; // side by side
    m.damping *= count;
    return m;
}

sn_status sn_contact_patch(const sn_contact* points, int32_t count, sn_contact* patch,
                           sn_error* error) {
    if (!points || !patch || count < 3 || count > SN_PATCH_POINTS)
        return sni_fail(error, SN_ERR_ARGUMENT, sni_nowhere(),
                        "a patch takes 3 to %d points, not %d", SN_PATCH_POINTS, count);
    sn_vec3 x, n;
    sn_status status = mean_plane(points, count, &x, &n, error);
    if (status) return status;
    sn_contact made = sn_contact_make(points[0].id, points[0].a, points[0].b, x, n, points[0].gap,
                                      points[0].material);
    point2 flat[SN_PATCH_POINTS];
    double size = 0;
    for (int32_t i = 0; i < count; i++) {
        sn_vec3 from_mean = sn_vec3_sub(points[i].x, x);
        flat[i] = (point2){sn_vec3_dot(made.t1, from_mean), sn_vec3_dot(made.t2, from_mean)};
        size = fmax(size, hypot(flat[i].x, flat[i].y));
        made.gap = fmin(made.gap, points[i].gap);
    }
    status = check_flat(points, count, &made, size, error);
    if (status) return status;
    hull h = hull_of(flat, count);
    area a = {0};
    if (h.count >= 3) a = area_of(&h);
    if (!(a.size > LINE_AREA * size * size) || !(a.disc > 0))
        return sni_fail(error, SN_ERR_ARGUMENT, sni_nowhere(),
                        "the points of a patch lie on a line; add them one by one");
    made.x = sn_vec3_add(
        x, sn_vec3_add(sn_vec3_scale(a.centre.x, made.t1), sn_vec3_scale(a.centre.y, made.t2)));
    made.material = material_of(points, count, &a);
    made.carries = true;
    *patch = made;
    return SN_OK;
}
