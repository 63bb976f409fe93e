// SPDX-License-Identifier: Apache-2.0
/// The two pendulums of `sinew reproduce keith-joints`: a rod hanging from a ball joint, and the
/// same rod hanging from three hinges about x, y, z with next to nothing in between.   [K08]
///
/// With hinge angles q1, q2, q3 the rod points along (-sin q2, sin q1 cos q2, -cos q1 cos q2): when
/// it comes to lie along the first axis, q2 = 90 degrees, the first and third axis coincide. Turning
/// the first hinge then no longer moves the rod sideways, and what resists it,
///     1 / (M^-1)_11 = I cos^2 q2 + inertia of the bodies in between,
/// goes to nothing.
#ifndef SINEW_APP_KEITH_PENDULUM_H
#define SINEW_APP_KEITH_PENDULUM_H

#include "sinew/world.h"

typedef enum keith_joint { KEITH_HINGES, KEITH_BALL, KEITH_JOINT_COUNT } keith_joint;

extern const double KEITH_MASS_RATIO; ///< a body in between to the rod
extern const double KEITH_LAUNCH;     ///< angular speed at the start, rad/s
extern const double KEITH_DURATION;   ///< s

/// mass_ratio matters for the hinges only; 0 is refused by the library: then NULL, error says why.
sn_model* keith_model(keith_joint joint, double mass_ratio, sn_error* error);

/// One swing: how far from the first axis the rod passes, the step, and what came of it.
typedef struct keith_run {
    double miss_deg, step;
    double energy_error;  ///< largest |E - E0| over the launch energy; infinite when it stopped
    double largest_speed; ///< of a joint coordinate, rad/s
    double unstable_at;   ///< s, energy error above KEITH_UNSTABLE for the first time; -1: never
    double stopped_at;    ///< s, state no longer finite; -1: never
} keith_run;

extern const double KEITH_UNSTABLE; ///< energy error called unstable

/// Fills in the results of `run`. time and error, when not NULL, get the relative energy error of
/// each step; count their length.
sn_status keith_swing(const sn_model* model, keith_run* run, double* time, double* error,
                      int* count);

/// 1 / (M^-1)_11 of the three hinges at q2 = 90 degrees - miss.
double keith_effective_inertia(const sn_model* hinges, double miss_deg);

#endif
