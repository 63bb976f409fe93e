// SPDX-License-Identifier: Apache-2.0
/// The shortest x of six numbers with g_i . x >= h_i for all i.   [LH74 ch 23]
#ifndef SN_HAPTICS_LEAST_DISTANCE_H
#define SN_HAPTICS_LEAST_DISTANCE_H

#include <stdbool.h>
#include <stdint.h>

enum { SNI_LEAST_MOST = 64 };

typedef struct sni_least_distance {
    int32_t count;
    double g[SNI_LEAST_MOST][6];
    double h[SNI_LEAST_MOST];
    double x[6];
    double multiplier[SNI_LEAST_MOST]; ///< x = sum multiplier g, none negative
} sni_least_distance;

/// False: no x obeys all, and x is zero.
bool sni_least_distance_solve(sni_least_distance* problem);

#endif
