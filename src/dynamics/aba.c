// SPDX-License-Identifier: Apache-2.0
// Articulated-body algorithm for joints of any number of degrees of freedom.   [F08 ch 7]
// The corrected form of [K08 eq 5-10]. The factors U, D stay: further right-hand sides (impulses)
// only run the p and a recursions.
#include "dynamics/sn_dynamics.h"
#include "math/small.h"

typedef struct aba_memory {
    sni_articulated* IA;       // [body_count] articulated inertia
    sn_wrench* U;              // [nv] IA S
    double (*D)[SN_SMALL_MAX]; // [nv] rows of each joint's S' IA S + Ia, factored
    double* u;                 // [nv] D^-1 (tau - S' pA)
} aba_memory;

static void aba_layout(sn_dynamics* d, sni_arena* arena) {
    aba_memory* memory = SN_ARENA_ARRAY(arena, aba_memory, 1);
    aba_memory sized = {
        .IA = SN_ARENA_ARRAY(arena, sni_articulated, d->model->body_count),
        .U = SN_ARENA_ARRAY(arena, sn_wrench, d->model->nv),
        .D = sni_arena_take(arena, (size_t)d->model->nv, sizeof *sized.D),
        .u = SN_ARENA_ARRAY(arena, double, d->model->nv),
    };
    if (memory) *memory = sized;
    d->algorithm = memory;
}

// Reduce body i to what its parent feels:
//   U = IA S    D = S' U + Ia    Ibar = IA - U D^-1 U'
static bool reduce(sn_dynamics* d, aba_memory* memory, int32_t i, sni_articulated* Ibar) {
    const sni_joint* joint = &d->model->joint[i];
    const sn_twist* S = d->motion.S + joint->iv;
    sn_wrench* U = memory->U + joint->iv;
    double(*D)[SN_SMALL_MAX] = memory->D + joint->iv;
    int n = joint->nv;
    *Ibar = memory->IA[i];
    if (d->locked[i]) return true;
    for (int r = 0; r < n; r++) {
        U[r] = sni_articulated_mul(&memory->IA[i], S[r]);
        for (int k = 0; k <= r; k++) D[r][k] = sn_power(U[r], S[k]);
        D[r][r] += d->armature[joint->iv + r];
    }
    if (!sni_cholesky(D, n)) return false;
    for (int r = 0; r < n; r++) { // column r of D^-1, then U D^-1 column by column
        double column[SN_SMALL_MAX] = {0};
        column[r] = 1;
        sni_cholesky_solve((const double(*)[SN_SMALL_MAX])D, n, column);
        sn_wrench V = sn_wrench_zero();
        for (int k = 0; k < n; k++) V = sn_wrench_add(V, sn_wrench_scale(column[k], U[k]));
        sni_articulated_subtract_outer(Ibar, U[r], V);
    }
    return true;
}

static bool factor(sn_dynamics* d) {
    const sn_model* model = d->model;
    aba_memory* memory = d->algorithm;
    for (int32_t i = 0; i < model->body_count; i++)
        memory->IA[i] = sni_articulated_from_rigid(&model->inertia[i]);
    for (int32_t i = model->body_count - 1; i >= 0; i--) {
        sni_articulated Ibar;
        if (!reduce(d, memory, i, &Ibar)) return false;
        int32_t p = model->joint[i].parent;
        if (p < 0) continue;
        sni_articulated felt = sni_articulated_moved(d->motion.X_pb[i], &Ibar);
        sni_articulated_add(&memory->IA[p], &felt);
    }
    return true;
}

