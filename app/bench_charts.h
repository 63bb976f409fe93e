// SPDX-License-Identifier: Apache-2.0
/// Charts of `sinew bench dynamics`.
#ifndef SINEW_APP_BENCH_CHARTS_H
#define SINEW_APP_BENCH_CHARTS_H

#include <stdio.h>

#include "bench.h"

/// Time per joint against the number of joints, each engine a line, chains and trees apart; false,
/// with nothing written, when neither was measured. `inside`: as part of an HTML page.
bool bench_chart_joints(const bench_rows* rows, bool inside, FILE* out);
/// Time of an evaluation on the robots, each engine a bar; false when none was measured.
bool bench_chart_robots(const bench_rows* rows, bool inside, FILE* out);

#endif
