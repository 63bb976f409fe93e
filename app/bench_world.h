// SPDX-License-Identifier: Apache-2.0
/// sinew bench world: what a running scene costs besides the work of its stages.
#ifndef SINEW_APP_BENCH_WORLD_H
#define SINEW_APP_BENCH_WORLD_H

#include "bench_account.h"
#include "sinew/plugin.h"

/// A robot of about thirty bodies on a floor, its joints driven to a posture. `busy`: with sensors and an edit that
/// never comes due. Text of a scene file; to be freed.
char* bench_world_robot(bool busy);
/// A scene file of so many boxes, each written out. To be freed.
char* bench_world_boxes(int count);
/// From such a text; NULL, with the reason in the row, when that fails.
sn_simulation* bench_world_start(const char* text, bench_row* row);

/// Each fills its rows. `reps`: repetitions, `steps`: in each of them.
void bench_world_overhead(bench_rows* rows, long reps, int steps);
void bench_world_load(bench_rows* rows, long reps);
void bench_world_record(bench_rows* rows, long reps, int steps);
void bench_world_python(bench_rows* rows, long reps, int steps);

/// A row of one of these.
bench_row bench_world_row(const char* name, const sn_simulation* sim, const char* engine);
/// Median and smallest of some times into a row; sorts them.
void bench_world_times(bench_row* row, double* us, long count);

/// Ratios, sentences and method.
void bench_world_account(bench_account* account);

#endif
