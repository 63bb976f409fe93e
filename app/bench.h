// SPDX-License-Identifier: Apache-2.0
/// Benchmarks: rows of times, each an engine on a case, measured interleaved in one run.
#ifndef SINEW_APP_BENCH_H
#define SINEW_APP_BENCH_H

#include <stdbool.h>

typedef struct bench_options {
    long reps; ///< timed repetitions of each row
    bool json;
} bench_options;

/// One line of a benchmark.
typedef struct bench_row {
    char name[32];            ///< of the case: "chain128"
    int n;                    ///< joints
    char engine[32];          ///< "sinew:aba"
    double median_us, min_us; ///< of one evaluation
    long reps;
} bench_row;

/// A number that judges a benchmark: "crba_over_aba_hrp2".
typedef struct bench_ratio {
    char name[64];
    double value;
} bench_ratio;

/// The report every benchmark prints, as table or JSON.
void bench_print(const char* name, const bench_row* rows, int row_count, const bench_ratio* ratios,
                 int ratio_count, const bench_options* options);

/// Median of count numbers, which are sorted on the way.
double bench_median(double* values, int count);

int bench_dynamics(const bench_options* options);

#endif
