// SPDX-License-Identifier: Apache-2.0
// The hull of points that fill a volume, by qhull [BDH96]. Its options: Qt makes triangles of all faces, Pp
// keeps it from speaking of precision; QJ moves the points about by rounding until every face is one.
#define _XOPEN_SOURCE 700 // open_memstream
#include <libqhull_r/qhull_ra.h>
#include <stdlib.h>
#include <string.h>

#include "load/hull.h"

// What qhull prints goes to a text, of which the first line becomes the reason of an error.
typedef struct run {
    qhT* qh;
    FILE* says;
    char* said;
    size_t said_length;
} run;

static bool begin(run* r) {
    *r = (run){.qh = calloc(1, sizeof *r->qh)};
    r->says = open_memstream(&r->said, &r->said_length);
    if (!r->qh || !r->says) return false;
    qh_zero(r->qh, r->says);
    return true;
}

static void end(run* r) {
    int long_pieces, long_bytes;
    if (r->qh && r->says) {
        r->qh->NOerrexit = True; // nothing below may jump back into a function that has returned
        qh_freeqhull(r->qh, !qh_ALL);
        qh_memfreeshort(r->qh, &long_pieces, &long_bytes);
    }
    if (r->says) fclose(r->says);
    free(r->said);
    free(r->qh);
}

// ---- faces --------------------------------------------------------------------------------------------

/// The three corners of a facet, counter-clockwise seen from one side: the same for all facets.
static bool corners_of(qhT* qh, facetT* facet, int32_t corner[3]) {
    vertexT *vertex, **vertexp;
    int k = 0;
    FOREACHvertex_(facet->vertices) {
        if (k == 3) return false;
        corner[k++] = (int32_t)qh_pointid(qh, vertex->point);
    }
    if (k < 3) return false;
    if (facet->toporient) {
        int32_t other = corner[1];
        corner[1] = corner[2];
        corner[2] = other;
    }
    return true;
}

static double volume(const sn_vec3* points, const sni_hull_faces* faces) {
    double six = 0;
    for (int32_t t = 0; t < faces->triangle_count; t++) {
        const int32_t* corner = faces->triangle + 3 * t;
        six += sn_vec3_dot(points[corner[0]], sn_vec3_cross(points[corner[1]], points[corner[2]]));
    }
    return six / 6;
}

static void turn_over(sni_hull_faces* faces) {
    for (int32_t t = 0; t < faces->triangle_count; t++) {
        int32_t* corner = faces->triangle + 3 * t;
        int32_t other = corner[1];
        corner[1] = corner[2];
        corner[2] = other;
    }
}

static int ascending(const void* a, const void* b) {
    uint64_t x = *(const uint64_t*)a, y = *(const uint64_t*)b;
    return (x > y) - (x < y);
}

/// Every edge is there once in each direction: then the triangles are a closed surface with one outside.
static sn_status check_closed(const sni_hull_faces* faces, bool* closed) {
    size_t count = 3 * (size_t)faces->triangle_count;
    uint64_t* there = malloc(2 * count * sizeof *there);
    if (!there) return SN_ERR_MEMORY;
    uint64_t* back = there + count;
    for (size_t e = 0; e < count; e++) {
        uint64_t from = (uint64_t)faces->triangle[e];
        uint64_t to = (uint64_t)faces->triangle[e % 3 == 2 ? e - 2 : e + 1];
        there[e] = from << 32 | to;
        back[e] = to << 32 | from;
    }
    qsort(there, count, sizeof *there, ascending);
    qsort(back, count, sizeof *back, ascending);
    *closed = memcmp(there, back, count * sizeof *there) == 0;
    for (size_t e = 1; e < count; e++)
        if (there[e] == there[e - 1]) *closed = false;
    free(there);
    return SN_OK;
}

/// Corners become those points that triangles use, in their order, and triangles count corners.
static sn_status keep_corners(int32_t count, sni_hull_faces* faces) {
    int32_t* place = malloc((size_t)count * sizeof *place);
    if (!place) return SN_ERR_MEMORY;
    memset(place, 0, (size_t)count * sizeof *place);
    for (int32_t e = 0; e < 3 * faces->triangle_count; e++) place[faces->triangle[e]] = 1;
    faces->corner_count = 0;
    for (int32_t i = 0; i < count; i++) {
        if (!place[i]) continue;
        place[i] = faces->corner_count;
        faces->corner[faces->corner_count++] = i;
    }
    for (int32_t e = 0; e < 3 * faces->triangle_count; e++)
        faces->triangle[e] = place[faces->triangle[e]];
    free(place);
    return SN_OK;
}

/// Takes what qhull found; *usable is false when that is not a closed surface of triangles.
static sn_status take_faces(qhT* qh, const sn_vec3* points, int32_t count, sni_hull_faces* faces,
                            bool* usable) {
    *usable = false;
    if (qh->num_facets < 4) return SN_OK;
    if (!sni_hull_faces_allocate(faces, qh->num_vertices, qh->num_facets)) return SN_ERR_MEMORY;
    int32_t taken = 0;
    facetT* facet;
    FORALLfacets {
        if (taken == faces->triangle_count) return SN_OK;
        if (!corners_of(qh, facet, faces->triangle + 3 * taken)) return SN_OK;
        taken++;
    }
    faces->triangle_count = taken;
    if (volume(points, faces) < 0) turn_over(faces);
    sn_status status = check_closed(faces, usable);
    if (!status && *usable) status = keep_corners(count, faces);
    return status;
}

// ---- the door -----------------------------------------------------------------------------------------

static sn_status try_options(const sn_vec3* points, int32_t count, const char* options,
                             sni_hull_faces* faces, sn_error* error) {
    run r;
    bool usable = false;
    sn_status status = begin(&r) ? SN_OK : SN_ERR_MEMORY;
    if (!status) {
        char command[32];
        snprintf(command, sizeof command, "qhull %s", options);
        // qhull does not write to points that are not its own.
        int failed =
            qh_new_qhull(r.qh, 3, count, (coordT*)&points->x, False, command, NULL, r.says);
        if (failed == qh_ERRmem) status = SN_ERR_MEMORY;
        if (!failed) status = take_faces(r.qh, points, count, faces, &usable);
    }
    if (!status && !usable) {
        sni_hull_faces_clear(faces);
        fflush(r.says);
        const char* reason = r.said_length ? r.said : "its surface would not be closed";
        status = sni_fail(error, SN_ERR_NUMERIC, sni_nowhere(),
                          "qhull cannot make a hull of %d points: %.*s", (int)count,
                          (int)strcspn(reason, "\n"), reason);
    }
    end(&r);
    return status;
}

sn_status sni_hull_solid(const sn_vec3* points, int32_t count, sni_hull_faces* faces,
                         sn_error* error) {
    sn_status status = try_options(points, count, "Qt Pp", faces, error);
    return status == SN_ERR_NUMERIC ? try_options(points, count, "QJ Pp", faces, error) : status;
}
