// SPDX-License-Identifier: Apache-2.0
// The public door of dynamics: arguments are checked and turned between the user's body frames and
// the canonical ones.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "dynamics/disparity.h"
#include "dynamics/fast.h"
#include "dynamics/guest.h"
#include "dynamics/loops.h"
#include "dynamics/tree.h"

static const sni_dynamics_ops* const algorithms[] = {
    &sni_aba, &sni_crba, &sni_dca, &sni_adaptive_ops, &sni_aba_scalar, &sni_reference};
enum { ALGORITHM_COUNT = sizeof algorithms / sizeof algorithms[0] };

const char* sn_dynamics_algorithm(int i) {
    return i >= 0 && i < ALGORITHM_COUNT ? algorithms[i]->name : NULL;
}

static void layout(sn_dynamics* d, sni_arena* arena) {
    int32_t n = d->model->body_count, nv = d->model->nv;
    d->wrenches.body = SN_ARENA_ARRAY(arena, int32_t, n);
    d->wrenches.axes = SN_ARENA_ARRAY(arena, sn_axes, n);
    d->wrenches.wrench = SN_ARENA_ARRAY(arena, sn_wrench, n);
    d->wrenches.pull = SN_ARENA_ARRAY(arena, sn_wrench, n);
    d->wrenches.slot = SN_ARENA_ARRAY(arena, int32_t, n);
    d->locked = SN_ARENA_ARRAY(arena, bool, n);
    d->armature = SN_ARENA_ARRAY(arena, double, nv);
    d->q = SN_ARENA_ARRAY(arena, double, d->model->nq);
    d->v = SN_ARENA_ARRAY(arena, double, nv);
    d->rate = SN_ARENA_ARRAY(arena, double, nv);
    d->awake = SN_ARENA_ARRAY(arena, int32_t, n);
    d->twist = SN_ARENA_ARRAY(arena, sn_twist, n);
    sni_branches_layout(&d->branches, arena, d->model);
    sni_loops_layout(d, arena);
    d->ops->layout(d, arena);
}

static const sni_dynamics_ops* find_algorithm(const char* name) {
    if (!name) return algorithms[0];
    for (int i = 0; i < ALGORITHM_COUNT; i++)
        if (strcmp(algorithms[i]->name, name) == 0) return algorithms[i];
    return NULL;
}

/// The algorithm that will do, which is another where masses are too disparate; and why.
static const sni_dynamics_ops* advise(sn_dynamics* d, const sni_dynamics_ops* ops) {
    if (!ops->inverts) return ops;
    sni_disparity at = sni_disparity_of(d->model);
    d->disparity = at.ratio;
    if (at.ratio <= SNI_DISPARITY_WARN) return ops;
    bool replaced = at.ratio > SNI_DISPARITY_MOST;
    (void)snprintf(
        d->advice, sizeof d->advice, // cut if names are long
        "bodies '%.60s' and '%.60s' share a joint and differ in mass by a factor of %.1e, "
        "which costs '%s' as many digits; %s",
        d->model->body[at.light].name, d->model->body[at.heavy].name, at.ratio, ops->name,
        replaced ? "'aba' is used instead" : "'aba' loses none");
    return replaced ? &sni_aba : ops;
}

/// Everything but what the algorithm itself is.
static sn_status build(sn_dynamics* d, const sn_model* model, const sni_dynamics_ops* ops,
                       sn_error* error) {
    d->model = model;
    d->ops = ops = advise(d, ops);
    sn_status status = ops->prepare ? ops->prepare(d) : SN_OK;
    sni_arena arena = {0};
    if (!status) layout(d, &arena);
    if (status || !sni_arena_allocate(&arena))
        return sni_fail(error, SN_ERR_MEMORY, sni_nowhere(),
                        "not enough memory for the dynamics of %d bodies", model->body_count);
    layout(d, &arena);
    d->arena = arena;
    d->gravity = sn_vec3_make(0, 0, -9.81);
    sni_set_extra_armature(d, NULL);
    if (ops->start) ops->start(d);
    if (!ops->update) {
        d->awake_count = model->body_count;
        for (int32_t i = 0; i < model->body_count; i++) d->awake[i] = i;
    }
    sn_model_neutral(model, d->q);
    d->ops->kinematics(d);
    return SN_OK;
}

/// By an algorithm of ours, or by a user's functions.
static sn_status create(const sn_model* model, const sni_dynamics_ops* ops,
                        const sn_dynamics_module* table, sn_dynamics** dynamics, sn_error* error) {
    sn_status status = sni_loops_check(model, error);
    if (!status && ops && ops->check) status = ops->check(model, error);
    if (status) return status;
    sn_dynamics* d = calloc(1, sizeof *d);
    if (!d) return sni_fail(error, SN_ERR_MEMORY, sni_nowhere(), "not enough memory");
    if (table) status = sni_dynamics_guest_create(model, table, &d->guest, error);
    if (!status) status = build(d, model, table ? &d->guest->ops : ops, error);
    if (status) {
        sn_dynamics_free(d);
        return status;
    }
    *dynamics = d;
    return SN_OK;
}

