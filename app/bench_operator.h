// SPDX-License-Identifier: Apache-2.0
/// The Delassus operator as a contender: one method on one set of contacts.
#ifndef SINEW_APP_BENCH_OPERATOR_H
#define SINEW_APP_BENCH_OPERATOR_H

#include "bench_contender.h"
#include "touching.h"

/// A line with dynamics at its first state; contenders share it.
typedef struct bench_robot {
    bench_line line;
    sn_dynamics *aba, *dca;
    double* qdd;
} bench_robot;

/// False, with the reason said, when it cannot be made.
bool bench_robot_make(bench_robot* robot, const bench_line_spec* spec);
void bench_robot_free(bench_robot* robot);
/// The dynamics that a method works with.
sn_dynamics* bench_robot_dynamics(const bench_robot* robot, const char* method);

typedef enum bench_operator_task {
    OPERATOR_MATRIX,     ///< sn_delassus_matrix
    OPERATOR_NEW,        ///< the same, of bodies that were not those of the time before
    OPERATOR_OMEGA,      ///< sn_delassus_omega
    OPERATOR_PROJECTION, ///< sn_delassus_project
    OPERATOR_APPLY,      ///< sn_delassus_apply: a product without the matrix
    OPERATOR_RESPONSE,   ///< sn_delassus_response
    OPERATOR_FORWARD,    ///< sn_dynamics_forward alone
    OPERATOR_BOTH        ///< sn_dynamics_forward, then sn_delassus_response
} bench_operator_task;

/// A task as a contender, its row named `name`. robot and contacts must stay.
void bench_open_operator(bench_contender* c, const bench_robot* robot, const touching* contacts,
                         const char* method, bench_operator_task task, const char* name);

#endif
