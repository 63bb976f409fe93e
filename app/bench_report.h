// SPDX-License-Identifier: Apache-2.0
/// The report of `sinew bench dynamics` as a page that needs nothing else: charts, tables, machine.
#ifndef SINEW_APP_BENCH_REPORT_H
#define SINEW_APP_BENCH_REPORT_H

#include "bench.h"
#include "bench_ratios.h"

/// Writes report.html, report.json, joints.svg and robots.svg; false, with the reason said, when that
/// fails.
bool bench_report_write(const char* folder, const bench_rows* rows, const bench_ratios* ratios);

#endif
