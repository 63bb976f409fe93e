// SPDX-License-Identifier: Apache-2.0
// Creation of meshes: corners, triangles, neighbours; and what those allow.
#include "collision/mesh.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"

// Height of a triangle over its longest edge below which it is none: its normal would be rounding.
static const double DEGENERATE = 1e-10;
// Sine of the angle between two triangles below which they are one plane. Files keep seven digits; of thin
// triangles, three less.
static const double FLAT = 1e-4;

/// Room to work in while a mesh is made.
typedef struct workshop {
    sni_arena arena;
    int32_t* order;         // [vertices], then [triangles]
    int32_t* merged;        // [vertices] which corner one became
    struct half_edge* half; // [3 triangles]
    sni_box* box;           // [triangles]
    int32_t* leader;        // [triangles] of flat parts
} workshop;

/// An edge as one triangle has it.
typedef struct half_edge {
    int32_t low, high; ///< corners
    int32_t triangle, k;
    bool rises; ///< leads from low to high
} half_edge;

static void lay_out_workshop(workshop* w, sni_arena* arena, const sn_shape_info* shape) {
    int32_t v = shape->vertex_count, t = shape->triangle_count;
    w->order = SN_ARENA_ARRAY(arena, int32_t, v > t ? v : t);
    w->merged = SN_ARENA_ARRAY(arena, int32_t, v);
    w->half = SN_ARENA_ARRAY(arena, half_edge, 3 * (size_t)t);
    w->box = SN_ARENA_ARRAY(arena, sni_box, t);
    w->leader = SN_ARENA_ARRAY(arena, int32_t, t);
}

static void lay_out_mesh(sni_mesh* mesh, sni_arena* arena, int32_t vertices, int32_t triangles) {
    mesh->vertex = SN_ARENA_ARRAY(arena, sn_vec3, vertices);
    mesh->sharp = SN_ARENA_ARRAY(arena, bool, vertices);
    mesh->normal = SN_ARENA_ARRAY(arena, sn_vec3, vertices);
    mesh->neighbour = SN_ARENA_ARRAY(arena, int32_t, (size_t)vertices + 1);
    mesh->next = SN_ARENA_ARRAY(arena, int32_t, 6 * (size_t)triangles);
    mesh->triangle = SN_ARENA_ARRAY(arena, sni_mesh_triangle, triangles);
    mesh->node = SN_ARENA_ARRAY(arena, sni_mesh_node, 2 * (size_t)triangles);
}

// ---- corners --------------------------------------------------------------------------------------------

typedef struct numbered {
    sn_vec3 x;
    int32_t i;
} numbered;

static int compare_numbers(double a, double b) { return (a > b) - (a < b); }

static int compare_places(const void* p, const void* q) {
    const numbered *a = p, *b = q;
    int order = compare_numbers(a->x.x, b->x.x);
    if (!order) order = compare_numbers(a->x.y, b->x.y);
    if (!order) order = compare_numbers(a->x.z, b->x.z);
    return order ? order : (a->i > b->i) - (a->i < b->i);
}

/// Corners at the same place become the first of them. Returns how many are left.
static int32_t merge_corners(sni_mesh* mesh, workshop* w, const sn_shape_info* shape,
                             numbered* sorted) {
    for (int32_t i = 0; i < shape->vertex_count; i++) sorted[i] = (numbered){shape->vertices[i], i};
    qsort(sorted, (size_t)shape->vertex_count, sizeof *sorted, compare_places);
    for (int32_t i = 0; i < shape->vertex_count; i++) {
        const sn_vec3 *x = &sorted[i].x, *before = &sorted[i ? i - 1 : 0].x;
        bool same = i > 0 && x->x == before->x && x->y == before->y && x->z == before->z;
        w->merged[sorted[i].i] = same ? w->merged[sorted[i - 1].i] : sorted[i].i;
    }
    int32_t left = 0;
    for (int32_t i = 0; i < shape->vertex_count; i++) {
        if (w->merged[i] == i) {
            mesh->vertex[left] = shape->vertices[i];
            w->merged[i] = left++;
        } else {
            w->merged[i] = w->merged[w->merged[i]]; // of a smaller number: done already
        }
    }
    return left;
}

// ---- triangles ------------------------------------------------------------------------------------------

static sn_vec3 edge_of(const sni_mesh* mesh, const sni_mesh_triangle* t, int k) {
    return sn_vec3_sub(mesh->vertex[t->corner[(k + 1) % 3]], mesh->vertex[t->corner[k]]);
}

