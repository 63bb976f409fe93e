// SPDX-License-Identifier: Apache-2.0
/// Triangles out of mesh files.
#ifndef SN_LOAD_MESH_H
#define SN_LOAD_MESH_H

#include "load/context.h"

enum { SN_MESH_MAX_TRIANGLES = 2000000 }; ///< of one mesh; robots have thousands

/// Corners and triangles, counter-clockwise seen from outside as far as the file says so.
typedef struct sni_triangles {
    sn_vec3* vertices;
    int32_t vertex_count, vertex_capacity;
    int32_t* triangles; ///< three corners each
    int32_t triangle_count, triangle_capacity;
    int32_t degenerate; ///< triangles without area that were left out
    bool has_colour;
    double rgba[4]; ///< 0 to 1, where the file says one
} sni_triangles;

void sni_triangles_clear(sni_triangles* mesh);

/// The triangles of a mesh file in memory. `format` is its ending, without the dot. Every coordinate is
/// multiplied by that of scale. Errors have no file: the caller knows which it is. Inside a number scope.
sn_status sni_mesh_parse(const char* bytes, size_t length, const char* format, sn_vec3 scale,
                         sni_triangles* mesh, sn_error* error);

/// One corner for all that are at the same place; triangles without area and corners without triangle go.
sn_status sni_triangles_join(sni_triangles* mesh, sn_error* error);

/// Reads the mesh file of a shape as load->def.meshes and visual_meshes say, into the shape. What its fields point to
/// is in *mesh until sni_triangles_clear. What cannot be read is warned about, and the shape stays as it is.
sn_status sni_mesh_load(sni_load* load, sn_shape_def* shape, sni_triangles* mesh);

#endif
