// SPDX-License-Identifier: Apache-2.0
// Stage 1: commands that arrived since the last step.
#include "sim/sn_sim.h"

sn_status sni_stage_input(sn_world* world, sn_step_report* report) {
    sn_command command;
    // at most one ring full, so that a fast sender cannot hold the step up
    for (size_t k = 0; k < world->commands.capacity; k++) {
        if (!sni_ring_take(&world->commands, &command)) break;
        report->commands++;
        if (sn_world_apply(world, &command)) report->events |= SN_EVENT_BAD_COMMAND;
    }
    if (world->replaced) report->events |= SN_EVENT_REPLACED;
    world->replaced = false;
    return SN_OK;
}
