// SPDX-License-Identifier: Apache-2.0
// JSON -> model builder. The format is described in docs/eval.md: moving bodies in order,
// then links: named frames fixed to a body, without inertia of their own.
#include "load/model_json.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/name_map.h"
#include "load/paths.h"

// Separators in the text; each stands for one value, which takes about 100 bytes once read.
static const size_t VALUE_LIMIT = 12000000;

typedef struct link {
    const char* name;
    const char* joint;
    int body; ///< -1: world
    sn_pose pose;
    bool own; ///< the frame of the body itself, not one more
} link;

typedef struct reader {
    sni_load* load;
    json_t *bodies, *links, *shapes, *loops, *exclusions; ///< arrays; all but bodies may be NULL
    int body_count, link_count;
    sni_arena arena;
    const char** body_name; ///< [body_count]
    link* link;             ///< [link_count]
    char** made;            ///< [link_count] joint names we had to invent, NULL: none
    sni_name_map joints;    ///< joint names in use
    sni_name_map frames;    ///< name -> body that carries it, plus one
    int added;              ///< bodies added so far
    int64_t iq, iv;
    sn_model_builder* builder;
} reader;

static void layout(reader* r, sni_arena* arena) {
    r->body_name = SN_ARENA_ARRAY(arena, const char*, r->body_count);
    r->link = SN_ARENA_ARRAY(arena, link, r->link_count);
    r->made = SN_ARENA_ARRAY(arena, char*, r->link_count);
    sni_name_map_layout(&r->joints, arena, r->body_count + r->link_count);
    sni_name_map_layout(&r->frames, arena, r->body_count + r->link_count);
}

static sn_status fail_memory(const reader* r) {
    return sni_fail(r->load->error, SN_ERR_MEMORY, sni_load_place(r->load),
                    "not enough memory for the model");
}

// ---- names --------------------------------------------------------------------------------------

static bool is_identity(const sn_pose* X) {
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            if (X->R.m[i][j] != (i == j)) return false;
    return X->p.x == 0 && X->p.y == 0 && X->p.z == 0;
}

static sn_status read_link(reader* r, int index) {
    sni_json_at at;
    link* l = &r->link[index];
    sn_status status = sni_json_object(r->load, "links", r->links, index, &at);
    if (status) return status;
    sni_json_warn_unknown(&at, "name body R p joint");
    status = sni_json_field_text(&at, "name", &l->name);
    if (!status && (!l->name || !*l->name))
        status = sni_json_fail(&at, "name", "missing; every link has a name");
    if (!status) status = sni_json_field_text(&at, "joint", &l->joint);
    if (!status) status = sni_json_field_int(&at, "body", -1, r->body_count - 1, &l->body);
    if (!status) status = sni_json_pose(&at, "", at.object, &l->pose);
    return status;
}

/// "name", else the first link that coincides with the body, else the joint's name.
static sn_status name_body(reader* r, int index) {
    sni_json_at at;
    const char *name, *joint;
    sn_status status = sni_json_object(r->load, "bodies", r->bodies, index, &at);
    if (!status) status = sni_json_field_text(&at, "name", &name);
    if (!status) status = sni_json_field_text(&at, "joint", &joint);
    if (status) return status;
    if (name) r->body_name[index] = name;
    if (!r->body_name[index]) r->body_name[index] = joint;
    if (!r->body_name[index] || !*r->body_name[index])
        return sni_json_fail(&at, "joint", "missing; every body has a name or a joint name");
    if (!joint) joint = r->body_name[index];
    if (sni_name_map_add(&r->joints, joint, index) >= 0)
        return sni_json_fail(&at, "joint", "there is another joint '%.60s'; rename one", joint);
    if (sni_name_map_add(&r->frames, r->body_name[index], index + 1) >= 0)
        return sni_json_fail(&at, "name", "there is another body '%.60s'; rename one",
                             r->body_name[index]);
    return SN_OK;
}

