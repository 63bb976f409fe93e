// SPDX-License-Identifier: Apache-2.0
/// A model under adaptive dynamics with what the oracle says about it: accelerations with all joints free,
/// weights of the metric, and the motion with every joint locked that is not active.
#ifndef SINEW_TESTS_ADAPTIVE_H
#define SINEW_TESTS_ADAPTIVE_H

#include "support/fixture.h"

/// Which joints have a velocity.
typedef enum adaptive_motion {
    ADAPTIVE_AT_REST,
    ADAPTIVE_ALL_MOVE,
    ADAPTIVE_SOME_MOVE, ///< those of roots and of bodies kept active: rigid parts below them move
    ADAPTIVE_MOTIONS
} adaptive_motion;

typedef struct adaptive_case {
    fixture* f;
    sn_dynamics* d;
    sn_metric metric;
    bool* locked;      // [n] by the user
    bool* kept;        // [n] kept active by the user
    sn_wrench* wrench; // [n]
    sn_axes* axes;     // [n]
    real* weight;      // [nv] of the metric
    real* full;        // [nv] accelerations with all joints free but those the user locked
} adaptive_case;

/// Takes the fixture over. Wrenches, and for one case in four locks, at random.
adaptive_case adaptive_begin(fixture* f, adaptive_motion motion, sn_metric metric);
void adaptive_end(adaptive_case c);

/// The wrench of a body, in the library; adaptive_solve tells the oracle.
void adaptive_set_wrench(adaptive_case c, int body, sn_axes axes, sn_wrench w);
/// After a change of state, forces or wrenches: the oracle there, and c.full.
void adaptive_solve(adaptive_case c);
/// sum weight full^2, of all joints or of those that are not active.
real adaptive_total(adaptive_case c);
real adaptive_left_out(adaptive_case c);

void adaptive_limit(adaptive_case c, int max_active, double threshold);
/// Limits chosen at random: on the number, on the error, on both, or none.
void adaptive_limit_randomly(adaptive_case c);
/// sn_dynamics_forward into f->x.
void adaptive_forward(adaptive_case c);

/// f->x, poses, velocities and accelerations are those of the oracle with all joints locked that are not
/// active; for the wrenches, forces and velocities of now.
void adaptive_check_hybrid(adaptive_case c);
/// The same of impulse pass and response.
void adaptive_check_impulse(adaptive_case c);
void adaptive_check_response(adaptive_case c);
/// The report of the region tells what is left out; call adaptive_solve before.
void adaptive_check_report(adaptive_case c);
/// Relative to the largest of the expected numbers, at least to one unit: where locks leave nothing to
/// move, what cancels is of order one.
void adaptive_check_scaled(const double* actual, const real* expected, const double* unit, int n,
                           uint64_t seed);

#endif
