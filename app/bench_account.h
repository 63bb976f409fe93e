// SPDX-License-Identifier: Apache-2.0
/// What a benchmark of our own engines found, ready to be shown: as tables, as JSON, as a page with
/// charts. Rows carry the name of the table they belong to and numbers of their own (bench_note).
#ifndef SINEW_APP_BENCH_ACCOUNT_H
#define SINEW_APP_BENCH_ACCOUNT_H

#include "bench.h"
#include "bench_print.h"

enum { BENCH_RATIOS_MOST = 8, BENCH_CHARTS_MOST = 2 };

typedef struct bench_chart {
    const char* file;    ///< "steps.svg"
    const char* caption; ///< below it on the page
    /// False, with nothing written, when there is nothing to draw. `inside`: as part of the page.
    bool (*draw)(const bench_rows* rows, bool inside, FILE* out);
} bench_chart;

typedef struct bench_account {
    const char* name;    ///< of the benchmark
    const char* heading; ///< what was measured
    bench_rows rows;
    const char* count_of;                       ///< what n of a row counts; NULL: joints
    void (*print_rows)(const bench_rows* rows); ///< NULL: a table a part
    bench_note ratios[BENCH_RATIOS_MOST];
    int ratio_count;
    bench_sentences sentences;
    bench_chart charts[BENCH_CHARTS_MOST];
    int chart_count;
    const char* const* method; ///< how it was measured: sentences, NULL after the last
} bench_account;

/// Whether the options make sense here, before any work is done; false with the reason said.
bool bench_account_possible(const bench_options* options);
void bench_account_ratio(bench_account* account, const char* name, double value);
/// Prints it as the options say and writes the report; the exit status.
int bench_account_show(const bench_account* account, const bench_options* options);

/// Points of a curve in a chart.
enum { BENCH_CURVE_MOST = 8 };
typedef struct bench_curve {
    double x[BENCH_CURVE_MOST], y[BENCH_CURVE_MOST];
    int count;
} bench_curve;
/// Adds a point, unless there is no y for it.
void bench_curve_add(bench_curve* curve, double x, double y);

#endif