/// Plane of a triangle; false: it has none.
static bool find_plane(const sni_mesh* mesh, sni_mesh_triangle* t) {
    double longest = 0;
    for (int k = 0; k < 3; k++) longest = fmax(longest, sn_vec3_norm(edge_of(mesh, t, k)));
    sn_vec3 cross = sn_vec3_cross(edge_of(mesh, t, 0), edge_of(mesh, t, 1));
    double area = sn_vec3_norm(cross);
    if (!(area > DEGENERATE * longest * longest) || !isfinite(area)) return false;
    t->n = sn_vec3_scale(1 / area, cross);
    t->offset = sn_vec3_dot(t->n, mesh->vertex[t->corner[0]]);
    return true;
}

static void take_triangles(sni_mesh* mesh, const workshop* w, const sn_shape_info* shape) {
    for (int32_t i = 0; i < shape->triangle_count; i++) {
        sni_mesh_triangle t = {.original = i, .beside = {-1, -1, -1}};
        for (int k = 0; k < 3; k++) t.corner[k] = w->merged[shape->triangles[3 * i + k]];
        if (find_plane(mesh, &t)) mesh->triangle[mesh->triangle_count++] = t;
    }
}

static sni_box box_of(const sni_mesh* mesh, const sni_mesh_triangle* t) {
    sni_box box = {mesh->vertex[t->corner[0]], mesh->vertex[t->corner[0]]};
    for (int k = 1; k < 3; k++) {
        sn_vec3 x = mesh->vertex[t->corner[k]];
        box.low = sn_vec3_make(fmin(box.low.x, x.x), fmin(box.low.y, x.y), fmin(box.low.z, x.z));
        box.high =
            sn_vec3_make(fmax(box.high.x, x.x), fmax(box.high.y, x.y), fmax(box.high.z, x.z));
    }
    return box;
}

// ---- neighbours -----------------------------------------------------------------------------------------

static int compare_edges(const void* p, const void* q) {
    const half_edge *a = p, *b = q;
    if (a->low != b->low) return a->low < b->low ? -1 : 1;
    if (a->high != b->high) return a->high < b->high ? -1 : 1;
    if (a->triangle != b->triangle) return a->triangle < b->triangle ? -1 : 1;
    return a->k - b->k;
}

static sni_edge_kind kind_of(const sni_mesh* mesh, const sni_mesh_triangle* t, int k,
                             const sni_mesh_triangle* other, int l) {
    sn_vec3 edge = edge_of(mesh, t, k);
    sn_vec3 arm = sn_vec3_sub(mesh->vertex[other->corner[(l + 2) % 3]], mesh->vertex[t->corner[k]]);
    double height = sn_vec3_norm(sn_vec3_cross(edge, arm)) / sn_vec3_norm(edge);
    double rise = sn_vec3_dot(t->n, arm);
    if (fabs(rise) <= FLAT * height) // folded back upon itself it is a blade
        return sn_vec3_dot(t->n, other->n) > 0 ? SN_EDGE_FLAT : SN_EDGE_CONVEX;
    return rise > 0 ? SN_EDGE_CONCAVE : SN_EDGE_CONVEX;
}

/// Two triangles that have an edge in opposite directions are neighbours, when there are no others.
static void join_edges(sni_mesh* mesh, half_edge* half) {
    int32_t count = 3 * mesh->triangle_count;
    for (int32_t i = 0; i < count; i++) {
        const sni_mesh_triangle* t = &mesh->triangle[i / 3];
        int k = i % 3;
        int32_t from = t->corner[k], to = t->corner[(k + 1) % 3];
        half[i] = (half_edge){from < to ? from : to, from < to ? to : from, i / 3, k, from < to};
    }
    qsort(half, (size_t)count, sizeof *half, compare_edges);
    for (int32_t i = 0, end; i < count; i = end) {
        end = i + 1;
        while (end < count && half[end].low == half[i].low && half[end].high == half[i].high) end++;
        const half_edge *p = &half[i], *q = &half[end - 1];
        bool pair = end - i == 2 && p->rises != q->rises;
        sni_mesh_triangle *t = &mesh->triangle[p->triangle], *u = &mesh->triangle[q->triangle];
        t->has_edge[p->k] = true;
        for (int32_t j = i; j < end; j++)
            mesh->triangle[half[j].triangle].edge[half[j].k] = SN_EDGE_BORDER;
        if (!pair) continue;
        t->beside[p->k] = q->triangle;
        u->beside[q->k] = p->triangle;
        // by the one with the smaller number, so that both say the same
        t->edge[p->k] = u->edge[q->k] = (uint8_t)kind_of(mesh, t, p->k, u, q->k);
    }
}