/// Tells a body's own frame from further ones, and gives the latter a joint name of their own.
static sn_status name_link(reader* r, int index) {
    link* l = &r->link[index];
    sni_json_at at = {r->load, "links", index, json_array_get(r->links, (size_t)index)};
    l->own = l->body >= 0 && strcmp(l->name, r->body_name[l->body]) == 0;
    if (l->own && !is_identity(&l->pose))
        return sni_json_fail(&at, "R",
                             "link '%.60s' has the name of its body and must coincide "
                             "with it",
                             l->name);
    if (l->own) return SN_OK;
    if (sni_name_map_add(&r->frames, l->name, l->body + 1) >= 0)
        return sni_json_fail(&at, "name", "there is another link or body '%.60s'; rename one",
                             l->name);
    const char* joint = l->joint ? l->joint : l->name;
    if (sni_name_map_find(&r->joints, joint) >= 0) {
        if (l->joint)
            return sni_json_fail(&at, "joint", "there is another joint '%.60s'; rename one", joint);
        size_t size = strlen(l->name) + 32;
        char* made = malloc(size);
        if (!made) return fail_memory(r);
        r->made[index] = made;
        joint = made;
        int k = 1;
        do snprintf(made, size, "%s_fixed%d", l->name, k++);
        while (sni_name_map_find(&r->joints, made) >= 0);
    }
    sni_name_map_add(&r->joints, joint, r->body_count + index);
    l->joint = joint;
    return SN_OK;
}

static sn_status read_names(reader* r) {
    sn_status status = SN_OK;
    for (int i = 0; i < r->link_count && !status; i++) {
        status = read_link(r, i);
        const link* l = &r->link[i];
        if (!status && l->body >= 0 && !r->body_name[l->body] && is_identity(&l->pose))
            r->body_name[l->body] = l->name;
    }
    for (int i = 0; i < r->body_count && !status; i++) status = name_body(r, i);
    for (int i = 0; i < r->link_count && !status; i++) status = name_link(r, i);
    return status;
}

// ---- bodies, links, shapes ----------------------------------------------------------------------

static sn_status add(reader* r, const sn_body_def* def) {
    sn_status status = sn_model_builder_add_body(r->builder, def);
    return status ? fail_memory(r) : SN_OK;
}

/// Adds bodies in their order until body `last` is in.
static sn_status add_bodies_to(reader* r, int last) {
    while (r->added <= last) {
        int i = r->added++, parent;
        sni_json_at at;
        sn_body_def def;
        sn_status status = sni_json_object(r->load, "bodies", r->bodies, i, &at);
        if (!status) status = sni_json_field_int(&at, "parent", -1, i - 1, &parent);
        if (!status) status = sni_model_json_body(&at, &def, &r->iq, &r->iv);
        if (status) return status;
        def.name = r->body_name[i];
        def.parent = parent < 0 ? NULL : r->body_name[parent];
        def.joint.name = json_string_value(json_object_get(at.object, "joint"));
        status = add(r, &def);
        if (status) return status;
    }
    return SN_OK;
}

static sn_status add_link(reader* r, const link* l) {
    sn_body_def def = sn_body_def_default();
    def.name = l->name;
    def.parent = l->body < 0 ? NULL : r->body_name[l->body];
    def.joint.name = l->joint;
    def.joint.type = SN_JOINT_FIXED;
    def.joint.placement = l->pose;
    def.inertia.mass = 0;
    def.inertia.com = sn_vec3_zero();
    def.inertia.I = sn_mat3_diagonal(0, 0, 0);
    def.place = sni_load_place(r->load);
    return add(r, &def);
}

