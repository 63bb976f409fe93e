// SPDX-License-Identifier: Apache-2.0
// A model alone is a scene: it stands on a floor.
#include <math.h>
#include <stdlib.h>

#include "scene/read.h"

static bool has_plane(const sn_model* model) {
    for (int s = 0; s < sn_model_shape_count(model); s++) {
        sn_shape_info shape = sn_model_shape(model, s);
        if (shape.type == SN_SHAPE_PLANE && shape.body.i < 0 && (shape.use & SN_SHAPE_COLLISION))
            return true;
    }
    return false;
}

/// True when nothing holds the model to the world: it can be lifted.
static bool is_loose(const sn_model* model) {
    for (int i = 0; i < sn_model_body_count(model); i++) {
        sn_body_info b = sn_model_body(model, sn_body(i));
        if (b.parent.i < 0 && b.type != SN_JOINT_FREE) return false;
    }
    for (int s = 0; s < sn_model_shape_count(model); s++)
        if (sn_model_shape(model, s).body.i < 0) return false;
    for (int l = 0; l < sn_model_loop_count(model); l++) {
        sn_loop_info loop = sn_model_loop(model, l);
        if (loop.a.body.i < 0 || loop.b.body.i < 0) return false;
    }
    return true;
}

/// How far a shape is from the origin of its body, at most.
static double shape_reach(const sn_shape_info* shape) {
    double most = 0;
    for (int32_t i = 0; i < shape->vertex_count; i++)
        most = fmax(most, sn_vec3_norm(shape->vertices[i]));
    if (shape->vertex_count == 0) most = sn_vec3_norm(shape->size);
    return sn_vec3_norm(shape->X_bs.p) + most;
}

/// The lowest that anything can get that hangs on the world by joints that turn; NAN without memory.
static double lowest_ever(const sn_model* model) {
    int n = sn_model_body_count(model);
    double lowest = 0;
    double* low = malloc(((size_t)n + 1) * sizeof *low); // lowest origin of each body
    if (!low) return NAN;
    for (int i = 0; i < n; i++) {
        sn_body_info b = sn_model_body(model, sn_body(i));
        low[i] = b.parent.i < 0 ? b.placement.p.z : low[b.parent.i] - sn_vec3_norm(b.placement.p);
        lowest = fmin(lowest, low[i]);
    }
    for (int s = 0; s < sn_model_shape_count(model); s++) {
        sn_shape_info shape = sn_model_shape(model, s);
        if (shape.body.i >= 0 && (shape.use & SN_SHAPE_COLLISION))
            lowest = fmin(lowest, low[shape.body.i] - shape_reach(&shape));
    }
    free(low);
    return lowest;
}

/// What is loose is lifted onto the floor z = 0. What is held and above that stays; what is held lower gets its
/// floor where it can swing above it.
static sn_status stand_on_floor(const sn_model* model, double* lifted, double* floor) {
    static const double LEVEL = 1e-3; // m: a base that is drawn on the ground
    double lowest;
    double* q = malloc(((size_t)sn_model_nq(model) + 1) * sizeof *q);
    if (!q) return SN_ERR_MEMORY;
    sn_model_neutral(model, q);
    bool memory = sni_lowest(model, sn_pose_identity(), q, &lowest), any = isfinite(lowest);
    free(q);
    *lifted = *floor = 0;
    if (!memory) return SN_ERR_MEMORY;
    if (any && is_loose(model))
        *lifted = -lowest;
    else if (any && lowest < -LEVEL)
        *floor = lowest_ever(model);
    return isfinite(*floor) ? SN_OK : SN_ERR_MEMORY;
}

static sn_status add_floor(sn_scene* scene, double z, sn_error* error) {
    sn_model* model = NULL;
    sni_solid solid = {.type = SN_SHAPE_PLANE, .fixed = true, .material = sn_material_default()};
    const sn_shape_def plain = sn_shape_def_default();
    for (int k = 0; k < 4; k++) solid.color[k] = plain.color[k];
    sn_status status = sni_solid_make(&solid, &model, error);
    if (status) return status;
    sn_item item = {.name = "floor", .model = model, .pose = sn_pose_identity()};
    item.pose.p.z = z;
    status = sn_scene_add(scene, &item, error);
    if (status) sn_model_free(model);
    return status;
}

sn_status sni_scene_of_model(sn_scene* scene, sn_model* model, sn_error* error) {
    double lifted = 0, floor = 0;
    bool own_floor = has_plane(model);
    sn_status status = SN_OK;
    if (!own_floor && stand_on_floor(model, &lifted, &floor))
        status = sni_fail(error, SN_ERR_MEMORY, sni_nowhere(), "not enough memory for the scene");
    if (!status && !own_floor) status = add_floor(scene, floor, error);
    sn_item item = {.name = "model", .prefix = "", .model = model, .pose = sn_pose_identity()};
    item.pose.p.z = lifted;
    const char* name = sn_model_name(model);
    bool usable = name[0] && sni_scene_find(scene, name) < 0;
    for (const char* c = name; *c; c++) usable = usable && *c != '/';
    if (usable) item.name = name;
    if (!status) status = sn_scene_add(scene, &item, error);
    if (status) sn_model_free(model);
    return status;
}
