// SPDX-License-Identifier: Apache-2.0
// Any bytes as a mesh file: an error with a reason, or triangles that a model takes, and a hull of them or a
// reason why there is none. What the first byte looks like picks the reader.
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "../support/leaks.h"
#include "load/mesh.h"

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

static void expect(bool holds) {
    if (!holds) abort();
}

static const char* format_of(const uint8_t* data, size_t size) {
    if (size > 0 && data[0] == '<') return "dae";
    return size > 0 && (data[0] == 'v' || data[0] == '#') ? "obj" : "stl";
}

static void check_triangles(const sn_vec3* vertices, int vertex_count, const int32_t* triangles,
                            int triangle_count) {
    expect(vertex_count >= 3 && triangle_count >= 1);
    for (int v = 0; v < vertex_count; v++)
        expect(isfinite(vertices[v].x) && isfinite(vertices[v].y) && isfinite(vertices[v].z));
    for (int e = 0; e < 3 * triangle_count; e++)
        expect(triangles[e] >= 0 && triangles[e] < vertex_count);
}

/// A model with one shape, which says whether corners and triangles are as it needs them.
static void check_model(sn_shape_type type, const sn_vec3* vertices, int vertex_count,
                        const int32_t* triangles, int triangle_count) {
    sn_model_builder* builder = sn_model_builder_create("fuzz");
    sn_shape_def shape = sn_shape_def_default();
    shape.type = type;
    shape.vertices = vertices;
    shape.vertex_count = vertex_count;
    shape.triangles = triangles;
    shape.triangle_count = triangle_count;
    expect(builder && sn_model_builder_add_shape(builder, &shape) == SN_OK);
    sn_model* model;
    expect(sn_model_builder_compile(builder, NULL, &model, NULL) == SN_OK);
    sn_model_free(model);
    sn_model_builder_free(builder);
}

static void check_hull(const sni_triangles* mesh) {
    sn_vec3* vertices;
    int32_t* triangles;
    int vertex_count, triangle_count;
    sn_error error;
    sn_status status = sn_hull_compute(mesh->vertices, mesh->vertex_count, &vertices, &vertex_count,
                                       &triangles, &triangle_count, &error);
    if (status) {
        expect(error.status == status && error.text[0] && !vertices && !triangles);
        return;
    }
    check_triangles(vertices, vertex_count, triangles, triangle_count);
    expect(2 * vertex_count - triangle_count == 4); // Euler, with three edges for two triangles
    check_model(SN_SHAPE_HULL, vertices, vertex_count, triangles, triangle_count);
    sn_hull_free(vertices, triangles);
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    sni_triangles mesh;
    sn_error error;
    const char* format = format_of(data, size);
    bool by_assimp = strcmp(format, "dae") != 0; // which loses its meshes when it gives a file up
    if (by_assimp) leaks_ignore(true);
    sn_status status =
        sni_mesh_parse((const char*)data, size, format, sn_vec3_make(1, 2, -0.5), &mesh, &error);
    if (by_assimp) leaks_ignore(false);
    if (status) {
        expect(error.status == status && error.text[0] && !mesh.vertices && !mesh.triangles);
        return 0;
    }
    check_triangles(mesh.vertices, mesh.vertex_count, mesh.triangles, mesh.triangle_count);
    check_model(SN_SHAPE_MESH, mesh.vertices, mesh.vertex_count, mesh.triangles,
                mesh.triangle_count);
    check_hull(&mesh);
    sni_triangles_clear(&mesh);
    return 0;
}
