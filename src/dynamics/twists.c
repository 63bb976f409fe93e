// SPDX-License-Identifier: Apache-2.0
// J v of some bodies, along the branches that carry them.
#include "dynamics/fast.h"

static sn_vec3 of_body(const sni_factors* f, const double* first, int32_t body) {
    const double* x = first + (size_t)body * f->body_stride;
    return sn_vec3_make(x[0], x[1], x[2]);
}

/// World axes: only the lever arm to the parent changes a velocity on its way.
static void spread_in_world(const sn_dynamics* d, const sni_fast* fast, const double* v,
                            sn_twist* t) {
    const sni_branches* b = &d->branches;
    const sni_factors f = fast->kernel->factors(fast->memory); // z and r: what forward left
    for (int32_t k = 0; k < b->count; k++) {
        int32_t i = b->body[k];
        const sni_joint* joint = &d->model->joint[i];
        sn_twist at = sn_twist_zero();
        if (joint->parent >= 0) {
            at = t[joint->parent];
            at.v = sn_vec3_add(at.v, sn_vec3_cross(at.w, of_body(&f, f.r, i)));
        }
        bool hinge = joint->type == SN_JOINT_REVOLUTE;
        if (hinge) at.w = sn_vec3_add(at.w, sn_vec3_scale(v[joint->iv], of_body(&f, f.z, i)));
        for (int32_t n = joint->iv; !hinge && n < joint->iv + joint->nv; n++) {
            sn_twist S = fast->kernel->axis(d->model, fast->memory, i, n);
            at = sn_twist_add(at, sn_twist_scale(v[n], S));
        }
        t[i] = at;
    }
}

/// Canonical body axes, for algorithms that have no kernel at the state.
static void spread_in_bodies(const sn_dynamics* d, const double* v, sn_twist* t) {
    const sni_branches* b = &d->branches;
    for (int32_t k = 0; k < b->count; k++) {
        int32_t i = b->body[k];
        const sni_joint* joint = &d->model->joint[i];
        const double* q = d->q + joint->iq;
        sn_twist at = sn_twist_zero(), S[SN_JOINT_MAX_NV];
        if (joint->parent >= 0) {
            sn_pose X_pb = sn_pose_mul(joint->X_pj, sni_joint_pose(joint, q));
            at = sn_pose_twist_inverse(X_pb, t[joint->parent]);
        }
        sni_joint_subspace(joint, q, S);
        for (int n = 0; n < joint->nv; n++)
            at = sn_twist_add(at, sn_twist_scale(v[joint->iv + n], S[n]));
        t[i] = at;
    }
}

sn_status sn_dynamics_twists(sn_dynamics* d, const double* v, const sn_body_id* bodies, int count,
                             sn_twist* twists) {
    if (!d || !v || count < 0 || (count > 0 && (!bodies || !twists))) return SN_ERR_ARGUMENT;
    for (int k = 0; k < count; k++)
        if (bodies[k].i < -1 || bodies[k].i >= d->model->body_count) return SN_ERR_ARGUMENT;
    sn_twist* t = d->twist;
    const sni_fast* fast = d->ops->fast ? d->ops->fast(d) : NULL;
    sni_branches_clear(&d->branches, d->model);
    for (int k = 0; k < count; k++) sni_branches_add(&d->branches, d->model, bodies[k].i);
    if (fast)
        spread_in_world(d, fast, v, t);
    else
        spread_in_bodies(d, v, t);
    for (int k = 0; k < count; k++) {
        int32_t i = bodies[k].i;
        if (i < 0) { // the world
            twists[k] = sn_twist_zero();
            continue;
        }
        sn_twist at = t[i];
        if (fast) {
            sn_mat3 R = fast->kernel->motion(fast->memory, i, false).R;
            at =
                sn_twist_make(sn_mat3_apply_transposed(R, at.w), sn_mat3_apply_transposed(R, at.v));
        }
        twists[k] = sni_twist_to_user(d, i, at);
    }
    return SN_OK;
}
