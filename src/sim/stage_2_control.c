// SPDX-License-Identifier: Apache-2.0
// Stage 2: joint forces of user, springs and dampers.
#include "sim/sn_sim.h"

void sni_joint_forces(sn_world* world, const double* q, const double* v, double* tau) {
    sn_dynamics_passive_force(world->dynamics, q, v, tau);
    for (int32_t k = 0; k < world->model->nv; k++) tau[k] += world->state.force[k];
}

// Euler treats springs and dampers implicitly: the spring force at the end of the step is
// -k (q + h v+ - rest), so tau gets -h k v here and the armature h d + h^2 k once for all.
sn_status sni_stage_control(sn_world* world, sn_step_report* report) {
    (void)report; // nothing here can go wrong
    const sni_state* state = &world->state;
    const double* stiffness = world->model->dof.stiffness;
    sni_joint_forces(world, state->q, state->v, world->work.tau);
    if (world->integrator != SN_INTEGRATE_EULER) return SN_OK;
    for (int32_t k = 0; k < world->model->nv; k++)
        world->work.tau[k] -= world->h * stiffness[k] * state->v[k];
    return SN_OK;
}
