// SPDX-License-Identifier: Apache-2.0
// Velocities in the axes of the beginning of a step. v of free and planar joints is in body axes, which turn
// during the step: v + h qdd is seen from the axes at its end, J from those at its beginning. The mismatch
// h w x v is as large as what gravity does in a step, and grows with the speed of whoever looks; so the
// linear part stays in the first axes until the impulses are known, and is turned afterwards.
#include "contact/contact_set.h"

static sn_vec3 get3(const double* a) { return sn_vec3_make(a[0], a[1], a[2]); }
static void put3(double* a, sn_vec3 x) { a[0] = x.x, a[1] = x.y, a[2] = x.z; }

void sn_contact_free_velocity(const sn_model* model, const double* v, const double* qdd, double h,
                              double* v_free) {
    for (int32_t i = 0; i < model->body_count; i++) {
        const sni_joint* joint = &model->joint[i];
        const double *old = v + joint->iv, *rate = qdd + joint->iv;
        double* out = v_free + joint->iv;
        sn_vec3 turned = sn_vec3_zero(); // w x v
        if (joint->type == SN_JOINT_FREE) turned = sn_vec3_cross(get3(old), get3(old + 3));
        if (joint->type == SN_JOINT_PLANAR)
            turned = sn_vec3_make(-old[0] * old[2], old[0] * old[1], 0);
        for (int k = 0; k < joint->nv; k++) out[k] = old[k] + h * rate[k];
        if (joint->type == SN_JOINT_FREE)
            put3(out + 3, sn_vec3_add(get3(out + 3), sn_vec3_scale(h, turned)));
        if (joint->type == SN_JOINT_PLANAR) out[1] += h * turned.x, out[2] += h * turned.y;
    }
}

/// What the joint's coordinates move by in a step at velocity v: turned by h w, and linear parts straight on
/// in the axes of the beginning, so what (+) would bend on the way is taken back.
static void displacement(const sni_joint* joint, double h, const double* v, double* dq) {
    for (int k = 0; k < joint->nv; k++) dq[k] = h * v[k];
    double from[SN_JOINT_MAX_NQ], to[SN_JOINT_MAX_NQ];
    sni_joint_neutral((sn_joint_type)joint->type, from);
    if (joint->type == SN_JOINT_FREE) {
        sn_quat turn = sn_quat_exp(get3(dq));
        put3(to, get3(dq + 3));
        to[3] = turn.w, to[4] = turn.x, to[5] = turn.y, to[6] = turn.z;
    } else if (joint->type == SN_JOINT_PLANAR) {
        to[0] = dq[0], to[1] = dq[1], to[2] = dq[2];
    } else {
        return;
    }
    sni_joint_difference(joint, from, to, dq);
}

/// v in axes that have turned by dq.
static void turn_axes(const sni_joint* joint, const double* dq, double* v) {
    if (joint->type == SN_JOINT_FREE) {
        sn_mat3 R = sn_quat_matrix(sn_quat_exp(get3(dq)));
        put3(v, sn_mat3_apply_transposed(R, get3(v)));
        put3(v + 3, sn_mat3_apply_transposed(R, get3(v + 3)));
    } else if (joint->type == SN_JOINT_PLANAR) {
        double c = cos(dq[0]), s = sin(dq[0]), x = v[1], y = v[2];
        v[1] = c * x + s * y;
        v[2] = -s * x + c * y;
    }
}

void sn_contact_end_step(const sn_model* model, double h, const double* v_plus, const double* w,
                         double* q, double* v) {
    for (int32_t i = 0; i < model->body_count; i++) {
        const sni_joint* joint = &model->joint[i];
        double sum[SN_JOINT_MAX_NV], dq[SN_JOINT_MAX_NV];
        for (int k = 0; k < joint->nv; k++)
            sum[k] = v_plus[joint->iv + k] + (w ? w[joint->iv + k] : 0);
        displacement(joint, h, sum, dq);
        sni_joint_integrate(joint, q + joint->iq, dq, q + joint->iq);
        for (int k = 0; k < joint->nv; k++) v[joint->iv + k] = v_plus[joint->iv + k];
        turn_axes(joint, dq, v + joint->iv);
    }
}
