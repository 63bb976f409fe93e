// SPDX-License-Identifier: Apache-2.0
#include "scene.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "extent.h"
#include "memory.h"
#include "position_argument.h"

enum { WARNINGS_MOST = 5 };

scene_options scene_options_none(void) {
    return (scene_options){.floor.value = sn_material_default().mu, .mu = -1, .restitution = -1};
}

void scene_options_free(scene_options* options) { text_list_free(&options->objects); }

bool scene_options_fit(const scene_options* o) {
    if (o->restitution > 1) {
        message_error("--restitution: %g is more than 1: what bounces would gain energy",
                      o->restitution);
        return false;
    }
    if (o->drop > 0 && !o->floor.given) {
        message_error("--drop: there is no floor to be above; add --floor");
        return false;
    }
    return true;
}

// ---- putting together ------------------------------------------------------------------------------

static bool is_collision(const sn_shape_info* shape) { return shape->use & SN_SHAPE_COLLISION; }

static bool has_plane(const sn_model* model) {
    for (int s = 0; s < sn_model_shape_count(model); s++) {
        sn_shape_info shape = sn_model_shape(model, s);
        bool plane = shape.type == SN_SHAPE_PLANE && shape.body.i < 0;
        if (plane && is_collision(&shape)) return true;
    }
    return false;
}

bool scene_has_ground(const sn_model* model) {
    bool fixed = false, moving = false;
    for (int s = 0; s < sn_model_shape_count(model); s++) {
        sn_shape_info shape = sn_model_shape(model, s);
        if (!is_collision(&shape)) continue;
        fixed = fixed || shape.body.i < 0;
        moving = moving || shape.body.i >= 0;
    }
    return fixed && moving;
}

// True when nothing holds the model to the world: it can be lifted.
static bool is_loose(const sn_model* model) {
    for (int i = 0; i < sn_model_body_count(model); i++) {
        sn_body_info b = sn_model_body(model, sn_body(i));
        if (b.parent.i < 0 && b.type != SN_JOINT_FREE) return false;
    }
    for (int s = 0; s < sn_model_shape_count(model); s++) {
        if (sn_model_shape(model, s).body.i < 0) return false;
    }
    for (int l = 0; l < sn_model_loop_count(model); l++) {
        sn_loop_info loop = sn_model_loop(model, l);
        if (loop.a.body.i < 0 || loop.b.body.i < 0) return false;
    }
    return true;
}

static sn_status add_floor(sn_model_builder* builder, double mu, double z) {
    sn_shape_def floor = sn_shape_def_default();
    floor.name = "floor";
    floor.type = SN_SHAPE_PLANE;
    floor.use = SN_SHAPE_VISUAL | SN_SHAPE_COLLISION;
    floor.pose.p.z = z;
    floor.material.mu = floor.material.mu_kinetic = mu;
    return sn_model_builder_add_shape(builder, &floor);
}

// Surfaces of the shapes that were added from `first` on; what is negative stays.
static void set_surfaces(sn_model_builder* builder, int first, double mu, double restitution,
                         double roll) {
    for (int s = first; s < sn_model_builder_shape_count(builder); s++) {
        sn_material material = sn_model_builder_material(builder, s);
        if (mu >= 0) material.mu = material.mu_kinetic = mu;
        if (restitution >= 0) material.restitution = restitution;
        if (roll >= 0) material.roll = material.spin = roll;
        sn_model_builder_set_material(builder, s, material);
    }
}

// The model lifted by made->lifted, the floor at made->floor, and the objects.
static bool put_together(const scene_options* o, const sn_model* model, scene* made) {
    sn_error error = {0};
    sn_model_builder* builder = sn_model_builder_create(sn_model_name(model));
    sn_pose X_w = sn_pose_make(sn_mat3_identity(), sn_vec3_make(0, 0, made->lifted));
    error.status = builder ? sn_model_builder_add_model(builder, model, NULL, X_w) : SN_ERR_MEMORY;
    if (!error.status && isfinite(made->floor)) {
        error.status = add_floor(builder, o->floor.value, made->floor);
    }
    for (int i = 0; i < made->object_count && !error.status; i++) {
        const scene_object* object = &made->objects[i];
        int first = sn_model_builder_shape_count(builder);
        error.status =
            sn_model_builder_add_model(builder, object->model, object->prefix, object->pose);
        set_surfaces(builder, first, object->mu, object->restitution, object->roll);
    }
    set_surfaces(builder, 0, o->mu, o->restitution, -1);
    sn_model_free(made->model);
    made->model = NULL;
    if (!error.status) error.status = sn_model_builder_compile(builder, NULL, &made->model, &error);
    sn_model_builder_free(builder);
    if (!error.status) return true;
    if (!error.text[0]) {
        message_error("the scene cannot be put together: %s", sn_status_text(error.status));
    } else {
        message_error_from(&error);
    }
    return false;
}

// ---- onto the floor --------------------------------------------------------------------------------