sn_status sn_dynamics_create(const sn_model* model, const char* algorithm, sn_dynamics** dynamics,
                             sn_error* error) {
    if (!dynamics) return SN_ERR_ARGUMENT;
    *dynamics = NULL;
    if (!model) return sni_fail(error, SN_ERR_ARGUMENT, sni_nowhere(), "no model given");
    const sni_dynamics_ops* ops = find_algorithm(algorithm);
    if (!ops)
        return sni_fail(error, SN_ERR_ARGUMENT, sni_nowhere(),
                        "there is no dynamics algorithm '%s'; choose aba, crba, dca or adaptive",
                        algorithm);
    return create(model, ops, NULL, dynamics, error);
}

sn_status sn_dynamics_create_module(const sn_model* model, const sn_dynamics_module* module,
                                    sn_dynamics** dynamics, sn_error* error) {
    if (!dynamics) return SN_ERR_ARGUMENT;
    *dynamics = NULL;
    if (!model) return sni_fail(error, SN_ERR_ARGUMENT, sni_nowhere(), "no model given");
    sn_status status = sni_dynamics_module_check(module, error);
    return status ? status : create(model, NULL, module, dynamics, error);
}

void sn_dynamics_free(sn_dynamics* d) {
    if (!d) return;
    sni_dynamics_guest_free(d->guest);
    sni_tree_free(d->tree);
    sni_arena_free(&d->arena);
    free(d);
}

const sn_model* sn_dynamics_model(const sn_dynamics* d) { return d->model; }
const char* sn_dynamics_name(const sn_dynamics* d) { return d->ops->name; }
const char* sn_dynamics_advice(const sn_dynamics* d) { return d->advice; }

void sn_dynamics_set_gravity(sn_dynamics* d, sn_vec3 g_w) {
    if (memcmp(&d->gravity, &g_w, sizeof g_w) == 0) return;
    d->gravity = g_w;
    d->factored = false;
    if (d->loops) d->loops->solved = false;
    d->ops->kinematics(d); // kernels start from the ground's acceleration
}

sn_vec3 sn_dynamics_gravity(const sn_dynamics* d) { return d->gravity; }

static bool is_body(const sn_dynamics* d, sn_body_id body) {
    return body.i >= 0 && body.i < d->model->body_count;
}

sn_status sn_dynamics_lock(sn_dynamics* d, sn_body_id joint, bool locked) {
    if (!is_body(d, joint)) return SN_ERR_ARGUMENT;
    if (d->locked[joint.i] == locked) return SN_OK;
    d->factored = false;
    d->version++;
    d->locked[joint.i] = locked;
    if (d->ops->lock) d->ops->lock(d, joint.i);
    return SN_OK;
}

bool sn_dynamics_is_locked(const sn_dynamics* d, sn_body_id joint) {
    return is_body(d, joint) && d->locked[joint.i];
}

void sni_set_extra_armature(sn_dynamics* d, const double* extra) {
    d->factored = false;
    d->version++;
    for (int32_t k = 0; k < d->model->nv; k++)
        d->armature[k] = d->model->dof.armature[k] + (extra ? extra[k] : 0);
}

// ---- state and forward dynamics -------------------------------------------------------------------

/// Takes over a state; the algorithm has still to be told.
static void set_state(sn_dynamics* d, const double* q, const double* v) {
    memcpy(d->q, q, (size_t)d->model->nq * sizeof *q);
    if (v)
        memcpy(d->v, v, (size_t)d->model->nv * sizeof *v);
    else
        memset(d->v, 0, (size_t)d->model->nv * sizeof *v);
    d->factored = false;
    if (d->loops) d->loops->solved = false;
}

void sni_kinematics(sn_dynamics* d, const double* q, const double* v) {
    set_state(d, q, v);
    d->ops->kinematics(d);
}

static bool awake_are_finite(const sn_dynamics* d, const double* x) {
    if (!d->ops->update) { // all are awake
        for (int32_t k = 0; k < d->model->nv; k++)
            if (!isfinite(x[k])) return false;
        return true;
    }
    for (int32_t k = 0; k < d->awake_count; k++) {
        const sni_joint* joint = &d->model->joint[d->awake[k]];
        for (int32_t i = joint->iv; i < joint->iv + joint->nv; i++)
            if (!isfinite(x[i])) return false;
    }
    return true;
}

