// SPDX-License-Identifier: Apache-2.0
/// Benchmarks: rows of times, each an engine on a line, measured interleaved in one run.
#ifndef SINEW_APP_BENCH_H
#define SINEW_APP_BENCH_H

#include <stdbool.h>

#include "options.h"

typedef struct bench_options {
    long reps; ///< timed repetitions of each row; 0: as many as the benchmark likes
    bool json, quick;
    const char* peers;  ///< folder of the helper programs; NULL: beside the program
    const char* lines;  ///< names separated by commas; NULL: all
    const char* report; ///< folder for the report, or NULL
    double timeout;     ///< s that a helper program has for an answer
    text_list files;    ///< contact problems, or folders of them
} bench_options;

enum { BENCH_NOTES_MOST = 8 };

/// A number beside the times of a row, under its own name.
typedef struct bench_note {
    const char* name; ///< as in the JSON: "active"
    double value;
} bench_note;

/// One engine on one line of a benchmark.
typedef struct bench_row {
    const char* part;         ///< table it belongs to, or NULL
    char line[40];            ///< "chain128"
    int n, dof;               ///< joints, degrees of freedom
    char engine[48];          ///< "sinew:aba", "mujoco-2.2.2"
    bool peer;                ///< not one of ours
    double median_us, min_us; ///< of one state; NAN: not measured
    long reps;
    double agree;   ///< largest difference of qdd from the clear version's, relative; NAN: unknown
    bool disagrees; ///< and that is too much
    char trouble[160]; ///< why it was not measured, or ""
    bench_note notes[BENCH_NOTES_MOST];
    int note_count;
} bench_row;

bench_row bench_row_on(const char* line, int n, int dof);
void bench_trouble(bench_row* row, const char* format, ...) __attribute__((format(printf, 2, 3)));
double bench_ns_per_joint(const bench_row* row);
/// name must stay.
void bench_note_add(bench_row* row, const char* name, double value);
/// NAN when the row has none of that name.
double bench_note_find(const bench_row* row, const char* name);

/// All rows of a run, those of a line together. Start from {0}.
typedef struct bench_rows {
    bench_row* at;
    int count, capacity;
} bench_rows;

void bench_rows_add(bench_rows* rows, const bench_row* row);
/// The measured row of an engine on a line, or NULL.
const bench_row* bench_rows_find(const bench_rows* rows, const char* line, const char* engine);
/// What an engine may be expected to take on a line of n joints, going by the two longest of the same
/// shape ("chain") that it was measured on; 0 when that is not known.
double bench_rows_expect_us(const bench_rows* rows, const char* line, int n, const char* engine);
/// The engines that were measured: sinew:aba, the others, our other ways; how many. `engines` has room
/// for `most`.
int bench_rows_engines(const bench_rows* rows, const char** engines, int most);
/// The lines, in the order they come; how many.
int bench_rows_lines(const bench_rows* rows, const char** lines, int most);

/// Ours that others are compared with, and many states of it at once.
extern const char BENCH_OURS[], BENCH_OUR_BATCH[];

/// An engine that needs this for one evaluation is given up.
extern const double BENCH_SLOW_US;

enum { BENCH_ENGINES_MOST = 32, BENCH_LINES_MOST = 64 };

/// Says on a terminal what is being done, in place of what was said before.
void bench_progress(const char* format, ...) __attribute__((format(printf, 1, 2)));
void bench_progress_end(void);

int bench_dynamics(const bench_options* options);
int bench_adaptive(const bench_options* options);
int bench_coupling(const bench_options* options);
int bench_delassus(const bench_options* options);
int bench_solve(const bench_options* options);
int bench_contact(const bench_options* options);
int bench_haptics(const bench_options* options);
int bench_world(const bench_options* options);
int bench_molecule(const bench_options* options);
int bench_viewer(const bench_options* options);

#endif
