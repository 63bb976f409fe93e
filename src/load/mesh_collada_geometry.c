// SPDX-License-Identifier: Apache-2.0
// <geometry> of Collada: positions by <source>, and polygons that count them. Polygons of more than three
// corners are taken as convex.
#include <stdlib.h>
#include <string.h>

#include "load/mesh_collada.h"

static sn_status fail_at(const sni_collada* c, const xmlNode* node, const char* what) {
    return sni_fail(c->load->error, SN_ERR_FORMAT, sni_xml_place(c->load, node), "<%.60s>: %s",
                    (const char*)node->name, what);
}

/// A whole number from 0 to `most`; `number` is left alone when the attribute is not there.
static sn_status read_count(const sni_collada* c, const xmlNode* node, const char* attribute,
                            int32_t most, int32_t* number) {
    double value = *number;
    sn_status status = sni_xml_numbers_or(c->load, node, attribute, 1, &value);
    if (status) return status;
    if (!(value >= 0 && value <= most && value == floor(value)))
        return fail_at(c, node, "a count or offset that is not a number of things");
    *number = (int32_t)value;
    return SN_OK;
}

// ---- positions ----------------------------------------------------------------------------------------

/// Puts every stride-th triple of the numbers to the front, as the accessor says.
static sn_status select_positions(const sni_collada* c, const xmlNode* accessor,
                                  sni_collada_numbers* numbers) {
    int32_t stride = 3, offset = 0, count = numbers->count / 3;
    sn_status status = SN_OK;
    if (accessor) {
        stride = 1, count = 0;
        status = read_count(c, accessor, "count", INT32_MAX / 4, &count);
        if (!status) status = read_count(c, accessor, "stride", 1 << 10, &stride);
        if (!status) status = read_count(c, accessor, "offset", INT32_MAX / 4, &offset);
    }
    if (status) return status;
    if (stride < 3 ||
        (count > 0 && offset + (int64_t)(count - 1) * stride + 3 > (int64_t)numbers->count))
        return fail_at(c, accessor ? accessor : c->source,
                       "it does not have three numbers for every position it claims");
    for (int32_t k = 0; k < count; k++)
        memmove(numbers->values + 3 * (size_t)k,
                numbers->values + offset + (size_t)k * (size_t)stride, 3 * sizeof(double));
    numbers->count = count;
    return SN_OK;
}

/// c->positions become those of a <source>; count is then of positions.
static sn_status load_positions(sni_collada* c, const xmlNode* source) {
    if (c->source == source) return SN_OK;
    free(c->positions.values);
    c->positions = (sni_collada_numbers){0};
    c->source = source;
    const xmlNode *list = sni_xml_child(source, "float_array"),
                  *technique = sni_xml_child(source, "technique_common"),
                  *accessor = technique ? sni_xml_child(technique, "accessor") : NULL;
    if (!list) return fail_at(c, source, "it has no <float_array>");
    sn_status status = sni_collada_read(c, list, &c->positions);
    return status ? status : select_positions(c, accessor, &c->positions);
}

static sn_status find_positions(sni_collada* c, const xmlNode* input) {
    const xmlNode *vertices, *source;
    sn_status status = sni_collada_find(c, input, "source", "vertices", &vertices);
    if (status) return status;
    for (const xmlNode* node = vertices->children; node; node = node->next) {
        const char* semantic = sni_xml_is(node, "input") ? sni_xml_get(node, "semantic") : NULL;
        if (!semantic || strcmp(semantic, "POSITION") != 0) continue;
        status = sni_collada_find(c, node, "source", "source", &source);
        return status ? status : load_positions(c, source);
    }
    return fail_at(c, vertices, "it has no <input> of POSITION");
}

// ---- polygons -----------------------------------------------------------------------------------------

/// How corners are written: `stride` indices each, of which one is the position.
typedef struct corners {
    int32_t stride, offset;
    sn_pose X;
    bool mirrored;
} corners;

static sn_status read_inputs(sni_collada* c, const xmlNode* primitive, corners* how) {
    enum { INPUTS_MOST = 64 };
    const xmlNode* vertex = NULL;
    how->stride = 0;
    for (const xmlNode* node = primitive->children; node; node = node->next) {
        if (!sni_xml_is(node, "input")) continue;
        int32_t offset = 0;
        sn_status status = read_count(c, node, "offset", INPUTS_MOST, &offset);
        if (status) return status;
        if (offset >= how->stride) how->stride = offset + 1;
        const char* semantic = sni_xml_get(node, "semantic");
        if (!semantic || strcmp(semantic, "VERTEX") != 0) continue;
        vertex = node;
        how->offset = offset;
    }
    if (!vertex) return fail_at(c, primitive, "it has no <input> of VERTEX");
    return find_positions(c, vertex);
}

