// SPDX-License-Identifier: Apache-2.0
// Poses, velocities and velocity-product accelerations, root to leaf.   [F08 ch 4, 5]
//   v_i = X v_p + S v_J          c_i = S_ring v_J + v_i x S v_J
#include "dynamics/sn_dynamics.h"

void sni_tree_kinematics(sn_dynamics* d) {
    const sn_model* model = d->model;
    sni_motion* m = &d->motion;
    for (int32_t i = 0; i < model->body_count; i++) {
        const sni_joint* joint = &model->joint[i];
        const double *q = d->q + joint->iq, *v = d->v + joint->iv;
        int32_t p = joint->parent;
        m->X_pb[i] = sn_pose_mul(joint->X_pj, sni_joint_pose(joint, q));
        m->X_wb[i] = p < 0 ? m->X_pb[i] : sn_pose_mul(m->X_wb[p], m->X_pb[i]);
        sni_joint_subspace(joint, q, m->S + joint->iv);

        sn_twist vJ = sni_joint_motion(d, joint, d->v);
        sn_twist carried = p < 0 ? sn_twist_zero() : sn_pose_twist_inverse(m->X_pb[i], m->v[p]);
        m->v[i] = sn_twist_add(carried, vJ);
        m->c[i] = sn_twist_add(sni_joint_bias(joint, q, v), sn_twist_cross(m->v[i], vJ));
    }
}

sn_pose sni_tree_pose(const sn_dynamics* d, int32_t body) { return d->motion.X_wb[body]; }
sn_twist sni_tree_velocity(const sn_dynamics* d, int32_t body) { return d->motion.v[body]; }
sn_twist sni_tree_acceleration(const sn_dynamics* d, int32_t body) { return d->motion.a[body]; }

/// Body twists that joint rates give at the current configuration.
static void propagate(sn_dynamics* d, const double* rate, sn_twist* twist) {
    for (int32_t i = 0; i < d->model->body_count; i++) {
        const sni_joint* joint = &d->model->joint[i];
        sn_twist own = sni_joint_motion(d, joint, rate);
        twist[i] = own;
        if (joint->parent >= 0)
            twist[i] =
                sn_twist_add(sn_pose_twist_inverse(d->motion.X_pb[i], twist[joint->parent]), own);
    }
}

/// Wrench with a one in place k of (moment, force).
static sn_wrench unit_wrench(int k) {
    double u[6] = {0};
    u[k] = 1;
    return sn_wrench_make(sn_vec3_make(u[0], u[1], u[2]), sn_vec3_make(u[3], u[4], u[5]));
}

// One impulse pass per column: unit wrench on one body, motion of all of them.
void sni_tree_response(sn_dynamics* d, const sn_body_id* bodies, int count, double* Lambda) {
    size_t size = 6 * (size_t)count;
    for (size_t column = 0; column < size; column++) {
        sn_body_wrench unit = {bodies[column / 6], unit_wrench((int)(column % 6))};
        d->ops->impulse(d, NULL, &unit, 1, d->rate);
        propagate(d, d->rate, d->twist);
        for (int k = 0; k < count; k++) {
            sn_twist t = sni_twist_to_user(d, bodies[k].i, d->twist[bodies[k].i]);
            double row[6] = {t.w.x, t.w.y, t.w.z, t.v.x, t.v.y, t.v.z};
            for (size_t r = 0; r < 6; r++) Lambda[(6 * (size_t)k + r) * size + column] = row[r];
        }
    }
}
