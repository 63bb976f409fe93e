// SPDX-License-Identifier: Apache-2.0
// Springs of hands in a world without inertia: their pull follows the body while a step moves it.
#include "sim/sn_sim.h"

/// On the body, its axes and origin.
static sn_wrench wrench_of(const sn_world* world, const sn_spring* s) {
    sn_pose X = sn_dynamics_pose(world->dynamics, s->body);
    sn_vec3 way = sn_vec3_sub(s->anchor.p, sn_pose_apply(X, s->point));
    sn_vec3 f = sn_vec3_scale(s->stiffness, sn_mat3_apply_transposed(X.R, way));
    double size = sn_vec3_norm(f);
    if (s->most_force > 0 && size > s->most_force) f = sn_vec3_scale(s->most_force / size, f);
    sn_vec3 n = sn_vec3_cross(s->point, f);
    if (s->turn_stiffness > 0) {
        sn_mat3 R = sn_mat3_mul(sn_mat3_transpose(X.R), s->anchor.R);
        sn_vec3 turn = sn_quat_log(sn_quat_from_matrix(R));
        n = sn_vec3_add(n, sn_vec3_scale(s->turn_stiffness, turn));
    }
    return sn_wrench_make(n, f);
}

static bool is_vector(sn_vec3 v) { return isfinite(v.x + v.y + v.z); }

static bool makes_sense(const sn_world* world, const sn_spring* s) {
    sn_mat3 R = s->anchor.R;
    bool turned = is_vector(sn_mat3_row(R, 0)) && is_vector(sn_mat3_row(R, 1)) &&
                  is_vector(sn_mat3_row(R, 2));
    return s->body.i >= 0 && s->body.i < world->model->body_count && s->stiffness > 0 &&
           isfinite(s->stiffness) && s->turn_stiffness >= 0 && isfinite(s->turn_stiffness) &&
           s->most_force >= 0 && is_vector(s->point) && is_vector(s->anchor.p) && turned;
}

sn_status sn_world_set_spring(sn_world* world, int number, const sn_spring* spring) {
    if (!world || number < 0 || number >= SN_SPRINGS_MOST || !sni_is_quasistatic(world) ||
        (spring && !makes_sense(world, spring)))
        return SN_ERR_ARGUMENT;
    sni_state* state = &world->state;
    sn_spring *at = &state->spring[number], before = *at;
    *at = spring ? *spring : (sn_spring){.body = sn_body_world()};
    bool same = before.stiffness > 0 && at->stiffness > 0 && before.body.i == at->body.i;
    if (!same) {
        if (before.stiffness > 0) // it is there; others on it pull when the step begins
            (void)sn_dynamics_set_pull(world->dynamics, before.body, sn_wrench_zero());
        sni_rethink(world);
    }
    if (number >= state->spring_count) state->spring_count = number + 1;
    sni_tell(world, &(sn_command){.type = SN_COMMAND_SPRING, .number = number, .spring = *at});
    return SN_OK;
}

sn_wrench sn_world_spring_wrench(const sn_world* world, int number) {
    const sni_state* state = &world->state;
    bool there = number >= 0 && number < state->spring_count && state->spring[number].stiffness > 0;
    return there ? wrench_of(world, &state->spring[number]) : sn_wrench_zero();
}

void sni_pull_springs(sn_world* world) {
    const sni_state* state = &world->state;
    for (int32_t k = 0; k < state->spring_count; k++) { // all on one body, by the first of them
        sn_body_id body = state->spring[k].body;
        sn_wrench sum = sn_wrench_zero();
        bool first = state->spring[k].stiffness > 0;
        for (int32_t j = 0; j < state->spring_count && first; j++) {
            if (!(state->spring[j].stiffness > 0) || state->spring[j].body.i != body.i) continue;
            first = j >= k;
            sum = sn_wrench_add(sum, wrench_of(world, &state->spring[j]));
        }
        if (first)
            (void)sn_dynamics_set_pull(world->dynamics, body, sum); // it is there, and finite
    }
}

sn_wrench sn_world_pull(const sn_world* world, sn_body_id body) {
    const sni_wrench_set* set = &world->dynamics->wrenches;
    bool there = body.i >= 0 && body.i < world->model->body_count && set->slot[body.i];
    return there ? set->pull[set->slot[body.i] - 1] : sn_wrench_zero();
}
