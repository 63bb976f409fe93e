// SPDX-License-Identifier: Apache-2.0
// Files repeat a corner for every triangle that has it (STL), or for every normal and texture at it. Corners
// with the same three numbers become one here; nothing is moved.
#include <math.h>
#include <stdlib.h>

#include "load/mesh.h"

// Height over longest edge under which a triangle has no area: single precision leaves as much of three
// corners on one line.
static const double SLIVER = 1e-7;

typedef struct corner {
    sn_vec3 p;
    int32_t index;
} corner;

static int by_place(const void* a, const void* b) {
    const corner *x = a, *y = b;
    if (x->p.x != y->p.x) return x->p.x < y->p.x ? -1 : 1;
    if (x->p.y != y->p.y) return x->p.y < y->p.y ? -1 : 1;
    if (x->p.z != y->p.z) return x->p.z < y->p.z ? -1 : 1;
    return (x->index > y->index) - (x->index < y->index);
}

static bool same_place(sn_vec3 a, sn_vec3 b) { return a.x == b.x && a.y == b.y && a.z == b.z; }

/// first[i]: the first corner at the place of corner i.
static sn_status find_first(const sni_triangles* mesh, int32_t* first) {
    size_t count = (size_t)mesh->vertex_count;
    corner* sorted = malloc(count * sizeof *sorted);
    if (!sorted) return SN_ERR_MEMORY;
    for (int32_t i = 0; i < mesh->vertex_count; i++) sorted[i] = (corner){mesh->vertices[i], i};
    qsort(sorted, count, sizeof *sorted, by_place);
    int32_t lead = 0;
    for (int32_t k = 0; k < mesh->vertex_count; k++) {
        if (!same_place(sorted[k].p, sorted[lead].p)) lead = k;
        first[sorted[k].index] = sorted[lead].index;
    }
    free(sorted);
    return SN_OK;
}

/// Lengths are taken out before products: no number a file can hold under- or overflows here.
static bool has_area(sn_vec3 a, sn_vec3 b, sn_vec3 c) {
    sn_vec3 u = sn_vec3_sub(b, a), v = sn_vec3_sub(c, a), w = sn_vec3_sub(c, b);
    double longest = fmax(sn_vec3_norm(u), fmax(sn_vec3_norm(v), sn_vec3_norm(w)));
    if (!(longest > 0) || !isfinite(1 / longest)) return false;
    sn_vec3 n = sn_vec3_cross(sn_vec3_scale(1 / longest, u), sn_vec3_scale(1 / longest, v));
    return sn_vec3_norm(n) > SLIVER;
}

/// Triangles that have an area move to the front of the list, with the corners found for them.
static void keep_triangles(sni_triangles* mesh, const int32_t* first) {
    int32_t kept = 0;
    const sn_vec3* p = mesh->vertices;
    for (int32_t t = 0; t < mesh->triangle_count; t++) {
        const int32_t* from = mesh->triangles + 3 * t;
        int32_t a = first[from[0]], b = first[from[1]], c = first[from[2]];
        if (!has_area(p[a], p[b], p[c])) continue;
        int32_t* to = mesh->triangles + 3 * kept++;
        to[0] = a, to[1] = b, to[2] = c;
    }
    mesh->degenerate += mesh->triangle_count - kept;
    mesh->triangle_count = kept;
}

/// Corners that a triangle has, in the order of the file. place: room for all corners.
static void keep_corners(sni_triangles* mesh, int32_t* place) {
    for (int32_t i = 0; i < mesh->vertex_count; i++) place[i] = -1;
    for (int32_t e = 0; e < 3 * mesh->triangle_count; e++) place[mesh->triangles[e]] = 0;
    int32_t kept = 0;
    for (int32_t i = 0; i < mesh->vertex_count; i++) {
        if (place[i] < 0) continue;
        place[i] = kept;
        mesh->vertices[kept++] = mesh->vertices[i];
    }
    for (int32_t e = 0; e < 3 * mesh->triangle_count; e++)
        mesh->triangles[e] = place[mesh->triangles[e]];
    mesh->vertex_count = kept;
}

sn_status sni_triangles_join(sni_triangles* mesh, sn_error* error) {
    int32_t* first = malloc(((size_t)mesh->vertex_count + 1) * sizeof *first);
    sn_status status = first ? find_first(mesh, first) : SN_ERR_MEMORY;
    if (!status) {
        keep_triangles(mesh, first);
        keep_corners(mesh, first);
    }
    free(first);
    return status ? sni_fail(error, status, sni_nowhere(), "not enough memory for a mesh") : SN_OK;
}
