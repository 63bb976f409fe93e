// SPDX-License-Identifier: Apache-2.0
// Model -> JSON that model_json.c reads back to the same model, to the last bit of every number.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "load/model_json.h"
#include "load/text.h"

static void put_vector(sni_text* out, const char* key, sn_vec3 v) {
    double a[3] = {v.x, v.y, v.z};
    sni_text_add(out, ", \"%s\": ", key);
    sni_text_numbers(out, a, 3);
}

static void put_pose(sni_text* out, sn_pose pose) {
    double p[3] = {pose.p.x, pose.p.y, pose.p.z};
    sni_text_add(out, "\"R\": ");
    sni_text_numbers(out, &pose.R.m[0][0], 9);
    sni_text_add(out, ", \"p\": ");
    sni_text_numbers(out, p, 3);
}

/// An array of nv numbers, left out when all are `usual`. In the order of files.
static void put_dof(sni_text* out, const char* key, sn_joint_type type, const double* values,
                    double usual) {
    int nv = sn_joint_type_nv(type);
    double file[SN_JOINT_MAX_NV];
    bool needed = false;
    for (int k = 0; k < nv; k++) {
        file[k] = values[sni_model_json_v(type, k)];
        if (file[k] != usual) needed = true;
    }
    if (!needed) return;
    sni_text_add(out, ",\n     \"%s\": ", key);
    sni_text_numbers(out, file, nv);
}

static void put_rest(sni_text* out, const sn_body_info* body) {
    double file[SN_JOINT_MAX_NQ];
    bool needed = false;
    for (int k = 0; k < body->nq; k++) {
        bool is_w =
            (body->type == SN_JOINT_SPHERICAL || body->type == SN_JOINT_FREE) && k == body->nq - 1;
        file[k] = body->rest[sni_model_json_q(body->type, k)];
        if (file[k] != (is_w ? 1 : 0)) needed = true;
    }
    if (!needed) return;
    sni_text_add(out, ",\n     \"rest\": ");
    sni_text_numbers(out, file, body->nq);
}

static void put_axes(sni_text* out, sn_joint_type type, sn_vec3 axis, sn_vec3 axis2, double pitch) {
    if (type == SN_JOINT_SPHERICAL || type == SN_JOINT_FREE || type == SN_JOINT_FIXED)
        sni_text_add(out, ", \"axis\": null");
    else
        put_vector(out, "axis", axis);
    if (type == SN_JOINT_UNIVERSAL) put_vector(out, "axis2", axis2);
    if (type != SN_JOINT_HELICAL) return;
    sni_text_add(out, ", \"pitch\": ");
    sni_text_number(out, pitch);
}

