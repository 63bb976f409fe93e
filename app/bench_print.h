// SPDX-License-Identifier: Apache-2.0
/// What a benchmark found, as JSON and as text.
#ifndef SINEW_APP_BENCH_PRINT_H
#define SINEW_APP_BENCH_PRINT_H

#include <stdio.h>

#include "bench.h"
#include "bench_ratios.h"
#include "json_writer.h"

/// One object, as DESIGN has it: bench, machine, rows, ratios. Of any benchmark: from its beginning to
/// the rows, the part of a row that all have, and its end.
json_writer bench_json_start(const char* name, FILE* out);
void bench_json_row(json_writer* w, const bench_row* row);
void bench_json_end(json_writer* w);

/// That of `sinew bench dynamics`.
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
void bench_sentences_add(bench_sentences* s, const char* format, ...)
    __attribute__((format(printf, 2, 3)));
void bench_sentences_print(const bench_sentences* s);
/// What was not measured and why; nothing when all was.
void bench_print_troubles(const bench_rows* rows);

/// A time with three or more digits and no exponent.
void bench_format_us(double us, char* text, size_t size);

#endif
