// SPDX-License-Identifier: Apache-2.0
// The algorithms as the books have them: body frames, one joint after the other, nothing clever. Clear
// rather than fast; everything that is fast is tested against this.   [F08 ch 4 to 7]
#include "dynamics/sn_dynamics.h"
#include "math/small.h"

typedef struct reference {
    sn_pose* X_pb;             // [body_count] body in its parent, canonical frames as all here
    sn_pose* X_wb;             // [body_count] body in the world
    sn_twist* S;               // [nv] motion subspace, child frame
    sn_twist* v;               // [body_count] velocity
    sn_twist* c;               // [body_count] velocity-product acceleration of the joint
    sn_twist* a;               // [body_count] a' = a - gravity's, of the last forward or inverse
    sn_twist* change;          // [body_count] of velocity, by the last impulse
    sn_wrench* force;          // [body_count] RNEA: wrench through each joint; ABA: bias pA
    sni_rigid* composite;      // [body_count] CRBA
    sni_articulated* IA;       // [body_count] articulated inertia
    sn_wrench* U;              // [nv] IA S
    double (*D)[SN_SMALL_MAX]; // [nv] rows of each joint's S' IA S + Ia, factored
    double* u;                 // [nv] D^-1 (tau - S' pA)
} reference;

static void reference_layout(sn_dynamics* d, sni_arena* arena) {
    int32_t n = d->model->body_count, nv = d->model->nv;
    reference* m = SN_ARENA_ARRAY(arena, reference, 1);
    reference sized = {
        .X_pb = SN_ARENA_ARRAY(arena, sn_pose, n),
        .X_wb = SN_ARENA_ARRAY(arena, sn_pose, n),
        .S = SN_ARENA_ARRAY(arena, sn_twist, nv),
        .v = SN_ARENA_ARRAY(arena, sn_twist, n),
        .c = SN_ARENA_ARRAY(arena, sn_twist, n),
        .a = SN_ARENA_ARRAY(arena, sn_twist, n),
        .change = SN_ARENA_ARRAY(arena, sn_twist, n),
        .force = SN_ARENA_ARRAY(arena, sn_wrench, n),
        .composite = SN_ARENA_ARRAY(arena, sni_rigid, n),
        .IA = SN_ARENA_ARRAY(arena, sni_articulated, n),
        .U = SN_ARENA_ARRAY(arena, sn_wrench, nv),
        .D = sni_arena_take(arena, (size_t)nv, sizeof *sized.D),
        .u = SN_ARENA_ARRAY(arena, double, nv),
    };
    if (m) *m = sized;
    d->algorithm = m;
}

/// S_i x for the degrees of freedom of body i.
static sn_twist joint_motion(const reference* m, const sni_joint* joint, const double* x) {
    sn_twist sum = sn_twist_zero();
    for (int k = joint->iv; k < joint->iv + joint->nv; k++)
        sum = sn_twist_add(sum, sn_twist_scale(x[k], m->S[k]));
    return sum;
}

/// a' of the ground: minus gravity.
static sn_twist ground_acceleration(const sn_dynamics* d) {
    return sn_twist_make(sn_vec3_zero(), sn_vec3_neg(d->gravity));
}

/// Takes the external wrenches off the forces.
static void subtract_external(const sn_dynamics* d, reference* m) {
    for (int32_t k = 0; k < d->wrenches.count; k++) {
        int32_t i = d->wrenches.body[k];
        sn_wrench f_w = sni_external_wrench(d, k, m->X_wb[i].R);
        sn_wrench f = sn_wrench_make(sn_mat3_apply_transposed(m->X_wb[i].R, f_w.n),
                                     sn_mat3_apply_transposed(m->X_wb[i].R, f_w.f));
        m->force[i] = sn_wrench_sub(m->force[i], f);
    }
}

// ---- kinematics, root to leaf ----------------------------------------------------------------------------
//   v_i = X v_p + S v_J          c_i = S_ring v_J + v_i x S v_J

static void reference_kinematics(sn_dynamics* d) {
    const sn_model* model = d->model;
    reference* m = d->algorithm;
    for (int32_t i = 0; i < model->body_count; i++) {
        const sni_joint* joint = &model->joint[i];
        const double *q = d->q + joint->iq, *v = d->v + joint->iv;
        int32_t p = joint->parent;
        m->X_pb[i] = sn_pose_mul(joint->X_pj, sni_joint_pose(joint, q));
        m->X_wb[i] = p < 0 ? m->X_pb[i] : sn_pose_mul(m->X_wb[p], m->X_pb[i]);
        sni_joint_subspace(joint, q, m->S + joint->iv);

        sn_twist vJ = joint_motion(m, joint, d->v);
        sn_twist carried = p < 0 ? sn_twist_zero() : sn_pose_twist_inverse(m->X_pb[i], m->v[p]);
        m->v[i] = sn_twist_add(carried, vJ);
        m->c[i] = sn_twist_add(sni_joint_bias(joint, q, v), sn_twist_cross(m->v[i], vJ));
    }
}