sn_status sni_forward(sn_dynamics* d, const double* tau, double* qdd) {
    d->factored = false;
    d->trouble = SN_OK;
    sn_status status = d->ops->forward(d, tau, qdd);
    if (!status && d->loops) status = sni_loops_forward(d, qdd);
    if (!status) status = d->trouble;
    if (status) return status;
    if (!awake_are_finite(d, qdd)) return SN_ERR_NUMERIC;
    d->factored = true;
    return SN_OK;
}

void sni_move(sn_dynamics* d, const double* q, const double* v) {
    if (!d->ops->move) {
        sni_kinematics(d, q, v);
        return;
    }
    for (int32_t k = 0; k < d->awake_count; k++) {
        const sni_joint* joint = &d->model->joint[d->awake[k]];
        memcpy(d->q + joint->iq, q + joint->iq, joint->nq * sizeof *q);
        memcpy(d->v + joint->iv, v + joint->iv, joint->nv * sizeof *v);
    }
    d->factored = false;
    if (d->loops) d->loops->solved = false;
    d->ops->move(d);
}

sn_status sni_update_awake(sn_dynamics* d, const double* tau, double* v, const sni_forces* forces) {
    d->factored = false;
    return d->ops->update ? d->ops->update(d, tau, v, forces) : SN_OK;
}

/// What is asleep does not accelerate; algorithms leave it alone.
static void zero_sleeping(const sn_dynamics* d, double* x) {
    if (d->ops->update) memset(x, 0, (size_t)d->model->nv * sizeof *x);
}

sn_status sn_dynamics_kinematics(sn_dynamics* d, const double* q, const double* v) {
    if (!d || !q) return SN_ERR_ARGUMENT;
    sni_kinematics(d, q, v);
    return SN_OK;
}

sn_status sn_dynamics_forward(sn_dynamics* d, const double* q, const double* v, const double* tau,
                              double* qdd) {
    if (!d || !q || !qdd) return SN_ERR_ARGUMENT;
    sni_kinematics(d, q, v);
    zero_sleeping(d, qdd);
    return sni_forward(d, tau, qdd);
}

sn_status sn_dynamics_inverse(sn_dynamics* d, const double* q, const double* v, const double* qdd,
                              double* tau) {
    if (!d || !q || !tau) return SN_ERR_ARGUMENT;
    set_state(d, q, v);
    d->ops->inverse(d, qdd, true, tau);
    return SN_OK;
}

sn_status sn_dynamics_mass_matrix(sn_dynamics* d, const double* q, double* M) {
    if (!d || !q || !M) return SN_ERR_ARGUMENT;
    sni_kinematics(d, q, NULL);
    size_t nv = (size_t)d->model->nv;
    memset(M, 0, nv * nv * sizeof *M);
    sni_rows dense = {M, NULL, NULL, d->model->nv};
    d->ops->mass_matrix(d, &dense);
    for (size_t i = 0; i < nv; i++)
        for (size_t j = 0; j < i; j++) M[j * nv + i] = M[i * nv + j];
    return SN_OK;
}

/// The impulse pass with the loops.
static void impulse(sn_dynamics* d, const double* tau, const sn_body_wrench* wrenches, int count,
                    double* dv) {
    zero_sleeping(d, dv);
    if (d->loops)
        sni_loops_impulse(d, tau, wrenches, count, dv);
    else
        d->ops->impulse(d, tau, wrenches, count, dv);
}

// With impulses only through the locked joints, the free rows of M v do not change:
// M_ff v_f+ = (M v)_f and v_l+ = 0.
sn_status sni_stop_locked(sn_dynamics* d, const double* q, const double* v, const double* extra,
                          double* v_out) {
    double* momentum = d->rate;
    if (d->ops->stop) {
        sni_move(d, q, v);
        d->ops->stop(d);
        for (int32_t k = 0; k < d->awake_count; k++) {
            const sni_joint* joint = &d->model->joint[d->awake[k]];
            memcpy(v_out + joint->iv, d->v + joint->iv, joint->nv * sizeof *v);
        }
        return SN_OK;
    }
    sni_set_extra_armature(d, NULL);
    sni_kinematics(d, q, NULL);
    sn_status status = sni_forward(d, NULL, momentum); // factors of this configuration
    if (!status) {
        d->ops->inverse(d, v, false, momentum);
        impulse(d, momentum, NULL, 0, v_out);
        status = d->trouble;
    }
    sni_set_extra_armature(d, extra);
    return status;
}

/// Numbers of joints that do not accelerate are nothing.
static void zero_still(const sn_dynamics* d, double* x) {
    for (int32_t i = 0; i < d->model->body_count; i++) {
        const sni_joint* joint = &d->model->joint[i];
        if (d->locked[i]) memset(x + joint->iv, 0, joint->nv * sizeof *x);
    }
}

