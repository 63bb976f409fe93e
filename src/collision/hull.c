// SPDX-License-Identifier: Apache-2.0
// Hulls out of triangles: those of one plane become a face.
#include "collision/solid.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/error.h"

// Over the size of the hull: corners this near to a plane are in it.
static const double IN_PLANE = 1e-9;
// Twice the area of a triangle over its longest edge squared, below which it has no plane of its own.
static const double NO_AREA = 1e-10;

/// What a hull is made of and what it becomes. Arrays are as long as they can get.
typedef struct maker {
    const sn_vec3* x; // [vertex_count] as given
    int32_t vertex_count, triangle_count;
    double size;
    int32_t* triangle; // [3 triangle_count] with corners at the same place made one
    double* area;      // [triangle_count] twice the area; 0: none
    sn_vec3* plane;    // [triangle_count] unit normal
    int32_t* order;    // [triangle_count] largest first
    int32_t* across;   // [3 triangle_count] triangle beyond the edge after corner k; -1: none
    int32_t* stack;    // [triangle_count]
    bool* done;        // [triangle_count]
    int32_t* used;     // [vertex_count] number of a corner in the hull, -1: not in it
    bool* listed;      // [vertex_count]
    int32_t* flat;     // [vertex_count] corners in one plane
    int32_t* chain;    // [2 vertex_count] room for their convex hull
    double (*uv)[2];   // [vertex_count] of every corner in that plane
    // the result
    int32_t face_count;
    int32_t* face;   // [triangle_count + 3]
    int32_t* corner; // [3 triangle_count + 2 vertex_count]
    sn_vec3* normal; // [triangle_count + 2]
} maker;

static void layout(maker* m, sni_arena* arena) {
    int32_t n = m->vertex_count, t = m->triangle_count;
    m->triangle = SN_ARENA_ARRAY(arena, int32_t, 3 * (size_t)t);
    m->area = SN_ARENA_ARRAY(arena, double, t);
    m->plane = SN_ARENA_ARRAY(arena, sn_vec3, t);
    m->order = SN_ARENA_ARRAY(arena, int32_t, t);
    m->across = SN_ARENA_ARRAY(arena, int32_t, 3 * (size_t)t);
    m->stack = SN_ARENA_ARRAY(arena, int32_t, t);
    m->done = SN_ARENA_ARRAY(arena, bool, t);
    m->used = SN_ARENA_ARRAY(arena, int32_t, n);
    m->listed = SN_ARENA_ARRAY(arena, bool, n);
    m->flat = SN_ARENA_ARRAY(arena, int32_t, n);
    m->chain = SN_ARENA_ARRAY(arena, int32_t, 2 * (size_t)n + 2);
    m->uv = sni_arena_take(arena, (size_t)n, sizeof *m->uv);
    m->face = SN_ARENA_ARRAY(arena, int32_t, t + 3);
    m->corner = SN_ARENA_ARRAY(arena, int32_t, 3 * (size_t)t + 2 * (size_t)n);
    m->normal = SN_ARENA_ARRAY(arena, sn_vec3, t + 2);
}

// ---- triangles ------------------------------------------------------------------------------------------

/// A number to sort by and what it belongs to.
typedef struct keyed {
    double key[3];
    int32_t index;
} keyed;

static int by_key(const void* p, const void* q) {
    const keyed *a = p, *b = q;
    for (int32_t k = 0; k < 3; k++)
        if (a->key[k] != b->key[k]) return a->key[k] < b->key[k] ? -1 : 1;
    return a->index < b->index ? -1 : a->index > b->index;
}

