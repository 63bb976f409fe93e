// SPDX-License-Identifier: Apache-2.0
// Why a world stopped, in words.
#include <stdio.h>

#include "sim/sn_sim.h"

// Texts that are too long are cut.

sn_status sni_blame(sn_world* world, const char* kind, const char* name, sn_status status) {
    (void)snprintf(world->fault, sizeof world->fault, "%s '%s' returned: %s", kind, name,
                   status == SN_ERR_FAULT ? "a negative number" : sn_status_text(status));
    return status;
}

void sni_latch(sn_world* world, const char* stage, sn_status status) {
    sn_status trouble = sni_dynamics_trouble(world->dynamics);
    world->state.fault = true;
    if (world->fault[0]) return; // a stage knew more
    if (trouble)
        (void)sni_blame(world, "dynamics", sn_dynamics_name(world->dynamics), trouble);
    else
        (void)snprintf(world->fault, sizeof world->fault, "stage %s: %s", stage,
                       sn_status_text(status));
}

const char* sn_world_fault(const sn_world* world) { return world->state.fault ? world->fault : ""; }
