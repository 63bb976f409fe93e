// SPDX-License-Identifier: Apache-2.0
/// How far an answer of `sinew eval` is from the one stored in its case file.
#ifndef SINEW_APP_EVAL_COMPARE_H
#define SINEW_APP_EVAL_COMPARE_H

#include "eval_answer.h"

typedef struct eval_verdict {
    int compared;  ///< fields that the file has an answer for
    int different; ///< of these, beyond the tolerance
} eval_verdict;

/// Prints a table of the fields that are compared, with the case's name above it; where the file
/// holds no answers, a table of the accelerations.
eval_verdict eval_compare_print(const eval_case* c, const sn_model* model, const int* q_order,
                                const int* v_order, const eval_answer* answer);

#endif
