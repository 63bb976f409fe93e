// SPDX-License-Identifier: Apache-2.0
/// A lift of a bar over the head, planned for a symmetric humanoid in its sagittal plane: postures at knots in time, found
/// together by least squares of joint torques over their limits, with the hands where each phase wants them, the centre of
/// pressure under the soles, and joints inside their ranges.
#ifndef SINEW_APP_LIFT_PLAN_H
#define SINEW_APP_LIFT_PLAN_H

#include <stdbool.h>

#include "sinew/dynamics.h"

/// Joints of the plan, left and right alike.
enum { LIFT_HIP, LIFT_KNEE, LIFT_ANKLE, LIFT_WAIST, LIFT_SHOULDER, LIFT_ELBOW, LIFT_JOINTS };
enum { LIFT_KNOTS_MOST = 64, LIFT_PHASES = 6 };

extern const char* const lift_joint_names[LIFT_JOINTS];

/// Where the bar is to be at the end of a phase.
typedef struct lift_phase {
    char letter;
    const char* what;
    double at;   ///< s
    double x, z; ///< m, from the middle of the soles
} lift_phase;

extern const lift_phase lift_phases[LIFT_PHASES];

typedef struct lift_plan {
    double mass;     ///< kg of the bar
    double interval; ///< s between knots
    int knots;
    double q[LIFT_KNOTS_MOST][LIFT_JOINTS];   ///< rad
    double tau[LIFT_KNOTS_MOST][LIFT_JOINTS]; ///< N m, of one side
    double cop[LIFT_KNOTS_MOST];    ///< m, centre of pressure from the middle of the soles
    double bar[LIFT_KNOTS_MOST][2]; ///< m, x and z of the bar
    double limit[LIFT_JOINTS];      ///< N m, of the model
    double first_cost, cost;
    int iterations;
} lift_plan;

/// False, with the reason said: the model is none that this plans for.
bool lift_plan_make(const sn_model* model, double mass, lift_plan* plan);

/// The configuration of a model for the six angles of a posture: soles flat at z = 0, their middle at x = 0.
typedef struct lift_body lift_body;
lift_body* lift_body_create(const sn_model* model); ///< NULL: no such model
void lift_body_free(lift_body* body);
/// q [nq] of the model.
void lift_body_pose(lift_body* body, const double* angles, double* q);
/// Torques of one side and the centre of pressure, for angles and rates, with a bar of so many kg in the hands.
void lift_body_torques(lift_body* body, double mass, const double* angles, const double* rates,
                       const double* accelerations, double* tau, double* cop, double bar[2]);
const double* lift_body_limits(const lift_body* body);

/// Angles and rates at a time, by cubics between the knots that have their slopes.
void lift_plan_at(const lift_plan* plan, double time, double* angles, double* rates);

#endif
