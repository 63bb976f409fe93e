// SPDX-License-Identifier: Apache-2.0
/// sinew solve: what one file came to, and what is said about all of them.
#ifndef SINEW_APP_SOLVE_H
#define SINEW_APP_SOLVE_H

#include <stdbool.h>

#include "json_writer.h"
#include "options.h"
#include "sinew/contact_file.h"

typedef struct solve_run {
    int solver; ///< number of sn_contact_solver_name
    sn_solve_options options;
    long repeat, workers;
    long deadline_us;             ///< 0: none
    const char *impulses, *write; ///< files to write, or NULL
    bool json;
} solve_run;

/// One file and what came of it.
typedef struct solve_result {
    const char* file;  ///< as given
    char trouble[640]; ///< why there is no answer, or ""
    bool readable;     ///< whatever the trouble is, the problem was read
    bool lost;         ///< what was to be written beside it could not be
    sn_solve_report report;
    double seconds; ///< of one solve: median of the repetitions
    bool ok;        ///< solved to the tolerance
} solve_result;

/// Whether the name of a file says in which format to write it; false, with the reason said.
bool solve_format_of(const char* path, sn_contact_format* format);

/// Solves one file; what is wrong is said and noted.
solve_result solve_file(const solve_run* run, const char* file);

/// The name of what the tolerance is of: "residual" or "error".
const char* solve_judge(const solve_run* run);

/// A line for people about each file, below a heading; then about all of them.
void solve_print_heading(const solve_run* run, const text_list* files);
void solve_print_line(const text_list* files, const solve_result* result);
void solve_print_summary(const solve_run* run, const solve_result* results, int count);

void solve_write_json(json_writer* w, const solve_run* run, const solve_result* result);

#endif
