// SPDX-License-Identifier: Apache-2.0
// Configurations q of a whole model, joint by joint.
#include "model/sn_model.h"
#include "model/validate.h"

void sn_model_neutral(const sn_model* model, double* q) {
    for (int32_t b = 0; b < model->body_count; b++)
        sni_joint_neutral((sn_joint_type)model->joint[b].type, q + model->joint[b].iq);
}

void sn_model_integrate(const sn_model* model, const double* q, const double* dv, double* q_out) {
    for (int32_t b = 0; b < model->body_count; b++) {
        const sni_joint* joint = &model->joint[b];
        sni_joint_integrate(joint, q + joint->iq, dv + joint->iv, q_out + joint->iq);
    }
}

void sn_model_difference(const sn_model* model, const double* q0, const double* q1, double* dv) {
    for (int32_t b = 0; b < model->body_count; b++) {
        const sni_joint* joint = &model->joint[b];
        sni_joint_difference(joint, q0 + joint->iq, q1 + joint->iq, dv + joint->iv);
    }
}

void sni_make_unit(const sn_model* model, double* q) {
    for (int32_t b = 0; b < model->body_count; b++) {
        int at = sni_joint_quat_at((sn_joint_type)model->joint[b].type);
        if (at >= 0) sni_unit_quat(q + model->joint[b].iq + at);
    }
}

static bool joint_q_is_good(const sni_joint* joint, const double* q) {
    for (int k = 0; k < joint->nq; k++)
        if (!isfinite(q[k])) return false;
    int at = sni_joint_quat_at((sn_joint_type)joint->type);
    if (at < 0) return true;
    double norm = sn_quat_norm(sn_quat_make(q[at], q[at + 1], q[at + 2], q[at + 3]));
    return fabs(norm - 1) <= SN_DIRECTION_TOLERANCE;
}

bool sn_model_check_q(const sn_model* model, const double* q, sn_body_id* body) {
    for (int32_t b = 0; b < model->body_count; b++) {
        if (joint_q_is_good(&model->joint[b], q + model->joint[b].iq)) continue;
        if (body) *body = sn_body(b);
        return false;
    }
    return true;
}