/// Corners at the very same place count as the first of them.
static void join_corners(maker* m, const int32_t* triangles, keyed* list) {
    for (int32_t k = 0; k < m->vertex_count; k++)
        list[k] = (keyed){{m->x[k].x, m->x[k].y, m->x[k].z}, k};
    qsort(list, (size_t)m->vertex_count, sizeof *list, by_key);
    int32_t first = 0;
    for (int32_t k = 0; k < m->vertex_count; k++) {
        const double *a = list[k].key, *b = list[first].key;
        if (a[0] != b[0] || a[1] != b[1] || a[2] != b[2]) first = k;
        m->used[list[k].index] = list[first].index;
    }
    for (int32_t k = 0; k < 3 * m->triangle_count; k++) m->triangle[k] = m->used[triangles[k]];
}

static void measure_triangles(maker* m, keyed* list) {
    for (int32_t t = 0; t < m->triangle_count; t++) {
        const int32_t* c = &m->triangle[3 * t];
        sn_vec3 u = sn_vec3_sub(m->x[c[1]], m->x[c[0]]), v = sn_vec3_sub(m->x[c[2]], m->x[c[0]]);
        sn_vec3 w = sn_vec3_sub(v, u), normal = sn_vec3_cross(u, v);
        double longest = fmax(sn_vec3_dot(u, u), fmax(sn_vec3_dot(v, v), sn_vec3_dot(w, w)));
        double area = sn_vec3_norm(normal);
        bool real = area > NO_AREA * longest && isfinite(1 / area);
        m->area[t] = real ? area : 0;
        m->plane[t] = real ? sn_vec3_scale(1 / area, normal) : sn_vec3_zero();
        list[t] = (keyed){{-m->area[t], 0, 0}, t};
    }
    qsort(list, (size_t)m->triangle_count, sizeof *list, by_key);
    for (int32_t t = 0; t < m->triangle_count; t++) m->order[t] = list[t].index;
}

/// Triangles with the same edge, run the other way, are neighbours.
static void find_neighbours(maker* m, keyed* list) {
    int32_t count = 3 * m->triangle_count;
    for (int32_t k = 0; k < count; k++) {
        int32_t t = k / 3, from = m->triangle[k], to = m->triangle[3 * t + (k + 1) % 3];
        list[k] = (keyed){{from < to ? from : to, from < to ? to : from, 0}, k};
        m->across[k] = -1;
    }
    qsort(list, (size_t)count, sizeof *list, by_key);
    for (int32_t k = 0; k + 1 < count; k++) {
        const keyed *a = &list[k], *b = &list[k + 1];
        if (a->key[0] != b->key[0] || a->key[1] != b->key[1]) continue;
        m->across[a->index] = b->index / 3;
        m->across[b->index] = a->index / 3;
        k++;
    }
}

static double measure_size(const maker* m) {
    sn_vec3 low = m->x[0], high = m->x[0];
    for (int32_t k = 1; k < m->vertex_count; k++) {
        sn_vec3 x = m->x[k];
        low = sn_vec3_make(fmin(low.x, x.x), fmin(low.y, x.y), fmin(low.z, x.z));
        high = sn_vec3_make(fmax(high.x, x.x), fmax(high.y, x.y), fmax(high.z, x.z));
    }
    return sn_vec3_norm(sn_vec3_sub(high, low));
}

// ---- faces ----------------------------------------------------------------------------------------------

static bool in_plane(const maker* m, sn_vec3 x, sn_vec3 normal, sn_vec3 at) {
    return fabs(sn_vec3_dot(normal, sn_vec3_sub(x, at))) <= IN_PLANE * m->size;
}

static void list_corner(maker* m, int32_t corner, int32_t* count) {
    if (m->listed[corner]) return;
    m->listed[corner] = true;
    m->flat[(*count)++] = corner;
}

