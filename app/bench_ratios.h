// SPDX-License-Identifier: Apache-2.0
/// What a run of `sinew bench dynamics` comes down to. A ratio above 1 means that ours is faster.
#ifndef SINEW_APP_BENCH_RATIOS_H
#define SINEW_APP_BENCH_RATIOS_H

#include "bench.h"
#include "json_writer.h"

/// The fastest other engine on a line, against sinew:aba.
typedef struct bench_duel {
    const bench_row *ours, *theirs;
    double ratio; ///< of the medians
} bench_duel;

/// Numbers that could not be formed are NAN.
typedef struct bench_ratios {
    bench_duel duels[BENCH_LINES_MOST]; ///< the lines that have one, in order
    int duel_count;
    int worst;                      ///< the duel with the smallest ratio; -1: none
    double long_growth;             ///< cost per joint at 10^6 joints over that at 10^3
    double batch_chain, batch_hrp2; ///< time of a state alone over its time in a batch
    /// RBDL as noted on another day, over sinew:aba in this run.
    double rbdl_chain, rbdl_hrp2;
} bench_ratios;

/// RBDL 3.3.1 on a machine of this kind, on another day: ns per joint of chain128, and us and degrees
/// of freedom of a humanoid with a free base.
extern const double BENCH_RBDL_CHAIN_NS, BENCH_RBDL_HUMANOID_US, BENCH_RBDL_HUMANOID_DOF;

bench_ratios bench_ratios_find(const bench_rows* rows);
/// As the object "ratios".
void bench_ratios_write(const bench_ratios* ratios, json_writer* w);

#endif
