// SPDX-License-Identifier: Apache-2.0
/// Sums over many numbers, of parts that do not wait for each other.
#ifndef SN_MATH_NUMBERS_H
#define SN_MATH_NUMBERS_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "math/lane4.h"

enum { SNI_SUM_PARTS = 4 };

/// Sum of the squares of x, each times `factor` before.
static inline double sni_sum_squares(const double* x, int64_t count, double factor) {
    sni_lane4 f = sni_splat(factor), part[SNI_SUM_PARTS];
    for (int j = 0; j < SNI_SUM_PARTS; j++) part[j] = sni_lane4_zero();
    int64_t k = 0;
    for (; k + 4 * SNI_SUM_PARTS <= count; k += 4 * SNI_SUM_PARTS) {
        sni_lane4 at[SNI_SUM_PARTS];
        memcpy(at, x + k, sizeof at);
        for (int j = 0; j < SNI_SUM_PARTS; j++) part[j] += (f * at[j]) * (f * at[j]);
    }
    double sum = sni_sum4((part[0] + part[1]) + (part[2] + part[3]));
    for (; k < count; k++) sum += (factor * x[k]) * (factor * x[k]);
    return sum;
}

/// Sum of x (y - z).
static inline double sni_sum_differences(const double* x, const double* y, const double* z,
                                         int64_t count) {
    double part[SNI_SUM_PARTS] = {0}, sum = 0;
    int64_t k = 0;
    for (; k + SNI_SUM_PARTS <= count; k += SNI_SUM_PARTS)
        for (int j = 0; j < SNI_SUM_PARTS; j++) part[j] += x[k + j] * (y[k + j] - z[k + j]);
    for (; k < count; k++) sum += x[k] * (y[k] - z[k]);
    return sum + ((part[0] + part[1]) + (part[2] + part[3]));
}

/// Whether all are finite: zero times what is not is not zero, and stays so in a sum.
static inline bool sni_are_finite(const double* x, int64_t count) {
    return sni_sum_squares(x, count, 0) == 0;
}

#endif
