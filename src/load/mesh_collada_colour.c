// SPDX-License-Identifier: Apache-2.0
// Colours of a Collada file. A shape has one colour, so the one that most of its surface has is taken. Whatever is written
// otherwise than usual has no colour; that is no reason not to read a mesh.
#include <stdlib.h>
#include <string.h>

#include "load/mesh_collada.h"

/// The element that an attribute names, "#id"; NULL: none of that kind.
static const xmlNode* follow(const sni_collada* c, const xmlNode* from, const char* attribute,
                             const char* name) {
    const char* reference = from ? sni_xml_get(from, attribute) : NULL;
    int32_t at = reference && reference[0] == '#' ? sni_name_map_find(&c->ids, reference + 1) : -1;
    return at >= 0 && sni_xml_is(c->element[at], name) ? c->element[at] : NULL;
}

static const xmlNode* child(const xmlNode* node, const char* name) {
    return node ? sni_xml_child(node, name) : NULL;
}

/// The <material> that a geometry's word for it stands for, where it is used.
static const xmlNode* bound_material(const sni_collada* c, const xmlNode* instance,
                                     const char* word) {
    const xmlNode* bind = child(child(instance, "bind_material"), "technique_common");
    for (const xmlNode* node = bind ? bind->children : NULL; node; node = node->next) {
        const char* symbol =
            sni_xml_is(node, "instance_material") ? sni_xml_get(node, "symbol") : NULL;
        if (symbol && strcmp(symbol, word) == 0) return follow(c, node, "target", "material");
    }
    int32_t at = sni_name_map_find(&c->ids, word); // some name the material itself
    return at >= 0 && sni_xml_is(c->element[at], "material") ? c->element[at] : NULL;
}

/// <diffuse><color> of an effect, whatever its light is computed by.
static const xmlNode* diffuse_of(const xmlNode* effect) {
    static const char* const lights[] = {"phong", "lambert", "blinn", "constant"};
    const xmlNode* technique = child(child(effect, "profile_COMMON"), "technique");
    for (size_t k = 0; k < sizeof lights / sizeof lights[0]; k++) {
        const xmlNode* color = child(child(child(technique, lights[k]), "diffuse"), "color");
        if (color) return color;
    }
    return NULL;
}

/// False: it has none.
static bool colour_of(sni_collada* c, const xmlNode* instance, const xmlNode* primitive,
                      double rgba[4]) {
    const char* word = sni_xml_get(primitive, "material");
    const xmlNode* material = word ? bound_material(c, instance, word) : NULL;
    const xmlNode* color =
        diffuse_of(follow(c, child(material, "instance_effect"), "url", "effect"));
    sni_collada_numbers numbers = {0};
    if (!color || sni_collada_read(c, color, &numbers)) return false;
    bool good = numbers.count == 3 || numbers.count == 4;
    rgba[3] = 1;
    for (int k = 0; good && k < numbers.count; k++) {
        rgba[k] = numbers.values[k];
        good = rgba[k] >= 0 && rgba[k] <= 1;
    }
    free(numbers.values);
    return good;
}

static double area_from(const sni_triangles* mesh, int32_t first) {
    double sum = 0;
    for (int32_t t = first; t < mesh->triangle_count; t++) {
        const int32_t* corner = mesh->triangles + 3 * (ptrdiff_t)t;
        sn_vec3 a = mesh->vertices[corner[0]];
        sum += sn_vec3_norm(sn_vec3_cross(sn_vec3_sub(mesh->vertices[corner[1]], a),
                                          sn_vec3_sub(mesh->vertices[corner[2]], a))) /
               2;
    }
    return sum;
}

void sni_collada_paint(sni_collada* c, const xmlNode* instance, const xmlNode* primitive,
                       int32_t first) {
    double rgba[4];
    if (!colour_of(c, instance, primitive, rgba)) return;
    int k = 0;
    while (k < c->colour_count && memcmp(c->colour[k].rgba, rgba, sizeof rgba) != 0) k++;
    if (k == SN_COLLADA_COLOURS) return; // a painting; the first ones count
    if (k == c->colour_count) {
        memcpy(c->colour[k].rgba, rgba, sizeof rgba);
        c->colour[c->colour_count++].area = 0;
    }
    c->colour[k].area += area_from(c->mesh, first);
}

void sni_collada_choose_colour(sni_collada* c) {
    double most = 0;
    for (int k = 0; k < c->colour_count; k++) {
        if (!(c->colour[k].area > most)) continue;
        most = c->colour[k].area;
        c->mesh->has_colour = true;
        memcpy(c->mesh->rgba, c->colour[k].rgba, sizeof c->mesh->rgba);
    }
}
