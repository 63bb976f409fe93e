// SPDX-License-Identifier: Apache-2.0
/// Small dense symmetric systems: Cholesky of an n x n block (n <= 6), eigenvalues of a 3x3.
#ifndef SN_MATH_SMALL_H
#define SN_MATH_SMALL_H

#include <stdbool.h>

#include "sinew/math.h"

enum { SN_SMALL_MAX = 6 };

/// Factors the leading n x n of A in place into its lower Cholesky factor (upper part untouched).
/// False when a pivot is not positive beyond rounding of its own diagonal entry.
bool sni_cholesky(double A[SN_SMALL_MAX][SN_SMALL_MAX], int n);
/// Solves L L^T x = b in place.
void sni_cholesky_solve(const double L[SN_SMALL_MAX][SN_SMALL_MAX], int n, double* x);

/// Eigenvalues of a symmetric matrix, ascending.
void sni_symmetric_eigenvalues(sn_mat3 A, double eigenvalues[3]);

#endif
