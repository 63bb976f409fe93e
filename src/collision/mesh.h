// SPDX-License-Identifier: Apache-2.0
/// A surface of triangles: corners that are at the same place are one, triangles know their neighbours, and a tree
/// of boxes finds those near something. Const after creation; all in the frame of the shape.
///
/// Which normals a contact can have is told by the corners around: n is possible at a corner or an edge when nothing
/// that meets there reaches farther along n. So a flat or concave edge has no normals but those
/// of its triangles, and nothing catches on the seams of a floor.
#ifndef SN_COLLISION_MESH_H
#define SN_COLLISION_MESH_H

#include "base/arena.h"
#include "collision/solid.h"

typedef enum sni_edge_kind {
    SN_EDGE_FLAT,
    SN_EDGE_CONCAVE,
    SN_EDGE_CONVEX, ///< this and what follows: sharp, something can touch it
    SN_EDGE_BORDER  ///< without exactly one neighbour that runs the other way
} sni_edge_kind;

/// A triangle; edge k leads from corner k to corner k + 1.
typedef struct sni_mesh_triangle {
    int32_t corner[3];
    int32_t beside[3];               ///< triangle across edge k; -1: border
    uint8_t edge[3];                 ///< sni_edge_kind
    bool has_corner[3], has_edge[3]; ///< each corner and edge of the mesh is had by one triangle
    bool sharp;                      ///< one of its edges is
    int32_t facet;                   ///< a number that triangles of one flat part share
    int32_t original;                ///< as it was given
    sn_vec3 n;                       ///< unit, outward
    double offset;                   ///< n . x of its plane
} sni_mesh_triangle;

/// A box of the tree. Nodes are in depth-first order: what is inside follows.
typedef struct sni_mesh_node {
    sni_box box;
    int32_t next;         ///< node that follows all that is inside
    int32_t first, count; ///< triangles of a leaf
} sni_mesh_node;

struct sni_mesh {
    sni_arena arena;
    int32_t vertex_count, triangle_count, node_count;
    sn_vec3* vertex;
    bool* sharp;                 ///< of vertices: a sharp edge ends there
    sn_vec3* normal;             ///< of vertices: of the triangles around, weighted by angle
    int32_t* neighbour;          ///< [vertex_count + 1] first in `next`
    int32_t* next;               ///< corners that share an edge
    sni_mesh_triangle* triangle; ///< in the order of the tree
    sni_mesh_node* node;
};

/// Makes the tree over triangles of which corners are known, and puts them in its order.   mesh_tree.c
void sni_mesh_make_tree(sni_mesh* mesh, sni_box* box, int32_t* order);

static inline sn_vec3 sni_mesh_corner(const sni_mesh* mesh, int32_t triangle, int k) {
    return mesh->vertex[mesh->triangle[triangle].corner[k % 3]];
}

/// Triangles whose boxes overlap a given box, in rising order.
typedef struct sni_mesh_walk {
    const sni_mesh* mesh;
    sni_box box;
    int32_t node, triangle, end;
} sni_mesh_walk;

sni_mesh_walk sni_mesh_walk_begin(const sni_mesh* mesh, const sni_box* box);
/// The next one; -1: there are no more.
int32_t sni_mesh_walk_next(sni_mesh_walk* walk);

/// Nearest point of a triangle: on its face (0), on edge k (1 + k) or at corner k (4 + k).
sn_vec3 sni_triangle_nearest(sn_vec3 a, sn_vec3 b, sn_vec3 c, sn_vec3 p, int* part);
static inline sn_vec3 sni_mesh_nearest_on(const sni_mesh* mesh, int32_t triangle, sn_vec3 p,
                                          int* part) {
    return sni_triangle_nearest(sni_mesh_corner(mesh, triangle, 0),
                                sni_mesh_corner(mesh, triangle, 1),
                                sni_mesh_corner(mesh, triangle, 2), p, part);
}

/// Where a point is over a surface.
typedef struct sni_mesh_point {
    double distance; ///< negative behind; INFINITY: nothing within reach
    sn_vec3 x, n;    ///< on the surface, outward normal
    int32_t triangle;
} sni_mesh_point;

/// Nearest point of the surface within `reach`.
sni_mesh_point sni_mesh_nearest(const sni_mesh* mesh, sn_vec3 p, double reach);
/// First triangle along a ray, seen from whichever side.
sni_mesh_point sni_mesh_ray(const sni_mesh* mesh, sn_vec3 from, sn_vec3 direction, double length);

/// Whether a contact at a part of a triangle can have the normal d, up to a slope of `slack`.
bool sni_mesh_can_face(const sni_mesh* mesh, int32_t triangle, int part, sn_vec3 d, double slack);

#endif
