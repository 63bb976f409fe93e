// SPDX-License-Identifier: Apache-2.0
/// Four doubles at once, by the compiler's vector types: AVX where the file is compiled for it, pairs
/// of SSE2 or NEON registers elsewhere, the same source. Lane 3 of a vector in space is zero unless
/// said otherwise; cross products keep it zero.
#ifndef SN_MATH_LANE4_H
#define SN_MATH_LANE4_H

#include <stdint.h>
#if defined(__AVX__)
#include <immintrin.h>
#endif

#include "sinew/math.h"

#if defined(__GNUC__)
#pragma GCC diagnostic ignored "-Wpsabi" // nothing here crosses a binary interface
#endif

typedef double sni_lane4 __attribute__((vector_size(32)));
typedef int64_t sni_mask4 __attribute__((vector_size(32)));

static inline sni_lane4 sni_splat(double x) { return (sni_lane4){x, x, x, x}; }
static inline sni_lane4 sni_lane4_zero(void) { return (sni_lane4){0, 0, 0, 0}; }
static inline sni_lane4 sni_lane4_make(double x, double y, double z, double w) {
    return (sni_lane4){x, y, z, w};
}
static inline sni_lane4 sni_lane4_from(sn_vec3 a) { return (sni_lane4){a.x, a.y, a.z, 0}; }
static inline sni_lane4 sni_load4(const double* a) {
    sni_lane4 r;
    __builtin_memcpy(&r, a, sizeof r);
    return r;
}
/// Three numbers, where nobody looks at lane 3.
static inline sni_lane4 sni_load3(const double* a) { return (sni_lane4){a[0], a[1], a[2], a[2]}; }
static inline sn_vec3 sni_lane4_vec(sni_lane4 a) { return sn_vec3_make(a[0], a[1], a[2]); }

static inline sni_lane4 sni_splat0(sni_lane4 a) {
    return __builtin_shufflevector(a, a, 0, 0, 0, 0);
}
static inline sni_lane4 sni_splat1(sni_lane4 a) {
    return __builtin_shufflevector(a, a, 1, 1, 1, 1);
}
static inline sni_lane4 sni_splat2(sni_lane4 a) {
    return __builtin_shufflevector(a, a, 2, 2, 2, 2);
}

/// (y, z, x, w)
static inline sni_lane4 sni_yzx(sni_lane4 a) { return __builtin_shufflevector(a, a, 1, 2, 0, 3); }

static inline sni_lane4 sni_cross4(sni_lane4 a, sni_lane4 b) {
    return sni_yzx(a * sni_yzx(b) - sni_yzx(a) * b);
}

static inline sni_lane4 sni_sqrt4(sni_lane4 a) {
#if defined(__AVX__)
    return (sni_lane4)_mm256_sqrt_pd((__m256d)a);
#else
    return (sni_lane4){sqrt(a[0]), sqrt(a[1]), sqrt(a[2]), sqrt(a[3])};
#endif
}

/// Sum of the four lanes.
static inline double sni_sum4(sni_lane4 a) {
    sni_lane4 b = a + __builtin_shufflevector(a, a, 2, 3, 0, 1);
    return b[0] + b[1];
}

/// Rows to columns.
static inline void sni_transpose4(sni_lane4* a, sni_lane4* b, sni_lane4* c, sni_lane4* d) {
    sni_lane4 ab_low = __builtin_shufflevector(*a, *b, 0, 4, 2, 6);
    sni_lane4 ab_high = __builtin_shufflevector(*a, *b, 1, 5, 3, 7);
    sni_lane4 cd_low = __builtin_shufflevector(*c, *d, 0, 4, 2, 6);
    sni_lane4 cd_high = __builtin_shufflevector(*c, *d, 1, 5, 3, 7);
    *a = __builtin_shufflevector(ab_low, cd_low, 0, 1, 4, 5);
    *b = __builtin_shufflevector(ab_high, cd_high, 0, 1, 4, 5);
    *c = __builtin_shufflevector(ab_low, cd_low, 2, 3, 6, 7);
    *d = __builtin_shufflevector(ab_high, cd_high, 2, 3, 6, 7);
}

/// mask ? a : b, lane by lane, by the sign bit of the mask.
static inline sni_lane4 sni_select(sni_mask4 mask, sni_lane4 a, sni_lane4 b) {
#if defined(__AVX__)
    return _mm256_blendv_pd(b, a, (__m256d)mask);
#else
    mask = mask < 0;
    return (sni_lane4)(((sni_mask4)a & mask) | ((sni_mask4)b & ~mask));
#endif
}

/// Bit k: the sign bit of lane k.
static inline unsigned sni_mask_bits(sni_mask4 mask) {
#if defined(__AVX__)
    return (unsigned)_mm256_movemask_pd((__m256d)mask);
#else
    return (mask[0] < 0 ? 1u : 0) | (mask[1] < 0 ? 2u : 0) | (mask[2] < 0 ? 4u : 0) |
           (mask[3] < 0 ? 8u : 0);
#endif
}

#endif