static sn_pose reference_pose(const sn_dynamics* d, int32_t body) {
    return ((const reference*)d->algorithm)->X_wb[body];
}
static sn_twist reference_velocity(const sn_dynamics* d, int32_t body) {
    return ((const reference*)d->algorithm)->v[body];
}
static sn_twist reference_acceleration(const sn_dynamics* d, int32_t body) {
    return ((const reference*)d->algorithm)->a[body];
}
static sn_twist reference_change(const sn_dynamics* d, int32_t body) {
    return ((const reference*)d->algorithm)->change[body];
}

// ---- inverse dynamics: recursive Newton-Euler --------------------------------------------------------------
//   down  a'_i = X a'_p + S qdd + c        f_i = I a'_i + v x* I v - f_ext
//   up    tau_i = S' f_i + Ia qdd          f_p += X' f_i

static void accelerate(sn_dynamics* d, const double* qdd, bool moving) {
    const sn_model* model = d->model;
    reference* m = d->algorithm;
    sn_twist ground = moving ? ground_acceleration(d) : sn_twist_zero();
    for (int32_t i = 0; i < model->body_count; i++) {
        const sni_joint* joint = &model->joint[i];
        sn_twist parent = joint->parent < 0 ? ground : m->a[joint->parent];
        sn_twist a = sn_pose_twist_inverse(m->X_pb[i], parent);
        if (qdd) a = sn_twist_add(a, joint_motion(m, joint, qdd));
        if (moving) a = sn_twist_add(a, m->c[i]);
        m->a[i] = a;
        m->force[i] = sni_rigid_mul(&model->inertia[i], a);
        if (!moving) continue;
        sn_wrench momentum = sni_rigid_mul(&model->inertia[i], m->v[i]);
        m->force[i] = sn_wrench_add(m->force[i], sn_twist_cross_wrench(m->v[i], momentum));
    }
    if (moving) subtract_external(d, m);
}

static void reference_inverse(sn_dynamics* d, const double* qdd, bool moving, double* tau) {
    const sn_model* model = d->model;
    reference* m = d->algorithm;
    reference_kinematics(d);
    accelerate(d, qdd, moving);
    for (int32_t i = model->body_count - 1; i >= 0; i--) {
        const sni_joint* joint = &model->joint[i];
        sn_wrench f = m->force[i];
        for (int32_t k = joint->iv; k < joint->iv + joint->nv; k++) {
            tau[k] = sn_power(f, m->S[k]);
            if (qdd) tau[k] += d->armature[k] * qdd[k];
        }
        if (joint->parent < 0) continue;
        sn_wrench* f_p = &m->force[joint->parent];
        *f_p = sn_wrench_add(*f_p, sn_pose_wrench(m->X_pb[i], f));
    }
}

// ---- joint-space inertia: composite rigid bodies -----------------------------------------------------------

static void reference_mass_matrix(sn_dynamics* d, const sni_rows* rows) {
    const sn_model* model = d->model;
    reference* m = d->algorithm;
    for (int32_t i = 0; i < model->body_count; i++) m->composite[i] = model->inertia[i];
    for (int32_t i = model->body_count - 1; i >= 0; i--) {
        const sni_joint* joint = &model->joint[i];
        for (int32_t r = joint->iv; r < joint->iv + joint->nv; r++) {
            sn_wrench F = sni_rigid_mul(&m->composite[i], m->S[r]);
            for (int32_t k = joint->iv; k <= r; k++)
                *sni_rows_entry(rows, r, k) = sn_power(F, m->S[k]);
            *sni_rows_entry(rows, r, r) += d->armature[r];
            int32_t j = i;
            while (model->joint[j].parent >= 0) { // climb: F in the frame of each ancestor
                F = sn_pose_wrench(m->X_pb[j], F);
                j = model->joint[j].parent;
                const sni_joint* above = &model->joint[j];
                for (int32_t k = above->iv; k < above->iv + above->nv; k++)
                    *sni_rows_entry(rows, r, k) = sn_power(F, m->S[k]);
            }
        }
        if (joint->parent < 0) continue;
        sni_rigid felt = sni_rigid_moved(m->X_pb[i], &m->composite[i]);
        m->composite[joint->parent] = sni_rigid_sum(&m->composite[joint->parent], &felt);
    }
}

// ---- forward dynamics: articulated bodies --------------------------------------------------------------------
// For joints of any number of degrees of freedom, the corrected form of [K08 eq 5-10]. The factors U, D
// stay: further right-hand sides (impulses) only run the p and a recursions.

