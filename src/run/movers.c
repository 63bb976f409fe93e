// SPDX-License-Identifier: Apache-2.0
// Targets of controllers that move.
#include "run/movers.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const sn_model* model_of(const sn_simulation* sim, const sn_controller_def* def) {
    return sn_scene_item(sim->scene, def->item)->model;
}

/// A joint of one number stays within its limits.
static void keep_limits(const sn_model* model, const sni_joint* joint, double* q) {
    if (joint->nq != 1) return;
    double lower = model->dof.lower[joint->iv], upper = model->dof.upper[joint->iv];
    if (*q > upper) *q = upper;
    if (*q < lower) *q = lower;
}

/// Moves the target of the joints that a controller drives.
static void move_driven(const sn_model* model, const sni_mover* mover, const double* moved,
                        double* target) {
    for (int32_t i = 0; i < mover->driven_count; i++) {
        const sni_joint* joint = &model->joint[mover->driven[i]];
        double* q = target + joint->iq;
        sni_joint_integrate(joint, q, moved + joint->iv, q);
        keep_limits(model, joint, q);
    }
}

// ---- giving way -----------------------------------------------------------------------------------------------

/// Adds J' f of a push to the driven joints between its body and the waist, in the order of the item.
static void add_joint_forces(const sn_simulation* sim, const sn_controller_def* def,
                             const sni_joint* first, int32_t first_body, const sni_push* push,
                             double* tau) {
    const sn_dynamics* d = sim->world->dynamics;
    int32_t waist = first_body + def->follow->waist.i;
    for (int32_t b = push->body; b > waist; b = d->model->joint[b].parent) {
        const sni_joint* joint = &d->model->joint[b];
        if (!def->driven[b - first_body]) continue;
        sn_twist S[SN_JOINT_MAX_NV];
        sni_joint_subspace(joint, d->q + joint->iq, S);
        sn_wrench f = sn_pose_wrench_inverse(d->ops->pose(d, b), push->f_w);
        for (int32_t k = 0; k < joint->nv; k++) tau[joint->iv - first->iv + k] += sn_power(f, S[k]);
    }
}

static void follow(sn_simulation* sim, const sni_plan* plan, int i, const sni_joint* first) {
    const sn_controller_def* def = sn_scene_controller(sim->scene, i);
    const sn_follow_def* f = def->follow;
    const sn_model* model = model_of(sim, def);
    sni_mover* mover = &sim->mover[i];
    int nv = sn_model_nv(model);
    double *tau = mover->scratch, *moved = tau + nv, h = sim->world->h;
    memset(tau, 0, (size_t)nv * sizeof *tau);
    for (int32_t k = 0; k < sim->world->dynamics->wrenches.count; k++) {
        sni_push push;
        if (sni_push_on(sim, plan, def->item, k, &push))
            add_joint_forces(sim, def, first, plan->first_body[def->item], &push, tau);
    }
    for (int32_t j = 0; j < mover->driven_count; j++) {
        const sni_joint* joint = &model->joint[mover->driven[j]];
        for (int32_t k = joint->iv; k < joint->iv + joint->nv; k++) {
            double before = mover->offset[k];
            sn_admittance_step(f->mass, f->damping, f->stiffness, tau[k], h, &mover->offset[k],
                               &mover->speed[k]);
            moved[k] = mover->offset[k] - before;
        }
    }
    move_driven(model, mover, moved, sim->target[i]);
}

// ---- looking --------------------------------------------------------------------------------------------------

/// Where to look; false: nowhere yet.
static bool find_sight(const sn_simulation* sim, const sni_plan* plan, const sn_look_def* look,
                       sn_vec3* x) {
    *x = sim->touched_at;
    if (look->item < 0) return sim->was_touched;
    if (plan->first_body[look->item] < 0) return false;
    *x =
        sn_dynamics_pose(sim->world->dynamics, sn_body(plan->first_body[look->item] + look->body.i))
            .p;
    return true;
}

/// Turns the target towards what is seen: the faster the farther, as joints and their springs follow.
static void look(sn_simulation* sim, const sni_plan* plan, int i, const sni_joint* first) {
    enum { AXES = 32 };
    static const double RATE = 8, DAMPING = 0.1; // 1/s, rad
    const sn_controller_def* def = sn_scene_controller(sim->scene, i);
    const sn_dynamics* d = sim->world->dynamics;
    const sn_model* model = model_of(sim, def);
    int32_t first_body = plan->first_body[def->item], eye = first_body + def->look->eye.i;
    sn_vec3 sight, axes[AXES];
    double angles[AXES], h = sim->world->h;
    int place[AXES], count = 0, nv = sn_model_nv(model);
    if (!find_sight(sim, plan, def->look, &sight)) return;
    sn_pose X = sn_dynamics_pose(d, sn_body(eye));
    sn_vec3 away = sn_vec3_sub(sight, sn_pose_apply(X, def->look->at));
    if (!(sn_vec3_norm(away) > 0)) return;
    sn_vec3 turn = sn_turn_between(sn_mat3_apply(X.R, def->look->axis),
                                   sn_vec3_scale(1 / sn_vec3_norm(away), away));
    for (int32_t b = eye; b >= first_body; b = d->model->joint[b].parent) {
        const sni_joint* joint = &d->model->joint[b];
        sn_twist S[SN_JOINT_MAX_NV];
        if (!def->driven[b - first_body]) continue;
        sni_joint_subspace(joint, d->q + joint->iq, S);
        for (int32_t k = 0; k < joint->nv && count < AXES; k++) {
            axes[count] = sn_mat3_apply(d->ops->pose(d, b).R, S[k].w);
            place[count++] = joint->iv - first->iv + k;
        }
    }
    sn_turn_by_axes(turn, axes, count, DAMPING, angles);
    double* moved = sim->mover[i].scratch;
    memset(moved, 0, (size_t)nv * sizeof *moved);
    memset(sim->mover[i].speed, 0, (size_t)nv * sizeof *moved);
    for (int k = 0; k < count; k++) {
        double speed = fmax(-def->look->speed, fmin(def->look->speed, RATE * angles[k]));
        moved[place[k]] = h * speed;
    }
    move_driven(model, &sim->mover[i], moved, sim->target[i]);
}

