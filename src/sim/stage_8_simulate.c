// SPDX-License-Identifier: Apache-2.0
// Stage 8 where a user's simulator stands for the stages from free to integrate: the next state is what it says,
// taken only when it is finite.
#include <string.h>

#include "math/numbers.h"
#include "sim/sn_sim.h"

sn_status sni_stage_simulate(sn_world* world, sn_step_report* report) {
    (void)report; // there is nothing to say of its work
    const sn_simulator_module* table = &world->simulator.table;
    const sn_model* model = world->model;
    double *q = world->work.q, *v = world->work.v;
    sni_update_motion(world);
    if (sni_has_contact(world)) sni_contacts_move(world);
    world->contacts.count = 0; // what it finds is its own
    memcpy(q, world->state.q, (size_t)model->nq * sizeof *q);
    memcpy(v, world->state.v, (size_t)model->nv * sizeof *v);
    sn_status status = table->advance(table->context, world->simulator.memory, world, world->h,
                                      world->work.tau, q, v);
    world->motion_is_current = false;
    if (!status && !(sn_model_check_q(model, q, NULL) && sni_are_finite(v, model->nv)))
        status = SN_ERR_NUMERIC;
    if (status) return sni_blame(world, "simulator", table->name, status);
    sni_make_unit(model, q);
    memcpy(world->state.q, q, (size_t)model->nq * sizeof *q);
    memcpy(world->state.v, v, (size_t)model->nv * sizeof *v);
    world->state.step++;
    return SN_OK;
}