// Reduce body i to what its parent feels:
//   U = IA S    D = S' U + Ia    Ibar = IA - U D^-1 U'
static bool reduce(const sn_dynamics* d, reference* m, int32_t i, sni_articulated* Ibar) {
    const sni_joint* joint = &d->model->joint[i];
    const sn_twist* S = m->S + joint->iv;
    sn_wrench* U = m->U + joint->iv;
    double(*D)[SN_SMALL_MAX] = m->D + joint->iv;
    int n = joint->nv;
    *Ibar = m->IA[i];
    if (d->locked[i]) return true;
    for (int r = 0; r < n; r++) {
        U[r] = sni_articulated_mul(&m->IA[i], S[r]);
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
    reference* m = d->algorithm;
    for (int32_t i = 0; i < model->body_count; i++)
        m->IA[i] = sni_articulated_from_rigid(&model->inertia[i]);
    for (int32_t i = model->body_count - 1; i >= 0; i--) {
        sni_articulated Ibar;
        if (!reduce(d, m, i, &Ibar)) return false;
        int32_t p = model->joint[i].parent;
        if (p < 0) continue;
        sni_articulated felt = sni_articulated_moved(m->X_pb[i], &Ibar);
        sni_articulated_add(&m->IA[p], &felt);
    }
    return true;
}

// Bias forces, leaf to root, from pA in m->force:
//   u = D^-1 (tau - S' pA)      pbar = pA + IA c + U (u - D^-1 U' c)
static void gather(sn_dynamics* d, const double* tau, bool moving) {
    const sn_model* model = d->model;
    reference* m = d->algorithm;
    for (int32_t i = model->body_count - 1; i >= 0; i--) {
        const sni_joint* joint = &model->joint[i];
        int n = d->locked[i] ? 0 : joint->nv;
        const double(*D)[SN_SMALL_MAX] = (const double(*)[SN_SMALL_MAX])(m->D + joint->iv);
        double* u = m->u + joint->iv;
        double toward[SN_SMALL_MAX]; // D^-1 U' c
        sn_wrench p = m->force[i];
        for (int k = 0; k < n; k++) {
            u[k] = (tau ? tau[joint->iv + k] : 0) - sn_power(p, m->S[joint->iv + k]);
            toward[k] = moving ? sn_power(m->U[joint->iv + k], m->c[i]) : 0;
        }
        sni_cholesky_solve(D, n, u);
        if (joint->parent < 0) continue;
        if (moving) {
            sni_cholesky_solve(D, n, toward);
            p = sn_wrench_add(p, sni_articulated_mul(&m->IA[i], m->c[i]));
        }
        for (int k = 0; k < n; k++)
            p = sn_wrench_add(p, sn_wrench_scale(u[k] - toward[k], m->U[joint->iv + k]));
        sn_wrench* p_p = &m->force[joint->parent];
        *p_p = sn_wrench_add(*p_p, sn_pose_wrench(m->X_pb[i], p));
    }
}

// Accelerations, root to leaf:   qdd = u - D^-1 U' (X a'_p + c)
static void spread(sn_dynamics* d, bool moving, sn_twist* a, double* qdd) {
    const sn_model* model = d->model;
    reference* m = d->algorithm;
    sn_twist ground = moving ? ground_acceleration(d) : sn_twist_zero();
    for (int32_t i = 0; i < model->body_count; i++) {
        const sni_joint* joint = &model->joint[i];
        int n = d->locked[i] ? 0 : joint->nv;
        sn_twist parent = joint->parent < 0 ? ground : a[joint->parent];
        sn_twist carried = sn_pose_twist_inverse(m->X_pb[i], parent);
        if (moving) carried = sn_twist_add(carried, m->c[i]);
        double back[SN_SMALL_MAX];
        for (int k = 0; k < n; k++) back[k] = sn_power(m->U[joint->iv + k], carried);
        sni_cholesky_solve((const double(*)[SN_SMALL_MAX])(m->D + joint->iv), n, back);
        for (int k = 0; k < joint->nv; k++)
            qdd[joint->iv + k] = n ? m->u[joint->iv + k] - back[k] : 0;
        a[i] = sn_twist_add(carried, joint_motion(m, joint, qdd));
    }
}

static sn_status reference_forward(sn_dynamics* d, const double* tau, double* qdd) {
    const sn_model* model = d->model;
    reference* m = d->algorithm;
    if (!factor(d)) return SN_ERR_NUMERIC;
    for (int32_t i = 0; i < model->body_count; i++) {
        sn_twist v = m->v[i];
        m->force[i] = sn_twist_cross_wrench(v, sni_rigid_mul(&model->inertia[i], v));
    }
    subtract_external(d, m);
    gather(d, tau, true);
    spread(d, true, m->a, qdd);
    return SN_OK;
}

static void reference_impulse(sn_dynamics* d, const double* tau, const sn_body_wrench* impulses,
                              int count, double* dv) {
    reference* m = d->algorithm;
    for (int32_t i = 0; i < d->model->body_count; i++) m->force[i] = sn_wrench_zero();
    for (int k = 0; k < count; k++) {
        int32_t body = impulses[k].body.i;
        sn_wrench f = sni_wrench_from_user(d, body, impulses[k].wrench);
        m->force[body] = sn_wrench_sub(m->force[body], f);
    }
    gather(d, tau, false);
    spread(d, false, m->change, dv);
}

const sni_dynamics_ops sni_reference = {
    .name = "reference",
    .layout = reference_layout,
    .kinematics = reference_kinematics,
    .forward = reference_forward,
    .inverse = reference_inverse,
    .mass_matrix = reference_mass_matrix,
    .impulse = reference_impulse,
    .change = reference_change,
    .pose = reference_pose,
    .velocity = reference_velocity,
    .acceleration = reference_acceleration,
};
