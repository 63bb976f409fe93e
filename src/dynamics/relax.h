// SPDX-License-Identifier: Apache-2.0
/// Downhill to where forces balance, without inertia: a step of a quasi-static world.
///
/// With v = 0 the accelerations of forward dynamics are a = M^-1 f, f the forces on the joints, loops included. Steps
/// are those of limited-memory BFGS [NW06 ch 7.2] with M for the first guess of the curvature, so that a step is the
/// same in whatever units joints are counted, and short where much is moved. What steps have told of the curvature is
/// kept for the next ones. Energies are not asked for: how far a step may go is judged by the force at its end.
#ifndef SN_DYNAMICS_RELAX_H
#define SN_DYNAMICS_RELAX_H

#include "dynamics/integrate.h"

/// Two products with the inertia M of the joints that move, at the configuration of the last accelerate.
typedef struct sni_metric {
    void (*weigh)(void* context, const double* x, double* f);       ///< f = M x
    sn_status (*yield)(void* context, const double* f, double* dx); ///< dx = M^-1 f, loops closed
} sni_metric;

enum { SNI_RELAX_PAIRS = 20 };

/// Of a model, and scratch sized by it.
typedef struct sni_relax_work {
    double mass;                   ///< kg of all that moves
    double closing_time;           ///< s, the shortest t_s of loops; 0: there are none
    double* q_try;                 // [nq] where a step leads
    double *f, *a, *f_try, *a_try; // [nv] forces and accelerations here and there
    double *d, *n;                 // [nv] the step, and what closes loops
    double d_moves, n_moves;       // m by which they move the mass, root of the mean square
    double *r, *zero;              // [nv] scratch; zeros
    double *s[SNI_RELAX_PAIRS],
        *y[SNI_RELAX_PAIRS];        // [nv] steps, and what they took from the force
    double weight[SNI_RELAX_PAIRS]; // 1 / s.y
    int count, newest;
    uint64_t of; ///< what moves, as the pairs know it
} sni_relax_work;

void sni_relax_layout(sni_relax_work* work, sni_arena* arena, const sn_model* model);

/// What was learned of the curvature.
static inline void sni_relax_forget(sni_relax_work* work) { work->count = 0; }

typedef struct sni_relax_result {
    int evaluations;
    double left; ///< largest force on a joint at the end
    bool converged;
} sni_relax_result;

/// From q, where accelerations at rest are a, towards q_next, where no joint feels more than `tolerance`, with at most
/// `evaluations` calls of accelerate. h^2 a is how far a first step may go when nothing is known of the curvature. `of`:
/// another number when others move than in the last call; sni_relax_forget where their state was set.
sn_status sni_relax(const sni_system* system, const sni_metric* metric, sni_relax_work* work,
                    uint64_t of, double h, int evaluations, double tolerance, const double* q,
                    const double* a, double* q_next, sni_relax_result* result);

#endif
