// SPDX-License-Identifier: Apache-2.0
// A shape that names a mesh file gets what is in it: one to touch triangles, or their hull; one to look at triangles, and
// the colour of the file where nothing else says one.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "load/file.h"
#include "load/mesh.h"
#include "load/paths.h"

static void warn_unread(sni_load* load, const sn_shape_def* shape, const sn_error* error) {
    char line[32] = "";
    if (error->line > 0) snprintf(line, sizeof line, "line %d: ", error->line);
    bool touches = shape->use & SN_SHAPE_COLLISION;
    sni_warn(load, touches ? "mesh unread" : "visual mesh unread", shape->place,
             "mesh file '%.200s' cannot be used: %s%.130s; %s", shape->mesh, line, error->text,
             touches ? "nothing can touch it" : "it is not drawn");
}

static void warn_degenerate(sni_load* load, const sn_shape_def* shape, int32_t count) {
    char key[64];
    const char* slash = strrchr(shape->mesh, '/');
    snprintf(key, sizeof key, "no area %.50s", slash ? slash + 1 : shape->mesh);
    sni_warn(load, key, shape->place, "mesh file '%.200s': %d triangle%s without area left out",
             shape->mesh, (int)count, count == 1 ? " is" : "s are");
}

static const char* ending_of(const char* path) {
    const char *slash = strrchr(path, '/'), *dot = strrchr(slash ? slash : path, '.');
    return dot ? dot + 1 : "";
}

/// Corners and triangles of the hull take the place of those of the mesh.
static sn_status become_hull(sni_triangles* mesh, sn_error* error) {
    sn_vec3* vertices;
    int32_t* triangles;
    int vertex_count, triangle_count;
    sn_status status = sn_hull_compute(mesh->vertices, mesh->vertex_count, &vertices, &vertex_count,
                                       &triangles, &triangle_count, error);
    if (status) return status;
    sni_triangles_clear(mesh);
    mesh->vertices = vertices;
    mesh->vertex_count = vertex_count;
    mesh->triangles = triangles;
    mesh->triangle_count = triangle_count;
    return SN_OK;
}

static bool is_hull(const sni_load* load, const sn_shape_def* shape) {
    return (shape->use & SN_SHAPE_COLLISION) && load->def.meshes == SN_MESH_HULL;
}

static sn_status read_mesh(sni_load* load, const sn_shape_def* shape, sni_triangles* mesh,
                           sn_error* error) {
    char* bytes;
    size_t length;
    sn_status status = sni_file_read(shape->mesh, &bytes, &length, error);
    if (!status)
        status = sni_mesh_parse(bytes, length, ending_of(shape->mesh), shape->size, mesh, error);
    free(bytes);
    if (status) return status;
    int32_t degenerate = mesh->degenerate;
    if (is_hull(load, shape)) status = become_hull(mesh, error);
    if (!status && degenerate && (shape->use & SN_SHAPE_COLLISION))
        warn_degenerate(load, shape, degenerate);
    return status;
}

/// Whether a mesh file is there to be read, and somebody wants it.
static bool is_wanted(const sni_load* load, const sn_shape_def* shape) {
    if (shape->type != SN_SHAPE_MESH || shape->vertices || !shape->mesh || !shape->mesh[0])
        return false;
    if (shape->use & SN_SHAPE_COLLISION) return load->def.meshes != SN_MESH_SKIP;
    return load->def.visual_meshes;
}

/// What no material of the model says, the mesh may.
static void take_colour(const sni_triangles* mesh, sn_shape_def* shape) {
    const sn_shape_def plain = sn_shape_def_default();
    if (mesh->has_colour && memcmp(shape->color, plain.color, sizeof plain.color) == 0)
        memcpy(shape->color, mesh->rgba, sizeof mesh->rgba);
}

sn_status sni_mesh_load(sni_load* load, sn_shape_def* shape, sni_triangles* mesh) {
    *mesh = (sni_triangles){0};
    if (!is_wanted(load, shape)) return SN_OK;
    if (load->def.check_meshes && !sni_path_is_file(shape->mesh)) return SN_OK; // warned about
    sn_error error;
    sn_status status = read_mesh(load, shape, mesh, &error);
    if (status == SN_ERR_MEMORY)
        return sni_fail(load->error, status, shape->place, "%s", error.text);
    if (status) {
        warn_unread(load, shape, &error);
        sni_triangles_clear(mesh);
        return SN_OK;
    }
    if (is_hull(load, shape)) shape->type = SN_SHAPE_HULL;
    take_colour(mesh, shape);
    shape->vertices = mesh->vertices;
    shape->vertex_count = mesh->vertex_count;
    shape->triangles = mesh->triangles;
    shape->triangle_count = mesh->triangle_count;
    return SN_OK;
}