static int32_t leader_of(int32_t* leader, int32_t i) {
    while (leader[i] != i) i = leader[i] = leader[leader[i]];
    return i;
}

/// Triangles joined by flat edges are one facet.
static void find_facets(sni_mesh* mesh, int32_t* leader) {
    for (int32_t i = 0; i < mesh->triangle_count; i++) leader[i] = i;
    for (int32_t i = 0; i < mesh->triangle_count; i++)
        for (int k = 0; k < 3; k++) {
            const sni_mesh_triangle* t = &mesh->triangle[i];
            if (t->edge[k] != SN_EDGE_FLAT) continue;
            int32_t a = leader_of(leader, i), b = leader_of(leader, t->beside[k]);
            leader[a > b ? a : b] = a > b ? b : a;
        }
    for (int32_t i = 0; i < mesh->triangle_count; i++) {
        sni_mesh_triangle* t = &mesh->triangle[i];
        t->facet = leader_of(leader, i);
        for (int k = 0; k < 3; k++) {
            if (t->edge[k] < SN_EDGE_CONVEX) continue;
            t->sharp = mesh->sharp[t->corner[k]] = mesh->sharp[t->corner[(k + 1) % 3]] = true;
        }
    }
}

static double angle_at(const sni_mesh* mesh, const sni_mesh_triangle* t, int k) {
    sn_vec3 a = edge_of(mesh, t, k), b = sn_vec3_neg(edge_of(mesh, t, (k + 2) % 3));
    return atan2(sn_vec3_norm(sn_vec3_cross(a, b)), sn_vec3_dot(a, b));
}

/// Who is around each corner, from half edges in order.
static void find_stars(sni_mesh* mesh, const half_edge* half) {
    int32_t count = 3 * mesh->triangle_count;
    for (int pass = 0; pass < 2; pass++) { // counts, then fills
        for (int32_t i = 0; i < count; i++) {
            if (i > 0 && half[i].low == half[i - 1].low && half[i].high == half[i - 1].high)
                continue;
            int32_t ends[2] = {half[i].low, half[i].high};
            for (int side = 0; side < 2; side++) {
                if (pass == 0)
                    mesh->neighbour[ends[side] + 1]++;
                else
                    mesh->next[mesh->neighbour[ends[side]]++] = ends[1 - side];
            }
        }
        for (int32_t v = 0; v < mesh->vertex_count && pass == 0; v++)
            mesh->neighbour[v + 1] += mesh->neighbour[v];
    }
    for (int32_t v = mesh->vertex_count; v > 0; v--) // filling moved each to the next one's place
        mesh->neighbour[v] = mesh->neighbour[v - 1];
    mesh->neighbour[0] = 0;
    for (int32_t i = 0; i < mesh->triangle_count; i++)
        for (int k = 0; k < 3; k++) {
            const sni_mesh_triangle* t = &mesh->triangle[i];
            sn_vec3* n = &mesh->normal[t->corner[k]];
            *n = sn_vec3_add(*n, sn_vec3_scale(angle_at(mesh, t, k), t->n));
        }
}

/// The first triangle that uses a corner has it.
static void share_corners(sni_mesh* mesh, int32_t* taken) {
    for (int32_t v = 0; v < mesh->vertex_count; v++) taken[v] = 0;
    for (int32_t i = 0; i < mesh->triangle_count; i++)
        for (int k = 0; k < 3; k++) {
            sni_mesh_triangle* t = &mesh->triangle[i];
            t->has_corner[k] = !taken[t->corner[k]];
            taken[t->corner[k]] = 1;
        }
}

// ---- the door -------------------------------------------------------------------------------------------

