// SPDX-License-Identifier: Apache-2.0
/// Eight floats or doubles at once, by the compiler's vector types, as math/lane4.h has four doubles.
#ifndef SN_MOLECULE_LANE8_H
#define SN_MOLECULE_LANE8_H

#include <math.h>
#include <stdint.h>
#include <string.h>
#if defined(__AVX2__)
#include <immintrin.h>
#endif

#if defined(__GNUC__)
#pragma GCC diagnostic ignored "-Wpsabi" // nothing here crosses a binary interface
#endif

typedef float sni_float8 __attribute__((vector_size(32)));
typedef int32_t sni_int8 __attribute__((vector_size(32)));
typedef double sni_double8 __attribute__((vector_size(64)));
typedef int64_t sni_long8 __attribute__((vector_size(64)));

static inline sni_float8 sni_float8_load(const float* p) {
    sni_float8 a;
    memcpy(&a, p, sizeof a);
    return a;
}
static inline void sni_float8_store(float* p, sni_float8 a) { memcpy(p, &a, sizeof a); }
static inline sni_float8 sni_float8_splat(float x) { return (sni_float8){x, x, x, x, x, x, x, x}; }
static inline sni_int8 sni_int8_load(const int32_t* p) {
    sni_int8 a;
    memcpy(&a, p, sizeof a);
    return a;
}
static inline sni_int8 sni_int8_splat(int32_t x) { return (sni_int8){x, x, x, x, x, x, x, x}; }
static inline sni_double8 sni_double8_load(const double* p) {
    sni_double8 a;
    memcpy(&a, p, sizeof a);
    return a;
}
static inline void sni_double8_store(double* p, sni_double8 a) { memcpy(p, &a, sizeof a); }
static inline sni_double8 sni_double8_splat(double x) {
    return (sni_double8){x, x, x, x, x, x, x, x};
}

static inline sni_float8 sni_float8_max(sni_float8 a, sni_float8 b) {
#if defined(__AVX2__)
    return (sni_float8)_mm256_max_ps((__m256)a, (__m256)b);
#else
    sni_int8 m = a > b;
    return (sni_float8)(((sni_int8)a & m) | ((sni_int8)b & ~m));
#endif
}
static inline sni_float8 sni_float8_min(sni_float8 a, sni_float8 b) {
#if defined(__AVX2__)
    return (sni_float8)_mm256_min_ps((__m256)a, (__m256)b);
#else
    sni_int8 m = a < b;
    return (sni_float8)(((sni_int8)a & m) | ((sni_int8)b & ~m));
#endif
}
static inline sni_double8 sni_double8_min(sni_double8 a, sni_double8 b) {
    sni_long8 m = a < b;
    return (sni_double8)(((sni_long8)a & m) | ((sni_long8)b & ~m));
}
static inline sni_double8 sni_double8_max(sni_double8 a, sni_double8 b) {
    sni_long8 m = a > b;
    return (sni_double8)(((sni_long8)a & m) | ((sni_long8)b & ~m));
}

/// 1/sqrt(a) to nearly full precision.
static inline sni_float8 sni_float8_inverse_root(sni_float8 a) {
#if defined(__AVX2__)
    sni_float8 y = (sni_float8)_mm256_rsqrt_ps((__m256)a); // 12 bits; one Newton step doubles them
    return y * (1.5f - 0.5f * a * y * y);
#else
    for (int i = 0; i < 8; ++i) a[i] = 1 / sqrtf(a[i]);
    return a;
#endif
}
static inline sni_double8 sni_double8_inverse_root(sni_double8 a) {
    for (int i = 0; i < 8; ++i) a[i] = 1 / sqrt(a[i]);
    return a;
}

/// Lane i as bit i: the sign bits of a mask.
static inline uint32_t sni_int8_bits(sni_int8 m) {
#if defined(__AVX2__)
    return (uint32_t)_mm256_movemask_ps((__m256)m);
#else
    uint32_t bits = 0;
    for (int i = 0; i < 8; ++i) bits |= (uint32_t)(m[i] < 0) << i;
    return bits;
#endif
}

/// Lanes of a mask from eight bits of a word: those of a row, the lowest first.
static inline sni_int8 sni_int8_from_mask(uint32_t mask, int32_t row) {
    const sni_int8 lane = {1, 2, 4, 8, 16, 32, 64, 128}, bits = lane << 8 * row;
    return (sni_int8_splat((int32_t)mask) & bits) == bits;
}
static inline sni_long8 sni_long8_from_mask(uint32_t mask, int32_t row) {
    int64_t m = mask;
    const sni_long8 lane = {1, 2, 4, 8, 16, 32, 64, 128}, bits = lane << 8 * row;
    return ((sni_long8){m, m, m, m, m, m, m, m} & bits) == bits;
}

static inline float sni_float8_sum(sni_float8 a) {
    return ((a[0] + a[4]) + (a[2] + a[6])) + ((a[1] + a[5]) + (a[3] + a[7]));
}
static inline double sni_double8_sum(sni_double8 a) {
    return ((a[0] + a[4]) + (a[2] + a[6])) + ((a[1] + a[5]) + (a[3] + a[7]));
}

#endif
