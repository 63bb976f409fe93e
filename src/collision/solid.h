// SPDX-License-Identifier: Apache-2.0
/// What a collision shape is made of, once compiled: sizes halved, hulls with faces and neighbours, meshes
/// with a tree of boxes. Const after creation. All in the shape's own frame.
#ifndef SN_COLLISION_SOLID_H
#define SN_COLLISION_SOLID_H

#include "sinew/model.h"

typedef struct sni_box {
    sn_vec3 low, high;
} sni_box;

/// A convex polytope. Triangles of one plane are one face. A flat one (all corners in a plane) has two faces.
typedef struct sni_hull {
    int32_t vertex_count, face_count;
    const sn_vec3* vertex;
    const int32_t* face;      // [face_count + 1] first corner in `corner`
    const int32_t* corner;    // corners of the faces, counter-clockwise seen from outside
    const sn_vec3* normal;    // [face_count] unit, outward
    const double* offset;     // [face_count] normal . x of its plane
    const int32_t* neighbour; // [vertex_count + 1] first in `next`
    const int32_t* next;      // corners that share an edge, for climbing to the farthest one
    const int32_t* meeting;   // [vertex_count + 1] first in `around`
    const int32_t* around;    // faces that meet in the corner
} sni_hull;

/// Triangles behind a tree of boxes.
typedef struct sni_mesh sni_mesh;

typedef struct sni_solid {
    sn_shape_type type;
    sn_vec3 half; ///< box: half edges; else x: radius, z: half length (capsule: of its axis)
    const sni_hull* hull; ///< SN_SHAPE_HULL
    const sni_mesh* mesh; ///< SN_SHAPE_MESH
    sni_box bounds;       ///< shape frame; a plane has none
    double radius; ///< of a sphere about the origin of the frame that holds it; a plane: INFINITY
} sni_solid;

/// A triangle as a flat hull, for the stack: sni_triangle_set, then hand &triangle.solid to
/// sni_touch_convex. It points into itself: do not copy it.   triangle.c
typedef struct sni_triangle {
    sn_vec3 vertex[3], normal[2];
    double offset[2];
    sni_hull hull;
    sni_solid solid; ///< frame of the corners; `bounds` is not filled
} sni_triangle;

/// Face 0 is seen from where the corners run counter-clockwise, face 1 from behind. The area must not be 0.
void sni_triangle_set(sni_triangle* triangle, sn_vec3 p, sn_vec3 q, sn_vec3 r);

/// One point where two solids touch.
typedef struct sni_touch {
    sn_vec3 x;        ///< midway between the surfaces, world
    sn_vec3 n;        ///< unit, from b to a, world
    double gap;       ///< along n; negative: they overlap
    uint32_t feature; ///< the same while the same corners, edges and faces touch
} sni_touch;

/// Points are appended; those that do not fit are counted.
typedef struct sni_touches {
    sni_touch* at;
    int32_t count, most, dropped;
} sni_touches;

static inline void sni_touches_add(sni_touches* out, sni_touch touch) {
    if (out->count < out->most)
        out->at[out->count++] = touch;
    else
        out->dropped++;
}

/// What the axis of a pair's memory is.
typedef enum sni_hint {
    SNI_HINT_NONE,
    SNI_HINT_OVERLAP, ///< of a search for the depth
    SNI_HINT_NEAREST  ///< from nearest points of solids that were apart
} sni_hint;

/// What a pair remembers from step to step: a start for the search; and, of solids that meet at edges or corners, the direction they
/// met along (kept.h). Zero at first.
typedef struct sni_pair_memory {
    sn_vec3 axis; ///< world, last separating direction or normal
    sni_hint hint;
} sni_pair_memory;

/// All points of a and b nearer than margin. NaN never gets here: poses are finite.
typedef void sni_pair_function(const sni_solid* a, const sn_pose* X_wa, const sni_solid* b,
                               const sn_pose* X_wb, double margin, sni_pair_memory* memory,
                               sni_touches* out);

/// For any two solids but two planes; picks the function by type, swaps the two when needed.   pairs.c
sni_pair_function sni_touch_pair;
/// Two convex solids (no mesh, no plane) by their support functions.   pair_convex.c
sni_pair_function sni_touch_convex;
/// A mesh and a convex solid or plane; two meshes.   pair_mesh.c
sni_pair_function sni_touch_mesh;

/// Nearest surface point of a convex solid or plane to p, shape frame; distance negative inside.   point.c
double sni_solid_nearest(const sni_solid* solid, sn_vec3 p, sn_vec3* x, sn_vec3* n);
/// First hit of a ray on a convex solid from outside, or on a plane, shape frame; INFINITY: none.   ray.c
double sni_solid_ray(const sni_solid* solid, sn_vec3 from, sn_vec3 direction, double length,
                     sn_vec3* n);

/// Makes a hull or mesh out of the corners and triangles of a shape; degenerate triangles are left out.
/// SN_ERR_MEMORY, or SN_ERR_MODEL with the reason when nothing is left. Allocates. hull.c, mesh.c
sn_status sni_hull_create(const sn_shape_info* shape, sni_hull** hull, sn_error* error);
void sni_hull_free(sni_hull* hull);
sn_status sni_mesh_create(const sn_shape_info* shape, sni_mesh** mesh, sn_error* error);
void sni_mesh_free(sni_mesh* mesh);

#endif
