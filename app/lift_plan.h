// SPDX-License-Identifier: Apache-2.0
/// Lifts of a bar, planned for a symmetric humanoid in its sagittal plane: postures at knots in time, found together by least
/// squares of joint torques over their limits, with the hands where each phase wants them, the centre of pressure under
/// the soles (or a seat that carries the rest), and joints inside their ranges.
#ifndef SINEW_APP_LIFT_PLAN_H
#define SINEW_APP_LIFT_PLAN_H

#include <stdbool.h>
#include <stdio.h>

#include "sinew/dynamics.h"

/// Joints of the plan, left and right alike.
enum { LIFT_HIP, LIFT_KNEE, LIFT_ANKLE, LIFT_WAIST, LIFT_SHOULDER, LIFT_ELBOW, LIFT_JOINTS };
enum { LIFT_KNOTS_MOST = 64, LIFT_PHASES = 6, LIFT_TASKS = 3 };

extern const char* const lift_joint_names[LIFT_JOINTS];

/// Where the bar is to be at the end of a phase.
typedef struct lift_phase {
    char letter;
    const char* what;
    double at;   ///< s
    double x, z; ///< m, from the middle of the soles
} lift_phase;

/// What is lifted how.
typedef struct lift_task {
    const char* name;  ///< of the scene; its motion is NAME.csv
    const char* title; ///< for people
    double mass;       ///< kg of the bar
    lift_phase phase[LIFT_PHASES];
    double to[LIFT_JOINTS]; ///< rad: first guess of its end
    bool sits;              ///< at the end
    double sit_at;          ///< s from which on a seat may carry
    double seat[2];         ///< m, x and z of the pelvis on it
} lift_task;

extern const lift_task lift_tasks[LIFT_TASKS];

/// What a posture in its motion asks for.
typedef struct lift_load {
    double tau[LIFT_JOINTS]; ///< N m, of one side
    double cop;              ///< m, centre of pressure from the middle of the soles
    double share;            ///< of the weight, that a seat carries
    double bar[2];           ///< m, x and z of the bar
    double pelvis[2];        ///< m, of the pelvis
} lift_load;

typedef struct lift_plan {
    const lift_task* task;
    double interval; ///< s between knots
    int knots;
    double q[LIFT_KNOTS_MOST][LIFT_JOINTS]; ///< rad
    lift_load load[LIFT_KNOTS_MOST];
    double limit[LIFT_JOINTS]; ///< N m, of the model
    double first_cost, cost;
    int iterations;
} lift_plan;

/// False, with the reason said: the model is none that this plans for.
bool lift_plan_make(const sn_model* model, const lift_task* task, lift_plan* plan);
/// As a table for `file` of a controller: time, angles and forces of the joints of both sides.
void lift_plan_write(const lift_plan* plan, FILE* out);

/// The configuration of a model for the six angles of a posture: soles flat at z = 0, their middle at x = 0.
typedef struct lift_body lift_body;
lift_body* lift_body_create(const sn_model* model); ///< NULL: no such model
void lift_body_free(lift_body* body);
/// q [nq] of the model.
void lift_body_pose(lift_body* body, const double* angles, double* q);
/// The load of angles and rates, with a bar of so many kg in the hands; seated: what the soles cannot carry in their
/// middle is carried by a seat under the pelvis.
void lift_body_load(lift_body* body, double mass, bool seated, const double* angles,
                    const double* rates, const double* accelerations, lift_load* load);
const double* lift_body_limits(const lift_body* body);

#endif