void sni_inertia_times(sn_dynamics* d, const double* x, double* f) {
    double* still = d->rate; // x, and zeros of what sleeps
    zero_sleeping(d, still);
    for (int32_t k = 0; k < d->awake_count; k++) {
        const sni_joint* joint = &d->model->joint[d->awake[k]];
        memcpy(still + joint->iv, x + joint->iv, joint->nv * sizeof *x);
    }
    zero_still(d, still);
    d->ops->inverse(d, still, false, f);
    zero_still(d, f);
}

void sni_force_changed(sn_dynamics* d, int32_t joint, const double* tau) {
    if (d->ops->pull) d->ops->pull(d, joint, tau);
}

bool sni_is_restless(const sn_dynamics* d) { return d->ops->restless && d->ops->restless(d); }

// ---- impulses and responses -------------------------------------------------------------------------

sn_status sn_dynamics_impulse(sn_dynamics* d, const double* tau, const sn_body_wrench* wrenches,
                              int count, double* dv) {
    if (!d || !d->factored || !dv || count < 0 || (count > 0 && !wrenches)) return SN_ERR_ARGUMENT;
    for (int k = 0; k < count; k++)
        if (!is_body(d, wrenches[k].body)) return SN_ERR_ARGUMENT;
    impulse(d, tau, wrenches, count, dv);
    return d->trouble;
}

/// Wrench with a one in place k of (moment, force).
static sn_wrench unit_wrench(int k) {
    double u[6] = {0};
    u[k] = 1;
    return sn_wrench_make(sn_vec3_make(u[0], u[1], u[2]), sn_vec3_make(u[3], u[4], u[5]));
}

/// One impulse pass per column: unit wrench on one body, motion of all of them.
static void response_by_impulses(sn_dynamics* d, const sn_body_id* bodies, int count,
                                 double* Lambda) {
    size_t size = 6 * (size_t)count;
    for (size_t column = 0; column < size; column++) {
        sn_body_wrench unit = {bodies[column / 6], unit_wrench((int)(column % 6))};
        d->ops->impulse(d, NULL, &unit, 1, d->rate);
        for (int k = 0; k < count; k++) {
            sn_twist t = sni_twist_to_user(d, bodies[k].i, d->ops->change(d, bodies[k].i));
            double row[6] = {t.w.x, t.w.y, t.w.z, t.v.x, t.v.y, t.v.z};
            for (size_t r = 0; r < 6; r++) Lambda[(6 * (size_t)k + r) * size + column] = row[r];
        }
    }
}

sn_status sn_dynamics_response(sn_dynamics* d, const sn_body_id* bodies, int count,
                               double* Lambda) {
    if (!d || !d->factored || !Lambda || count < 0 || (count > 0 && !bodies))
        return SN_ERR_ARGUMENT;
    for (int k = 0; k < count; k++)
        if (!is_body(d, bodies[k])) return SN_ERR_ARGUMENT;
    if (d->ops->response && count <= d->response_most)
        d->ops->response(d, bodies, count, Lambda);
    else
        response_by_impulses(d, bodies, count, Lambda);
    if (d->loops) sni_loops_response(d, bodies, count, Lambda);
    return d->trouble;
}

// ---- motion of bodies ---------------------------------------------------------------------------------

const sni_places* sni_places_now(const sn_dynamics* d) {
    if (d->places && !d->places->current) d->ops->place(d);
    return d->places;
}

sn_pose sn_dynamics_pose(const sn_dynamics* d, sn_body_id body) {
    if (!is_body(d, body)) return sn_pose_identity(); // the world
    const sni_places* at = sni_places_now(d);
    if (at) return at->pose[body.i];
    return sni_pose_to_user(d, body.i, d->ops->pose(d, body.i));
}

sn_twist sn_dynamics_velocity(const sn_dynamics* d, sn_body_id body) {
    if (!is_body(d, body)) return sn_twist_zero();
    const sni_places* at = sni_places_now(d);
    if (at) return at->twist[body.i];
    return sni_twist_to_user(d, body.i, d->ops->velocity(d, body.i));
}

sn_twist sn_dynamics_acceleration(const sn_dynamics* d, sn_body_id body) {
    if (!is_body(d, body)) return sn_twist_zero();
    sn_twist a = d->ops->acceleration(d, body.i); // a' = a - a_g
    if (d->loops && d->loops->solved) a = sn_twist_add(a, d->loops->extra[body.i]);
    sn_vec3 g = sn_mat3_apply_transposed(d->ops->pose(d, body.i).R, d->gravity);
    a.v = sn_vec3_add(a.v, g);
    return sni_twist_to_user(d, body.i, a);
}

sn_pose sn_dynamics_frame_pose(const sn_dynamics* d, sn_frame_id frame) {
    sn_frame_info info = sn_model_frame(d->model, frame);
    return sn_pose_mul(sn_dynamics_pose(d, info.body), info.X_bf);
}
