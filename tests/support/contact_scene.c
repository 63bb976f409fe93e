// SPDX-License-Identifier: Apache-2.0
#include "support/contact_scene.h"

#include <math.h>
#include <string.h>

scene* scene_create(sn_model* model, const sn_contact_set_def* def, double h) {
    scene* s = calloc(1, sizeof *s);
    size_t nq = (size_t)sn_model_nq(model), nv = (size_t)sn_model_nv(model);
    sn_error error = {0};
    s->model = model;
    s->h = h;
    s->nv = (int)nv;
    s->q = calloc(nq, sizeof *s->q);
    s->v = calloc(nv, sizeof *s->v);
    s->tau = calloc(nv, sizeof *s->tau);
    s->qdd = calloc(nv, sizeof *s->qdd);
    s->v_free = calloc(nv, sizeof *s->v_free);
    sn_model_neutral(model, s->q);
    CHECK_STATUS(sn_dynamics_create(model, NULL, &s->d, &error), SN_OK);
    CHECK_STATUS(sn_contact_set_create(model, def, &s->set, &error), SN_OK);
    sn_contact_capacity capacity = sn_contact_set_capacity(s->set);
    CHECK_STATUS(sn_contact_solver_create(NULL, &capacity, 0, &s->solver, &error), SN_OK);
    s->options = sn_solve_options_default();
    s->options.tolerance = 1e-10;
    return s;
}

void scene_free(scene* s) {
    sn_contact_solver_free(s->solver);
    sn_contact_set_free(s->set);
    sn_dynamics_free(s->d);
    sn_model_free(s->model);
    free(s->q), free(s->v), free(s->tau), free(s->qdd), free(s->v_free);
    free(s);
}

void scene_impulses(scene* s, scene_contacts contacts, void* context) {
    sn_error error = {0};
    CHECK_STATUS(sn_dynamics_forward(s->d, s->q, s->v, s->tau, s->qdd), SN_OK);
    sn_contact_free_velocity(s->model, s->v, s->qdd, s->h, s->v_free);
    sn_contact_set_clear(s->set);
    if (contacts) contacts(s, context);
    sn_status status = sn_contact_set_solve(s->set, s->d, s->v_free, s->h, s->solver, &s->options,
                                            s->v, &s->report, &error);
    if (status) print_error("%s\n", error.text);
    CHECK_STATUS(status, SN_OK);
}

void scene_step(scene* s, scene_contacts contacts, void* context) {
    scene_impulses(s, contacts, context);
    sn_contact_end_step(s->model, s->h, s->v, NULL, s->q, s->v);
}

void scene_add(scene* s, const sn_contact* contact) {
    sn_error error = {0};
    sn_status status = sn_contact_set_add(s->set, contact, &error);
    if (status) print_error("%s\n", error.text);
    CHECK_STATUS(status, SN_OK);
}

void scene_add_constraint(scene* s, const sn_constraint* constraint) {
    sn_error error = {0};
    sn_status status = sn_contact_set_add_constraint(s->set, constraint, &error);
    if (status) print_error("%s\n", error.text);
    CHECK_STATUS(status, SN_OK);
}

double scene_kinetic(scene* s, const double* q, const double* v) {
    sn_dynamics* d = NULL; // its own, so that the factors of s->d stay
    CHECK_STATUS(sn_dynamics_create(s->model, NULL, &d, NULL), SN_OK);
    CHECK_STATUS(sn_dynamics_kinematics(d, q, v), SN_OK);
    double kinetic = sn_dynamics_energy(d).kinetic;
    sn_dynamics_free(d);
    return kinetic;
}

// ---- bodies ----------------------------------------------------------------------------------------

sn_body_def scene_free_body(const char* name, sn_inertia inertia) {
    sn_body_def def = sn_body_def_default();
    def.name = name;
    def.joint.type = SN_JOINT_FREE;
    def.inertia = inertia;
    return def;
}

sn_model* scene_box(double mass, sn_vec3 edges) {
    sn_model_builder* builder = sn_model_builder_create("box");
    sn_body_def def = scene_free_body("box", sn_inertia_box(mass, edges));
    CHECK_STATUS(sn_model_builder_add_body(builder, &def), SN_OK);
    return test_compile(builder);
}

void scene_box_contacts(scene* s, void* context) {
    scene_box_on_floor* box = context;
    sn_pose X = sn_dynamics_pose(s->d, box->body);
    box->added = 0;
    for (int k = 0; k < 8; k++) {
        sn_vec3 corner =
            sn_vec3_make((k & 1 ? 0.5 : -0.5) * box->edges.x, (k & 2 ? 0.5 : -0.5) * box->edges.y,
                         (k & 4 ? 0.5 : -0.5) * box->edges.z);
        sn_vec3 x = sn_pose_apply(X, corner);
        if (!(x.z <= box->margin)) continue;
        sn_contact c =
            sn_contact_make((uint64_t)(8 * box->body.i + k + 1), box->body, sn_body_world(), x,
                            sn_vec3_make(0, 0, 1), x.z, box->material);
        scene_add(s, &c);
        box->added++;
    }
}

void scene_ball_contacts(scene* s, void* context) {
    scene_ball_on_floor* ball = context;
    sn_vec3 x = sn_dynamics_pose(s->d, ball->body).p;
    double gap = x.z - ball->radius;
    if (!(gap <= ball->margin)) return;
    x.z -= ball->radius;
    sn_contact c = sn_contact_make((uint64_t)ball->body.i + 1, ball->body, sn_body_world(), x,
                                   sn_vec3_make(0, 0, 1), gap, ball->material);
    scene_add(s, &c);
}
