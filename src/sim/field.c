// SPDX-License-Identifier: Apache-2.0
// A force field: wrenches on bodies, computed anew wherever dynamics is asked.
#include <string.h>

#include "sim/sn_sim.h"

sn_status sn_world_set_field(sn_world* world, const sn_field* field) {
    if (!world || (field && (!world->def.field || !field->compute))) return SN_ERR_ARGUMENT;
    world->field = field ? *field : (sn_field){0};
    if (!field) (void)sni_set_field(world->dynamics, NULL); // taking it away cannot fail
    sni_rethink(world); // what was awake before knew nothing of it
    return SN_OK;
}

void sni_forget_field(sn_world* world) {
    sni_relax_forget(&world->work.relax);
    if (world->field.forget) world->field.forget(world->field.context);
}

sn_status sni_ask_field(sn_world* world) {
    const sn_field* field = &world->field;
    sni_pull_springs(world);
    if (!field->compute) return SN_OK;
    sn_wrench* wrench = world->work.field;
    memset(wrench, 0, (size_t)world->model->body_count * sizeof *wrench);
    sn_status status = field->compute(field->context, world->dynamics, world->state.step, wrench);
    if (!status) status = sni_set_field(world->dynamics, wrench);
    return status ? sni_blame(world, "force field", field->name ? field->name : "", status) : SN_OK;
}
