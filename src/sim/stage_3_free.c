// SPDX-License-Identifier: Apache-2.0
// Stage 3: forward dynamics without contact.
#include "sim/sn_sim.h"

void sni_update_motion(sn_world* world) {
    if (world->motion_is_current) return;
    sni_kinematics(world->dynamics, world->state.q, world->state.v);
    world->motion_is_current = true;
}

sn_status sni_stage_free(sn_world* world, sn_step_report* report) {
    sni_update_motion(world);
    report->sweeps = 1;
    return sni_forward(world->dynamics, world->work.tau, world->work.qdd);
}
