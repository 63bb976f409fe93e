// SPDX-License-Identifier: Apache-2.0
/// How a haptic loop, and the loops beside it, keep their time.   docs/haptics.md
#ifndef SINEW_HAPTICS_H
#define SINEW_HAPTICS_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum sn_loop { SN_LOOP_SIMULATION, SN_LOOP_COUPLING, SN_LOOP_HAPTICS, SN_LOOPS } sn_loop;

enum { SN_JITTER_BINS = 24 };

/// Of one loop. Counted by the loop itself, read by others as a copy.
typedef struct sn_loop_meter {
    uint64_t ticks;
    uint64_t late;                   ///< began more than half a period after they were due
    int64_t first_ns, last_ns;       ///< beginnings of the first and the last, by the loop's clock
    int64_t worst_ns;                ///< latest beginning after it was due
    uint64_t jitter[SN_JITTER_BINS]; ///< ticks by lateness: below 100 ns, 200 ns, 400 ns, ...
} sn_loop_meter;

/// From what was measured of a hand to the force that answers it.
typedef struct sn_latency_meter {
    uint64_t count;
    int64_t sum_ns, worst_ns;
    uint64_t below[SN_JITTER_BINS]; ///< by size: below 100 ns, 200 ns, 400 ns, ...
} sn_latency_meter;

/// Ticks a second; 0 before the second.
double sn_loop_rate(const sn_loop_meter* meter);

#ifdef __cplusplus
}
#endif
#endif
