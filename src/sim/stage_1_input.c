// SPDX-License-Identifier: Apache-2.0
// Stage 1: commands that arrived since the last step.
#include "sim/sn_sim.h"

static bool joint_is_known(const sn_world* world, sn_body_id joint) {
    return joint.i >= 0 && joint.i < world->model->body_count;
}

static sn_status set_joint_force(sn_world* world, sn_body_id body, const double* force) {
    if (!joint_is_known(world, body)) return SN_ERR_ARGUMENT;
    const sni_joint* joint = &world->model->joint[body.i];
    for (int k = 0; k < joint->nv; k++)
        if (!isfinite(force[k])) return SN_ERR_NUMERIC;
    for (int k = 0; k < joint->nv; k++) world->state.force[joint->iv + k] = force[k];
    sni_wake(world, body.i);
    sni_wake_for_force(world, body.i);
    return SN_OK;
}

sn_status sni_apply_command(sn_world* world, const sn_command* command) {
    switch (command->type) {
    case SN_COMMAND_WRENCH:
        return sn_world_set_wrench(world, command->body, command->axes, command->wrench);
    case SN_COMMAND_FORCE: return set_joint_force(world, command->body, command->force);
    case SN_COMMAND_LOCK: return sn_world_lock(world, command->body, true);
    case SN_COMMAND_UNLOCK: return sn_world_lock(world, command->body, false);
    case SN_COMMAND_KEEP_ACTIVE: return sn_world_keep_active(world, command->body, true);
    case SN_COMMAND_LET_SLEEP: return sn_world_keep_active(world, command->body, false);
    case SN_COMMAND_REPLACE: return sn_world_replace(world, command->replacement);
    case SN_COMMAND_ADAPTIVITY: return sn_world_set_adaptivity(world, &command->adaptivity);
    }
    return SN_ERR_ARGUMENT;
}

sn_status sni_stage_input(sn_world* world, sn_step_report* report) {
    sn_command command;
    // at most one ring full, so that a fast sender cannot hold the step up
    for (size_t k = 0; k < world->commands.capacity; k++) {
        if (!sni_ring_take(&world->commands, &command)) break;
        report->commands++;
        if (sni_apply_command(world, &command)) report->events |= SN_EVENT_BAD_COMMAND;
    }
    if (world->replaced) report->events |= SN_EVENT_REPLACED;
    world->replaced = false;
    return SN_OK;
}
