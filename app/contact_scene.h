// SPDX-License-Identifier: Apache-2.0
/// Contact problems made here, by bodies, the same on every machine: what `sinew bench solve` solves beside
/// files. Bodies fall for a time step, pushed a little, onto what they touch.
#ifndef SINEW_APP_CONTACT_SCENE_H
#define SINEW_APP_CONTACT_SCENE_H

#include "sinew/contact.h"
#include "sinew/math.h"

/// A problem with its arrays. Free with contact_scene_free.
typedef struct contact_scene {
    sn_contact_problem problem;
    int32_t bodies;
    sn_contact_law* law;
    int32_t *first, *tree, *a, *b;
    int64_t* response;
    double *q, *responses, *C_a, *C_b;
    double* v; ///< [6 bodies] without impulses
} contact_scene;

/// Boxes in a tower, four contacts between two.
contact_scene* contact_scene_tower(int boxes);
/// Bricks in a wall, each on two others, four contacts below each.
contact_scene* contact_scene_wall(int rows, int columns);
/// One body on `contacts` bumps.
contact_scene* contact_scene_object(int contacts);
/// Chains of 1 to `longest` capsules lying side by side, over and over, until there are `capsules`.
contact_scene* contact_scene_capsules(int capsules, int longest);
/// A humanoid with `contacts` points below its feet and hands. NULL, with the reason said, without the
/// model.
contact_scene* contact_scene_humanoid(int contacts);
void contact_scene_free(contact_scene* scene);

// ---- what scenes are made of --------------------------------------------------------------------------

/// Numbers between -1 and 1.
double contact_scene_random(uint64_t* state);
/// An empty scene of `bodies` free boxes of `mass` and these half sizes; or, with NULL, of bodies in one
/// tree, whose response the caller fills in. Room for `contacts`.
contact_scene* contact_scene_make(int bodies, int contacts, double mass, const sn_vec3* half);

/// One side of a contact.
typedef struct contact_scene_side {
    int body; ///< -1: the ground
    sn_mat3 R_wb;
    sn_vec3 r; ///< the point, body axes and origin
} contact_scene_side;

/// A contact with normal n_w from b to a.
void contact_scene_add(contact_scene* scene, contact_scene_side a, contact_scene_side b,
                       sn_vec3 n_w, double mu);
/// q of all contacts, from v.
void contact_scene_finish(contact_scene* scene);

#endif
