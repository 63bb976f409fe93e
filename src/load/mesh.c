// SPDX-License-Identifier: Apache-2.0
// The door to mesh files: which reader is for which, and what all of them have to give.
#include "load/mesh.h"

#include <math.h>
#include <stdlib.h>
#include <strings.h>

#include "load/mesh_formats.h"

static const struct {
    const char* name;
    sni_mesh_reader* read;
} formats[] = {
    {"stl", sni_mesh_assimp},
    {"obj", sni_mesh_assimp},
    {"dae", sni_mesh_collada},
};

void sni_triangles_clear(sni_triangles* mesh) {
    free(mesh->vertices);
    free(mesh->triangles);
    *mesh = (sni_triangles){0};
}

static bool grow(void** list, size_t size, uint32_t needed, int32_t* capacity) {
    if (needed <= (uint32_t)*capacity) return true;
    uint32_t more = needed + needed / 2;
    void* moved = realloc(*list, more * size);
    if (!moved) return false;
    *list = moved;
    *capacity = (int32_t)more;
    return true;
}

sn_status sni_triangles_reserve(sni_triangles* mesh, uint32_t vertices, uint32_t triangles,
                                sn_error* error) {
    const uint32_t corners_most = 3 * SN_MESH_MAX_TRIANGLES;
    if (vertices > corners_most - (uint32_t)mesh->vertex_count ||
        triangles > SN_MESH_MAX_TRIANGLES - (uint32_t)mesh->triangle_count)
        return sni_fail(error, SN_ERR_CAPACITY, sni_nowhere(),
                        "more than %d triangles; make it coarser", SN_MESH_MAX_TRIANGLES);
    void *corners = mesh->vertices, *indices = mesh->triangles;
    bool room = grow(&corners, sizeof *mesh->vertices, vertices + (uint32_t)mesh->vertex_count,
                     &mesh->vertex_capacity) &&
                grow(&indices, 3 * sizeof *mesh->triangles,
                     triangles + (uint32_t)mesh->triangle_count, &mesh->triangle_capacity);
    mesh->vertices = corners;
    mesh->triangles = indices;
    return room ? SN_OK
                : sni_fail(error, SN_ERR_MEMORY, sni_nowhere(),
                           "not enough memory for its triangles");
}

/// A mirrored triangle goes around the other way.
static void turn_over(sni_triangles* mesh) {
    for (int32_t t = 0; t < mesh->triangle_count; t++) {
        int32_t* corner = mesh->triangles + 3 * t;
        int32_t other = corner[1];
        corner[1] = corner[2];
        corner[2] = other;
    }
}

/// What a reader found: finite, joined, with the outside outside, and not nothing.
static sn_status finish(sni_triangles* mesh, sn_vec3 scale, sn_error* error) {
    for (int32_t v = 0; v < mesh->vertex_count; v++) {
        sn_vec3 p = mesh->vertices[v];
        if (!isfinite(p.x) || !isfinite(p.y) || !isfinite(p.z))
            return sni_fail(error, SN_ERR_FORMAT, sni_nowhere(), "a corner is not finite");
    }
    if (scale.x * scale.y * scale.z < 0) turn_over(mesh);
    sn_status status = sni_triangles_join(mesh, error);
    if (!status && mesh->triangle_count == 0)
        status = sni_fail(error, SN_ERR_FORMAT, sni_nowhere(), "it has no triangle with an area");
    return status;
}

sn_status sni_mesh_parse(const char* bytes, size_t length, const char* format, sn_vec3 scale,
                         sni_triangles* mesh, sn_error* error) {
    *mesh = (sni_triangles){0};
    for (size_t k = 0; k < sizeof formats / sizeof formats[0]; k++) {
        if (strcasecmp(format, formats[k].name) != 0) continue;
        sn_status status = formats[k].read(bytes, length, formats[k].name, scale, mesh, error);
        if (!status) status = finish(mesh, scale, error);
        if (status) sni_triangles_clear(mesh);
        return status;
    }
    return sni_fail(error, SN_ERR_FORMAT, sni_nowhere(),
                    "meshes in '%.20s' files are not read; convert it to stl, obj or dae", format);
}