/// Corners of the triangles that share the plane of the given one and hang together with it.
static int32_t gather_plane(maker* m, int32_t seed) {
    int32_t count = 0, waiting = 1;
    sn_vec3 normal = m->plane[seed], at = m->x[m->triangle[3 * seed]];
    m->stack[0] = seed;
    m->done[seed] = true;
    while (waiting > 0) {
        int32_t t = m->stack[--waiting];
        for (int32_t k = 0; k < 3; k++) {
            list_corner(m, m->triangle[3 * t + k], &count);
            int32_t next = m->across[3 * t + k];
            if (next < 0 || m->done[next] || sn_vec3_dot(m->plane[next], normal) < 0) continue;
            const int32_t* c = &m->triangle[3 * next];
            if (!in_plane(m, m->x[c[0]], normal, at) || !in_plane(m, m->x[c[1]], normal, at) ||
                !in_plane(m, m->x[c[2]], normal, at))
                continue;
            m->done[next] = true;
            m->stack[waiting++] = next;
        }
    }
    for (int32_t k = 0; k < count; k++) m->listed[m->flat[k]] = false;
    return count;
}

/// Axes of a plane, right-handed with its normal.
static void plane_axes(sn_vec3 n, sn_vec3* u, sn_vec3* v) {
    sn_vec3 other = fabs(n.x) < 0.6 ? sn_vec3_make(1, 0, 0) : sn_vec3_make(0, 1, 0);
    *u = sn_vec3_cross(other, n);
    *u = sn_vec3_scale(1 / sn_vec3_norm(*u), *u);
    *v = sn_vec3_cross(n, *u);
}

/// Twice the area of a triangle over its longer side from o: how far b is from the line o a.
static double left_of(const maker* m, int32_t o, int32_t a, int32_t b) {
    double au = m->uv[a][0] - m->uv[o][0], av = m->uv[a][1] - m->uv[o][1];
    double bu = m->uv[b][0] - m->uv[o][0], bv = m->uv[b][1] - m->uv[o][1];
    return (au * bv - av * bu) / fmax(hypot(au, av), hypot(bu, bv));
}

/// Andrew's monotone chain over the gathered corners: those of their convex hull, counter-clockwise; fewer than three
/// when they lie on a line. Corners on an edge are left out.
static int32_t convex_chain(maker* m, int32_t count, sn_vec3 normal, keyed* list) {
    sn_vec3 u, v;
    plane_axes(normal, &u, &v);
    for (int32_t k = 0; k < count; k++) {
        int32_t c = m->flat[k];
        m->uv[c][0] = sn_vec3_dot(u, m->x[c]);
        m->uv[c][1] = sn_vec3_dot(v, m->x[c]);
        list[k] = (keyed){{m->uv[c][0], m->uv[c][1], 0}, c};
    }
    qsort(list, (size_t)count, sizeof *list, by_key);
    int32_t made = 0;
    for (int32_t side = 0; side < 2; side++) {
        int32_t start = made + 1; // what may be taken back comes after the first of a side
        for (int32_t k = 0; k < count; k++) {
            int32_t c = list[side ? count - 1 - k : k].index;
            while (made > start &&
                   !(left_of(m, m->chain[made - 2], m->chain[made - 1], c) > IN_PLANE * m->size))
                made--;
            m->chain[made++] = c;
        }
        made--; // the last is the first of the other side
    }
    return made;
}

static void add_face(maker* m, int32_t count, sn_vec3 normal, bool reversed) {
    int32_t first = m->face[m->face_count];
    for (int32_t k = 0; k < count; k++)
        m->corner[first + k] = m->chain[reversed ? count - 1 - k : k];
    m->normal[m->face_count++] = normal;
    m->face[m->face_count] = first + count;
}

/// All corners in one plane: a face and its back.
static bool make_flat(maker* m, keyed* list) {
    int32_t largest = m->order[0], count = 0;
    sn_vec3 normal = m->plane[largest], at = m->x[m->triangle[3 * largest]];
    for (int32_t k = 0; k < 3 * m->triangle_count; k++) {
        if (!in_plane(m, m->x[m->triangle[k]], normal, at)) return false;
    }
    for (int32_t k = 0; k < m->vertex_count; k++) m->listed[k] = false;
    for (int32_t k = 0; k < 3 * m->triangle_count; k++) list_corner(m, m->triangle[k], &count);
    int32_t corners = convex_chain(m, count, normal, list);
    if (corners < 3) return true;
    add_face(m, corners, normal, false);
    add_face(m, corners, sn_vec3_neg(normal), true);
    return true;
}

