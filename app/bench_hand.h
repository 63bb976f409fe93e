// SPDX-License-Identifier: Apache-2.0
/// Hands as contenders: making the law of grabbed bodies, the same answer by two passes, and ticks that
/// evaluate the law at haptic rate.
#ifndef SINEW_APP_BENCH_HAND_H
#define SINEW_APP_BENCH_HAND_H

#include "bench_contender.h"
#include "sinew/coupling.h"

enum { BENCH_TICKS = 1000 }; // timed at once

/// A line with dynamics at its first state, and hands on it; contenders share it. Free with
/// bench_held_free.
typedef struct bench_held {
    bench_line line;
    sn_dynamics* dynamics;
    const char* algorithm;
    double* qdd;
    sn_body_wrench hands[SN_GRAB_MAX];
    int hand_count;
    sn_coupling_law law; ///< of the hands
} bench_held;

/// Hands on bodies that divide the line evenly: one holds the body in the middle. False, with the reason
/// said, when it cannot be made. "adaptive" leaves 500 joints active, those at the hands among them.
bool bench_held_make(bench_held* held, const bench_line_spec* spec, const char* algorithm,
                     int hand_count);
void bench_held_free(bench_held* held);

typedef enum bench_hand_task {
    HAND_REFRESH, ///< sn_dynamics_coupling, one after the other
    HAND_FRESH,   ///< the same, each right after a forward dynamics, which is not in the time
    HAND_FEEL,    ///< sn_dynamics_feel
    HAND_TICK,    ///< sn_coupling_tick
    HAND_PREPARE, ///< sn_local_model_prepare
    HAND_LOCAL    ///< sn_local_model_tick
} bench_hand_task;

/// A task as a contender, its row named `name`.
void bench_open_hand(bench_contender* c, bench_held* held, bench_hand_task task, const char* name);

#endif
