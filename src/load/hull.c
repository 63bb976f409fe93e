// SPDX-License-Identifier: Apache-2.0
// The convex hull of points: finds out how many dimensions they fill, and has the hull made there.
#include "load/hull.h"

#include <math.h>
#include <stdlib.h>

// Mesh files keep single precision, in which points of a plane are about 1e-7 of their extent beside it.
// Thinner than this is flat, narrower is a line.
static const double FLAT = 1e-6;

void sni_hull_faces_clear(sni_hull_faces* faces) {
    free(faces->corner);
    free(faces->triangle);
    *faces = (sni_hull_faces){0};
}

bool sni_hull_faces_allocate(sni_hull_faces* faces, int32_t corners, int32_t triangles) {
    faces->corner = malloc((size_t)corners * sizeof *faces->corner);
    faces->triangle = malloc(3 * (size_t)triangles * sizeof *faces->triangle);
    faces->corner_count = corners;
    faces->triangle_count = triangles;
    if (faces->corner && faces->triangle) return true;
    sni_hull_faces_clear(faces);
    return false;
}

// ---- how far points spread ----------------------------------------------------------------------------

/// Points from -1 to 1 about the middle of their box: p = scale (point - middle).
typedef struct spread {
    sn_vec3* points;
    int32_t count;
    sn_vec3 middle;
    double scale;
    sn_vec3 origin, u, w; ///< of a plane through points far apart; unit, perpendicular
    double length, width, thickness;
} spread;

static sn_status centre(spread* s, const sn_vec3* points, sn_error* error) {
    sn_vec3 low = points[0], high = points[0];
    for (int32_t i = 0; i < s->count; i++) {
        sn_vec3 p = points[i];
        if (!isfinite(p.x) || !isfinite(p.y) || !isfinite(p.z))
            return sni_fail(error, SN_ERR_NUMERIC, sni_nowhere(), "point %d is not finite", (int)i);
        low = sn_vec3_make(fmin(low.x, p.x), fmin(low.y, p.y), fmin(low.z, p.z));
        high = sn_vec3_make(fmax(high.x, p.x), fmax(high.y, p.y), fmax(high.z, p.z));
    }
    s->middle = sn_vec3_add(sn_vec3_scale(0.5, low), sn_vec3_scale(0.5, high));
    sn_vec3 half = sn_vec3_sub(high, s->middle);
    double largest = fmax(half.x, fmax(half.y, half.z));
    s->scale = 1 / largest;
    if (!(largest > 0) || !isfinite(s->scale) || !isfinite(largest))
        return sni_fail(error, SN_ERR_MODEL, sni_nowhere(),
                        "%d points at one place have no hull; it takes three that are apart",
                        (int)s->count);
    for (int32_t i = 0; i < s->count; i++)
        s->points[i] = sn_vec3_scale(s->scale, sn_vec3_sub(points[i], s->middle));
    return SN_OK;
}

/// The part of a that is perpendicular to the unit vectors u and w; w may be zero.
static sn_vec3 across(sn_vec3 a, sn_vec3 u, sn_vec3 w) {
    a = sn_vec3_sub(a, sn_vec3_scale(sn_vec3_dot(a, u), u));
    return sn_vec3_sub(a, sn_vec3_scale(sn_vec3_dot(a, w), w));
}

/// The point whose difference from the origin has the longest part perpendicular to u and w: that part.
static sn_vec3 farthest(const spread* s, sn_vec3 u, sn_vec3 w) {
    sn_vec3 best = sn_vec3_zero();
    double longest = -1;
    for (int32_t i = 0; i < s->count; i++) {
        sn_vec3 d = across(sn_vec3_sub(s->points[i], s->origin), u, w);
        double length = sn_vec3_norm(d);
        if (!(length > longest)) continue;
        longest = length;
        best = d;
    }
    return best;
}

/// Length, width and thickness, each along the point farthest from what went before.
static void measure(spread* s) {
    sn_vec3 zero = sn_vec3_zero();
    s->origin = zero;
    s->origin = farthest(s, zero, zero);
    sn_vec3 along = farthest(s, zero, zero);
    s->length = sn_vec3_norm(along);
    s->u = sn_vec3_scale(1 / s->length, along);
    sn_vec3 beside = farthest(s, s->u, zero);
    s->width = sn_vec3_norm(beside);
    if (!(s->width > FLAT * s->length)) return;
    beside = across(sn_vec3_scale(1 / s->width, beside), s->u, zero); // once more, for the rounding
    s->w = sn_vec3_scale(1 / sn_vec3_norm(beside), beside);
    s->thickness = sn_vec3_norm(farthest(s, s->u, s->w));
}

// ---- the door -----------------------------------------------------------------------------------------

static bool is_flat(const spread* s) { return !(s->thickness > FLAT * s->length); }

static sn_status find_faces(spread* s, const sn_vec3* points, sni_hull_faces* faces,
                            sn_error* error) {
    sn_status status = centre(s, points, error);
    if (status) return status;
    measure(s);
    if (!(s->width > FLAT * s->length))
        return sni_fail(error, SN_ERR_MODEL, sni_nowhere(),
                        "%d points on one line have no hull; it takes three that are not",
                        (int)s->count);
    return is_flat(s) ? sni_hull_flat(s->points, s->count, s->u, s->w, faces, error)
                      : sni_hull_solid(s->points, s->count, faces, error);
}

/// Corners of a flat hull are moved into its plane, so that its two sides are at one place.
static sn_vec3 corner_of(const spread* s, const sn_vec3* points, int32_t i) {
    if (!is_flat(s)) return points[i];
    sn_vec3 beside = across(sn_vec3_sub(s->points[i], s->origin), s->u, s->w);
    return sn_vec3_sub(points[i], sn_vec3_scale(1 / s->scale, beside));
}

sn_status sn_hull_compute(const sn_vec3* points, int count, sn_vec3** vertices, int* vertex_count,
                          int32_t** triangles, int* triangle_count, sn_error* error) {
    enum { POINT_MAX = 20000000 };
    if (vertices) *vertices = NULL;
    if (triangles) *triangles = NULL;
    if (!points || count < 1 || !vertices || !vertex_count || !triangles || !triangle_count)
        return sni_fail(error, SN_ERR_ARGUMENT, sni_nowhere(),
                        "sn_hull_compute needs points and places for vertices and triangles");
    *vertex_count = *triangle_count = 0;
    if (count > POINT_MAX)
        return sni_fail(error, SN_ERR_CAPACITY, sni_nowhere(), "a hull of more than %d points",
                        POINT_MAX);
    spread s = {.points = malloc((size_t)count * sizeof *s.points), .count = count};
    sni_hull_faces faces = {0};
    sn_status status = s.points ? find_faces(&s, points, &faces, error) : SN_ERR_MEMORY;
    if (!status) {
        *vertices = malloc((size_t)faces.corner_count * sizeof **vertices);
        if (!*vertices) status = SN_ERR_MEMORY;
    }
    if (!status) {
        for (int32_t k = 0; k < faces.corner_count; k++)
            (*vertices)[k] = corner_of(&s, points, faces.corner[k]);
        *vertex_count = faces.corner_count;
        *triangles = faces.triangle;
        *triangle_count = faces.triangle_count;
        faces.triangle = NULL;
    }
    sni_hull_faces_clear(&faces);
    free(s.points);
    return status == SN_ERR_MEMORY
               ? sni_fail(error, status, sni_nowhere(), "not enough memory for a hull")
               : status;
}

void sn_hull_free(sn_vec3* vertices, int32_t* triangles) {
    free(vertices);
    free(triangles);
}
