// SPDX-License-Identifier: Apache-2.0
/// Dense symmetric positive semi-definite systems that may be singular: Cholesky with the largest pivots
/// first, which stops where only rounding is left.   [GVL96 ch 4.2]
#ifndef SN_MATH_PIVOTED_H
#define SN_MATH_PIVOTED_H

#include <stdint.h>

/// Factors A (n x n, row-major, all of it) in place and returns its rank: the number of pivots above
/// `smallest`. order[k] is the row of the k-th pivot; entry (order[i], order[k]), i >= k, k < rank, is
/// the factor L. NaN counts as a pivot too small.
int32_t sni_pivoted_cholesky(int32_t n, double* A, double smallest, int32_t* order);

/// x = L^-1 x, in the places of the pivots; the other places are left alone.
void sni_pivoted_forward(int32_t n, const double* A, int32_t rank, const int32_t* order, double* x);
/// x = L^-T x, in the places of the pivots; zero in the others.
void sni_pivoted_back(int32_t n, const double* A, int32_t rank, const int32_t* order, double* x);

/// A solution of A x = b in place of b that is zero where there was no pivot; exact when b is in the
/// range of A.
static inline void sni_pivoted_solve(int32_t n, const double* A, int32_t rank, const int32_t* order,
                                     double* x) {
    sni_pivoted_forward(n, A, rank, order, x);
    sni_pivoted_back(n, A, rank, order, x);
}

#endif
