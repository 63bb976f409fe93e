// SPDX-License-Identifier: Apache-2.0
// Frames in their order, each as the body it was; moving bodies are numbered in the same order. Then shapes, loops
// and exclusions, which name what they hang on by number.
#include "record/model_code.h"

#include <stdlib.h>

#include "base/error.h"
#include "model/sn_model.h"

/// Least bytes that one of each can take.
enum { FRAME_LEAST = 100, SHAPE_LEAST = 200, LOOP_LEAST = 200, EXCLUSION_LEAST = 8 };

/// Names of what was read so far, by number.
typedef struct names {
    const char** frame; // [frames]
    const char** body;  // [bodies] of [frames]
    int32_t frames, bodies;
} names;

// ---- parts, both ways -----------------------------------------------------------------------------------

static void code_numbers(sni_coder* coder, double* numbers, int count) {
    for (int k = 0; k < count; k++) sni_code_f64(coder, &numbers[k]);
}

static void code_inertia(sni_coder* coder, sn_inertia* inertia) {
    sni_code_f64(coder, &inertia->mass);
    sni_code_vec3(coder, &inertia->com);
    code_numbers(coder, &inertia->I.m[0][0], 9);
}

static void code_type(sni_coder* coder, sn_joint_type* type) {
    int choice = (int)*type;
    sni_code_choice(coder, &choice, SN_JOINT_TYPE_COUNT);
    *type = (sn_joint_type)choice;
}

/// What is fixed has given its mass to the body that carries it.
static void code_frame(sni_coder* coder, sn_body_def* def, int32_t* parent) {
    sn_joint_def* joint = &def->joint;
    sni_code_text(coder, &def->name, false);
    sni_code_text(coder, &joint->name, false);
    sni_code_i32(coder, parent);
    code_type(coder, &joint->type);
    sni_code_pose(coder, &joint->placement);
    if (joint->type == SN_JOINT_FIXED) return;
    int nv = sn_joint_type_nv(joint->type);
    code_inertia(coder, &def->inertia);
    sni_code_vec3(coder, &joint->axis);
    sni_code_vec3(coder, &joint->axis2);
    sni_code_f64(coder, &joint->pitch);
#define CODE(field) code_numbers(coder, joint->field, nv);
    SN_DOF_FIELDS(CODE)
#undef CODE
    code_numbers(coder, joint->rest, sn_joint_type_nq(joint->type));
}

static void code_material(sni_coder* coder, sn_material* m) {
    double* fields[] = {&m->mu,   &m->mu_kinetic, &m->stribeck_speed, &m->viscous, &m->restitution,
                        &m->spin, &m->roll,       &m->stiffness,      &m->damping};
    for (size_t k = 0; k < sizeof fields / sizeof *fields; k++) sni_code_f64(coder, fields[k]);
}

static void code_shape(sni_coder* coder, sn_shape_def* def, int32_t* frame) {
    enum { TYPES = SN_SHAPE_HULL + 1, USES = (SN_SHAPE_VISUAL | SN_SHAPE_COLLISION) + 1 };
    int type = (int)def->type;
    sni_code_i32(coder, frame);
    sni_code_text(coder, &def->name, false);
    sni_code_choice(coder, &type, TYPES);
    sni_code_choice(coder, &def->use, USES);
    def->type = (sn_shape_type)type;
    sni_code_pose(coder, &def->pose);
    sni_code_vec3(coder, &def->size);
    sni_code_text(coder, &def->mesh, false);
    code_material(coder, &def->material);
    sni_code_u32(coder, &def->group);
    sni_code_u32(coder, &def->mask);
    code_numbers(coder, def->color, 4);
    uint32_t corners = (uint32_t)def->vertex_count, triangles = (uint32_t)def->triangle_count;
    sni_code_count(coder, &corners, sizeof *def->vertices);
    sni_code_count(coder, &triangles, 3 * sizeof *def->triangles);
    const void *vertices = def->vertices, *indices = def->triangles;
    sni_code_array(coder, &vertices, corners, sizeof *def->vertices);
    sni_code_array(coder, &indices, triangles, 3 * sizeof *def->triangles);
    def->vertices = vertices;
    def->triangles = indices;
    def->vertex_count = (int32_t)corners;
    def->triangle_count = (int32_t)triangles;
}