// ---- all ------------------------------------------------------------------------------------------------------

/// What begins when a controller becomes active: giving way and looking start where the joints are.
static void start(sn_simulation* sim, int i, const sni_joint* first) {
    const sn_controller_def* def = sn_scene_controller(sim->scene, i);
    const sn_model* model = model_of(sim, def);
    sni_mover* mover = &sim->mover[i];
    size_t nv = (size_t)sn_model_nv(model), nq = (size_t)sn_model_nq(model);
    memset(mover->speed, 0, nv * sizeof *mover->speed);
    memset(mover->offset, 0, nv * sizeof *mover->offset);
    if (def->follow || def->look)
        memcpy(sim->target[i], sn_world_q(sim->world) + first->iq, nq * sizeof(double));
}

static void move_target(sn_simulation* sim, const sni_plan* plan, int i) {
    const sn_controller_def* def = sn_scene_controller(sim->scene, i);
    sni_mover* mover = &sim->mover[i];
    const sni_joint* first = sni_find_item(sim, plan, def->item);
    if (!first) return;
    if (def->grip) sni_grip(sim, plan, i);
    if (!mover->active) {
        mover->since = 0;
        return;
    }
    bool began = mover->since == 0;
    mover->since += sim->world->h;
    if (began && (def->motion || def->follow || def->look)) start(sim, i, first);
    if (def->motion) {
        const sn_model* model = model_of(sim, def);
        sn_motion_at(model, def->motion, mover->since, sim->target[i], mover->speed,
                     mover->scratch);
        if (def->motion->force) sn_motion_force(model, def->motion, mover->since, mover->force);
    }
    if (def->follow) follow(sim, plan, i, first);
    if (def->look) look(sim, plan, i, first);
}

void sni_movers_step(sn_simulation* sim) {
    if (!sim->moves) return;
    const sni_plan* plan = sni_follow_plan(sim);
    sni_update_motion(sim->world);
    sni_see_pushes(sim);
    sni_behave(sim, plan);
    for (int i = 0; i < sn_scene_controller_count(sim->scene); i++) move_target(sim, plan, i);
}

bool sni_is_active(const sn_simulation* sim, int controller) {
    bool grips = sn_scene_controller(sim->scene, controller)->grip; // or opens
    return grips || sim->mover[controller].active;
}

// ---- creation -------------------------------------------------------------------------------------------------

void sni_movers_reset(sn_simulation* sim) {
    sim->was_touched = false;
    sim->signal[0] = '\0';
    for (int i = 0; i < sn_scene_controller_count(sim->scene); i++) {
        sni_mover* mover = &sim->mover[i];
        size_t nv = (size_t)sn_model_nv(model_of(sim, sn_scene_controller(sim->scene, i)));
        if (mover->holds) sni_let_go(sim, i);
        mover->active = true;
        mover->since = 0;
        memset(mover->speed, 0, 4 * nv * sizeof *mover->speed); // and what follows it
    }
    for (int i = 0; i < sn_scene_behaviour_count(sim->scene); i++)
        sim->behaving[i] =
            (sni_behaving){.recogniser = {.def = sn_scene_behaviour(sim->scene, i)->recogniser}};
}

static bool list_driven(const sn_model* model, const sn_controller_def* def, sni_mover* mover) {
    mover->driven = malloc(((size_t)model->body_count + 1) * sizeof *mover->driven);
    for (int32_t b = 0; mover->driven && b < model->body_count; b++)
        if (def->driven[b]) mover->driven[mover->driven_count++] = b;
    return mover->driven;
}

sn_status sni_movers_create(sn_simulation* sim) {
    int count = sn_scene_controller_count(sim->scene);
    size_t behaviours = (size_t)sn_scene_behaviour_count(sim->scene);
    sim->mover = calloc((size_t)count + 1, sizeof *sim->mover);
    sim->behaving = calloc(behaviours + 1, sizeof *sim->behaving);
    if (!sim->mover || !sim->behaving) return SN_ERR_MEMORY;
    sim->moves = behaviours > 0;
    for (int i = 0; i < count; i++) {
        const sn_controller_def* def = sn_scene_controller(sim->scene, i);
        size_t nv = (size_t)sn_model_nv(model_of(sim, def));
        sni_mover* mover = &sim->mover[i];
        mover->speed = calloc(7 * nv + 1, sizeof *mover->speed);
        if (!mover->speed || !list_driven(model_of(sim, def), def, mover)) return SN_ERR_MEMORY;
        mover->offset = mover->speed + nv;
        mover->force = mover->offset + nv;
        mover->held = mover->force + nv;
        mover->scratch = mover->held + nv;
        sim->moves = sim->moves || def->motion || def->follow || def->look || def->grip;
    }
    sni_movers_reset(sim);
    return SN_OK;
}

void sni_movers_free(sn_simulation* sim) {
    for (int i = 0; sim->mover && i < sn_scene_controller_count(sim->scene); i++) {
        free(sim->mover[i].speed);
        free(sim->mover[i].driven);
    }
    free(sim->mover);
    free(sim->behaving);
}
