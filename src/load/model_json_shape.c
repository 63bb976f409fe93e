// SPDX-License-Identifier: Apache-2.0
// One shape of a JSON model: what it looks like, what it is made of, what it can touch.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "load/model_json.h"

static sn_status read_type(const sni_json_at* at, sn_shape_type* type) {
    const char* name;
    sn_status status = sni_json_field_text(at, "type", &name);
    if (status) return status;
    for (int t = SN_SHAPE_SPHERE; name && t <= SN_SHAPE_HULL; t++) {
        if (strcmp(name, sn_shape_type_name((sn_shape_type)t)) != 0) continue;
        *type = (sn_shape_type)t;
        return SN_OK;
    }
    return sni_json_fail(
        at, "type", "expected sphere, box, cylinder, capsule, plane, mesh or hull, got '%.60s'",
        name ? name : "");
}

static sn_status read_use(const sni_json_at* at, int* use) {
    const char* name;
    sn_status status = sni_json_field_text(at, "use", &name);
    if (status || !name) return status;
    for (int k = 0; k < 4; k++) {
        if (strcmp(name, sni_model_json_uses[k]) != 0) continue;
        *use = k;
        return SN_OK;
    }
    return sni_json_fail(at, "use", "expected visual, collision, both or none, got '%.60s'", name);
}

// ---- corners ------------------------------------------------------------------------------------------

/// How many triples an array has.
static sn_status count_triples(const sni_json_at* at, const char* field, int32_t* count) {
    const json_t* list = json_object_get(at->object, field);
    size_t size = json_array_size(list);
    if (!json_is_array(list) || size == 0 || size % 3 != 0 || size > INT32_MAX)
        return sni_json_fail(at, field, "expected numbers in an array, three for each %s",
                             strcmp(field, "vertices") == 0 ? "corner" : "triangle");
    *count = (int32_t)(size / 3);
    return SN_OK;
}

static sn_status read_triangles(const sni_json_at* at, sni_triangles* mesh) {
    const json_t* list = json_object_get(at->object, "triangles");
    for (int32_t k = 0; k < 3 * mesh->triangle_count; k++) {
        const json_t* element = json_array_get(list, (size_t)k);
        json_int_t index = json_is_integer(element) ? json_integer_value(element) : -1;
        if (index < 0 || index >= mesh->vertex_count)
            return sni_json_fail(at, "triangles",
                                 "expected a whole number from 0 to %d at place %d",
                                 (int)mesh->vertex_count - 1, (int)k);
        mesh->triangles[k] = (int32_t)index;
    }
    return SN_OK;
}

static sn_status read_corners(const sni_json_at* at, sn_shape_def* def, sni_triangles* mesh) {
    sn_status status = count_triples(at, "vertices", &mesh->vertex_count);
    if (!status) status = count_triples(at, "triangles", &mesh->triangle_count);
    if (status) return status;
    mesh->vertices = malloc((size_t)mesh->vertex_count * sizeof *mesh->vertices);
    mesh->triangles = malloc(3 * (size_t)mesh->triangle_count * sizeof *mesh->triangles);
    if (!mesh->vertices || !mesh->triangles)
        return sni_fail(at->load->error, SN_ERR_MEMORY, sni_load_place(at->load),
                        "not enough memory for the corners of a shape");
    status = sni_json_field_numbers(at, "vertices", 3 * mesh->vertex_count, &mesh->vertices->x);
    if (!status) status = read_triangles(at, mesh);
    def->vertices = mesh->vertices;
    def->vertex_count = mesh->vertex_count;
    def->triangles = mesh->triangles;
    def->triangle_count = mesh->triangle_count;
    return status;
}

static bool has_corners(const sni_json_at* at) {
    return json_object_get(at->object, "vertices") || json_object_get(at->object, "triangles");
}

