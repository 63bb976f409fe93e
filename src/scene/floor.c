// SPDX-License-Identifier: Apache-2.0
// A floor, and what stands on it.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "scene/read.h"

static bool has_plane(const sn_model* model) {
    for (int s = 0; s < sn_model_shape_count(model); s++) {
        sn_shape_info shape = sn_model_shape(model, s);
        if (shape.type == SN_SHAPE_PLANE && shape.body.i < 0 && (shape.use & SN_SHAPE_COLLISION))
            return true;
    }
    return false;
}

static bool has_floor(const sn_scene* scene) {
    for (int i = 0; i < scene->item_count; i++)
        if (has_plane(scene->item[i].model)) return true;
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

/// Lowest point where the item begins, its free roots where they stand.
static sn_status find_lowest(const sn_item* item, bool* any, double* lowest) {
    const sn_model* model = item->model;
    double* q = malloc(((size_t)sn_model_nq(model) + 1) * sizeof *q);
    if (!q) return SN_ERR_MEMORY;
    sn_model_neutral(model, q);
    if (item->q) memcpy(q, item->q, (size_t)sn_model_nq(model) * sizeof *q);
    for (int i = 0; i < sn_model_body_count(model); i++) {
        sn_body_info b = sn_model_body(model, sn_body(i));
        if (b.parent.i < 0 && b.type == SN_JOINT_FREE) memset(q + b.iq, 0, 3 * sizeof *q);
    }
    bool memory = sni_lowest(model, item->pose, q, lowest);
    free(q);
    *any = memory && isfinite(*lowest);
    return memory ? SN_OK : SN_ERR_MEMORY;
}

/// What is loose is lifted onto the floor z = 0. What is held and above that stays; what is held lower gets its
/// floor where it can swing above it.
static sn_status stand_on_floor(sn_item* item, double drop, sn_floor_report* report) {
    static const double LEVEL = 1e-3; // m: a base that is drawn on the ground
    double lowest = 0;
    bool any = false;
    if (find_lowest(item, &any, &lowest)) return SN_ERR_MEMORY;
    report->no_shapes = !any;
    report->held = !is_loose(item->model);
    if (any && !report->held) {
        report->lifted = drop - lowest;
        item->pose.p.z += report->lifted;
    } else if (any && lowest < -LEVEL) {
        report->height = lowest_ever(item->model) + item->pose.p.z;
    }
    return isfinite(report->height) ? SN_OK : SN_ERR_MEMORY;
}

sn_floor_def sn_floor_def_default(void) {
    return (sn_floor_def){.mu = sn_material_default().mu, .item = -1};
}

static sn_status add_plane(sn_scene* scene, double mu, double z, sn_error* error) {
    sn_model* model = NULL;
    sn_solid_def plane = sn_solid_def_default();
    plane.type = SN_SHAPE_PLANE;
    plane.fixed = true;
    plane.material.mu = plane.material.mu_kinetic = mu;
    sn_status status = sn_solid_make(&plane, &model, error);
    if (status) return status;
    sn_item item = {.name = "floor", .model = model, .pose = sn_pose_identity()};
    item.pose.p.z = z;
    status = sn_scene_add(scene, &item, error);
    if (status) sn_model_free(model);
    return status;
}

sn_status sn_scene_add_floor(sn_scene* scene, const sn_floor_def* def, sn_floor_report* report,
                             sn_error* error) {
    sn_floor_report here;
    sn_floor_report* found = report ? report : &here;
    *found = (sn_floor_report){0};
    if (!scene || !def || def->item >= scene->item_count || !(def->mu >= 0) || !isfinite(def->drop))
        return sni_fail(error, SN_ERR_ARGUMENT, sni_nowhere(),
                        "a floor needs a scene, friction of at least 0 and an item that is there");
    found->was_there = has_floor(scene);
    if (found->was_there) return SN_OK;
    if (def->item >= 0 && stand_on_floor(&scene->item[def->item], def->drop, found))
        return sni_fail(error, SN_ERR_MEMORY, sni_nowhere(), "not enough memory for the scene");
    return add_plane(scene, def->mu, found->height, error);
}
