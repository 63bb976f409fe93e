// SPDX-License-Identifier: Apache-2.0
// Collada (.dae): the nodes of its scene, each with transforms and geometries. The unit of the file counts; its
// upward axis does not, for robots keep meshes in their own axes whatever that says (as ROS does).
#include "load/mesh_collada.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"

enum { NODES_MOST = 100000 }; // with every use of a node that is used several times

// ---- elements and numbers -----------------------------------------------------------------------------

/// The element after this one, parents first, without recursion; NULL after the last.
static const xmlNode* next_node(const xmlNode* node, const xmlNode* root) {
    if (node->children) return node->children;
    while (node != root && !node->next) node = node->parent;
    return node == root ? NULL : node->next;
}

static const char* id_of(const xmlNode* node) {
    return node->type == XML_ELEMENT_NODE ? sni_xml_get(node, "id") : NULL;
}

static void layout(sni_collada* c, sni_arena* arena, int32_t count) {
    c->element = SN_ARENA_ARRAY(arena, const xmlNode*, count);
    sni_name_map_layout(&c->ids, arena, count);
}

static sn_status collect_ids(sni_collada* c, const xmlNode* root) {
    int32_t count = 0; // no more than elements, of which there are 8 million at most
    for (const xmlNode* node = root; node; node = next_node(node, root))
        count += id_of(node) != NULL;
    sni_arena arena = {0};
    layout(c, &arena, count);
    if (!sni_arena_allocate(&arena))
        return sni_fail(c->load->error, SN_ERR_MEMORY, sni_nowhere(), "not enough memory");
    layout(c, &arena, count);
    c->arena = arena;
    int32_t at = 0;
    for (const xmlNode* node = root; node; node = next_node(node, root)) {
        const char* id = id_of(node);
        if (!id) continue;
        c->element[at] = node;
        sni_name_map_add(&c->ids, id, at++); // the first of a name counts
    }
    return SN_OK;
}

sn_status sni_collada_find(const sni_collada* c, const xmlNode* from, const char* attribute,
                           const char* name, const xmlNode** element) {
    const char* reference;
    sn_status status = sni_xml_need(c->load, from, attribute, &reference);
    if (status) return status;
    int32_t at = reference[0] == '#' ? sni_name_map_find(&c->ids, reference + 1) : -1;
    *element = at < 0 ? NULL : c->element[at];
    if (*element && sni_xml_is(*element, name)) return SN_OK;
    return sni_fail(c->load->error, SN_ERR_FORMAT, sni_xml_place(c->load, from),
                    "there is no <%s> '%.60s'", name, reference);
}

static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

/// How many words a text has.
static int32_t count_words(const char* text) {
    int32_t count = 0;
    for (bool blank = true; *text; text++) {
        count += blank && !is_blank(*text);
        blank = is_blank(*text);
    }
    return count;
}

sn_status sni_collada_spend(sni_collada* c, const xmlNode* at, size_t effort) {
    // A file can name one thing over and over; what is read in all is a few times the largest file.
    static const size_t EFFORT_MOST = (size_t)1 << 30;
    c->effort += effort;
    if (c->effort <= EFFORT_MOST) return SN_OK;
    return sni_fail(c->load->error, SN_ERR_CAPACITY, sni_xml_place(c->load, at),
                    "the same parts are used too often; write them as one mesh");
}

/// Inside a number scope.
static bool read_word(const char** at, double* value) {
    while (is_blank(**at)) (*at)++;
    size_t length = 0;
    while ((*at)[length] && !is_blank((*at)[length])) length++;
    bool read = sni_number_read(*at, length, value) == SN_NUMBER_OK;
    *at += length;
    return read;
}