static sn_status make(sni_mesh* mesh, workshop* w, const sn_shape_info* shape, sn_error* error) {
    numbered* sorted = malloc((size_t)(shape->vertex_count + 1) * sizeof *sorted);
    if (!sorted) return sni_fail(error, SN_ERR_MEMORY, sni_nowhere(), "not enough memory");
    mesh->vertex_count = merge_corners(mesh, w, shape, sorted);
    free(sorted);
    take_triangles(mesh, w, shape);
    if (mesh->triangle_count == 0)
        return sni_fail(error, SN_ERR_MODEL, sni_nowhere(),
                        "mesh '%s' has no triangle with an area",
                        shape->name[0] ? shape->name : shape->mesh);
    for (int32_t i = 0; i < mesh->triangle_count; i++) w->box[i] = box_of(mesh, &mesh->triangle[i]);
    sni_mesh_make_tree(mesh, w->box, w->order);
    join_edges(mesh, w->half);
    find_facets(mesh, w->leader);
    find_stars(mesh, w->half);
    share_corners(mesh, w->merged);
    return SN_OK;
}

sn_status sni_mesh_create(const sn_shape_info* shape, sni_mesh** out, sn_error* error) {
    *out = NULL;
    enum { MOST = INT32_MAX / 8 }; // counts of edges stay within an int32_t
    if (!shape->vertices || shape->triangle_count <= 0)
        return sni_fail(error, SN_ERR_MODEL, sni_nowhere(), "a mesh without triangles");
    if (shape->triangle_count > MOST || shape->vertex_count > MOST)
        return sni_fail(error, SN_ERR_MODEL, sni_nowhere(), "a mesh of more than %d triangles",
                        MOST);
    sni_mesh* mesh = calloc(1, sizeof *mesh);
    workshop w = {0};
    lay_out_workshop(&w, &w.arena, shape);
    sn_status status = SN_ERR_MEMORY;
    if (mesh) lay_out_mesh(mesh, &mesh->arena, shape->vertex_count, shape->triangle_count);
    if (mesh && sni_arena_allocate(&w.arena) && sni_arena_allocate(&mesh->arena)) {
        lay_out_workshop(&w, &w.arena, shape);
        lay_out_mesh(mesh, &mesh->arena, shape->vertex_count, shape->triangle_count);
        status = make(mesh, &w, shape, error);
    } else {
        sni_fail(error, SN_ERR_MEMORY, sni_nowhere(), "not enough memory for a mesh");
    }
    sni_arena_free(&w.arena);
    if (status) {
        sni_mesh_free(mesh);
        return status;
    }
    *out = mesh;
    return SN_OK;
}

void sni_mesh_free(sni_mesh* mesh) {
    if (!mesh) return;
    sni_arena_free(&mesh->arena);
    free(mesh);
}

// ---- normals --------------------------------------------------------------------------------------------

static bool reaches_beyond(const sni_mesh* mesh, int32_t from, int32_t to, sn_vec3 d,
                           double slack) {
    sn_vec3 arm = sn_vec3_sub(mesh->vertex[to], mesh->vertex[from]);
    return sn_vec3_dot(d, arm) > slack * sn_vec3_norm(arm);
}

bool sni_mesh_can_face(const sni_mesh* mesh, int32_t triangle, int part, sn_vec3 d, double slack) {
    const sni_mesh_triangle* t = &mesh->triangle[triangle];
    if (part >= 4) { // above a corner, not out of a pit
        int32_t v = t->corner[part - 4];
        for (int32_t k = mesh->neighbour[v]; k < mesh->neighbour[v + 1]; k++)
            if (reaches_beyond(mesh, v, mesh->next[k], d, slack)) return false;
        return sn_vec3_dot(d, mesh->normal[v]) > 0;
    }
    if (part == 0) return sn_vec3_dot(d, t->n) > 0;
    int k = part - 1;
    int32_t v = t->corner[k], w = t->corner[(k + 1) % 3];
    if (t->edge[k] == SN_EDGE_CONCAVE) return false;
    if (t->edge[k] == SN_EDGE_FLAT) return sn_vec3_dot(d, t->n) >= 1 - 0.5 * slack * slack;
    if (t->edge[k] == SN_EDGE_BORDER && sn_vec3_dot(d, t->n) < -slack) return false;
    if (reaches_beyond(mesh, v, t->corner[(k + 2) % 3], d, slack)) return false;
    if (t->beside[k] < 0) return true;
    const sni_mesh_triangle* other = &mesh->triangle[t->beside[k]];
    for (int l = 0; l < 3; l++) {
        int32_t u = other->corner[l];
        if (u != v && u != w && reaches_beyond(mesh, v, u, d, slack)) return false;
    }
    return true;
}
