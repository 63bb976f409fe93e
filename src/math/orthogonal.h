// SPDX-License-Identifier: Apache-2.0
/// Dense square systems that may be singular and need not be symmetric: QR with the largest columns first, then
/// the part of R that is left over turned into the rest, so that solutions are the shortest.   [GVL96 ch 5.5]
#ifndef SN_MATH_ORTHOGONAL_H
#define SN_MATH_ORTHOGONAL_H

#include <stdint.h>

/// A = Q [T 0; 0 0] Z P'. All arrays are the caller's.
typedef struct sni_orthogonal {
    int32_t n, rank;
    double* A;      // [n n] in: A by columns; out: T, and the vectors of the reflections
    double* left;   // [n] 2/|v|^2 of the reflections of Q
    double* corner; // [n] first number of those vectors
    double* right;  // [n] of those of Z, whose first number is 1
    int32_t* order; // [n] column of A that is the k-th
} sni_orthogonal;

/// Factors, with columns shorter than `smallest` of the longest taken for zero. NaN counts as zero.
void sni_orthogonal_factor(sni_orthogonal* f, double smallest);
/// The shortest x that minimises |A x - b|; b is used up, x and b are n numbers and may not overlap.
void sni_orthogonal_solve(const sni_orthogonal* f, double* b, double* x);

#endif
