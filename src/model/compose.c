// SPDX-License-Identifier: Apache-2.0
// A compiled model as part of a larger one: what it was made of is added once more, with other names and,
// where it hangs on the world, at another place.
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "model/builder.h"
#include "model/sn_model.h"

/// Names that one definition can need at once.
enum { NAMES = 3 };

typedef struct composer {
    sn_model_builder* builder;
    const sn_model* model;
    sn_pose X_w; ///< of the model's world in the builder's
    size_t prefix_length;
    char* name[NAMES]; ///< room for the prefix, which is there already, and the longest name
} composer;

static size_t longer(size_t length, const char* name) {
    size_t other = strlen(name);
    return other > length ? other : length;
}

static size_t longest_name(const sn_model* model) {
    size_t length = 0;
    for (int32_t k = 0; k < model->frame_count; k++) {
        length = longer(length, model->frame[k].name);
        length = longer(length, model->frame[k].joint_name);
    }
    for (int32_t s = 0; s < model->shape_count; s++) length = longer(length, model->shape[s].name);
    for (int32_t l = 0; l < model->loop_count; l++)
        length = longer(length, model->loop_info[l].name);
    return length;
}

/// The name with the prefix, until the same slot is used again.
static const char* named(composer* c, int slot, const char* name) {
    strcpy(c->name[slot] + c->prefix_length, name); // as long as the longest name at most
    return c->name[slot];
}

/// NULL: the world.
static const char* body_named(composer* c, int slot, sn_body_id body) {
    return body.i < 0 ? NULL : named(c, slot, c->model->body[body.i].name);
}

static const char* frame_named(composer* c, int slot, sn_frame_id frame) {
    return frame.i < 0 ? NULL : named(c, slot, c->model->frame[frame.i].name);
}

/// A pose in what a body or frame carries, or in the world when `carrier` is NULL.
static sn_pose placed(const composer* c, const char* carrier, sn_pose X) {
    return carrier ? X : sn_pose_mul(c->X_w, X);
}

sn_joint_def sni_joint_def_of(const sn_body_info* info) {
    sn_joint_def joint = sn_joint_def_default();
    joint.type = info->type;
    joint.axis = info->axis;
    joint.axis2 = info->axis2;
    joint.pitch = info->pitch;
#define COPY(field) memcpy(joint.field, info->field, (size_t)info->nv * sizeof(double));
    SN_DOF_FIELDS(COPY)
#undef COPY
    memcpy(joint.rest, info->rest, (size_t)info->nq * sizeof(double));
    return joint;
}

/// A frame is added as the body it was: what is fixed has given its mass to the body that carries it.
static sn_status add_frame(composer* c, int32_t index) {
    sn_frame_info frame = sn_model_frame(c->model, (sn_frame_id){index});
    sn_body_def def = sn_body_def_default();
    def.name = named(c, 0, frame.name);
    if (frame.folded) {
        def.parent = body_named(c, 1, frame.body);
        def.joint.type = SN_JOINT_FIXED;
        def.joint.placement = placed(c, def.parent, frame.X_bf);
        def.inertia = (sn_inertia){0};
    } else {
        sn_body_info body = sn_model_body(c->model, frame.body);
        def.parent = body_named(c, 1, body.parent);
        def.joint = sni_joint_def_of(&body);
        def.joint.placement = placed(c, def.parent, body.placement);
        def.inertia = body.inertia;
    }
    def.joint.name = named(c, 2, frame.joint_name);
    return sn_model_builder_add_body(c->builder, &def);
}

static sn_status add_shape(composer* c, int32_t index) {
    const sn_shape_info* shape = &c->model->shape[index];
    sn_shape_def def = sn_shape_def_default();
    def.body = frame_named(c, 0, shape->frame);
    def.name = shape->name[0] ? named(c, 1, shape->name) : "";
    def.type = shape->type;
    def.use = shape->use;
    def.pose = placed(c, def.body, shape->X_fs);
    def.size = shape->size;
    def.mesh = shape->mesh;
    def.vertices = shape->vertices;
    def.vertex_count = shape->vertex_count;
    def.triangles = shape->triangles;
    def.triangle_count = shape->triangle_count;
    def.material = shape->material;
    def.group = shape->group;
    def.mask = shape->mask;
    memcpy(def.color, shape->color, sizeof def.color);
    return sn_model_builder_add_shape(c->builder, &def);
}

static sn_status add_loop(composer* c, int32_t index) {
    const sn_loop_info* loop = &c->model->loop_info[index];
    sn_loop_def def = sn_loop_def_default();
    def.name = named(c, 0, loop->name);
    def.body_a = frame_named(c, 1, loop->a.frame);
    def.body_b = frame_named(c, 2, loop->b.frame);
    def.X_ac = placed(c, def.body_a, loop->a.X_fc);
    def.X_bc = placed(c, def.body_b, loop->b.X_fc);
    def.type = loop->type;
    def.axis = loop->axis;
    def.axis2 = loop->axis2;
    def.pitch = loop->pitch;
    def.length = loop->length;
    def.t_s = loop->t_s;
    return sn_model_builder_add_loop(c->builder, &def);
}

static sn_status add_exclusion(composer* c, int32_t index) {
    sn_exclusion pair = c->model->exclusion[index];
    return sn_model_builder_exclude(c->builder, body_named(c, 0, pair.a), body_named(c, 1, pair.b),
                                    sni_nowhere());
}

static sn_status add_all(composer* c) {
    const sn_model* model = c->model;
    sn_status status = SN_OK;
    for (int32_t k = 0; k < model->frame_count && !status; k++) status = add_frame(c, k);
    for (int32_t k = 0; k < model->shape_count && !status; k++) status = add_shape(c, k);
    for (int32_t k = 0; k < model->loop_count && !status; k++) status = add_loop(c, k);
    for (int32_t k = 0; k < model->exclusion_count && !status; k++) status = add_exclusion(c, k);
    return status;
}

sn_status sn_model_builder_add_model(sn_model_builder* builder, const sn_model* model,
                                     const char* prefix, sn_pose X_w) {
    if (!builder || !model) return SN_ERR_ARGUMENT;
    if (!prefix) prefix = "";
    composer c = {.builder = builder, .model = model, .X_w = X_w, .prefix_length = strlen(prefix)};
    size_t size = c.prefix_length + longest_name(model) + 1;
    char* names = malloc(NAMES * size);
    if (!names) return SN_ERR_MEMORY;
    for (int slot = 0; slot < NAMES; slot++) {
        c.name[slot] = names + (size_t)slot * size;
        memcpy(c.name[slot], prefix, c.prefix_length);
    }
    size_t bodies = builder->body_count, shapes = builder->shape_count;
    size_t loops = builder->loop_count, exclusions = builder->exclusion_count;
    sn_status status = add_all(&c);
    if (status) { // half a model is none
        builder->body_count = bodies;
        builder->shape_count = shapes;
        builder->loop_count = loops;
        builder->exclusion_count = exclusions;
    }
    free(names);
    return status;
}
