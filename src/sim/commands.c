// SPDX-License-Identifier: Apache-2.0
// Everything that can reach a world from outside, as one type: applied now, sent to the next step, or heard of
// by a tape.
#include <string.h>

#include "sim/sn_sim.h"

static sn_status set_joint_force(sn_world* world, const sn_command* command) {
    sn_body_id body = command->body;
    if (body.i < 0 || body.i >= world->model->body_count) return SN_ERR_ARGUMENT;
    const sni_joint* joint = &world->model->joint[body.i];
    for (int k = 0; k < joint->nv; k++)
        if (!isfinite(command->force[k])) return SN_ERR_NUMERIC;
    memcpy(world->state.force + joint->iv, command->force, joint->nv * sizeof(double));
    sni_wake(world, body.i);
    sni_wake_for_force(world, body.i);
    sni_tell(world, command);
    return SN_OK;
}

static sn_status set_decided(sn_world* world, const sn_command* command) {
    if (command->iterations[0] < 0 || command->iterations[1] < 0) return SN_ERR_ARGUMENT;
    memcpy(world->decided, command->iterations, sizeof world->decided);
    return SN_OK;
}

sn_status sn_world_apply(sn_world* world, const sn_command* command) {
    if (!world || !command) return SN_ERR_ARGUMENT;
    sn_body_id body = command->body;
    switch (command->type) {
    case SN_COMMAND_WRENCH: return sn_world_set_wrench(world, body, command->axes, command->wrench);
    case SN_COMMAND_FORCE: return set_joint_force(world, command);
    case SN_COMMAND_LOCK: return sn_world_lock(world, body, true);
    case SN_COMMAND_UNLOCK: return sn_world_lock(world, body, false);
    case SN_COMMAND_KEEP_ACTIVE: return sn_world_keep_active(world, body, true);
    case SN_COMMAND_LET_SLEEP: return sn_world_keep_active(world, body, false);
    case SN_COMMAND_ADAPTIVITY: return sn_world_set_adaptivity(world, &command->adaptivity);
    case SN_COMMAND_REPLACE: return sn_world_replace(world, command->replacement);
    case SN_COMMAND_STATE: return sn_world_set_state(world, command->q, command->v);
    case SN_COMMAND_FORCES: return sn_world_set_force(world, command->v);
    case SN_COMMAND_CONTROL: return sni_set_control(world, command->v);
    case SN_COMMAND_DRIVE: return sni_set_drive(world, command->v);
    case SN_COMMAND_GRAVITY: return sn_world_set_gravity(world, command->vector);
    case SN_COMMAND_CONSTRAIN:
        return command->here ? sn_world_hold(world, &command->constraint, NULL)
                             : sn_world_add_constraint(world, &command->constraint, NULL);
    case SN_COMMAND_RELEASE: return sn_world_remove_constraint(world, command->constraint.id);
    case SN_COMMAND_WAKE: sn_world_wake(world, body); return SN_OK;
    case SN_COMMAND_SOLVE:
        return sn_world_set_solve(world, command->tolerance, command->iterations[0]);
    case SN_COMMAND_SOLVED: return set_decided(world, command);
    case SN_COMMAND_PULL: return sn_world_set_pull(world, body, command->wrench);
    case SN_COMMAND_SPRING:
        return sn_world_set_spring(world, command->number,
                                   command->spring.stiffness == 0 ? NULL : &command->spring);
    case SN_COMMAND_COUNT: break;
    }
    return SN_ERR_ARGUMENT;
}

sn_status sn_world_post(sn_world* world, const sn_command* command) {
    if (!world || !command) return SN_ERR_ARGUMENT;
    return sni_ring_put(&world->commands, command) ? SN_OK : SN_ERR_CAPACITY;
}

void sn_world_set_tape(sn_world* world, const sn_tape* tape) {
    world->tape = tape ? *tape : (sn_tape){0};
}