/// A frame is added as soon as the body that carries it: so a model keeps the order of its frames.
static sn_status add_bodies_and_links(reader* r) {
    sn_status status = SN_OK;
    for (int i = 0; i < r->link_count && !status; i++) {
        status = add_bodies_to(r, r->link[i].body);
        if (!status && !r->link[i].own) status = add_link(r, &r->link[i]);
    }
    if (!status) status = add_bodies_to(r, r->body_count - 1);
    return status;
}

/// The name of the body, or of the link on it, that these two keys say; NULL: the world.
static sn_status read_carrier(const reader* r, const sni_json_at* at, const char* body_key,
                              const char* link_key, const char** name) {
    const char* frame;
    int body;
    sn_status status = sni_json_field_int(at, body_key, -1, r->body_count - 1, &body);
    if (!status) status = sni_json_field_text(at, link_key, &frame);
    if (status) return status;
    if (frame && sni_name_map_find(&r->frames, frame) != body + 1)
        return sni_json_fail(at, link_key, "there is no link '%.60s' on body %d", frame, body);
    *name = frame ? frame : body < 0 ? NULL : r->body_name[body];
    return SN_OK;
}

static sn_status add_shape(reader* r, int index) {
    sni_json_at at;
    sn_shape_def def;
    sni_triangles mesh = {0};
    sn_status status = sni_json_object(r->load, "shapes", r->shapes, index, &at);
    if (!status) status = sni_model_json_shape(&at, &def, &mesh);
    if (!status) status = read_carrier(r, &at, "body", "link", &def.body);
    if (!status && def.mesh && !def.vertices) {
        sni_path_check(r->load, def.place, def.mesh);
        status = sni_mesh_load(r->load, &def, &mesh);
    }
    if (!status && sn_model_builder_add_shape(r->builder, &def)) status = fail_memory(r);
    sni_triangles_clear(&mesh);
    return status;
}

static sn_status add_loop(reader* r, int index) {
    sni_json_at at;
    sn_loop_def def;
    sn_status status = sni_json_object(r->load, "loops", r->loops, index, &at);
    if (!status) status = sni_model_json_loop(&at, &def);
    if (!status) status = read_carrier(r, &at, "body_a", "link_a", &def.body_a);
    if (!status) status = read_carrier(r, &at, "body_b", "link_b", &def.body_b);
    if (status) return status;
    status = sn_model_builder_add_loop(r->builder, &def);
    return status ? fail_memory(r) : SN_OK;
}

static sn_status add_exclusion(reader* r, int index) {
    sni_json_at at;
    int body[2];
    sn_status status = sni_json_object(r->load, "exclusions", r->exclusions, index, &at);
    if (status) return status;
    sni_json_warn_unknown(&at, "body_a body_b");
    status = sni_json_field_int(&at, "body_a", -1, r->body_count - 1, &body[0]);
    if (!status) status = sni_json_field_int(&at, "body_b", -1, r->body_count - 1, &body[1]);
    if (status) return status;
    const char *a = body[0] < 0 ? NULL : r->body_name[body[0]],
               *b = body[1] < 0 ? NULL : r->body_name[body[1]];
    status = sn_model_builder_exclude(r->builder, a, b, sni_load_place(r->load));
    return status ? fail_memory(r) : SN_OK;
}

static sn_status read_all(reader* r, const sni_json_at* top) {
    sni_arena arena = {0};
    layout(r, &arena);
    if (!sni_arena_allocate(&arena)) return fail_memory(r);
    layout(r, &arena);
    r->arena = arena;
    sn_status status = read_names(r);
    if (!status) status = add_bodies_and_links(r);
    if (!status) status = sni_json_expect(top, "nq", r->iq);
    if (!status) status = sni_json_expect(top, "nv", r->iv);
    for (int i = 0; i < (int)json_array_size(r->shapes) && !status; i++) status = add_shape(r, i);
    for (int i = 0; i < (int)json_array_size(r->loops) && !status; i++) status = add_loop(r, i);
    for (int i = 0; i < (int)json_array_size(r->exclusions) && !status; i++)
        status = add_exclusion(r, i);
    for (int i = 0; i < r->link_count; i++) free(r->made[i]);
    sni_arena_free(&r->arena);
    return status;
}

