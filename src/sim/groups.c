// SPDX-License-Identifier: Apache-2.0
#include "sim/groups.h"

#include <string.h>

void sni_groups_layout(sni_groups* groups, sni_arena* arena, const sn_model* model) {
    groups->group_of = SN_ARENA_ARRAY(arena, int32_t, model->body_count);
    groups->leader = SN_ARENA_ARRAY(arena, int32_t, model->body_count);
    groups->held = SN_ARENA_ARRAY(arena, bool, model->body_count);
    groups->offset = SN_ARENA_ARRAY(arena, sn_pose, model->body_count);
}

/// True when body i cannot move relative to its parent.
static bool is_held(const sn_dynamics* dynamics, const sni_joint* joint, int32_t i) {
    if (!dynamics->locked[i]) return false;
    for (int k = 0; k < joint->nv; k++)
        if (dynamics->v[joint->iv + k] != 0) return false;
    return true;
}

void sni_groups_find(sni_groups* groups, const sn_dynamics* dynamics) {
    const sn_model* model = dynamics->model;
    groups->version++;
    groups->count = 0;
    for (int32_t i = 0; i < model->body_count; i++) {
        const sni_joint* joint = &model->joint[i];
        groups->held[i] = is_held(dynamics, joint, i);
        if (joint->parent < 0 || !groups->held[i]) {
            groups->group_of[i] = groups->count;
            groups->leader[groups->count++] = i;
            groups->offset[i] = sn_pose_identity();
            continue;
        }
        int32_t group = groups->group_of[i] = groups->group_of[joint->parent];
        sn_pose X_wg = sn_dynamics_pose(dynamics, sn_body(groups->leader[group]));
        sn_pose X_wb = sn_dynamics_pose(dynamics, sn_body(i));
        groups->offset[i] = sn_pose_mul(sn_pose_inverse(X_wg), X_wb);
    }
}

void sni_groups_copy(sni_groups* to, const sni_groups* from, const sn_model* model) {
    size_t n = (size_t)model->body_count;
    to->version = from->version;
    to->count = from->count;
    memcpy(to->group_of, from->group_of, n * sizeof *to->group_of);
    memcpy(to->leader, from->leader, n * sizeof *to->leader);
    memcpy(to->held, from->held, n * sizeof *to->held);
    memcpy(to->offset, from->offset, n * sizeof *to->offset);
}
