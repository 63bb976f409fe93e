// SPDX-License-Identifier: Apache-2.0
/// What a benchmark found, as JSON and as text.
#ifndef SINEW_APP_BENCH_PRINT_H
#define SINEW_APP_BENCH_PRINT_H

#include <stdio.h>

#include "bench.h"
#include "bench_ratios.h"

/// One object, as DESIGN has it: bench, machine, rows, ratios.
void bench_write_json(const char* name, const bench_rows* rows, const bench_ratios* ratios,
                      FILE* out);

/// Tables with a row a line and a column an engine, then sentences.
void bench_print_dynamics(const bench_rows* rows, const bench_ratios* ratios);

/// What the numbers say, one sentence each.
enum { BENCH_SENTENCES_MOST = 8, BENCH_SENTENCE_SIZE = 400 };
typedef struct bench_sentences {
    char at[BENCH_SENTENCES_MOST][BENCH_SENTENCE_SIZE];
    int count;
} bench_sentences;
bench_sentences bench_say(const bench_rows* rows, const bench_ratios* ratios);

/// A time with three or more digits and no exponent.
void bench_format_us(double us, char* text, size_t size);

#endif
