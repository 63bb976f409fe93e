// SPDX-License-Identifier: Apache-2.0
// Stage 2: joint forces of control, user, springs and dampers, of joints that are awake.
#include <math.h>
#include <string.h>

#include "sim/sn_sim.h"

void sni_joint_forces(sn_world* world, const int32_t* joints, int32_t count, const double* q,
                      const double* v, double* tau) {
    const sn_model* model = world->model;
    const double *force = world->state.force, *pull = world->work.pull;
    sni_passive_force(model, joints, count, q, v, tau);
    for (int32_t i = 0; i < sni_piece_count(model, count); i++) {
        sni_piece at = sni_piece_at(model, joints, count, i);
        for (int32_t k = at.iv; k < at.iv + at.nv; k++) tau[k] += force[k] + pull[k];
    }
}

// Euler treats springs and dampers implicitly: the spring force at the end of the step is
// -k (q + h v+ - rest), so tau gets -h k v here and the armature h d + h^2 k once for all.
void sni_step_forces(sn_world* world, const int32_t* joints, int32_t count) {
    const sni_state* state = &world->state;
    const sn_model* model = world->model;
    const double *stiffness = model->dof.stiffness, *v = state->v;
    double *tau = world->work.tau, h = world->h;
    sni_joint_forces(world, joints, count, state->q, v, tau);
    if (!sni_is_implicit(world) || !model->sprung) return;
    for (int32_t i = 0; i < sni_piece_count(model, count); i++) {
        sni_piece at = sni_piece_at(model, joints, count, i);
        for (int32_t k = at.iv; k < at.iv + at.nv; k++) tau[k] -= h * stiffness[k] * v[k];
    }
}

/// What control says now, if that is another thing than before. Control that fails is heard no more.
static sn_status ask_control(sn_world* world) {
    const sn_control* control = &world->control;
    size_t nv = (size_t)world->model->nv;
    double *tau = world->work.control, *numbers = tau + nv;
    sn_drive drive = {tau, numbers, numbers + nv, numbers + 2 * nv};
    memset(tau, 0, 2 * nv * sizeof *tau);
    for (size_t k = 0; k < nv; k++) {
        drive.lower[k] = -INFINITY;
        drive.upper[k] = INFINITY;
    }
    sn_status status = control->compute(control->context, world, &drive);
    if (!status && memcmp(numbers, world->state.drive, 3 * nv * sizeof *tau) != 0)
        status = sni_set_drive(world, numbers);
    if (!status && memcmp(tau, world->state.control, nv * sizeof *tau) != 0)
        status = sni_set_control(world, tau);
    if (!status) return SN_OK;
    sn_world_set_control(world, NULL);
    return status;
}

sn_status sni_stage_control(sn_world* world, sn_step_report* report) {
    if (world->control.compute && ask_control(world)) report->events |= SN_EVENT_CONTROL;
    sni_keep_controlled_awake(world);
    sni_drive_begin(world);
    sni_step_forces(world, world->dynamics->awake, world->dynamics->awake_count);
    return SN_OK;
}
