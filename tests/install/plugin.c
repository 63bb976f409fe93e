// SPDX-License-Identifier: Apache-2.0
// A plugin as a user writes it, built by one line against the installed headers.
#include <sinew/plugin.h>

static sn_status init(sn_simulation* sim, const char* options, void** memory, sn_error* error) {
    (void)sim, (void)options, (void)memory, (void)error;
    return SN_OK;
}

/// A function that no program of the tests calls itself.
static sn_status step(void* memory, sn_simulation* sim) {
    (void)memory;
    return sn_world_momentum(sn_simulation_world(sim)).mass > 0 ? SN_OK : SN_ERR_MODEL;
}

static void cleanup(void* memory) { (void)memory; }

const sn_plugin sn_plugin_table = {SN_PLUGIN_HEAD, .name = "by_hand", .init = init, .step = step,
                                   .cleanup = cleanup};
