// SPDX-License-Identifier: Apache-2.0
/// Accelerations alone, of all cases of `sinew eval`: many cases that differ only in their state are
/// computed together.
#ifndef SINEW_APP_EVAL_QDD_H
#define SINEW_APP_EVAL_QDD_H

#include "eval_case.h"

typedef struct eval_qdd {
    double* at;        ///< case after case, nv numbers each, order of the files
    sn_status* status; ///< of each case
} eval_qdd;

/// `together`: cases without external wrenches and with the same gravity go through one batch, when
/// there are enough of them.
eval_qdd eval_qdd_compute(const eval_files* files, sn_dynamics* dynamics, const int* v_order,
                          bool together);
void eval_qdd_free(eval_qdd* qdd);

#endif
