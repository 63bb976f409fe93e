// SPDX-License-Identifier: Apache-2.0
/// What the HTML reports of all benchmarks have in common: a page that needs nothing else.
#ifndef SINEW_APP_BENCH_PAGE_H
#define SINEW_APP_BENCH_PAGE_H

#include <stdio.h>

#include "bench_print.h"

/// Makes the folder of a report when it is not there; false, with the reason said, when it cannot be.
bool bench_report_possible(const char* folder);

/// Everything up to what the numbers say in short; then the machine and the rest.
void bench_page_start(FILE* out, const char* name, const char* heading,
                      const bench_sentences* sentences);
void bench_page_end(FILE* out);
/// Text that is not markup between markup.
void bench_page_element(FILE* out, const char* open, const char* text, const char* close);

#endif
