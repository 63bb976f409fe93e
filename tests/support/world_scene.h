// SPDX-License-Identifier: Apache-2.0
/// Worlds of a floor and free objects, for tests of contact in time.
#ifndef SINEW_TESTS_WORLD_SCENE_H
#define SINEW_TESTS_WORLD_SCENE_H

#include "sinew/world.h"
#include "support/check.h"

typedef struct world_scene {
    sn_model_builder* builder;
    sn_model* model;
    sn_world* world;
    sn_world_def
        def; ///< contact on, solved to 1e-10, nothing sleeps; change before world_scene_start
    sn_material material; ///< of what is added next
    int objects;
    sn_step_report report; ///< of the last step
} world_scene;

world_scene* world_scene_create(void);
void world_scene_free(world_scene* s);

sn_material world_scene_rubs(double mu, double restitution);
/// Solid below the plane through the origin, or wherever X_w takes it.
void world_scene_floor(world_scene* s, sn_pose X_w);
/// A homogeneous free body named o0, o1, ...; returns its number.
int world_scene_add(world_scene* s, sn_shape_type type, sn_vec3 size, double mass, sn_pose X_w);
/// The same fixed to the world, without mass.
void world_scene_add_fixed(world_scene* s, sn_shape_type type, sn_vec3 size, sn_pose X_w);
/// Compiles, creates the world.
void world_scene_start(world_scene* s);

/// One step, which must succeed.
void world_scene_step(world_scene* s);
void world_scene_run(world_scene* s, double seconds);

sn_pose world_scene_pose(const world_scene* s, int object);
/// Linear velocity of its origin and angular velocity, world axes.
sn_vec3 world_scene_velocity(const world_scene* s, int object);
sn_vec3 world_scene_spin(const world_scene* s, int object);
void world_scene_set_velocity(world_scene* s, int object, sn_vec3 v_w, sn_vec3 w_w);
/// Sum of the forces on an object by contacts of the last step.
sn_vec3 world_scene_force(const world_scene* s, int object);
double world_scene_energy(const world_scene* s);

static inline sn_pose at_height(double z) {
    return sn_pose_make(sn_mat3_identity(), sn_vec3_make(0, 0, z));
}

#endif
