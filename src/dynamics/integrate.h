// SPDX-License-Identifier: Apache-2.0
/// Integrators on the manifold of configurations, for any function that gives accelerations.
/// Semi-implicit Euler is the time stepping itself (src/sim/stage_8_integrate.c).
#ifndef SN_DYNAMICS_INTEGRATE_H
#define SN_DYNAMICS_INTEGRATE_H

#include "base/arena.h"
#include "model/sn_model.h"

/// Acceleration at (q, v) of the joints that move. Nothing is read or written of the others.
typedef struct sni_system {
    const sn_model* model;
    const int32_t* joints;
    int32_t joint_count;
    sn_status (*accelerate)(void* context, const double* q, const double* v, double* qdd);
    void* context;
} sni_system;

static inline const sni_joint* sni_system_joint(const sni_system* system, int32_t i) {
    return &system->model->joint[system->joints[i]];
}

/// Every sum runs over the degrees of freedom of the joints that move; the others are left alone.
#define SN_FOR_EACH_DOF(system, k)                                                                 \
    for (int32_t at_##k = 0; at_##k < (system)->joint_count; at_##k++)                             \
        for (int32_t k = sni_system_joint(system, at_##k)->iv,                                     \
                     past_##k = k + sni_system_joint(system, at_##k)->nv;                          \
             k < past_##k; k++)

/// Scratch of the integrators, sized by the model.
typedef struct sni_integrator_work {
    double* q;              // [nq] configuration of a stage
    double *v, *xi;         // [nv] velocity and chart coordinates of a stage
    double *v_sum, *xi_sum; // [nv] weighted sums over stages
    double* rate;           // [nv] of the chart coordinates
    double* qdd;            // [nv]
} sni_integrator_work;

void sni_integrator_layout(sni_integrator_work* work, sni_arena* arena, const sn_model* model);

/// q_out = q (+) dv of the joints that move.
void sni_integrate_joints(const sni_system* system, const double* q, const double* dv,
                          double* q_out);

/// One step of Runge-Kutta-Munthe-Kaas, order 4, from (q, v) with acceleration qdd there.
/// *evaluations counts calls of accelerate.                                        [MK98]
sn_status sni_step_rk4(const sni_system* system, sni_integrator_work* work, double h,
                       const double* q, const double* v, const double* qdd, double* q_next,
                       double* v_next, int* evaluations);

/// One step of implicit midpoint by fixed-point sweeps; *converged tells whether they settled.
sn_status sni_step_midpoint(const sni_system* system, sni_integrator_work* work, double h,
                            const double* q, const double* v, const double* qdd, double* q_next,
                            double* v_next, int* evaluations, bool* converged);

#endif
