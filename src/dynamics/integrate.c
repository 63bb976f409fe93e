// SPDX-License-Identifier: Apache-2.0
#include "dynamics/integrate.h"

#include <float.h>
#include <string.h>

#include "model/sn_model.h"

void sni_integrator_layout(sni_integrator_work* work, sni_arena* arena, const sn_model* model) {
    work->q = SN_ARENA_ARRAY(arena, double, model->nq);
    work->v = SN_ARENA_ARRAY(arena, double, model->nv);
    work->xi = SN_ARENA_ARRAY(arena, double, model->nv);
    work->v_sum = SN_ARENA_ARRAY(arena, double, model->nv);
    work->xi_sum = SN_ARENA_ARRAY(arena, double, model->nv);
    work->rate = SN_ARENA_ARRAY(arena, double, model->nv);
    work->qdd = SN_ARENA_ARRAY(arena, double, model->nv);
}

void sni_integrate_joints(const sni_system* system, const double* q, const double* dv,
                          double* q_out) {
    for (int32_t i = 0; i < system->joint_count; i++) {
        const sni_joint* joint = sni_system_joint(system, i);
        sni_joint_integrate(joint, q + joint->iq, dv + joint->iv, q_out + joint->iq);
    }
}

// Rate of the chart coordinates, q = q0 (+) xi with body velocities v:
//   xi_dot = v + ad/2 v + ad^2/12 v - ad^4/720 v                            [MK98; HLW06 ch IV.8]
static void chart_rate(const sni_system* system, const double* xi, const double* v, double* rate) {
    static const double weight[] = {0.5, 1.0 / 12, 0, -1.0 / 720};
    double powers[2][SN_JOINT_MAX_NV];
    for (int32_t i = 0; i < system->joint_count; i++) {
        const sni_joint* joint = sni_system_joint(system, i);
        int iv = joint->iv, nv = joint->nv;
        memcpy(powers[0], v + iv, (size_t)nv * sizeof *v);
        memcpy(rate + iv, v + iv, (size_t)nv * sizeof *v);
        for (int p = 0; p < 4; p++) {
            const double* from = powers[p % 2];
            double* to = powers[(p + 1) % 2];
            sni_joint_bracket(joint, xi + iv, from, to);
            for (int k = 0; k < nv; k++) rate[iv + k] += weight[p] * to[k];
        }
    }
}

sn_status sni_step_rk4(const sni_system* system, sni_integrator_work* work, double h,
                       const double* q, const double* v, const double* qdd, double* q_next,
                       double* v_next, int* evaluations) {
    static const double reach[] = {0, 0.5, 0.5, 1};
    static const double weight[] = {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6};
    SN_FOR_EACH_DOF(system, k) {
        work->xi_sum[k] = 0;
        work->v_sum[k] = work->rate[k] = v[k];
        work->qdd[k] = qdd[k];
    }
    for (int stage = 0; stage < 4; stage++) {
        if (stage > 0) {
            double s = h * reach[stage];
            SN_FOR_EACH_DOF(system, k) {
                work->xi[k] = s * work->rate[k];
                work->v[k] = v[k] + s * work->qdd[k];
            }
            sni_integrate_joints(system, q, work->xi, work->q);
            chart_rate(system, work->xi, work->v, work->rate);
            ++*evaluations;
            sn_status status = system->accelerate(system->context, work->q, work->v, work->qdd);
            if (status) return status;
        }
        SN_FOR_EACH_DOF(system, k) {
            work->xi_sum[k] += h * weight[stage] * work->rate[k];
            work->v_sum[k] += h * weight[stage] * work->qdd[k];
        }
    }
    sni_integrate_joints(system, q, work->xi_sum, q_next);
    SN_FOR_EACH_DOF(system, k) v_next[k] = work->v_sum[k];
    return SN_OK;
}

/// v_next = v + h qdd; returns the largest change against the v_next before, over its largest size.
static double advance(const sni_system* system, double h, const double* v, const double* qdd,
                      double* v_next) {
    double change = 0, size = DBL_MIN;
    SN_FOR_EACH_DOF(system, k) {
        double next = v[k] + h * qdd[k];
        change = fmax(change, fabs(next - v_next[k]));
        size = fmax(size, fmax(fabs(next), fabs(v[k])));
        v_next[k] = next;
    }
    return change / size;
}

sn_status sni_step_midpoint(const sni_system* system, sni_integrator_work* work, double h,
                            const double* q, const double* v, const double* qdd, double* q_next,
                            double* v_next, int* evaluations, bool* converged) {
    enum { SWEEPS_MOST = 40 };
    const double SETTLED = 4 * DBL_EPSILON; // no more digits to gain
    const double GOOD_ENOUGH = 1e-11;       // what rounding leaves of ill-conditioned bodies
    double last = INFINITY, change = INFINITY;
    SN_FOR_EACH_DOF(system, k) {
        v_next[k] = v[k];
        work->qdd[k] = qdd[k];
    }
    advance(system, h, v, work->qdd, v_next);
    for (int sweep = 0; sweep < SWEEPS_MOST && !(change <= SETTLED); sweep++) {
        SN_FOR_EACH_DOF(system, k) {
            work->v[k] = 0.5 * (v[k] + v_next[k]);
            work->xi[k] = 0.5 * h * work->v[k];
        }
        sni_integrate_joints(system, q, work->xi, work->q);
        ++*evaluations;
        sn_status status = system->accelerate(system->context, work->q, work->v, work->qdd);
        if (status) return status;
        last = change;
        change = advance(system, h, v, work->qdd, v_next);
        if (change <= GOOD_ENOUGH && change >= last) break; // only rounding moves it now
    }
    *converged = change <= GOOD_ENOUGH;
    SN_FOR_EACH_DOF(system, k) work->xi[k] = 0.5 * h * (v[k] + v_next[k]);
    sni_integrate_joints(system, q, work->xi, q_next);
    return SN_OK;
}
