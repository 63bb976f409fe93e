// SPDX-License-Identifier: Apache-2.0
// Energy, momentum, and the springs and dampers of joints.
#include "dynamics/sn_dynamics.h"

sn_energy sn_dynamics_energy(const sn_dynamics* d) {
    const sn_model* model = d->model;
    sn_energy e = {0, 0, 0};
    for (int32_t i = 0; i < model->body_count; i++) {
        const sni_joint* joint = &model->joint[i];
        const sni_rigid* I = &model->inertia[i];
        sn_twist v = d->ops->velocity(d, i);
        sn_pose X_wb = d->ops->pose(d, i);
        e.kinetic += 0.5 * sn_power(sni_rigid_mul(I, v), v);
        sn_vec3 moment = // mass times centre of mass, world
            sn_vec3_add(sn_mat3_apply(X_wb.R, I->h), sn_vec3_scale(I->m, X_wb.p));
        e.potential -= sn_vec3_dot(d->gravity, moment);
        double stretch[SN_JOINT_MAX_NV];
        sni_joint_stretch(joint, model->dof.rest + joint->iq, d->q + joint->iq, stretch);
        for (int32_t k = joint->iv; k < joint->iv + joint->nv; k++) {
            double s = stretch[k - joint->iv];
            e.kinetic += 0.5 * model->dof.armature[k] * d->v[k] * d->v[k];
            e.spring += 0.5 * model->dof.stiffness[k] * s * s;
        }
    }
    return e;
}

sn_momentum sn_dynamics_momentum(const sn_dynamics* d) {
    const sn_model* model = d->model;
    sn_momentum sum = {model->mass, sn_vec3_zero(), sn_vec3_zero(), sn_vec3_zero()};
    for (int32_t i = 0; i < model->body_count; i++) { // about the world origin first
        const sni_rigid* I = &model->inertia[i];
        sn_pose X_wb = d->ops->pose(d, i);
        sn_wrench h = sn_pose_wrench(X_wb, sni_rigid_mul(I, d->ops->velocity(d, i)));
        sn_vec3 moment = sn_vec3_add(sn_mat3_apply(X_wb.R, I->h), sn_vec3_scale(I->m, X_wb.p));
        sum.linear = sn_vec3_add(sum.linear, h.f);
        sum.angular = sn_vec3_add(sum.angular, h.n);
        sum.com = sn_vec3_add(sum.com, moment);
    }
    if (!(sum.mass > 0)) return sum; // no bodies
    sum.com = sn_vec3_scale(1 / sum.mass, sum.com);
    sum.angular = sn_vec3_sub(sum.angular, sn_vec3_cross(sum.com, sum.linear));
    return sum;
}

void sn_dynamics_passive_force(const sn_dynamics* d, const double* q, const double* v,
                               double* tau) {
    const sn_model* model = d->model;
    for (int32_t i = 0; i < model->body_count; i++) {
        const sni_joint* joint = &model->joint[i];
        double stretch[SN_JOINT_MAX_NV];
        sni_joint_stretch(joint, model->dof.rest + joint->iq, q + joint->iq, stretch);
        for (int32_t k = joint->iv; k < joint->iv + joint->nv; k++)
            tau[k] =
                -model->dof.stiffness[k] * stretch[k - joint->iv] - model->dof.damping[k] * v[k];
    }
}
