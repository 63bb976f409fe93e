// SPDX-License-Identifier: Apache-2.0
// Springs of hands in a world without inertia: their pull follows the body while a step moves it.
#include "sim/sn_sim.h"

/// The spring's end on the body.
static sn_pose held(const sn_world* world, const sni_spring* spring) {
    sn_pose X = sn_dynamics_pose(world->dynamics, spring->body);
    return sn_pose_make(X.R, sn_pose_apply(X, spring->at.point));
}

/// On the body, its axes and origin.
static sn_wrench wrench_of(const sn_world* world, const sni_spring* spring) {
    const sn_spring* at = &spring->at;
    sn_pose X_wh = held(world, spring), X_ha = sn_pose_mul(sn_pose_inverse(X_wh), spring->anchor);
    sn_vec3 f = sn_vec3_scale(at->stiffness, X_ha.p);
    sn_vec3 n = sn_vec3_zero();
    if (at->turn_stiffness > 0)
        n = sn_vec3_scale(at->turn_stiffness, sn_quat_log(sn_quat_from_matrix(X_ha.R)));
    return sn_wrench_make(sn_vec3_add(n, sn_vec3_cross(at->point, f)), f);
}

/// Where the other end is when the spring pulls with this wrench now.
static sn_pose anchor_for(const sn_world* world, const sni_spring* spring, sn_wrench wrench) {
    const sn_spring* at = &spring->at;
    sn_vec3 moment = sn_vec3_sub(wrench.n, sn_vec3_cross(at->point, wrench.f));
    sn_vec3 turn =
        at->turn_stiffness > 0 ? sn_vec3_scale(1 / at->turn_stiffness, moment) : sn_vec3_zero();
    sn_pose X_ha =
        sn_pose_make(sn_quat_matrix(sn_quat_exp(turn)), sn_vec3_scale(1 / at->stiffness, wrench.f));
    return sn_pose_mul(held(world, spring), X_ha);
}

static int32_t find(const sni_state* state, sn_body_id body) {
    int32_t k = 0;
    while (k < state->spring_count && state->spring[k].body.i != body.i) k++;
    return k;
}

static bool makes_sense(const sn_spring* s) {
    return s->stiffness > 0 && isfinite(s->stiffness) && s->turn_stiffness >= 0 &&
           isfinite(s->turn_stiffness + s->point.x + s->point.y + s->point.z);
}

sn_status sn_world_set_spring(sn_world* world, sn_body_id body, sn_wrench wrench,
                              const sn_spring* spring) {
    if (!world || !spring || !makes_sense(spring) || !sni_is_quasistatic(world))
        return SN_ERR_ARGUMENT;
    sni_state* state = &world->state;
    int32_t k = find(state, body);
    if (k == SN_SPRINGS_MOST) return SN_ERR_CAPACITY;
    sn_status status = sn_dynamics_set_pull(world->dynamics, body, wrench);
    if (status) return status;
    sni_update_motion(world);
    sni_spring made = {.body = body, .at = *spring};
    made.anchor = anchor_for(world, &made, wrench);
    state->spring[k] = made;
    if (k == state->spring_count) { // else it pulled already
        state->spring_count++;
        world->region_due = true;
    }
    sni_tell(world,
             &(sn_command){
                 .type = SN_COMMAND_SPRING, .body = body, .wrench = wrench, .spring = *spring});
    return SN_OK;
}

void sni_drop_spring(sn_world* world, sn_body_id body) {
    sni_state* state = &world->state;
    int32_t k = find(state, body);
    if (k < state->spring_count) state->spring[k] = state->spring[--state->spring_count];
}

void sni_pull_springs(sn_world* world) {
    for (int32_t k = 0; k < world->state.spring_count; k++) {
        const sni_spring* spring = &world->state.spring[k];
        sn_wrench wrench = wrench_of(world, spring);
        (void)sn_dynamics_set_pull(world->dynamics, spring->body,
                                   wrench); // it is there, and finite
    }
}

sn_wrench sn_world_pull(const sn_world* world, sn_body_id body) {
    const sni_wrench_set* set = &world->dynamics->wrenches;
    bool there = body.i >= 0 && body.i < world->model->body_count && set->slot[body.i];
    return there ? set->pull[set->slot[body.i] - 1] : sn_wrench_zero();
}
