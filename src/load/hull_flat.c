// SPDX-License-Identifier: Apache-2.0
// The hull of points in a plane: a polygon around them, found by walking along its lower and then its upper
// side (Andrew's monotone chain), and seen from both sides.
#include <stdlib.h>

#include "load/hull.h"

// A corner that is less than this beside the line from the one before to the one after is rounding.
static const double STRAIGHT = 1e-12;

typedef struct spot {
    double x, y;
    int32_t point;
} spot;

static int left_to_right(const void* a, const void* b) {
    const spot *p = a, *q = b;
    if (p->x != q->x) return p->x < q->x ? -1 : 1;
    if (p->y != q->y) return p->y < q->y ? -1 : 1;
    return (p->point > q->point) - (p->point < q->point);
}

/// b is a corner on the right of the way from a to c.
static bool turns_left(spot a, spot b, spot c) {
    double x = c.x - a.x, y = c.y - a.y;
    double beside = (b.x - a.x) * y - (b.y - a.y) * x;
    return beside > STRAIGHT * sqrt(x * x + y * y);
}

/// Appends a spot to a side that begins at `first`, and takes back those that are no corners any more.
static int32_t append(spot* side, int32_t first, int32_t end, spot s) {
    while (end - first >= 2 && !turns_left(side[end - 2], side[end - 1], s)) end--;
    side[end] = s;
    return end + 1;
}

/// The corners, counter-clockwise, in `around`, which has room for count + 1.
static int32_t walk_around(const spot* spots, int32_t count, spot* around) {
    int32_t end = 0;
    for (int32_t i = 0; i < count; i++) end = append(around, 0, end, spots[i]);
    int32_t first = end - 1; // the rightmost, where the upper side begins
    for (int32_t i = count - 2; i >= 0; i--) end = append(around, first, end, spots[i]);
    return end - 1; // the last is the first again
}

static int by_point(const void* a, const void* b) {
    int32_t p = *(const int32_t*)a, q = *(const int32_t*)b;
    return (p > q) - (p < q);
}

static int32_t place_of(const sni_hull_faces* faces, int32_t point) {
    const int32_t* found = bsearch(&point, faces->corner, (size_t)faces->corner_count,
                                   sizeof *faces->corner, by_point);
    return (int32_t)(found - faces->corner);
}

static void put_triangle(const sni_hull_faces* faces, int32_t index, spot a, spot b, spot c) {
    int32_t* corner = faces->triangle + 3 * index;
    corner[0] = place_of(faces, a.point);
    corner[1] = place_of(faces, b.point);
    corner[2] = place_of(faces, c.point);
}

/// A fan about the first corner, and from behind one about the second: so no inner edge is on both sides, and
/// every edge belongs to two triangles, as in hulls that are not flat.
static void put_faces(const spot* around, sni_hull_faces* faces) {
    int32_t corners = faces->corner_count;
    for (int32_t k = 0; k < corners; k++) faces->corner[k] = around[k].point;
    qsort(faces->corner, (size_t)corners, sizeof *faces->corner, by_point);
    int32_t half = corners - 2;
    for (int32_t k = 0; k < half; k++) {
        put_triangle(faces, k, around[0], around[k + 1], around[k + 2]);
        put_triangle(faces, half + k, around[1], around[(k + 3) % corners], around[k + 2]);
    }
}

sn_status sni_hull_flat(const sn_vec3* points, int32_t count, sn_vec3 u, sn_vec3 w,
                        sni_hull_faces* faces, sn_error* error) {
    spot* spots = malloc((size_t)count * sizeof *spots);
    spot* around = malloc((2 * (size_t)count + 1) * sizeof *around);
    sn_status status = spots && around ? SN_OK : SN_ERR_MEMORY;
    int32_t corners = 0;
    if (!status) {
        for (int32_t i = 0; i < count; i++)
            spots[i] = (spot){sn_vec3_dot(points[i], u), sn_vec3_dot(points[i], w), i};
        qsort(spots, (size_t)count, sizeof *spots, left_to_right);
        corners = walk_around(spots, count, around);
        if (corners < 3)
            status = sni_fail(error, SN_ERR_MODEL, sni_nowhere(),
                              "%d points on one line have no hull", (int)count);
    }
    if (!status && !sni_hull_faces_allocate(faces, corners, 2 * (corners - 2)))
        status = SN_ERR_MEMORY;
    if (!status) put_faces(around, faces);
    free(spots);
    free(around);
    return status;
}