// ---- the document -------------------------------------------------------------------------------

static sn_status check_header(const sni_json_at* top) {
    sni_json_warn_unknown(top, "format version name source urdf free_flyer_root_added bodies nq nv "
                               "links shapes loops exclusions");
    const char* format;
    sn_status status = sni_json_field_text(top, "format", &format);
    if (status) return status;
    if (format && strcmp(format, "sinew-model") != 0)
        return sni_json_fail(top, "format", "expected 'sinew-model', got '%.60s'", format);
    int version = SN_MODEL_JSON_VERSION;
    if (json_object_get(top->object, "version"))
        status = sni_json_field_int(top, "version", 1, SN_MODEL_JSON_VERSION, &version);
    return status;
}

static sn_status get_list(const sni_json_at* top, const char* key, bool required, json_t** list) {
    *list = json_object_get(top->object, key);
    if (!*list && !required) return SN_OK;
    if (json_is_array(*list) && json_array_size(*list) < INT32_MAX / 8) return SN_OK;
    if (!*list && json_object_get(top->object, "qdd"))
        return sni_json_fail(top, key, "missing; this is a case, give the model it belongs to");
    return sni_json_fail(
        top, key, *list ? "expected an array" : "missing; is this a Sinew model (docs/eval.md)?");
}

static sn_status read_document(sni_load* load, json_t* document, sn_model_builder** builder) {
    sni_json_at top = {load, NULL, 0, document};
    if (!json_is_object(document))
        return sni_fail(load->error, SN_ERR_FORMAT, sni_load_place(load),
                        "a JSON model is an object, not an array; see docs/eval.md");
    if (load->def.base == SN_BASE_FREE)
        sni_warn(
            load, "base", sni_load_place(load),
            "a JSON model says itself how its base moves; the wish for a free base is ignored");
    reader r = {.load = load};
    const char* name;
    sn_status status = check_header(&top);
    if (!status) status = sni_json_field_text(&top, "name", &name);
    if (!status) status = get_list(&top, "bodies", true, &r.bodies);
    if (!status) status = get_list(&top, "links", false, &r.links);
    if (!status) status = get_list(&top, "shapes", false, &r.shapes);
    if (!status) status = get_list(&top, "loops", false, &r.loops);
    if (!status) status = get_list(&top, "exclusions", false, &r.exclusions);
    if (status) return status;
    r.body_count = (int)json_array_size(r.bodies);
    r.link_count = (int)json_array_size(r.links);
    r.builder = *builder = sn_model_builder_create(name);
    return r.builder ? read_all(&r, &top) : fail_memory(&r);
}

static bool has_too_many_values(const char* text, size_t length) {
    size_t values = 0;
    for (size_t i = 0; i < length; i++) values += text[i] == ',';
    return values > VALUE_LIMIT;
}

sn_status sni_model_json_read(sni_load* load, const char* text, size_t length,
                              sn_model_builder** builder) {
    if (has_too_many_values(text, length))
        return sni_fail(load->error, SN_ERR_CAPACITY, sni_load_place(load),
                        "more than 12 million values; no model needs that many");
    json_error_t trouble;
    json_t* document = json_loadb(text, length, JSON_REJECT_DUPLICATES, &trouble);
    if (!document) {
        sn_place place = {load->file, trouble.line > 0 ? trouble.line : 0,
                          trouble.column > 0 ? trouble.column : 0};
        bool memory = json_error_code(&trouble) == json_error_out_of_memory;
        return sni_fail(load->error, memory ? SN_ERR_MEMORY : SN_ERR_FORMAT, place,
                        "not valid JSON: %s; correct the file here or just before", trouble.text);
    }
    sn_status status = read_document(load, document, builder);
    json_decref(document);
    return status;
}
