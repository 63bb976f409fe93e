// SPDX-License-Identifier: Apache-2.0
// A step without inertia: downhill towards where all forces balance, with what a step may cost.
#include "base/hash.h"
#include "sim/sn_sim.h"

static void weigh(void* context, const double* x, double* f) {
    const sn_world* world = context;
    sni_inertia_times(world->dynamics, x, f);
}

static sn_status yield(void* context, const double* f, double* dx) {
    const sn_world* world = context;
    return sn_dynamics_impulse(world->dynamics, f, NULL, 0, dx);
}

static bool at_rest(const sni_system* system, const double* v) {
    SN_FOR_EACH_DOF(system, k) if (v[k] != 0) return false;
    return true;
}

/// What moves: another number for other joints or locks.
static uint64_t name_of(const sn_world* world, const sni_system* system) {
    uint64_t hash = sni_hash(0, &world->dynamics->version, sizeof world->dynamics->version);
    return sni_hash(hash, system->joints, (size_t)system->joint_count * sizeof *system->joints);
}

sn_status sni_step_quasistatic(sn_world* world, const sni_system* system, sn_step_report* report) {
    sni_work* work = &world->work;
    const sn_relaxation* how = &world->def.relaxation;
    const sni_metric metric = {weigh, yield};
    sni_relax_result result;
    sn_status status = SN_OK;
    SN_FOR_EACH_DOF(system, k) work->v[k] = 0;
    if (!at_rest(system, world->state.v)) { // somebody has set a velocity, which means nothing here
        status = system->accelerate(world, world->state.q, work->v, work->qdd);
        report->sweeps++;
    }
    if (!status)
        status = sni_relax(system, &metric, &work->relax, name_of(world, system), world->h,
                           how->evaluations, how->tolerance, world->state.q, work->qdd, work->q,
                           &result);
    if (status) return status;
    report->sweeps += result.evaluations;
    report->unbalanced = result.left;
    if (!result.converged) report->events |= SN_EVENT_NO_CONVERGE;
    return SN_OK;
}
