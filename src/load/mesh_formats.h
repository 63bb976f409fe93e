// SPDX-License-Identifier: Apache-2.0
/// Readers of mesh formats. assimp has one for nearly all there are, but not all of them survive damaged files
/// (docs/meshes.md): those for STL and OBJ are used, Collada is read here, others are refused.
#ifndef SN_LOAD_MESH_FORMATS_H
#define SN_LOAD_MESH_FORMATS_H

#include "load/mesh.h"

/// Adds the triangles of a file to *mesh, every coordinate multiplied by that of scale; corners may repeat, be
/// unused or not finite, and triangles have no area. When scale mirrors, so do they.
typedef sn_status sni_mesh_reader(const char* bytes, size_t length, const char* format,
                                  sn_vec3 scale, sni_triangles* mesh, sn_error* error);

sni_mesh_reader sni_mesh_assimp, sni_mesh_collada;

/// Room for so many more corners and triangles; SN_ERR_CAPACITY past SN_MESH_MAX_TRIANGLES.
sn_status sni_triangles_reserve(sni_triangles* mesh, uint32_t vertices, uint32_t triangles,
                                sn_error* error);

#endif
