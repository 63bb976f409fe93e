// SPDX-License-Identifier: Apache-2.0
/// Answers of `sinew eval`, in the order and axes of the interchange format (docs/eval.md).
#ifndef SINEW_APP_EVAL_ANSWER_H
#define SINEW_APP_EVAL_ANSWER_H

#include "eval_case.h"
#include "json_writer.h"

/// Where only accelerations were asked for, everything but qdd is NULL or zero.
typedef struct eval_answer {
    int nv, bodies;
    double *qdd, *nle, *gravity_torque; ///< nv
    double *body_p, *body_R;            ///< 3 and 9 (row-major) a body
    double *body_vel, *body_acc;        ///< 6 a body, linear then angular, body axes
    double kinetic_energy, potential_energy;
    double com[3], centroidal_momentum[6];
    double* M;                                       ///< nv x nv, or NULL
    double *delassus_local, *delassus_world_aligned; ///< 6 rows a listed body, or NULL
    double *Lambda, *K;                              ///< 6 rows a hand, or NULL
    double *a0, *f0, *weight, *f_feed;               ///< 6 a hand, or NULL
    double* active;                                  ///< body indices of active joints, or NULL
    sn_region_report region;                         ///< of adaptive dynamics, with `active`
} eval_answer;

/// Sets gravity and wrenches of the case.
void eval_case_apply(const eval_case* c, sn_dynamics* dynamics);

/// Computes all that the case asks for. v_order is coordinates_v_order of the model.
sn_status eval_answer_compute(const eval_case* c, sn_dynamics* dynamics, const int* v_order,
                              eval_answer* answer);
void eval_answer_free(eval_answer* answer);

/// One object: the case, so that the answer can be given back as a case, and the answers.
/// `error` not NULL: the case could not be evaluated, for that reason.
void eval_answer_write(json_writer* w, const eval_case* c, const sn_model* model,
                       const int* q_order, const int* v_order, const eval_answer* answer,
                       const char* error);
/// The same with the names and qdd alone.
void eval_answer_write_qdd(json_writer* w, const eval_case* c, const sn_model* model,
                           const eval_answer* answer, const char* error);

#endif
