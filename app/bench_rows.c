// SPDX-License-Identifier: Apache-2.0
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "bench.h"
#include "memory.h"
#include "terminal.h"

const double BENCH_SLOW_US = 2e5;
const char BENCH_OURS[] = "sinew:aba", BENCH_OUR_BATCH[] = "sinew:aba-batch";

bench_row bench_row_on(const char* line, int n, int dof) {
    bench_row row = {.n = n, .dof = dof, .median_us = NAN, .min_us = NAN, .agree = NAN};
    snprintf(row.line, sizeof row.line, "%s", line);
    return row;
}

void bench_trouble(bench_row* row, const char* format, ...) {
    va_list list;
    va_start(list, format);
    vsnprintf(row->trouble, sizeof row->trouble, format, list);
    va_end(list);
}

double bench_ns_per_joint(const bench_row* row) { return 1e3 * row->median_us / row->n; }

void bench_note_add(bench_row* row, const char* name, double value) {
    if (row->note_count == BENCH_NOTES_MOST) return;
    row->notes[row->note_count++] = (bench_note){name, value};
}

double bench_note_find(const bench_row* row, const char* name) {
    for (int i = 0; i < row->note_count; i++) {
        if (strcmp(row->notes[i].name, name) == 0) return row->notes[i].value;
    }
    return NAN;
}

void bench_progress(const char* format, ...) {
    va_list list;
    if (!terminal_is(stderr)) return;
    fputs("\r", stderr);
    va_start(list, format);
    vfprintf(stderr, format, list);
    va_end(list);
    fputs("\033[K", stderr);
    fflush(stderr);
}

void bench_progress_end(void) {
    if (terminal_is(stderr)) fputs("\r\033[K", stderr);
}

void bench_rows_add(bench_rows* rows, const bench_row* row) {
    if (rows->count == rows->capacity) {
        rows->capacity = rows->capacity ? 2 * rows->capacity : 64;
        rows->at = memory_resize(rows->at, (size_t)rows->capacity, sizeof *rows->at);
    }
    rows->at[rows->count++] = *row;
}

const bench_row* bench_rows_find(const bench_rows* rows, const char* line, const char* engine) {
    for (int i = 0; i < rows->count; i++) {
        const bench_row* row = &rows->at[i];
        if (strcmp(row->line, line) == 0 && strcmp(row->engine, engine) == 0 &&
            isfinite(row->median_us)) {
            return row;
        }
    }
    return NULL;
}

// Letters before the number: "chain".
static size_t shape_length(const char* line) { return strcspn(line, "0123456789"); }

double bench_rows_expect_us(const bench_rows* rows, const char* line, int n, const char* engine) {
    const bench_row *longest = NULL, *second = NULL;
    size_t length = shape_length(line);
    for (int i = 0; i < rows->count; i++) {
        const bench_row* row = &rows->at[i];
        if (strcmp(row->engine, engine) != 0 || !isfinite(row->median_us)) continue;
        if (shape_length(row->line) != length || strncmp(row->line, line, length) != 0) continue;
        if (!longest || row->n > longest->n) second = longest, longest = row;
    }
    if (!second || longest->n >= n) return 0;
    double power =
        log(longest->median_us / second->median_us) / log((double)longest->n / second->n);
    return longest->median_us * pow((double)n / longest->n, power);
}

// Adds a name that is not there yet.
static int add_name(const char** names, int count, int most, const char* name) {
    for (int i = 0; i < count; i++) {
        if (strcmp(names[i], name) == 0) return count;
    }
    if (count < most) names[count++] = name;
    return count;
}

int bench_rows_engines(const bench_rows* rows, const char** engines, int most) {
    int count = 0;
    for (int turn = 0; turn < 3; turn++) {
        for (int i = 0; i < rows->count; i++) {
            const bench_row* row = &rows->at[i];
            int its_turn = row->peer ? 1 : strcmp(row->engine, BENCH_OURS) == 0 ? 0 : 2;
            if (turn != its_turn || !isfinite(row->median_us)) continue;
            count = add_name(engines, count, most, row->engine);
        }
    }
    return count;
}

int bench_rows_lines(const bench_rows* rows, const char** lines, int most) {
    int count = 0;
    for (int i = 0; i < rows->count; i++) count = add_name(lines, count, most, rows->at[i].line);
    return count;
}
