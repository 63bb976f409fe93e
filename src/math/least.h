// SPDX-License-Identifier: Apache-2.0
/// The smaller and the larger of two numbers, as one instruction where fmin and fmax are calls.
#ifndef SN_MATH_LEAST_H
#define SN_MATH_LEAST_H

/// b where a is not a number, as by fmin and fmax; b is one.
static inline double sni_least(double a, double b) { return a < b ? a : b; }
static inline double sni_most(double a, double b) { return a > b ? a : b; }

#endif
