// SPDX-License-Identifier: Apache-2.0
// Questions about a compiled model.
#include "base/assert.h"
#include "model/sn_model.h"

const char* sn_model_name(const sn_model* model) { return model->name; }
int sn_model_body_count(const sn_model* model) { return model->body_count; }
int sn_model_frame_count(const sn_model* model) { return model->frame_count; }
int sn_model_shape_count(const sn_model* model) { return model->shape_count; }
int sn_model_loop_count(const sn_model* model) { return model->loop_count; }
int sn_model_exclusion_count(const sn_model* model) { return model->exclusion_count; }
int sn_model_nq(const sn_model* model) { return model->nq; }
int sn_model_nv(const sn_model* model) { return model->nv; }
double sn_model_mass(const sn_model* model) { return model->mass; }

sn_body_info sn_model_body(const sn_model* model, sn_body_id body) {
    SN_ASSERT(body.i >= 0 && body.i < model->body_count);
    const sni_body_record* record = &model->body[body.i];
    const sni_joint* joint = &model->joint[body.i];
    sn_body_info info = {
        .name = record->name,
        .joint_name = record->joint_name,
        .parent = {joint->parent},
        .type = (sn_joint_type)joint->type,
        .iq = joint->iq,
        .nq = joint->nq,
        .iv = joint->iv,
        .nv = joint->nv,
        .placement = record->placement,
        .axis = record->axis,
        .axis2 = record->axis2,
        .pitch = joint->pitch,
        .inertia = record->inertia,
        .rest = model->dof.rest + joint->iq,
    };
#define POINT(field) info.field = model->dof.field + joint->iv;
    SN_DOF_FIELDS(POINT)
#undef POINT
    return info;
}

sn_frame_info sn_model_frame(const sn_model* model, sn_frame_id frame) {
    SN_ASSERT(frame.i >= 0 && frame.i < model->frame_count);
    const sni_frame_record* record = &model->frame[frame.i];
    sn_frame_info info = {
        record->name, {record->body}, record->X_bf, record->joint_name, record->folded};
    return info;
}

sn_shape_info sn_model_shape(const sn_model* model, int shape) {
    SN_ASSERT(shape >= 0 && shape < model->shape_count);
    return model->shape[shape];
}

sn_loop_info sn_model_loop(const sn_model* model, int loop) {
    SN_ASSERT(loop >= 0 && loop < model->loop_count);
    return model->loop_info[loop];
}

sn_exclusion sn_model_exclusion(const sn_model* model, int exclusion) {
    SN_ASSERT(exclusion >= 0 && exclusion < model->exclusion_count);
    return model->exclusion[exclusion];
}

sn_body_id sn_model_find_body(const sn_model* model, const char* name) {
    return sn_body(sni_name_map_find(&model->body_names, name));
}

sn_body_id sn_model_find_joint(const sn_model* model, const char* name) {
    return sn_body(sni_name_map_find(&model->joint_names, name));
}

sn_frame_id sn_model_find_frame(const sn_model* model, const char* name) {
    sn_frame_id id = {sni_name_map_find(&model->frame_names, name)};
    return id;
}

int sn_model_find_loop(const sn_model* model, const char* name) {
    return sni_name_map_find(&model->loop_names, name);
}
