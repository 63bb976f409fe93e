// SPDX-License-Identifier: Apache-2.0
// Stage 8: the next state of what is awake, taken only when it is finite.
#include <string.h>

#include "sim/sn_sim.h"

static sn_status accelerate(void* context, const double* q, const double* v, double* qdd) {
    sn_world* world = context;
    sn_dynamics* dynamics = world->dynamics;
    sni_joint_forces(world, dynamics->awake, dynamics->awake_count, q, v, world->work.tau);
    sni_move(dynamics, q, v);
    return sni_forward(dynamics, world->work.tau, qdd);
}

/// v+ = v + h qdd,  q+ = q (+) h v+.
static sn_status step_euler(sn_world* world, const sni_system* system) {
    sni_work* work = &world->work;
    double* moved = work->integrator.xi;
    for (int32_t i = 0; i < system->joint_count; i++) {
        const sni_joint* joint = &world->model->joint[system->joints[i]];
        for (int32_t k = joint->iv; k < joint->iv + joint->nv; k++) {
            work->v[k] = world->state.v[k] + world->h * work->qdd[k];
            moved[k] = world->h * work->v[k];
        }
    }
    sni_integrate_joints(system, world->state.q, moved, work->q);
    return SN_OK;
}

/// What contact made of the velocities, and positions with what undoes overlap.
static sn_status step_contact(sn_world* world, const sni_system* system) {
    sni_work* work = &world->work;
    for (int32_t i = 0; i < system->joint_count; i++) {
        const sni_joint* joint = &world->model->joint[system->joints[i]];
        memcpy(work->q + joint->iq, world->state.q + joint->iq, joint->nq * sizeof *work->q);
    }
    sni_contact_end_step(world->model, system->joints, system->joint_count, world->h, work->v_plus,
                         world->contacts.pushed ? work->w : NULL, work->q, work->v);
    return SN_OK;
}

static sn_status advance(sn_world* world, const sni_system* system, sn_step_report* report) {
    sni_work* work = &world->work;
    const double *q = world->state.q, *v = world->state.v;
    bool converged = true;
    sn_status status = SN_OK;
    if (sni_has_contact(world)) return step_contact(world, system);
    switch (world->integrator) {
    case SN_INTEGRATE_RK4:
        status = sni_step_rk4(system, &work->integrator, world->h, q, v, work->qdd, work->q,
                              work->v, &report->sweeps);
        break;
    case SN_INTEGRATE_MIDPOINT:
        status = sni_step_midpoint(system, &work->integrator, world->h, q, v, work->qdd, work->q,
                                   work->v, &report->sweeps, &converged);
        break;
    case SN_INTEGRATE_EULER:
    case SN_INTEGRATOR_COUNT: status = step_euler(world, system); break;
    }
    if (!converged) report->events |= SN_EVENT_NO_CONVERGE;
    return status;
}

static bool all_finite(const double* x, int32_t first, int32_t count) {
    for (int32_t k = first; k < first + count; k++)
        if (!isfinite(x[k])) return false;
    return true;
}

sn_status sni_stage_integrate(sn_world* world, sn_step_report* report) {
    int32_t moving;
    const int32_t* joints = sni_moving(world, &moving);
    sni_system system = {world->model, joints, moving, accelerate, world};
    sni_work* work = &world->work;
    world->motion_is_current = false;
    sn_status status = advance(world, &system, report);
    if (status) return status;
    for (int32_t i = 0; i < system.joint_count; i++) {
        const sni_joint* joint = &world->model->joint[system.joints[i]];
        if (!all_finite(work->q, joint->iq, joint->nq) ||
            !all_finite(work->v, joint->iv, joint->nv))
            return SN_ERR_NUMERIC;
    }
    for (int32_t i = 0; i < system.joint_count; i++) {
        const sni_joint* joint = &world->model->joint[system.joints[i]];
        memcpy(world->state.q + joint->iq, work->q + joint->iq, joint->nq * sizeof *work->q);
        memcpy(world->state.v + joint->iv, work->v + joint->iv, joint->nv * sizeof *work->v);
    }
    world->state.step++;
    return SN_OK;
}