static void make_faces(maker* m, keyed* list) {
    m->face[0] = 0;
    if (m->area[m->order[0]] == 0 || make_flat(m, list)) return;
    for (int32_t k = 0; k < m->triangle_count; k++) {
        int32_t t = m->order[k];
        if (m->done[t] || m->area[t] == 0) continue;
        int32_t corners = convex_chain(m, gather_plane(m, t), m->plane[t], list);
        if (corners >= 3) add_face(m, corners, m->plane[t], false);
    }
}

// ---- the hull -------------------------------------------------------------------------------------------

/// A hull and the memory behind it.
typedef struct owned {
    sni_hull hull; ///< first: a pointer to it is one to the whole
    sni_arena arena;
    sn_vec3 *vertex, *normal;
    double* offset;
    int32_t *face, *corner, *neighbour, *next, *meeting, *around;
} owned;

static void layout_hull(owned* o, sni_arena* arena, int32_t vertices, int32_t faces,
                        int32_t corners) {
    o->vertex = SN_ARENA_ARRAY(arena, sn_vec3, vertices);
    o->normal = SN_ARENA_ARRAY(arena, sn_vec3, faces);
    o->offset = SN_ARENA_ARRAY(arena, double, faces);
    o->face = SN_ARENA_ARRAY(arena, int32_t, faces + 1);
    o->corner = SN_ARENA_ARRAY(arena, int32_t, corners);
    o->neighbour = SN_ARENA_ARRAY(arena, int32_t, vertices + 1);
    o->next = SN_ARENA_ARRAY(arena, int32_t, 2 * (size_t)corners);
    o->meeting = SN_ARENA_ARRAY(arena, int32_t, vertices + 1);
    o->around = SN_ARENA_ARRAY(arena, int32_t, corners);
}

static int32_t number_corners(maker* m) {
    int32_t count = 0, corners = m->face[m->face_count];
    for (int32_t k = 0; k < m->vertex_count; k++) m->used[k] = -1;
    for (int32_t k = 0; k < corners; k++) m->used[m->corner[k]] = 0;
    for (int32_t k = 0; k < m->vertex_count; k++)
        if (m->used[k] == 0) m->used[k] = count++;
    return count;
}

/// The plane lies as far out as the farthest of its corners.
static double plane_offset(const owned* o, int32_t face) {
    double offset = -INFINITY;
    for (int32_t k = o->face[face]; k < o->face[face + 1]; k++)
        offset = fmax(offset, sn_vec3_dot(o->normal[face], o->vertex[o->corner[k]]));
    return offset;
}

static void fill_faces(owned* o, const maker* m) {
    for (int32_t k = 0; k < m->vertex_count; k++)
        if (m->used[k] >= 0) o->vertex[m->used[k]] = m->x[k];
    for (int32_t k = 0; k < m->face[m->face_count]; k++) o->corner[k] = m->used[m->corner[k]];
    for (int32_t f = 0; f <= m->face_count; f++) o->face[f] = m->face[f];
    for (int32_t f = 0; f < m->face_count; f++) {
        o->normal[f] = m->normal[f];
        o->offset[f] = plane_offset(o, f);
    }
}

static void fill_around(owned* o, int32_t vertices, int32_t faces) {
    for (int32_t k = 0; k < o->face[faces]; k++) o->meeting[o->corner[k] + 1]++;
    for (int32_t k = 0; k < vertices; k++) o->meeting[k + 1] += o->meeting[k];
    for (int32_t f = faces - 1; f >= 0;
         f--) // fills each list from its end, which moves to its start
        for (int32_t k = o->face[f]; k < o->face[f + 1]; k++)
            o->around[--o->meeting[o->corner[k] + 1]] = f;
    for (int32_t k = 0; k < vertices; k++) o->meeting[k] = o->meeting[k + 1];
    o->meeting[vertices] = o->face[faces];
}