static sn_status read_geometry(const sni_json_at* at, sn_shape_def* def, sni_triangles* mesh) {
    bool by_corners = def->type == SN_SHAPE_MESH || def->type == SN_SHAPE_HULL;
    sn_status status = sni_json_field_text(at, "mesh", &def->mesh);
    if (!status && by_corners && has_corners(at)) status = read_corners(at, def, mesh);
    if (status) return status;
    if (def->type == SN_SHAPE_HULL && !def->vertices)
        return sni_json_fail(at, "vertices", "missing; write the corners of the hull");
    if (def->type == SN_SHAPE_MESH && !def->vertices && !def->mesh)
        return sni_json_fail(at, "mesh",
                             "missing; write the path of the mesh file, or vertices and triangles");
    bool sized =
        json_object_get(at->object, "size") || (def->type != SN_SHAPE_PLANE && !by_corners);
    return sized ? sni_json_field_vector(at, "size", &def->size) : SN_OK;
}

// ---- surface ------------------------------------------------------------------------------------------

/// One number of the material, left alone when it is not there; null: infinite.
static sn_status read_property(const sni_json_at* at, const char* key, const char* path,
                               double* value) {
    const json_t* number = json_object_get(at->object, key);
    if (!number) return SN_OK;
    if (json_is_null(number)) {
        *value = INFINITY;
        return SN_OK;
    }
    if (!json_is_number(number)) return sni_json_fail(at, path, "expected a number");
    *value = json_number_value(number);
    return SN_OK;
}

static sn_status read_material(const sni_json_at* at, sn_material* material) {
    sni_json_at inside = *at;
    inside.object = json_object_get(at->object, "material");
    if (!inside.object) return SN_OK;
    if (!json_is_object(inside.object)) return sni_json_fail(at, "material", "expected an object");
#define WORD(key) " " #key
    sni_json_warn_unknown(&inside, "mu" SN_MODEL_JSON_MATERIAL_LIST(WORD));
#undef WORD
    sn_status status = read_property(&inside, "mu", "material.mu", &material->mu);
    material->mu_kinetic = material->mu;
#define READ(key)                                                                                  \
    if (!status) status = read_property(&inside, #key, "material." #key, &material->key);
    SN_MODEL_JSON_MATERIAL_LIST(READ)
#undef READ
    const char* trouble = status ? NULL : sn_material_trouble(material);
    return trouble ? sni_json_fail(at, "material", "%s", trouble) : status;
}

/// 32 bits, left alone when they are not there.
static sn_status read_bits(const sni_json_at* at, const char* field, uint32_t* bits) {
    const json_t* value = json_object_get(at->object, field);
    if (!value) return SN_OK;
    json_int_t read = json_is_integer(value) ? json_integer_value(value) : -1;
    if (read < 0 || read > UINT32_MAX)
        return sni_json_fail(at, field, "expected a whole number of 32 bits");
    *bits = (uint32_t)read;
    return SN_OK;
}

sn_status sni_model_json_shape(const sni_json_at* at, sn_shape_def* def, sni_triangles* mesh) {
    *def = sn_shape_def_default();
    *mesh = (sni_triangles){0};
    def->place = sni_load_place(at->load);
    sni_json_warn_unknown(at, "body link name type use pose size mesh color vertices triangles "
                              "material group mask");
    sn_status status = sni_json_field_text(at, "name", &def->name);
    if (!status) status = read_type(at, &def->type);
    if (!status) status = read_use(at, &def->use);
    json_t* pose = json_object_get(at->object, "pose");
    if (!status && pose) status = sni_json_pose(at, "pose.", pose, &def->pose);
    if (!status) status = read_geometry(at, def, mesh);
    if (!status) status = read_material(at, &def->material);
    if (!status) status = read_bits(at, "group", &def->group);
    if (!status) status = read_bits(at, "mask", &def->mask);
    if (!status && json_object_get(at->object, "color"))
        status = sni_json_field_numbers(at, "color", 4, def->color);
    return status;
}
