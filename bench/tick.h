// SPDX-License-Identifier: Apache-2.0
/// A hand on a simulated device that holds the middle of a chain, for counting what one haptic tick takes.
#ifndef SINEW_BENCH_TICK_H
#define SINEW_BENCH_TICK_H

#include "sinew/session.h"

typedef struct bench_tick {
    sn_simulation* sim;
    sn_session* session;
    int64_t now_ns;
} bench_tick;

/// NULL, or why it could not be made. The force is on then.
const char* bench_tick_begin(bench_tick* tick, const char* profile);
/// One tick; the law stays the same.
sn_status bench_tick_run(bench_tick* tick);
void bench_tick_end(bench_tick* tick);

#endif
