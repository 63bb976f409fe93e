// SPDX-License-Identifier: Apache-2.0
/// Kinematic loops: what the joints that close them add to the dynamics of the tree, through the impulse
/// pass of whatever algorithm there is.
///
/// One system over all loops, since they act on each other. With B the gradients of their conditions
/// (loop_conditions.h) over the bodies, G = B J over the joints, and a0 the accelerations of the tree:
///   G M^-1 G^T lambda = wanted - B a0            wanted = -(velocity products) - 2/t_s rate - 1/t_s^2 value
/// and B^T lambda are wrenches on the bodies, G^T lambda on the joints. Each row of the system is one
/// impulse pass. (Joint rates, not the bodies' own: algorithms that find a body's acceleration from the
/// wrenches on it round it more than its joints', and nearly singular positions of loops enlarge that.)
/// Redundant conditions are found by their pivots and left out.   [F08 ch 8; B72]
///
/// Bodies are in their users' frames here, as they are in the impulse pass.
#ifndef SN_DYNAMICS_LOOPS_H
#define SN_DYNAMICS_LOOPS_H

#include "dynamics/sn_dynamics.h"

/// One condition at the current state.
typedef struct sni_loop_row {
    sn_wrench on[2]; ///< row of B: what lambda = 1 exerts on body a and on body b
    double scale;    ///< makes the rows comparable: lambda = scale x
    double wanted;   ///< of B a, beyond what the tree does by itself
} sni_loop_row;

struct sni_loops {
    int32_t row_count, rank;
    sni_loop_row* row; // [row_count] those of the first loop, then of the second, ...
    double* G;         // [row_count * nv]
    double* A;         // [row_count * row_count] G M^-1 G^T of scaled rows, factored
    int32_t* order;    // [row_count] of the pivots
    double* lambda;    // [row_count] of the last forward
    double* x;         // [row_count] scratch
    double *tau, *dv;  // [nv] scratch
    sn_twist* extra;   // [body_count] acceleration from the loops, canonical frames
    bool solved;       ///< extra and lambda belong to the last forward
};

/// Refuses more loops than memory is reasonable for.
sn_status sni_loops_check(const sn_model* model, sn_error* error);
/// Sets d->loops, to NULL when the model has none or while measuring.
void sni_loops_layout(sn_dynamics* d, sni_arena* arena);

// The following need d->loops.

/// After the algorithm's forward: closes the loops by adding to qdd.
sn_status sni_loops_forward(sn_dynamics* d, double* qdd);
/// The algorithm's impulse with loops that stay closed; `change` is then what the loops added.
void sni_loops_impulse(sn_dynamics* d, const double* tau, const sn_body_wrench* impulses, int count,
                       double* dv);
/// Takes from the tree's response what the loops hold back.
void sni_loops_response(sn_dynamics* d, const sn_body_id* bodies, int count, double* Lambda);

#endif
