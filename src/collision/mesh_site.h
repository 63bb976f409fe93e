// SPDX-License-Identifier: Apache-2.0
/// Where something touches a mesh, while it is being found out: everything in the frame of the mesh, points gathered
/// with the triangle they are on, merged where neighbours say the same, then handed out.
///
/// Triangles are one-sided. A solid touches one only while a quarter of its width across the triangle's plane, or
/// more, is in front of it: what came deeper is not pushed through. Of overlaps that contradict each
/// other on a convex part of a mesh (it need go out only one way), the deeper are left out.
#ifndef SN_COLLISION_MESH_SITE_H
#define SN_COLLISION_MESH_SITE_H

#include "collision/mesh.h"

enum { SNI_SITE_POINTS = 256 };

/// A contact normal this much off a face normal is that one; a corner that rises by less than this slope does not
/// reach farther.
static const double SNI_SITE_SLOPE = 1e-3;

typedef struct sni_site_point {
    sn_vec3 x; ///< midway between the surfaces
    sn_vec3 d; ///< unit, out of the mesh
    double gap;
    double apart; ///< all of the other one from the mesh here, along d: the least gap it can have
    uint32_t feature;
    int32_t triangle;
} sni_site_point;

typedef struct sni_site {
    const sni_mesh* mesh;
    double margin;
    double slack; ///< m: as near as this, points are the same
    int32_t count, dropped;
    sni_site_point at[SNI_SITE_POINTS];
} sni_site;

static inline void sni_site_begin(sni_site* site, const sni_mesh* mesh, double margin,
                                  double size) {
    site->mesh = mesh;
    site->margin = margin;
    site->slack = 1e-6 * size;
    site->count = site->dropped = 0;
}

/// Adds a point unless it is there already or farther than the margin. Of too many, the nearest stay.
void sni_site_add(sni_site* site, sni_site_point point);
/// Leaves out contradictions and appends the rest, with normals out of the mesh times `sign`.
void sni_site_finish(sni_site* site, const sn_pose* X_wm, double sign, sni_touches* out);

/// Whether p is above or below a triangle, up to `slack`. Beyond a concave edge what is behind the neighbour counts still: a
/// corner pressed into a wall does not lose the floor.
bool sni_mesh_is_over(const sni_mesh* mesh, int32_t triangle, sn_vec3 p, double slack);

/// Name of a point by up to three numbers.
static inline uint32_t sni_site_name(uint32_t kind, uint32_t a, uint32_t b) {
    uint32_t h = (kind + 1) * 0x9e3779b1u ^ a * 0x85ebca6bu;
    h = (h ^ h >> 15) * 0x2c1b3c6du ^ b * 0xc2b2ae35u;
    h = (h ^ h >> 13) * 0x297a2d39u;
    return h ^ h >> 16;
}
/// Name of a part of the mesh that something touches: a flat part, an edge or a corner.
uint32_t sni_site_part_name(const sni_mesh* mesh, int32_t triangle, int part, uint32_t other);

/// Kinds of solid against a mesh; X_ms is the solid in the frame of the mesh.   pair_mesh_*.c
void sni_site_sphere(sni_site* site, const sni_solid* solid, const sn_pose* X_ms);
void sni_site_capsule(sni_site* site, const sni_solid* solid, const sn_pose* X_ms);
void sni_site_convex(sni_site* site, const sni_solid* solid, const sn_pose* X_ms);
void sni_site_mesh(sni_site* site, const sni_mesh* other, const sn_pose* X_mo);

#endif