static void put_body(sni_text* out, int index, const sn_body_info* body) {
    sni_text_add(out, "\n    {\"index\": %d, \"name\": ", index);
    sni_text_string(out, body->name);
    sni_text_add(out, ", \"joint\": ");
    sni_text_string(out, body->joint_name);
    sni_text_add(out, ", \"parent\": %d, \"type\": \"%s\"", (int)body->parent.i,
                 sn_joint_type_name(body->type));
    put_axes(out, body->type, body->axis, body->axis2, body->pitch);
    sni_text_add(out,
                 ",\n     \"iq\": %d, \"iv\": %d, \"nq\": %d, \"nv\": %d,\n     \"placement\": {",
                 body->iq, body->iv, body->nq, body->nv);
    put_pose(out, body->placement);
    sni_text_add(out, "},\n     \"mass\": ");
    sni_text_number(out, body->inertia.mass);
    put_vector(out, "com", body->inertia.com);
    const double(*I)[3] = body->inertia.I.m;
    double six[6] = {I[0][0], I[0][1], I[0][2], I[1][1], I[1][2], I[2][2]};
    sni_text_add(out, ", \"inertia_com\": ");
    sni_text_numbers(out, six, 6);
#define PUT(key, when_null)                                                                        \
    put_dof(out, #key, body->type, body->key,                                                      \
            isnan(when_null) || strcmp(#key, "friction") == 0 ? 0 : when_null);
    SN_MODEL_JSON_DOF_LIST(PUT)
#undef PUT
    put_rest(out, body);
    sni_text_add(out, "}");
}

static void put_link(sni_text* out, const sn_frame_info* frame) {
    sni_text_add(out, "\n    {\"name\": ");
    sni_text_string(out, frame->name);
    sni_text_add(out, ", \"body\": %d, ", (int)frame->body.i);
    put_pose(out, frame->X_bf);
    if (frame->folded) {
        sni_text_add(out, ", \"joint\": ");
        sni_text_string(out, frame->joint_name);
    }
    sni_text_add(out, "}");
}

/// What differs from the usual material; friction is the same at all speeds unless said. Nothing when nothing
/// does. The damping of a rigid surface means nothing, and need not be a number.
static void put_material(sni_text* out, const sn_material* m) {
    sn_material usual = sn_material_default();
    static const char open[] = ",\n     \"material\": {";
    const char* before = open;
    if (m->mu != usual.mu) {
        sni_text_add(out, "%s\"mu\": ", before);
        sni_text_number(out, m->mu);
        before = ", ";
    }
    usual.mu_kinetic = m->mu;
    if (m->stiffness == INFINITY) usual.damping = m->damping;
#define PUT(key)                                                                                   \
    if (m->key < usual.key || m->key > usual.key) {                                                \
        sni_text_add(out, "%s\"" #key "\": ", before);                                             \
        sni_text_number(out, m->key);                                                              \
        before = ", ";                                                                             \
    }
    SN_MODEL_JSON_MATERIAL_LIST(PUT)
#undef PUT
    if (before != open) sni_text_add(out, "}");
}

static void put_corners(sni_text* out, const sn_shape_info* shape) {
    sni_text_add(out, ",\n     \"vertices\": [");
    for (int32_t k = 0; k < shape->vertex_count; k++) {
        const double p[3] = {shape->vertices[k].x, shape->vertices[k].y, shape->vertices[k].z};
        for (int i = 0; i < 3; i++) {
            if (k + i > 0) sni_text_add(out, ", ");
            sni_text_number(out, p[i]);
        }
    }
    sni_text_add(out, "],\n     \"triangles\": [");
    for (int32_t k = 0; k < 3 * shape->triangle_count; k++)
        sni_text_add(out, "%s%d", k ? ", " : "", (int)shape->triangles[k]);
    sni_text_add(out, "]");
}

static void put_shape(sni_text* out, const sn_model* model, const sn_shape_info* shape) {
    const sn_shape_def usual = sn_shape_def_default();
    sni_text_add(out, "\n    {\"body\": %d", (int)shape->body.i);
    if (shape->frame.i >= 0) {
        sni_text_add(out, ", \"link\": ");
        sni_text_string(out, sn_model_frame(model, shape->frame).name);
    }
    if (shape->name[0]) {
        sni_text_add(out, ", \"name\": ");
        sni_text_string(out, shape->name);
    }
    sni_text_add(out, ", \"type\": \"%s\", \"use\": \"%s\", \"pose\": {",
                 sn_shape_type_name(shape->type), sni_model_json_uses[shape->use & 3]);
    put_pose(out, shape->X_fs);
    sni_text_add(out, "}");
    put_vector(out, "size", shape->size);
    if (shape->mesh[0]) {
        sni_text_add(out, ", \"mesh\": ");
        sni_text_string(out, shape->mesh);
    }
    sni_text_add(out, ", \"color\": ");
    sni_text_numbers(out, shape->color, 4);
    put_material(out, &shape->material);
    if (shape->group != usual.group) sni_text_add(out, ", \"group\": %u", (unsigned)shape->group);
    if (shape->mask != usual.mask) sni_text_add(out, ", \"mask\": %u", (unsigned)shape->mask);
    if (shape->vertices) put_corners(out, shape);
    sni_text_add(out, "}");
}

static void put_loop_end(sni_text* out, const sn_model* model, const char* which,
                         const sn_loop_end* end) {
    sni_text_add(out, ",\n     \"body_%s\": %d", which, (int)end->body.i);
    if (end->frame.i >= 0) {
        sni_text_add(out, ", \"link_%s\": ", which);
        sni_text_string(out, sn_model_frame(model, end->frame).name);
    }
    sni_text_add(out, ", \"pose_%s\": {", which);
    put_pose(out, end->X_fc);
    sni_text_add(out, "}");
}

static void put_loop(sni_text* out, const sn_model* model, const sn_loop_info* loop) {
    sni_text_add(out, "\n    {\"name\": ");
    sni_text_string(out, loop->name);
    sni_text_add(out, ", \"type\": \"%s\"", sn_joint_type_name(loop->type));
    put_axes(out, loop->type, loop->axis, loop->axis2, loop->pitch);
    if (loop->type == SN_JOINT_FREE) {
        sni_text_add(out, ", \"length\": ");
        sni_text_number(out, loop->length);
    }
    sni_text_add(out, ", \"t_s\": ");
    sni_text_number(out, loop->t_s);
    put_loop_end(out, model, "a", &loop->a);
    put_loop_end(out, model, "b", &loop->b);
    sni_text_add(out, "}");
}

static void put_model(sni_text* out, const sn_model* model) {
    sni_text_add(out, "{\n\"format\": \"sinew-model\",\n\"version\": %d,\n\"name\": ",
                 SN_MODEL_JSON_VERSION);
    sni_text_string(out, sn_model_name(model));
    sni_text_add(out, ",\n\"nq\": %d,\n\"nv\": %d,\n\"bodies\": [", sn_model_nq(model),
                 sn_model_nv(model));
    for (int i = 0; i < sn_model_body_count(model); i++) {
        sn_body_info body = sn_model_body(model, sn_body(i));
        sni_text_add(out, "%s", i ? "," : "");
        put_body(out, i, &body);
    }
    sni_text_add(out, "\n],\n\"links\": [");
    for (int i = 0; i < sn_model_frame_count(model); i++) {
        sn_frame_info frame = sn_model_frame(model, (sn_frame_id){i});
        sni_text_add(out, "%s", i ? "," : "");
        put_link(out, &frame);
    }
    sni_text_add(out, "\n],\n\"shapes\": [");
    for (int i = 0; i < sn_model_shape_count(model); i++) {
        sn_shape_info shape = sn_model_shape(model, i);
        sni_text_add(out, "%s", i ? "," : "");
        put_shape(out, model, &shape);
    }
    if (sn_model_loop_count(model) > 0) sni_text_add(out, "\n],\n\"loops\": [");
    for (int i = 0; i < sn_model_loop_count(model); i++) {
        sn_loop_info loop = sn_model_loop(model, i);
        sni_text_add(out, "%s", i ? "," : "");
        put_loop(out, model, &loop);
    }
    if (sn_model_exclusion_count(model) > 0) sni_text_add(out, "\n],\n\"exclusions\": [");
    for (int i = 0; i < sn_model_exclusion_count(model); i++) {
        sn_exclusion pair = sn_model_exclusion(model, i);
        sni_text_add(out, "%s\n    {\"body_a\": %d, \"body_b\": %d}", i ? "," : "", (int)pair.a.i,
                     (int)pair.b.i);
    }
    sni_text_add(out, "\n]\n}\n");
}

sn_status sn_model_to_json(const sn_model* model, char** text, sn_error* error) {
    if (text) *text = NULL;
    if (!model || !text)
        return sni_fail(error, SN_ERR_ARGUMENT, sni_nowhere(),
                        "sn_model_to_json needs a model and a place for the text");
    sni_number_scope scope;
    if (!sni_number_scope_begin(&scope))
        return sni_fail(error, SN_ERR_MEMORY, sni_nowhere(), "not enough memory");
    sni_text out = {0};
    put_model(&out, model);
    sni_number_scope_end(&scope);
    if (out.failed) {
        free(out.bytes);
        return sni_fail(error, out.failed, sni_nowhere(), "%s",
                        out.failed == SN_ERR_MEMORY
                            ? "not enough memory to write the model as text"
                            : "a name in the model is not valid UTF-8, which JSON requires");
    }
    *text = out.bytes;
    return SN_OK;
}

void sn_text_free(char* text) { free(text); }
