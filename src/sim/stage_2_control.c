// SPDX-License-Identifier: Apache-2.0
// Stage 2: joint forces of user, springs and dampers, of joints that are awake.
#include "sim/sn_sim.h"

void sni_joint_forces(sn_world* world, const int32_t* joints, int32_t count, const double* q,
                      const double* v, double* tau) {
    const sn_model* model = world->model;
    sni_passive_force(model, joints, count, q, v, tau);
    for (int32_t i = 0; i < count; i++) {
        const sni_joint* joint = &model->joint[joints ? joints[i] : i];
        for (int32_t k = joint->iv; k < joint->iv + joint->nv; k++) tau[k] += world->state.force[k];
    }
}

// Euler treats springs and dampers implicitly: the spring force at the end of the step is
// -k (q + h v+ - rest), so tau gets -h k v here and the armature h d + h^2 k once for all.
void sni_step_forces(sn_world* world, const int32_t* joints, int32_t count) {
    const sni_state* state = &world->state;
    const double* stiffness = world->model->dof.stiffness;
    double* tau = world->work.tau;
    sni_joint_forces(world, joints, count, state->q, state->v, tau);
    if (world->integrator != SN_INTEGRATE_EULER) return;
    for (int32_t i = 0; i < count; i++) {
        const sni_joint* joint = &world->model->joint[joints ? joints[i] : i];
        for (int32_t k = joint->iv; k < joint->iv + joint->nv; k++)
            tau[k] -= world->h * stiffness[k] * state->v[k];
    }
}

sn_status sni_stage_control(sn_world* world, sn_step_report* report) {
    (void)report; // nothing here can go wrong
    sni_step_forces(world, world->dynamics->awake, world->dynamics->awake_count);
    return SN_OK;
}
