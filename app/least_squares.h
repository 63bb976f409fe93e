// SPDX-License-Identifier: Apache-2.0
/// Small linear least squares, row by row.
#ifndef SINEW_APP_LEAST_SQUARES_H
#define SINEW_APP_LEAST_SQUARES_H

#include <stdbool.h>

enum { FIT_MOST = 8 };

/// min sum (row . x - value)^2: the normal equations so far. Starts from {.unknowns = n}.
typedef struct fit {
    int unknowns;
    double A[FIT_MOST][FIT_MOST], b[FIT_MOST];
} fit;

void fit_add(fit* f, const double* row, double value);
/// False: the rows do not determine x.
bool fit_solve(const fit* f, double* x);

#endif
