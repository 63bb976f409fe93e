// SPDX-License-Identifier: Apache-2.0
// Stage 8: the next state of what is awake, taken only when it is finite.
#include <string.h>

#include "math/numbers.h"
#include "sim/sn_sim.h"

static sn_status accelerate(void* context, const double* q, const double* v, double* qdd) {
    sn_world* world = context;
    sn_dynamics* dynamics = world->dynamics;
    sni_joint_forces(world, dynamics->awake, dynamics->awake_count, q, v, world->work.tau);
    sni_move(dynamics, q, v);
    sn_status status = sni_ask_field(world);
    return status ? status : sni_forward(dynamics, world->work.tau, qdd);
}

static int32_t piece_count(const sni_system* system) {
    return sni_piece_count(system->model, system->joint_count);
}

static sni_piece piece_at(const sni_system* system, int32_t i) {
    return sni_piece_at(system->model, system->joints, system->joint_count, i);
}

/// v+ = v + h qdd,  q+ = q (+) h v+.
static sn_status step_euler(sn_world* world, const sni_system* system) {
    sni_work* work = &world->work;
    double* moved = work->integrator.xi;
    for (int32_t i = 0; i < piece_count(system); i++) {
        sni_piece at = piece_at(system, i);
        for (int32_t k = at.iv; k < at.iv + at.nv; k++) {
            work->v[k] = world->state.v[k] + world->h * work->qdd[k];
            moved[k] = world->h * work->v[k];
        }
    }
    sni_integrate_joints(system, world->state.q, moved, work->q);
    return SN_OK;
}

static sn_vec3 centre_velocity(const sn_inertia* I, const double* v) {
    return sn_vec3_add(sn_vec3_make(v[3], v[4], v[5]),
                       sn_vec3_cross(sn_vec3_make(v[0], v[1], v[2]), I->com));
}

/// A body that nothing touched flies on at the mean of its velocities before and after: a parabola, exactly. At
/// the later one alone it would lose m (g h)^2/2 a step, half a percent of the height of a bounce at 1 ms.
static void fly(const sn_world* world, int32_t body, double* w) {
    const sni_joint* joint = &world->model->joint[body];
    if (!joint->alone) return;
    const double *v_free = world->work.v_free + joint->iv, *v_plus = world->work.v_plus + joint->iv;
    if (memcmp(v_free, v_plus, joint->nv * sizeof *v_free) != 0) return;
    const sn_inertia* I = &world->model->body[body].inertia;
    sn_vec3 back = sn_vec3_scale(0.5, sn_vec3_sub(centre_velocity(I, world->state.v + joint->iv),
                                                  centre_velocity(I, v_plus)));
    w[joint->iv + 3] += back.x;
    w[joint->iv + 4] += back.y;
    w[joint->iv + 5] += back.z;
}

/// What contact made of the velocities, and positions with what undoes overlap.
static sn_status step_contact(sn_world* world, const sni_system* system) {
    sni_work* work = &world->work;
    for (int32_t i = 0; i < piece_count(system); i++) {
        sni_piece at = piece_at(system, i);
        memcpy(work->q + at.iq, world->state.q + at.iq, (size_t)at.nq * sizeof *work->q);
        if (!world->contacts.pushed) memset(work->w + at.iv, 0, (size_t)at.nv * sizeof *work->w);
    }
    for (int32_t i = 0; i < system->joint_count; i++) fly(world, system->joints[i], work->w);
    sni_contact_end_step(world->model, system->joints, system->joint_count, world->h, work->v_plus,
                         work->w, work->q, work->v);
    return SN_OK;
}

static sn_status advance(sn_world* world, const sni_system* system, sn_step_report* report) {
    sni_work* work = &world->work;
    const double *q = world->state.q, *v = world->state.v;
    bool converged = true;
    sn_status status = SN_OK;
    if (sni_has_contact(world)) return step_contact(world, system);
    if (sni_is_quasistatic(world)) return sni_step_quasistatic(world, system, report);
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
    case SN_INTEGRATE_QUASISTATIC: // not here
    case SN_INTEGRATOR_COUNT: status = step_euler(world, system); break;
    }
    if (!converged) report->events |= SN_EVENT_NO_CONVERGE;
    return status;
}

sn_status sni_stage_integrate(sn_world* world, sn_step_report* report) {
    int32_t moving;
    const int32_t* joints = sni_moving(world, &moving);
    sni_system system = {world->model, joints, moving, accelerate, world};
    sni_work* work = &world->work;
    world->motion_is_current = false;
    sn_status status = advance(world, &system, report);
    if (status) return status;
    for (int32_t i = 0; i < piece_count(&system); i++) {
        sni_piece at = piece_at(&system, i);
        if (!sni_are_finite(work->q + at.iq, at.nq) || !sni_are_finite(work->v + at.iv, at.nv))
            return SN_ERR_NUMERIC;
    }
    sni_drive_end(world);
    for (int32_t i = 0; i < piece_count(&system); i++) {
        sni_piece at = piece_at(&system, i);
        memcpy(world->state.q + at.iq, work->q + at.iq, (size_t)at.nq * sizeof *work->q);
        memcpy(world->state.v + at.iv, work->v + at.iv, (size_t)at.nv * sizeof *work->v);
    }
    world->state.step++;
    return SN_OK;
}
