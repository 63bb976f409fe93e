// SPDX-License-Identifier: Apache-2.0
/// A model that moves under contacts: dynamics, contact set, solver, and steps of semi-implicit Euler.
/// Shapes are the test's: a function adds the contacts of the configuration before each step.
#ifndef SINEW_TESTS_CONTACT_SCENE_H
#define SINEW_TESTS_CONTACT_SCENE_H

#include "sinew/contact_set.h"
#include "support/check.h"
#include "support/random_state.h"

typedef struct scene {
    sn_model* model;
    sn_dynamics* d;
    sn_contact_set* set;
    sn_contact_solver* solver;
    sn_solve_options options;
    double h;
    int nv;
    double *q, *v, *tau; ///< state, and joint forces that persist; v is v+ after a step
    double *qdd, *v_free;
    sn_contact_report report;
} scene;

/// Takes the model over; neutral state at rest.
scene* scene_create(sn_model* model, const sn_contact_set_def* def, double h);
void scene_free(scene* s);

/// Adds the contacts of the state that s->d holds.
typedef void (*scene_contacts)(scene* s, void* context);

/// v_free at the state (the dynamics holds it), the contacts, v+ in v; positions stay.
void scene_impulses(scene* s, scene_contacts contacts, void* context);
/// The same, then q (+) h v+, and v in the axes there.
void scene_step(scene* s, scene_contacts contacts, void* context);

void scene_add(scene* s, const sn_contact* contact);
void scene_add_constraint(scene* s, const sn_constraint* constraint);

/// Kinetic energy of joint velocity v at q.
double scene_kinetic(scene* s, const double* q, const double* v);

// ---- bodies ----------------------------------------------------------------------------------------

/// A box with a free joint: edges of full length, uniform.
sn_model* scene_box(double mass, sn_vec3 edges);
sn_body_def scene_free_body(const char* name, sn_inertia inertia);

/// Contacts of the corners of a box with the half space z <= 0 of the world, nearer than `margin`.
typedef struct scene_box_on_floor {
    sn_body_id body;
    sn_vec3 edges;
    double margin;
    sn_material material;
    int32_t added; ///< by the last call
} scene_box_on_floor;

void scene_box_contacts(scene* s, void* box_on_floor);

/// Contact of a ball with the floor.
typedef struct scene_ball_on_floor {
    sn_body_id body;
    double radius;
    double margin;
    sn_material material;
} scene_ball_on_floor;

void scene_ball_contacts(scene* s, void* ball_on_floor);

#endif