// Bias forces, leaf to root, from pA in d->force:
//   u = D^-1 (tau - S' pA)      pbar = pA + IA c + U (u - D^-1 U' c)
static void gather(sn_dynamics* d, const double* tau, bool moving) {
    const sn_model* model = d->model;
    aba_memory* memory = d->algorithm;
    for (int32_t i = model->body_count - 1; i >= 0; i--) {
        const sni_joint* joint = &model->joint[i];
        int n = d->locked[i] ? 0 : joint->nv;
        const double(*D)[SN_SMALL_MAX] = (const double(*)[SN_SMALL_MAX])(memory->D + joint->iv);
        double* u = memory->u + joint->iv;
        double toward[SN_SMALL_MAX]; // D^-1 U' c
        sn_wrench p = d->force[i];
        for (int k = 0; k < n; k++) {
            u[k] = (tau ? tau[joint->iv + k] : 0) - sn_power(p, d->motion.S[joint->iv + k]);
            toward[k] = moving ? sn_power(memory->U[joint->iv + k], d->motion.c[i]) : 0;
        }
        sni_cholesky_solve(D, n, u);
        if (joint->parent < 0) continue;
        if (moving) {
            sni_cholesky_solve(D, n, toward);
            p = sn_wrench_add(p, sni_articulated_mul(&memory->IA[i], d->motion.c[i]));
        }
        for (int k = 0; k < n; k++)
            p = sn_wrench_add(p, sn_wrench_scale(u[k] - toward[k], memory->U[joint->iv + k]));
        sn_wrench* p_p = &d->force[joint->parent];
        *p_p = sn_wrench_add(*p_p, sn_pose_wrench(d->motion.X_pb[i], p));
    }
}

// Accelerations, root to leaf:   qdd = u - D^-1 U' (X a'_p + c)
static void spread(sn_dynamics* d, bool moving, sn_twist* a, double* qdd) {
    const sn_model* model = d->model;
    aba_memory* memory = d->algorithm;
    sn_twist ground = moving ? sni_ground_acceleration(d) : sn_twist_zero();
    for (int32_t i = 0; i < model->body_count; i++) {
        const sni_joint* joint = &model->joint[i];
        int n = d->locked[i] ? 0 : joint->nv;
        sn_twist parent = joint->parent < 0 ? ground : a[joint->parent];
        sn_twist carried = sn_pose_twist_inverse(d->motion.X_pb[i], parent);
        if (moving) carried = sn_twist_add(carried, d->motion.c[i]);
        double back[SN_SMALL_MAX];
        for (int k = 0; k < n; k++) back[k] = sn_power(memory->U[joint->iv + k], carried);
        sni_cholesky_solve((const double(*)[SN_SMALL_MAX])(memory->D + joint->iv), n, back);
        for (int k = 0; k < joint->nv; k++)
            qdd[joint->iv + k] = n ? memory->u[joint->iv + k] - back[k] : 0;
        a[i] = sn_twist_add(carried, sni_joint_motion(d, joint, qdd));
    }
}

static sn_status aba_forward(sn_dynamics* d, const double* tau, double* qdd) {
    const sn_model* model = d->model;
    if (!factor(d)) return SN_ERR_NUMERIC;
    for (int32_t i = 0; i < model->body_count; i++) {
        sn_twist v = d->motion.v[i];
        d->force[i] = sn_twist_cross_wrench(v, sni_rigid_mul(&model->inertia[i], v));
    }
    for (int32_t k = 0; k < d->wrenches.count; k++) {
        sn_wrench* p = &d->force[d->wrenches.body[k]];
        *p = sn_wrench_sub(*p, sni_external_wrench(d, k));
    }
    gather(d, tau, true);
    spread(d, true, d->motion.a, qdd);
    return SN_OK;
}

static void aba_impulse(sn_dynamics* d, const double* tau, const sn_body_wrench* impulses,
                        int count, double* dv) {
    for (int32_t i = 0; i < d->model->body_count; i++) d->force[i] = sn_wrench_zero();
    for (int k = 0; k < count; k++) {
        int32_t body = impulses[k].body.i;
        sn_wrench f = sni_wrench_from_user(d, body, impulses[k].wrench);
        d->force[body] = sn_wrench_sub(d->force[body], f);
    }
    gather(d, tau, false);
    spread(d, false, d->twist, dv);
}

const sni_dynamics_ops sni_aba = {
    .name = "aba",
    .layout = aba_layout,
    .kinematics = sni_tree_kinematics,
    .forward = aba_forward,
    .impulse = aba_impulse,
    .response = sni_tree_response,
    .pose = sni_tree_pose,
    .velocity = sni_tree_velocity,
    .acceleration = sni_tree_acceleration,
};
