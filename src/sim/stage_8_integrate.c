// SPDX-License-Identifier: Apache-2.0
// Stage 8: the next state, taken only when it is finite.
#include <string.h>

#include "sim/sn_sim.h"

static sn_status accelerate(void* context, const double* q, const double* v, double* qdd) {
    sn_world* world = context;
    sni_joint_forces(world, q, v, world->work.tau);
    sni_kinematics(world->dynamics, q, v);
    return sni_forward(world->dynamics, world->work.tau, qdd);
}

/// v+ = v + h qdd,  q+ = q (+) h v+.
static sn_status step_euler(sn_world* world) {
    sni_work* work = &world->work;
    double* moved = work->integrator.xi;
    for (int32_t k = 0; k < world->model->nv; k++) {
        work->v[k] = world->state.v[k] + world->h * work->qdd[k];
        moved[k] = world->h * work->v[k];
    }
    sn_model_integrate(world->model, world->state.q, moved, work->q);
    return SN_OK;
}

static sn_status advance(sn_world* world, sn_step_report* report) {
    sni_work* work = &world->work;
    sni_system system = {world->model, accelerate, world};
    const double *q = world->state.q, *v = world->state.v;
    bool converged = true;
    sn_status status = SN_OK;
    switch (world->integrator) {
    case SN_INTEGRATE_RK4:
        status = sni_step_rk4(&system, &work->integrator, world->h, q, v, work->qdd, work->q,
                              work->v, &report->sweeps);
        break;
    case SN_INTEGRATE_MIDPOINT:
        status = sni_step_midpoint(&system, &work->integrator, world->h, q, v, work->qdd, work->q,
                                   work->v, &report->sweeps, &converged);
        break;
    case SN_INTEGRATE_EULER:
    case SN_INTEGRATOR_COUNT: status = step_euler(world); break;
    }
    if (!converged) report->events |= SN_EVENT_NO_CONVERGE;
    return status;
}

static bool all_finite(const double* x, int32_t count) {
    for (int32_t k = 0; k < count; k++)
        if (!isfinite(x[k])) return false;
    return true;
}

sn_status sni_stage_integrate(sn_world* world, sn_step_report* report) {
    const sn_model* model = world->model;
    sni_work* work = &world->work;
    world->motion_is_current = false;
    sn_status status = advance(world, report);
    if (status) return status;
    if (!all_finite(work->q, model->nq) || !all_finite(work->v, model->nv)) return SN_ERR_NUMERIC;
    memcpy(world->state.q, work->q, (size_t)model->nq * sizeof *work->q);
    memcpy(world->state.v, work->v, (size_t)model->nv * sizeof *work->v);
    world->state.step++;
    return SN_OK;
}