static void code_loop(sni_coder* coder, sn_loop_def* def, int32_t* a, int32_t* b) {
    sni_code_text(coder, &def->name, false);
    code_type(coder, &def->type);
    sni_code_i32(coder, a);
    sni_code_i32(coder, b);
    sni_code_pose(coder, &def->X_ac);
    sni_code_pose(coder, &def->X_bc);
    sni_code_vec3(coder, &def->axis);
    sni_code_vec3(coder, &def->axis2);
    sni_code_f64(coder, &def->pitch);
    sni_code_f64(coder, &def->t_s);
    if (def->type == SN_JOINT_FREE) sni_code_f64(coder, &def->length);
}

// ---- writing --------------------------------------------------------------------------------------------

static void write_count(sni_coder* coder, int count) {
    uint32_t number = (uint32_t)count;
    sni_code_u32(coder, &number);
}

static void write_frame(sni_coder* coder, const sn_model* model, int index) {
    sn_frame_info frame = sn_model_frame(model, (sn_frame_id){index});
    sn_body_def def = sn_body_def_default();
    int32_t parent = frame.body.i;
    if (frame.folded) {
        def.joint.type = SN_JOINT_FIXED;
        def.joint.placement = frame.X_bf;
    } else {
        sn_body_info body = sn_model_body(model, frame.body);
        parent = body.parent.i;
        def.joint = sni_joint_def_of(&body);
        def.joint.placement = body.placement;
        def.inertia = body.inertia;
    }
    def.name = frame.name;
    def.joint.name = frame.joint_name;
    code_frame(coder, &def, &parent);
}

static void write_shape(sni_coder* coder, const sn_model* model, int index) {
    sn_shape_info shape = sn_model_shape(model, index);
    sn_shape_def def = {.name = shape.name,
                        .type = shape.type,
                        .use = shape.use,
                        .pose = shape.X_fs,
                        .size = shape.size,
                        .mesh = shape.mesh,
                        .vertices = shape.vertices,
                        .vertex_count = shape.vertex_count,
                        .triangles = shape.triangles,
                        .triangle_count = shape.triangle_count,
                        .material = shape.material,
                        .group = shape.group,
                        .mask = shape.mask};
    for (int k = 0; k < 4; k++) def.color[k] = shape.color[k];
    code_shape(coder, &def, &shape.frame.i);
}

static void write_loop(sni_coder* coder, const sn_model* model, int index) {
    sn_loop_info loop = sn_model_loop(model, index);
    sn_loop_def def = {.name = loop.name,
                       .type = loop.type,
                       .X_ac = loop.a.X_fc,
                       .X_bc = loop.b.X_fc,
                       .axis = loop.axis,
                       .axis2 = loop.axis2,
                       .pitch = loop.pitch,
                       .length = loop.length,
                       .t_s = loop.t_s};
    code_loop(coder, &def, &loop.a.frame.i, &loop.b.frame.i);
}

void sni_write_model(sni_coder* coder, const sn_model* model) {
    const char* name = sn_model_name(model);
    sni_code_text(coder, &name, false);
    write_count(coder, sn_model_frame_count(model));
    for (int k = 0; k < sn_model_frame_count(model); k++) write_frame(coder, model, k);
    write_count(coder, sn_model_shape_count(model));
    for (int k = 0; k < sn_model_shape_count(model); k++) write_shape(coder, model, k);
    write_count(coder, sn_model_loop_count(model));
    for (int k = 0; k < sn_model_loop_count(model); k++) write_loop(coder, model, k);
    write_count(coder, sn_model_exclusion_count(model));
    for (int k = 0; k < sn_model_exclusion_count(model); k++) {
        sn_exclusion pair = sn_model_exclusion(model, k);
        sni_code_i32(coder, &pair.a.i);
        sni_code_i32(coder, &pair.b.i);
    }
}

