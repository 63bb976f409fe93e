// SPDX-License-Identifier: Apache-2.0
/// Vectors of any length, padded with zeros to whole lanes of four, so that sums run by lanes.
#ifndef SN_MATH_PADDED_H
#define SN_MATH_PADDED_H

#include <stddef.h>
#include <string.h>

#include "math/lane4.h"

/// Numbers that n take when padded.
static inline size_t sni_padded(size_t n) { return (n + 3) / 4 * 4; }

static inline void sni_padded_store(double* at, sni_lane4 a) { memcpy(at, &a, sizeof a); }

/// a . b; `wide` is a multiple of four.
static inline double sni_padded_dot(const double* a, const double* b, size_t wide) {
    sni_lane4 even = sni_lane4_zero(), odd = sni_lane4_zero();
    size_t k = 0;
    for (; k + 8 <= wide; k += 8) {
        even += sni_load4(a + k) * sni_load4(b + k);
        odd += sni_load4(a + k + 4) * sni_load4(b + k + 4);
    }
    if (k < wide) even += sni_load4(a + k) * sni_load4(b + k);
    return sni_sum4(even + odd);
}

/// Products of a with four rows that are `stride` apart, the first of them b.
static inline sni_lane4 sni_padded_dots(const double* a, const double* b, size_t stride,
                                        size_t wide) {
    sni_lane4 s0 = sni_lane4_zero(), s1 = s0, s2 = s0, s3 = s0;
    for (size_t k = 0; k < wide; k += 4) {
        sni_lane4 x = sni_load4(a + k);
        s0 += x * sni_load4(b + k);
        s1 += x * sni_load4(b + stride + k);
        s2 += x * sni_load4(b + 2 * stride + k);
        s3 += x * sni_load4(b + 3 * stride + k);
    }
    sni_transpose4(&s0, &s1, &s2, &s3);
    return (s0 + s1) + (s2 + s3);
}

/// y += s x
static inline void sni_padded_add(double s, const double* x, double* y, size_t wide) {
    sni_lane4 scale = sni_splat(s);
    for (size_t k = 0; k < wide; k += 4)
        sni_padded_store(y + k, sni_load4(y + k) + scale * sni_load4(x + k));
}

/// z = x y, number by number
static inline void sni_padded_times(const double* x, const double* y, double* z, size_t wide) {
    for (size_t k = 0; k < wide; k += 4)
        sni_padded_store(z + k, sni_load4(x + k) * sni_load4(y + k));
}

#endif