static void add_neighbour(owned* o, int32_t first, int32_t* end, int32_t corner) {
    for (int32_t k = first; k < *end; k++)
        if (o->next[k] == corner) return;
    o->next[(*end)++] = corner;
}

/// Corners before and after each one in the faces around it.
static void fill_neighbours(owned* o, int32_t vertices) {
    int32_t end = 0;
    for (int32_t v = 0; v < vertices; v++) {
        int32_t first = o->neighbour[v] = end;
        for (int32_t k = o->meeting[v]; k < o->meeting[v + 1]; k++) {
            int32_t low = o->face[o->around[k]], high = o->face[o->around[k] + 1], at = low;
            while (o->corner[at] != v) at++;
            add_neighbour(o, first, &end, o->corner[at + 1 < high ? at + 1 : low]);
            add_neighbour(o, first, &end, o->corner[at > low ? at - 1 : high - 1]);
        }
    }
    o->neighbour[vertices] = end;
}

static sn_status make_hull(maker* m, sni_hull** hull, sn_error* error) {
    int32_t vertices = number_corners(m), faces = m->face_count, corners = m->face[faces];
    owned measured = {0}, *o = malloc(sizeof *o);
    layout_hull(&measured, &measured.arena, vertices, faces, corners);
    if (!o || !sni_arena_allocate(&measured.arena)) {
        free(o);
        return sni_fail(error, SN_ERR_MEMORY, sni_nowhere(), "no memory for a hull of %d faces",
                        faces);
    }
    *o = measured;
    layout_hull(o, &o->arena, vertices, faces, corners);
    fill_faces(o, m);
    fill_around(o, vertices, faces);
    fill_neighbours(o, vertices);
    o->hull = (sni_hull){vertices,  faces,        o->vertex, o->face,    o->corner, o->normal,
                         o->offset, o->neighbour, o->next,   o->meeting, o->around};
    *hull = &o->hull;
    return SN_OK;
}

static bool has_triangles(const sn_shape_info* shape) {
    return shape->vertices && shape->triangles && shape->vertex_count > 0 &&
           shape->triangle_count > 0;
}

sn_status sni_hull_create(const sn_shape_info* shape, sni_hull** hull, sn_error* error) {
    *hull = NULL;
    if (!has_triangles(shape))
        return sni_fail(error, SN_ERR_MODEL, sni_nowhere(), "hull '%s' has no triangles",
                        shape->name);
    maker m = {.x = shape->vertices,
               .vertex_count = shape->vertex_count,
               .triangle_count = shape->triangle_count};
    sni_arena arena = {0};
    layout(&m, &arena);
    size_t longest = 3 * (size_t)m.triangle_count + (size_t)m.vertex_count;
    keyed* list = malloc(longest * sizeof *list);
    if (!list || !sni_arena_allocate(&arena)) {
        free(list);
        return sni_fail(error, SN_ERR_MEMORY, sni_nowhere(), "no memory for hull '%s'",
                        shape->name);
    }
    layout(&m, &arena);
    m.size = measure_size(&m);
    join_corners(&m, shape->triangles, list);
    measure_triangles(&m, list);
    find_neighbours(&m, list);
    make_faces(&m, list);
    sn_status status = SN_OK;
    if (m.face_count == 0)
        status = sni_fail(error, SN_ERR_MODEL, sni_nowhere(),
                          "hull '%s' has no area: its corners lie on a line", shape->name);
    else
        status = make_hull(&m, hull, error);
    free(list);
    sni_arena_free(&arena);
    return status;
}

void sni_hull_free(sni_hull* hull) {
    if (!hull) return;
    owned* o = (owned*)hull;
    sni_arena_free(&o->arena);
    free(o);
}