// ---- reading --------------------------------------------------------------------------------------------

/// NULL: the world; fails when there is no such thing.
static const char* named(sni_coder* coder, const char* const* list, int32_t count, int32_t index) {
    if (index < -1 || index >= count) coder->failed = true;
    return coder->failed || index < 0 ? NULL : list[index];
}

static sn_status read_frame(sni_coder* coder, names* known, sn_model_builder* builder) {
    sn_body_def def = sn_body_def_default();
    int32_t parent = -1;
    def.inertia = (sn_inertia){0};
    code_frame(coder, &def, &parent);
    def.parent = named(coder, known->body, known->bodies, parent);
    if (coder->failed) return SN_ERR_FORMAT;
    known->frame[known->frames++] = def.name;
    if (def.joint.type != SN_JOINT_FIXED) known->body[known->bodies++] = def.name;
    return sn_model_builder_add_body(builder, &def);
}

static sn_status read_shape(sni_coder* coder, const names* known, sn_model_builder* builder) {
    sn_shape_def def = sn_shape_def_default();
    int32_t frame = -1;
    code_shape(coder, &def, &frame);
    def.body = named(coder, known->frame, known->frames, frame);
    return coder->failed ? SN_ERR_FORMAT : sn_model_builder_add_shape(builder, &def);
}

static sn_status read_loop(sni_coder* coder, const names* known, sn_model_builder* builder) {
    sn_loop_def def = sn_loop_def_default();
    int32_t a = -1, b = -1;
    code_loop(coder, &def, &a, &b);
    def.body_a = named(coder, known->frame, known->frames, a);
    def.body_b = named(coder, known->frame, known->frames, b);
    return coder->failed ? SN_ERR_FORMAT : sn_model_builder_add_loop(builder, &def);
}

static sn_status read_exclusion(sni_coder* coder, const names* known, sn_model_builder* builder) {
    int32_t a = -1, b = -1;
    sni_code_i32(coder, &a);
    sni_code_i32(coder, &b);
    const char* first = named(coder, known->body, known->bodies, a);
    const char* second = named(coder, known->body, known->bodies, b);
    if (coder->failed) return SN_ERR_FORMAT;
    return sn_model_builder_exclude(builder, first, second, sni_nowhere());
}

static sn_status read_parts(sni_coder* coder, names* known, uint32_t frames,
                            sn_model_builder* builder) {
    sn_status status = SN_OK;
    uint32_t count = 0;
    for (uint32_t k = 0; k < frames && !status; k++) status = read_frame(coder, known, builder);
    sni_code_count(coder, &count, SHAPE_LEAST);
    for (uint32_t k = 0; k < count && !status; k++) status = read_shape(coder, known, builder);
    sni_code_count(coder, &count, LOOP_LEAST);
    for (uint32_t k = 0; k < count && !status; k++) status = read_loop(coder, known, builder);
    sni_code_count(coder, &count, EXCLUSION_LEAST);
    for (uint32_t k = 0; k < count && !status; k++) status = read_exclusion(coder, known, builder);
    return coder->failed ? SN_ERR_FORMAT : status;
}

sn_status sni_read_model(sni_coder* coder, sn_model** model, sn_error* error) {
    *model = NULL;
    const char* name = NULL;
    uint32_t frames = 0;
    sni_code_text(coder, &name, false);
    sni_code_count(coder, &frames, FRAME_LEAST);
    names known = {malloc(((size_t)frames + 1) * sizeof *known.frame),
                   malloc(((size_t)frames + 1) * sizeof *known.body), 0, 0};
    sn_model_builder* builder = sn_model_builder_create(name);
    sn_status status = SN_ERR_MEMORY;
    if (known.frame && known.body && builder) status = read_parts(coder, &known, frames, builder);
    if (status)
        sni_fail(error, status, sni_nowhere(), "the model in it makes no sense: %s",
                 sn_status_text(status));
    else
        status = sn_model_builder_compile(builder, NULL, model, error);
    sn_model_builder_free(builder);
    free(known.frame);
    free(known.body);
    return status;
}
