// SPDX-License-Identifier: Apache-2.0
// Energy, momentum, and the springs and dampers of joints.
#include "dynamics/sn_dynamics.h"

/// What moves as one body, number k; false past the last.
static bool moving_part(const sn_dynamics* d, int32_t k, sni_moving_part* part) {
    if (d->ops->part) return d->ops->part(d, k, part);
    if (k >= d->model->body_count) return false;
    *part = (sni_moving_part){d->model->inertia[k], d->ops->pose(d, k), d->ops->velocity(d, k), 0};
    return true;
}

/// Mass times centre of mass, world.
static sn_vec3 first_moment(const sni_moving_part* part) {
    return sn_vec3_add(sn_mat3_apply(part->X.R, part->I.h), sn_vec3_scale(part->I.m, part->X.p));
}

sn_energy sn_dynamics_energy(const sn_dynamics* d) {
    const sn_model* model = d->model;
    sn_energy e = {0, 0, 0};
    sni_moving_part part;
    for (int32_t k = 0; moving_part(d, k, &part); k++) {
        e.kinetic += 0.5 * sn_power(sni_rigid_mul(&part.I, part.v), part.v);
        e.potential -= sn_vec3_dot(d->gravity, first_moment(&part));
        e.spring += part.spring;
    }
    for (int32_t a = 0; a < d->awake_count; a++) {
        const sni_joint* joint = &model->joint[d->awake[a]];
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
    sn_momentum sum = {d->model->mass, sn_vec3_zero(), sn_vec3_zero(), sn_vec3_zero()};
    sni_moving_part part;
    for (int32_t k = 0; moving_part(d, k, &part); k++) { // about the world origin first
        sn_wrench h = sn_pose_wrench(part.X, sni_rigid_mul(&part.I, part.v));
        sum.linear = sn_vec3_add(sum.linear, h.f);
        sum.angular = sn_vec3_add(sum.angular, h.n);
        sum.com = sn_vec3_add(sum.com, first_moment(&part));
    }
    if (!(sum.mass > 0)) return sum; // no bodies
    sum.com = sn_vec3_scale(1 / sum.mass, sum.com);
    sum.angular = sn_vec3_sub(sum.angular, sn_vec3_cross(sum.com, sum.linear));
    return sum;
}

static bool has_spring(const sni_joint* joint, const double* stiffness) {
    for (int k = 0; k < joint->nv; k++)
        if (stiffness[k] != 0) return true;
    return false;
}

static void add_spring(const sn_model* model, const sni_joint* joint, const double* q,
                       double* tau) {
    const double* stiffness = model->dof.stiffness + joint->iv;
    if (!has_spring(joint, stiffness)) return;
    double stretch[SN_JOINT_MAX_NV];
    sni_joint_stretch(joint, model->dof.rest + joint->iq, q + joint->iq, stretch);
    for (int k = 0; k < joint->nv; k++) tau[joint->iv + k] -= stiffness[k] * stretch[k];
}

void sni_passive_force(const sn_model* model, const int32_t* joints, int32_t count, const double* q,
                       const double* v, double* tau) {
    const double* damping = model->dof.damping;
    for (int32_t i = 0; i < sni_piece_count(model, count); i++) {
        sni_piece at = sni_piece_at(model, joints, count, i);
        for (int32_t k = at.iv; k < at.iv + at.nv; k++) tau[k] = -damping[k] * v[k];
    }
    for (int32_t i = 0; model->sprung && i < count; i++)
        add_spring(model, &model->joint[joints ? joints[i] : i], q, tau);
}

void sn_dynamics_passive_force(const sn_dynamics* d, const double* q, const double* v,
                               double* tau) {
    sni_passive_force(d->model, NULL, d->model->body_count, q, v, tau);
}
