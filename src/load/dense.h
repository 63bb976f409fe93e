// SPDX-License-Identifier: Apache-2.0
/// Dense linear systems of any size, not symmetric.
#ifndef SN_LOAD_DENSE_H
#define SN_LOAD_DENSE_H

#include <stdbool.h>
#include <stdint.h>

/// X = A^-1 X by elimination with the largest pivots of a column first, each for the size of its row.
/// A (n x n) is used up, X is n x width, both row-major. False: a pivot is not above `smallest` of its row,
/// so A is singular, or has an entry that is not finite.   [GVL96 ch 3.4]
bool sni_dense_solve(int32_t n, double* A, int32_t width, double* X, double smallest);

#endif
