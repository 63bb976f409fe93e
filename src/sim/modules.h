// SPDX-License-Identifier: Apache-2.0
/// Parts of a world by the names in its def: of the user's modules first, then of ours.
#ifndef SN_SIM_MODULES_H
#define SN_SIM_MODULES_H

#include "sim/sn_sim.h"

sn_status sni_make_dynamics(const sn_world_def* def, const sn_model* model, sn_dynamics** dynamics,
                            sn_error* error);
sn_status sni_make_collider(const sn_world_def* def, const sn_model* model, sn_collider** collider,
                            sn_error* error);
sn_status sni_make_solver(const sn_world_def* def, const sn_contact_capacity* capacity,
                          sn_contact_solver** solver, sn_error* error);
/// Leaves it as it is, zero, where the stages are ours.
sn_status sni_make_simulator(const sn_world_def* def, const sn_model* model,
                             sni_simulator* simulator, sn_error* error);
void sni_simulator_free(sni_simulator* simulator);

#endif
