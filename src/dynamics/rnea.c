// SPDX-License-Identifier: Apache-2.0
// Recursive Newton-Euler: the forces that a given acceleration needs.   [F08 ch 5]
//   down  a'_i = X a'_p + S qdd + c        f_i = I a'_i + v x* I v - f_ext
//   up    tau_i = S' f_i + Ia qdd          f_p += X' f_i
#include "dynamics/sn_dynamics.h"

static void accelerate(sn_dynamics* d, const double* qdd, bool moving) {
    const sn_model* model = d->model;
    sni_motion* m = &d->motion;
    sn_twist ground = moving ? sni_ground_acceleration(d) : sn_twist_zero();
    for (int32_t i = 0; i < model->body_count; i++) {
        const sni_joint* joint = &model->joint[i];
        sn_twist parent = joint->parent < 0 ? ground : m->a[joint->parent];
        sn_twist a = sn_pose_twist_inverse(m->X_pb[i], parent);
        if (qdd) a = sn_twist_add(a, sni_joint_motion(d, joint, qdd));
        if (moving) a = sn_twist_add(a, m->c[i]);
        m->a[i] = a;
        d->force[i] = sni_rigid_mul(&model->inertia[i], a);
        if (!moving) continue;
        sn_wrench momentum = sni_rigid_mul(&model->inertia[i], m->v[i]);
        d->force[i] = sn_wrench_add(d->force[i], sn_twist_cross_wrench(m->v[i], momentum));
    }
    if (!moving) return;
    for (int32_t k = 0; k < d->wrenches.count; k++) {
        sn_wrench* f = &d->force[d->wrenches.body[k]];
        *f = sn_wrench_sub(*f, sni_external_wrench(d, k));
    }
}

void sni_rnea(sn_dynamics* d, const double* qdd, bool moving, double* tau) {
    const sn_model* model = d->model;
    accelerate(d, qdd, moving);
    for (int32_t i = model->body_count - 1; i >= 0; i--) {
        const sni_joint* joint = &model->joint[i];
        sn_wrench f = d->force[i];
        for (int32_t k = joint->iv; tau && k < joint->iv + joint->nv; k++) {
            tau[k] = sn_power(f, d->motion.S[k]);
            if (qdd) tau[k] += d->armature[k] * qdd[k];
        }
        if (joint->parent < 0) continue;
        sn_wrench* f_p = &d->force[joint->parent];
        *f_p = sn_wrench_add(*f_p, sn_pose_wrench(d->motion.X_pb[i], f));
    }
}