sn_status sni_collada_read(sni_collada* c, const xmlNode* element, sni_collada_numbers* numbers) {
    *numbers = (sni_collada_numbers){0};
    xmlChar* text = xmlNodeGetContent(element);
    sn_status status = SN_ERR_MEMORY;
    if (text && sni_collada_spend(c, element, strlen((const char*)text))) {
        xmlFree(text);
        return SN_ERR_CAPACITY;
    }
    if (text) {
        numbers->count = count_words((const char*)text);
        numbers->values = malloc(((size_t)numbers->count + 1) * sizeof *numbers->values);
        if (numbers->values) status = SN_OK;
    }
    const char* at = (const char*)text;
    for (int32_t k = 0; k < numbers->count && !status; k++)
        if (!read_word(&at, &numbers->values[k])) status = SN_ERR_FORMAT;
    xmlFree(text);
    if (!status) return SN_OK;
    free(numbers->values);
    *numbers = (sni_collada_numbers){0};
    return sni_fail(c->load->error, status, sni_xml_place(c->load, element),
                    status == SN_ERR_MEMORY ? "not enough memory for the numbers of <%.60s>"
                                            : "<%.60s> holds something that is not a number",
                    (const char*)element->name);
}

// ---- transforms ---------------------------------------------------------------------------------------

/// R is any matrix here, not only a rotation.
static sn_pose affine(sn_mat3 R, sn_vec3 p) {
    sn_pose X = {R, p};
    return X;
}

static sn_mat3 turn(sn_vec3 axis, double degrees) {
    double length = sn_vec3_norm(axis), half = degrees * (acos(-1) / 360);
    if (!(length > 0)) return sn_mat3_identity();
    sn_vec3 s = sn_vec3_scale(sin(half) / length, axis);
    return sn_quat_matrix(sn_quat_make(cos(half), s.x, s.y, s.z));
}

/// Elements that place a node, with how many numbers each has.
static const struct {
    const char* name;
    int32_t count;
} transforms[] = {{"matrix", 16}, {"translate", 3}, {"rotate", 4}, {"scale", 3}};
enum { MATRIX, TRANSLATE, ROTATE, SCALE, TRANSFORMS };

static sn_pose transform_of(int kind, const double* v) {
    switch (kind) {
    case MATRIX:
        return affine(sn_mat3_rows(sn_vec3_make(v[0], v[1], v[2]), sn_vec3_make(v[4], v[5], v[6]),
                                   sn_vec3_make(v[8], v[9], v[10])),
                      sn_vec3_make(v[3], v[7], v[11]));
    case TRANSLATE: return affine(sn_mat3_identity(), sn_vec3_make(v[0], v[1], v[2]));
    case ROTATE: return affine(turn(sn_vec3_make(v[0], v[1], v[2]), v[3]), sn_vec3_zero());
    default: return affine(sn_mat3_diagonal(v[0], v[1], v[2]), sn_vec3_zero());
    }
}

/// Multiplies *X by every transform of a node, in their order.
static sn_status apply_transforms(sni_collada* c, const xmlNode* node, sn_pose* X) {
    for (const xmlNode* child = node->children; child; child = child->next) {
        int kind = 0;
        while (kind < TRANSFORMS && !sni_xml_is(child, transforms[kind].name)) kind++;
        if (sni_xml_is(child, "lookat") || sni_xml_is(child, "skew"))
            return sni_fail(c->load->error, SN_ERR_FORMAT, sni_xml_place(c->load, child),
                            "<%s> is not read; write a <matrix>", (const char*)child->name);
        if (kind == TRANSFORMS) continue;
        sni_collada_numbers numbers;
        sn_status status = sni_collada_read(c, child, &numbers);
        if (status) return status;
        if (numbers.count == transforms[kind].count)
            *X = sn_pose_mul(*X, transform_of(kind, numbers.values));
        else
            status = sni_fail(c->load->error, SN_ERR_FORMAT, sni_xml_place(c->load, child),
                              "<%s> has %d numbers, not %d", transforms[kind].name, numbers.count,
                              transforms[kind].count);
        free(numbers.values);
        if (status) return status;
    }
    return SN_OK;
}

// ---- nodes --------------------------------------------------------------------------------------------

/// An element whose children are to be looked at, and where it is.
typedef struct placed {
    const xmlNode* element;
    sn_pose X;
} placed;

typedef struct stack {
    placed* at;
    int32_t count, capacity;
    int32_t seen; ///< pushed so far
} stack;

