// SPDX-License-Identifier: Apache-2.0
/// A humanoid that stands on a plane, every joint held by a spring and a damper.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"
#include "message.h"
#include "model_argument.h"
#include "sinew/dynamics.h"
#include "step_scene.h"
#include "step_truth.h"

// N m/rad: a body of 70 kg and 1 m needs 700 not to fall. N m s/rad: stiff enough that springs which an
// engine takes explicitly stay stable on light links, (stiffness h^2) / (damping h) = 0.1.
static const double STIFFNESS = 1e4, DAMPING = 100;
static const double MU = 0.8;
static const double SOLE_LENGTH = 0.2, SOLE_WIDTH = 0.1, PAD = 0.002; // m

enum {
    GROUP_FLOOR = 1,
    GROUP_BODY = 2
}; // only the two touch: other engines draw links apart differently

static sn_status copy_bodies(const sn_model* model, sn_model_builder* builder) {
    sn_status status = SN_OK;
    for (int i = 0; i < sn_model_body_count(model) && !status; i++) {
        sn_body_info info = sn_model_body(model, sn_body(i));
        sn_body_def body = sn_body_def_default();
        body.name = info.name;
        body.parent = info.parent.i < 0 ? NULL : sn_model_body(model, info.parent).name;
        body.inertia = info.inertia;
        body.joint.name = info.joint_name;
        body.joint.type = info.type;
        body.joint.placement = info.placement;
        body.joint.axis = info.axis;
        body.joint.axis2 = info.axis2;
        body.joint.pitch = info.pitch;
        memcpy(body.joint.rest, info.rest, (size_t)info.nq * sizeof *info.rest);
        for (int k = 0; k < info.nv && info.type != SN_JOINT_FREE; k++) {
            body.joint.stiffness[k] = STIFFNESS;
            body.joint.damping[k] = DAMPING;
        }
        status = sn_model_builder_add_body(builder, &body);
    }
    return status;
}

static sn_status copy_shapes(const sn_model* model, sn_model_builder* builder) {
    sn_status status = SN_OK;
    for (int i = 0; i < sn_model_shape_count(model) && !status; i++) {
        sn_shape_info info = sn_model_shape(model, i);
        sn_shape_def shape = sn_shape_def_default();
        if (!(info.use & SN_SHAPE_COLLISION) || info.body.i < 0) continue;
        shape.body = sn_model_body(model, info.body).name;
        shape.type = info.type;
        shape.use = SN_SHAPE_COLLISION;
        shape.pose = info.X_bs;
        shape.size = info.size;
        shape.group = GROUP_BODY;
        shape.mask = GROUP_FLOOR;
        shape.material.mu = shape.material.mu_kinetic = MU;
        status = sn_model_builder_add_shape(builder, &shape);
    }
    return status;
}

// Small balls that touch the floor at points of a grid below a sole.
static sn_status add_pads(const sn_model* model, const char* sole, int rows, int columns,
                          sn_model_builder* builder) {
    sn_frame_id id = sn_model_find_frame(model, sole);
    if (id.i < 0) return SN_ERR_MODEL;
    sn_frame_info frame = sn_model_frame(model, id);
    sn_status status = SN_OK;
    for (int i = 0; i < rows * columns && !status; i++) {
        double along = columns > 1 ? (double)(i % columns) / (columns - 1) - 0.5 : 0;
        double across = rows > 1 ? (double)(i / columns) / (rows - 1) - 0.5 : 0;
        sn_vec3 at = {SOLE_LENGTH * along, SOLE_WIDTH * across, PAD};
        sn_shape_def shape = sn_shape_def_default();
        shape.body = sn_model_body(model, frame.body).name;
        shape.type = SN_SHAPE_SPHERE;
        shape.use = SN_SHAPE_COLLISION;
        shape.pose = sn_pose_mul(frame.X_bf, sn_pose_make(sn_mat3_identity(), at));
        shape.size = sn_vec3_make(PAD, 0, 0);
        shape.group = GROUP_BODY;
        shape.mask = GROUP_FLOOR;
        shape.material.mu = shape.material.mu_kinetic = MU;
        status = sn_model_builder_add_shape(builder, &shape);
    }
    return status;
}

static sn_status add_floor(sn_model_builder* builder) {
    sn_shape_def shape = sn_shape_def_default();
    shape.name = "floor";
    shape.type = SN_SHAPE_PLANE;
    shape.use = SN_SHAPE_COLLISION;
    shape.group = GROUP_FLOOR;
    shape.mask = GROUP_BODY;
    shape.material.mu = shape.material.mu_kinetic = MU;
    return sn_model_builder_add_shape(builder, &shape);
}

// How high the root is when all joints are at zero and the soles on z = 0.
static sn_status standing_height(const sn_model* model, double* height, sn_error* error) {
    sn_frame_id sole = sn_model_find_frame(model, "l_sole");
    sn_dynamics* dynamics = NULL;
    sn_status status = sn_dynamics_create(model, NULL, &dynamics, error);
    *height = 0;
    if (status || sole.i < 0) return status;
    double* q = memory_take((size_t)sn_model_nq(model), sizeof *q);
    double* v = memory_take((size_t)sn_model_nv(model), sizeof *v);
    sn_frame_info frame = sn_model_frame(model, sole);
    sn_model_neutral(model, q);
    status = sn_dynamics_kinematics(dynamics, q, v);
    if (!status) *height = -sn_pose_apply(sn_dynamics_pose(dynamics, frame.body), frame.X_bf.p).z;
    free(q);
    free(v);
    sn_dynamics_free(dynamics);
    return status;
}

static sn_status build(const sn_model* from, int rows, int columns, step_scene* s,
                       sn_error* error) {
    double height = 0;
    sn_model_builder* builder = sn_model_builder_create(s->name);
    sn_status status = builder ? SN_OK : SN_ERR_MEMORY;
    if (!status) status = copy_bodies(from, builder);
    if (!status && rows * columns == 0) status = copy_shapes(from, builder);
    if (!status) status = add_pads(from, "l_sole", rows, columns, builder);
    if (!status) status = add_pads(from, "r_sole", rows, columns, builder);
    if (!status) status = add_floor(builder);
    if (!status) status = sn_model_builder_compile(builder, NULL, &s->model, error);
    sn_model_builder_free(builder);
    if (!status) status = standing_height(from, &height, error);
    s->roots[0] = (step_root){.position = {0, 0, height}, .rotation = sn_quat_identity()};
    return status;
}

step_scene* step_scene_standing(const char* model, const char* name, int rows, int columns) {
    model_source source;
    model_request request = {.text = model, .base = MODEL_BASE_UNSET};
    sn_error error = {0};
    if (!model_source_load(&request, &source)) return NULL;
    step_scene* s = memory_take(1, sizeof *s);
    snprintf(s->name, sizeof s->name, "%s", name);
    s->about = "drift of a humanoid that stands, its joints held";
    s->root_count = 1;
    s->root_body = memory_take(1, sizeof *s->root_body); // the first body, which floats
    s->roots = memory_take(1, sizeof *s->roots);
    s->gravity = sn_vec3_make(0, 0, -9.81);
    s->step = 1e-3;
    s->duration = 2;
    s->settle = 0.2;
    s->every = 10;
    s->mu = MU;
    s->stiffness = STIFFNESS;
    s->damping = DAMPING;
    s->judge = step_judge_standing;
    sn_status status = build(source.model, rows, columns, s, &error);
    model_source_free(&source);
    if (!status) return s;
    error.status = status;
    message_error_from(&error);
    step_scene_free(s);
    return NULL;
}
