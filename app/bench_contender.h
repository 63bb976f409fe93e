// SPDX-License-Identifier: Apache-2.0
/// One engine set up on one line of a benchmark: something that can be timed, and that may compute
/// accelerations. Ours run in this process, others in helper programs (bench/peers).
#ifndef SINEW_APP_BENCH_CONTENDER_H
#define SINEW_APP_BENCH_CONTENDER_H

#include "bench.h"
#include "bench_line.h"

typedef struct bench_contender bench_contender;

typedef struct bench_kind {
    /// Accelerations of the first `states` states, in the order of the API. False: row.trouble says
    /// why. NULL where nothing of the kind is computed.
    bool (*compute)(bench_contender* c, double* qdd);
    /// Seconds that `count` evaluations take, by turns of two states; negative: row.trouble says why.
    double (*time)(bench_contender* c, long count);
    void (*close)(bench_contender* c);
} bench_kind;

struct bench_contender {
    const bench_kind* kind;
    void* self;
    const bench_line* line;
    int states;   ///< that one evaluation computes: 1, or a batch; or steps, or ticks
    bool patient; ///< measured however long one evaluation takes
    bench_row row;
    long count;       ///< evaluations in a repetition; 0: as many as the time allows
    double* times_us; ///< of one state, per repetition
};

/// Seconds of a clock that does not jump.
double bench_now(void);
/// Largest difference of a from b over the largest number of b; NaN counts.
double bench_difference(const double* a, const double* b, size_t count);

/// Our algorithm `name` on a line; false when it cannot be set up or would take too much.
bool bench_open_algorithm(bench_contender* c, const bench_line* line, const char* name);
/// Our batch on a line.
bool bench_open_batch(bench_contender* c, const bench_line* line);

/// Times all contenders by turns, `reps` repetitions of about `seconds` each, and fills their rows.
void bench_measure(bench_contender* all, int count, long reps, double seconds);

void bench_close(bench_contender* c);

#endif