static sn_status push(const sni_collada* c, stack* s, const xmlNode* element, sn_pose X) {
    if (s->seen++ == NODES_MOST)
        return sni_fail(c->load->error, SN_ERR_CAPACITY, sni_xml_place(c->load, element),
                        "more than %d nodes, or nodes that contain themselves", NODES_MOST);
    if (s->count == s->capacity) {
        int32_t capacity = s->capacity ? 2 * s->capacity : 64;
        placed* at = realloc(s->at, (size_t)capacity * sizeof *at);
        if (!at)
            return sni_fail(c->load->error, SN_ERR_MEMORY, sni_nowhere(),
                            "not enough memory for its nodes");
        s->at = at;
        s->capacity = capacity;
    }
    s->at[s->count++] = (placed){element, X};
    return SN_OK;
}

/// Geometries of a node (or scene) are added, further nodes are pushed.
static sn_status visit(sni_collada* c, placed at, stack* s) {
    sn_status status = SN_OK;
    sn_pose X = at.X;
    if (sni_xml_is(at.element, "node")) status = apply_transforms(c, at.element, &X);
    for (const xmlNode* child = at.element->children; child && !status; child = child->next) {
        const xmlNode* used = child;
        status = sni_collada_spend(c, at.element, SN_COLLADA_STEP);
        if (status) break;
        if (sni_xml_is(child, "instance_geometry")) {
            status = sni_collada_find(c, child, "url", "geometry", &used);
            if (!status) status = sni_collada_geometry(c, used, child, X);
        } else if (sni_xml_is(child, "instance_node")) {
            status = sni_collada_find(c, child, "url", "node", &used);
            if (!status) status = push(c, s, used, X);
        } else if (sni_xml_is(child, "node")) {
            status = push(c, s, child, X);
        }
    }
    return status;
}

static sn_status add_scene(sni_collada* c, const xmlNode* scene, sn_pose X) {
    stack s = {0};
    sn_status status = push(c, &s, scene, X);
    while (s.count > 0 && !status) status = visit(c, s.at[--s.count], &s);
    free(s.at);
    return status;
}

/// A file without a scene is a library: all its geometries, each where it is.
static sn_status add_library(sni_collada* c, const xmlNode* root, sn_pose X) {
    sn_status status = SN_OK;
    for (const xmlNode* library = root->children; library; library = library->next) {
        if (!sni_xml_is(library, "library_geometries")) continue;
        for (const xmlNode* node = library->children; node && !status; node = node->next)
            if (sni_xml_is(node, "geometry")) status = sni_collada_geometry(c, node, NULL, X);
    }
    return status;
}

static sn_status add_document(sni_collada* c, const xmlNode* root) {
    if (!sni_xml_is(root, "COLLADA"))
        return sni_fail(c->load->error, SN_ERR_FORMAT, sni_xml_place(c->load, root),
                        "the root element is <%.60s>, not <COLLADA>", (const char*)root->name);
    const xmlNode *asset = sni_xml_child(root, "asset"),
                  *unit = asset ? sni_xml_child(asset, "unit") : NULL,
                  *scene = sni_xml_child(root, "scene"),
                  *instance = scene ? sni_xml_child(scene, "instance_visual_scene") : NULL, *shown;
    double metre = 1;
    sn_status status = unit ? sni_xml_numbers_or(c->load, unit, "meter", 1, &metre) : SN_OK;
    if (!status) status = collect_ids(c, root);
    if (status) return status;
    sn_pose X = affine(sn_mat3_diagonal(metre, metre, metre), sn_vec3_zero());
    if (!instance) return add_library(c, root, X);
    status = sni_collada_find(c, instance, "url", "visual_scene", &shown);
    return status ? status : add_scene(c, shown, X);
}

sn_status sni_mesh_collada(const char* bytes, size_t length, const char* format, sn_vec3 scale,
                           sni_triangles* mesh, sn_error* error) {
    (void)format;
    sni_load* load = calloc(1, sizeof *load);
    if (!load) return sni_fail(error, SN_ERR_MEMORY, sni_nowhere(), "not enough memory");
    load->file = "";
    load->error = error;
    sni_collada c = {.load = load, .scale = scale, .mesh = mesh};
    xmlDoc* doc;
    sn_status status = sni_xml_parse_text(load, bytes, length, &doc);
    if (!status) {
        status = add_document(&c, xmlDocGetRootElement(doc));
        sni_collada_choose_colour(&c);
        xmlFreeDoc(doc);
    }
    free(c.positions.values);
    sni_arena_free(&c.arena);
    free(load);
    return status;
}