// Poses at the start, positions of free roots left out: those are meant from where the model stands.
static sn_pose* standing_poses(const scene* made, const text_list* q0) {
    const sn_model* model = made->model;
    double* q = memory_take((size_t)sn_model_nq(model), sizeof *q);
    sn_model_neutral(model, q);
    sn_pose* poses = NULL;
    if (position_arguments_set(model, q0, q)) {
        for (int i = 0; i < made->own_bodies; i++) {
            sn_body_info b = sn_model_body(model, sn_body(i));
            if (b.parent.i < 0 && b.type == SN_JOINT_FREE) memset(q + b.iq, 0, 3 * sizeof *q);
        }
        poses = extent_poses(model, q);
    }
    free(q);
    return poses;
}

static bool stand_on_floor(const scene_options* o, const sn_model* model, const text_list* q0,
                           scene* made) {
    if (has_plane(model)) {
        message_note("--floor: %s has a floor already%s", sn_model_name(model),
                     o->drop > 0 ? "; --drop does nothing" : "");
        return true;
    }
    double lowest;
    sn_pose* poses = standing_poses(made, q0);
    if (!poses) return false;
    bool any = extent_lowest(made->model, poses, 0, made->own_bodies, &lowest);
    free(poses);
    made->floor = 0;
    if (!any) {
        message_warning("--floor: %s has no collision shapes, so nothing of it will touch",
                        sn_model_name(model));
    } else if (is_loose(model)) {
        made->lifted = o->drop - lowest;
        message_note("--floor: %s was %s by %.4g m, to start %s the floor", sn_model_name(model),
                     made->lifted < 0 ? "lowered" : "lifted", fabs(made->lifted),
                     o->drop > 0 ? "above" : "on");
    } else {
        made->floor = fmin(0, lowest);
        if (made->floor < 0) {
            message_note("--floor: %s is held where it is; the floor is below it, at z = %.4g m",
                         sn_model_name(model), made->floor);
        }
    }
    return put_together(o, model, made);
}

// ---- objects ---------------------------------------------------------------------------------------

static bool read_objects(const scene_options* o, model_base base, scene* made) {
    made->objects = memory_take((size_t)o->objects.count, sizeof *made->objects);
    for (int i = 0; i < o->objects.count; i++) {
        if (!scene_object_read(o->objects.items[i], i, base, &made->objects[i])) return false;
        made->object_count += 1;
    }
    return true;
}

// Velocities of the free roots of one object, bodies first ... first + count - 1.
static bool start_moving(const scene* made, const scene_object* object, int first, int count) {
    bool any = false;
    for (int i = first; i < first + count; i++) {
        sn_body_info b = sn_model_body(made->model, sn_body(i));
        if (b.parent.i >= 0 || b.type != SN_JOINT_FREE) continue;
        // the root turns with its object about the object's origin
        sn_vec3 arm = sn_vec3_sub(b.placement.p, object->pose.p);
        sn_vec3 v = sn_vec3_add(object->v, sn_vec3_cross(object->w, arm));
        sn_vec3 w_b = sn_mat3_apply_transposed(b.placement.R, object->w);
        sn_vec3 v_b = sn_mat3_apply_transposed(b.placement.R, v);
        double numbers[6] = {w_b.x, w_b.y, w_b.z, v_b.x, v_b.y, v_b.z};
        memcpy(made->v + b.iv, numbers, sizeof numbers);
        any = true;
    }
    if (!any) {
        message_error("--object: %s is held by the world, so it cannot have a velocity",
                      object->name);
    }
    return any;
}

static bool start_objects(scene* made) {
    made->v = memory_take((size_t)sn_model_nv(made->model), sizeof *made->v);
    int first = made->own_bodies;
    for (int i = 0; i < made->object_count; i++) {
        const scene_object* object = &made->objects[i];
        int count = sn_model_body_count(object->model);
        if (object->moves && !start_moving(made, object, first, count)) return false;
        first += count;
    }
    return true;
}

bool scene_make(const scene_options* o, const sn_model* model, model_base base, const text_list* q0,
                scene* made) {
    *made = (scene){.own_bodies = sn_model_body_count(model), .floor = NAN};
    return read_objects(o, base, made) && put_together(o, model, made) &&
           (!o->floor.given || stand_on_floor(o, model, q0, made)) && start_objects(made);
}

// Joints stay as they are; what is free stays free.
static void hold_joints(sn_world* world) {
    const sn_model* model = sn_world_model(world);
    for (int i = 0; i < sn_model_body_count(model); i++) {
        if (sn_model_body(model, sn_body(i)).type != SN_JOINT_FREE) {
            sn_world_lock(world, sn_body(i), true);
        }
    }
}

bool scene_start(const scene* made, const text_list* q0, bool hold, sn_world* world) {
    const sn_model* model = made->model;
    double* q = memory_take((size_t)sn_model_nq(model), sizeof *q);
    sn_model_neutral(model, q);
    bool good = position_arguments_set(model, q0, q);
    if (good && sn_world_set_state(world, q, made->v) != SN_OK) {
        message_error("--q0: the numbers are too large");
        good = false;
    }
    if (good && hold) hold_joints(world);
    free(q);
    return good;
}

void scene_free(scene* made) {
    for (int i = 0; i < made->object_count; i++) scene_object_free(&made->objects[i]);
    free(made->objects);
    free(made->v);
    sn_model_free(made->model);
    *made = (scene){0};
}