static sn_vec3 placed_corner(const sni_collada* c, const corners* how, int32_t index) {
    const double* v = c->positions.values + 3 * (size_t)index;
    sn_vec3 p = sn_pose_apply(how->X, sn_vec3_make(v[0], v[1], v[2]));
    return sn_vec3_make(c->scale.x * p.x, c->scale.y * p.y, c->scale.z * p.z);
}

/// Adds corners `first` to `first + count` of the list p as they are placed, and triangles between them: a fan,
/// or a strip in which every second one goes around the other way.
static sn_status add_polygon(sni_collada* c, const xmlNode* at, const corners* how,
                             const sni_collada_numbers* p, int32_t first, int32_t count,
                             bool strip) {
    if (count < 3) return SN_OK;
    sni_triangles* mesh = c->mesh;
    sn_status status =
        sni_triangles_reserve(mesh, (uint32_t)count, (uint32_t)count - 2, c->load->error);
    if (status) return status;
    int32_t start = mesh->vertex_count;
    for (int32_t k = 0; k < count; k++) {
        double index = p->values[(size_t)(first + k) * (size_t)how->stride + (size_t)how->offset];
        if (!(index >= 0 && index < c->positions.count))
            return fail_at(c, at, "it counts a position that does not exist");
        mesh->vertices[mesh->vertex_count++] = placed_corner(c, how, (int32_t)index);
    }
    for (int32_t k = 0; k + 2 < count; k++) {
        int32_t* corner = mesh->triangles + 3 * mesh->triangle_count++;
        bool turned = how->mirrored != (strip && k % 2 == 1);
        corner[0] = start + (strip ? k : 0);
        corner[turned ? 2 : 1] = start + k + 1;
        corner[turned ? 1 : 2] = start + k + 2;
    }
    return SN_OK;
}

/// Polygons of a <polylist>, each with as many corners as <vcount> says.
static sn_status add_counted(sni_collada* c, const xmlNode* primitive, const corners* how,
                             const sni_collada_numbers* p, int32_t count) {
    const xmlNode* node = sni_xml_child(primitive, "vcount");
    if (!node) return fail_at(c, primitive, "it has no <vcount>");
    sni_collada_numbers sizes;
    sn_status status = sni_collada_read(c, node, &sizes);
    int32_t first = 0;
    for (int32_t k = 0; k < sizes.count && !status; k++) {
        double size = sizes.values[k];
        if (!(size >= 0 && size <= count - first)) {
            status = fail_at(c, node, "polygons with more corners than there are");
            break;
        }
        status = add_polygon(c, primitive, how, p, first, (int32_t)size, false);
        first += (int32_t)size;
    }
    free(sizes.values);
    return status;
}

static sn_status add_list(sni_collada* c, const xmlNode* primitive, const xmlNode* list,
                          const corners* how) {
    sni_collada_numbers p;
    sn_status status = sni_collada_read(c, list, &p);
    if (status) return status;
    int32_t count = p.count / how->stride;
    if (sni_xml_is(primitive, "triangles")) {
        for (int32_t k = 0; k + 2 < count && !status; k += 3)
            status = add_polygon(c, primitive, how, &p, k, 3, false);
    } else if (sni_xml_is(primitive, "polylist")) {
        status = add_counted(c, primitive, how, &p, count);
    } else {
        status = add_polygon(c, primitive, how, &p, 0, count, sni_xml_is(primitive, "tristrips"));
    }
    free(p.values);
    return status;
}

static sn_status add_primitive(sni_collada* c, const xmlNode* primitive, sn_pose X) {
    double det =
        sn_vec3_dot(sn_mat3_row(X.R, 0), sn_vec3_cross(sn_mat3_row(X.R, 1), sn_mat3_row(X.R, 2)));
    corners how = {.X = X, .mirrored = det < 0};
    sn_status status = SN_OK;
    bool first = true;
    for (const xmlNode* node = primitive->children; node && !status; node = node->next) {
        status = sni_collada_spend(c, primitive, SN_COLLADA_STEP);
        if (status || !sni_xml_is(node, "p")) continue;
        if (first) status = read_inputs(c, primitive, &how);
        first = false;
        if (!status) status = add_list(c, primitive, node, &how);
    }
    return status;
}

sn_status sni_collada_geometry(sni_collada* c, const xmlNode* geometry, const xmlNode* instance,
                               sn_pose X) {
    static const char* const kinds[] = {"triangles", "polylist", "polygons", "trifans",
                                        "tristrips"};
    const xmlNode* mesh = sni_xml_child(geometry, "mesh");
    sn_status status = SN_OK;
    for (const xmlNode* node = mesh ? mesh->children : NULL; node && !status; node = node->next) {
        status = sni_collada_spend(c, geometry, SN_COLLADA_STEP);
        for (size_t k = 0; k < sizeof kinds / sizeof kinds[0] && !status; k++) {
            int32_t first = c->mesh->triangle_count;
            if (!sni_xml_is(node, kinds[k])) continue;
            status = add_primitive(c, node, X);
            if (!status) sni_collada_paint(c, instance, node, first);
        }
    }
    return status;
}
