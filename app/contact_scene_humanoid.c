// SPDX-License-Identifier: Apache-2.0
/// A humanoid on its feet and hands: four bodies of one tree, with any number of contact points.
#include <stdlib.h>

#include "contact_scene.h"
#include "memory.h"
#include "message.h"
#include "model_argument.h"
#include "sinew/dynamics.h"

enum { TOUCHING = 4 };
static const char* const BODIES[TOUCHING] = {"l_ankle", "r_ankle", "l_wrist", "r_wrist"};
static const double FALL = 9.81e-3; // m/s: what gravity adds in a step of 1 ms
static const double PUSH = 0.02;    // N s, N m s: what pushes a body besides

// Answers of the bodies to wrenches on them at the pose in which every joint is zero.
static sn_status ask_response(const sn_model* model, const sn_body_id* bodies, sn_pose* poses,
                              double* responses, sn_error* error) {
    sn_dynamics* dynamics = NULL;
    double* q = memory_take((size_t)sn_model_nq(model), sizeof *q);
    double* qdd = memory_take((size_t)sn_model_nv(model), sizeof *qdd);
    sn_model_neutral(model, q);
    sn_status status = sn_dynamics_create(model, NULL, &dynamics, error);
    if (!status) status = sn_dynamics_forward(dynamics, q, NULL, NULL, qdd);
    if (!status) status = sn_dynamics_response(dynamics, bodies, TOUCHING, responses);
    for (int i = 0; i < TOUCHING && !status; i++) poses[i] = sn_dynamics_pose(dynamics, bodies[i]);
    sn_dynamics_free(dynamics);
    free(q);
    free(qdd);
    return status;
}

// The whole robot falls, and a push on each touching body moves what it moves: so there is a motion of
// the joints behind the velocities.
static void drop(contact_scene* s, const sn_pose* poses, uint64_t* random) {
    double push[6 * TOUCHING];
    for (int k = 0; k < 6 * TOUCHING; k++) push[k] = PUSH * contact_scene_random(random);
    for (int i = 0; i < TOUCHING; i++) {
        sn_vec3 fall = sn_mat3_apply_transposed(poses[i].R, sn_vec3_make(0, 0, -FALL));
        double part[6] = {0, 0, 0, fall.x, fall.y, fall.z};
        for (int k = 0; k < 6; k++) {
            s->v[6 * i + k] = part[k];
            for (int j = 0; j < 6 * TOUCHING; j++)
                s->v[6 * i + k] += s->responses[(6 * i + k) * 6 * TOUCHING + j] * push[j];
        }
    }
    contact_scene_finish(s);
}

static void add_points(contact_scene* s, const sn_pose* poses, int contacts, uint64_t* random) {
    const contact_scene_side ground = {-1, sn_mat3_identity(), {0, 0, 0}};
    for (int i = 0; i < contacts; i++) {
        int body = i % TOUCHING;
        // A foot of 20 x 12 cm below the ankle, a palm of half that size below the wrist.
        double size = body < 2 ? 1 : 0.5;
        sn_vec3 r_w = {0.1 * size * contact_scene_random(random),
                       0.06 * size * contact_scene_random(random), -0.1 * size};
        sn_vec3 n_w = {0.02 * contact_scene_random(random), 0.02 * contact_scene_random(random), 1};
        n_w = sn_vec3_scale(1 / sn_vec3_norm(n_w), n_w);
        contact_scene_side side = {body, poses[body].R,
                                   sn_mat3_apply_transposed(poses[body].R, r_w)};
        contact_scene_add(s, side, ground, n_w, 0.6);
    }
}

contact_scene* contact_scene_humanoid(int contacts) {
    model_source source;
    model_request request = {"hrp2", MODEL_BASE_UNSET, false, NULL};
    sn_error error = {0};
    sn_body_id bodies[TOUCHING];
    sn_pose poses[TOUCHING];
    uint64_t random = 5;
    if (!model_source_load(&request, &source)) return NULL;
    for (int i = 0; i < TOUCHING; i++) bodies[i] = sn_model_find_body(source.model, BODIES[i]);
    contact_scene* s = contact_scene_make(TOUCHING, contacts, 0, NULL);
    sn_status status = ask_response(source.model, bodies, poses, s->responses, &error);
    model_source_free(&source);
    if (status) {
        error.status = status;
        message_error_from(&error);
        contact_scene_free(s);
        return NULL;
    }
    add_points(s, poses, contacts, &random);
    drop(s, poses, &random);
    return s;
}
