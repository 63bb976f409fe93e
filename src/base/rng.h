// SPDX-License-Identifier: Apache-2.0
/// Random numbers that repeat: SplitMix64, one 64-bit word of state.
#ifndef SN_BASE_RNG_H
#define SN_BASE_RNG_H

#include <stdint.h>

typedef struct sni_rng {
    uint64_t state;
} sni_rng;

static inline uint64_t sni_rng_next(sni_rng* rng) {
    uint64_t z = (rng->state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

/// Uniform in [low, high).
static inline double sni_rng_uniform(sni_rng* rng, double low, double high) {
    double unit = (double)(sni_rng_next(rng) >> 11) * 0x1p-53;
    return low + (high - low) * unit;
}

/// Uniform in 0 .. count - 1.
static inline int sni_rng_index(sni_rng* rng, int count) {
    return (int)(sni_rng_next(rng) % (uint64_t)count);
}

#endif
