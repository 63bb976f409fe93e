// SPDX-License-Identifier: Apache-2.0
/// What sinew solve prints: a line a file, a summary, or JSON.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "median.h"
#include "memory.h"
#include "solve.h"
#include "table.h"
#include "terminal.h"

enum { NAME_LEAST = 4, NAME_MOST = 72 };

const char* solve_judge(const solve_run* run) {
    return run->options.siconos_error ? "error" : "residual";
}

static int name_width(const text_list* files) {
    int width = NAME_LEAST;
    for (int i = 0; i < files->count; i++) {
        int columns = terminal_columns(files->items[i]);
        if (columns > width) width = columns;
    }
    return width < NAME_MOST ? width : NAME_MOST;
}

void solve_print_heading(const solve_run* run, const text_list* files) {
    printf("solver %s, until the %s is at most %g:\n%s\n\n", sn_contact_solver_name(run->solver),
           solve_judge(run), run->options.tolerance,
           run->options.siconos_error
               ? "  error = |r - proj(r - u^)| / |q|, the problem as given (Siconos)"
               : "  residual = |r - proj(r - u^/s)| / max(|q/s|, |r|, |u/s|), s = mean of W's "
                 "diagonal");
    printf("%-*s %8s %6s %10s %7s %11s %9s %9s  %s\n", name_width(files), "file", "contacts",
           "groups", "iterations", "newton", "time [ms]", "residual", "error", "ok");
    fflush(stdout);
}

void solve_print_line(const text_list* files, const solve_result* result) {
    int width = name_width(files);
    const sn_solve_report* report = &result->report;
    printf("%s%*s ", result->file,
           width > terminal_columns(result->file) ? width - terminal_columns(result->file) : 0, "");
    if (result->trouble[0]) {
        printf("%s\n", result->readable ? "could not be solved" : "could not be read");
    } else {
        printf("%8d %6d %10lld %7lld %11.3f %9.1e %9.1e  %s\n", (int)report->contacts,
               (int)report->groups, (long long)report->iterations, (long long)report->newton,
               1e3 * result->seconds, report->verdict.residual, report->verdict.error,
               result->ok     ? "yes"
               : report->late ? "late"
                              : "NO");
    }
    fflush(stdout);
}

// ---- all of them ------------------------------------------------------------------------------------

void solve_print_summary(const solve_run* run, const solve_result* results, int count) {
    double *times = memory_take((size_t)count, sizeof *times), total = 0;
    const solve_result* slowest = NULL;
    int solved = 0, unreadable = 0, timed = 0;
    for (int i = 0; i < count; i++) {
        const solve_result* result = &results[i];
        unreadable += !result->readable;
        solved += result->ok;
        if (result->trouble[0]) continue;
        times[timed++] = result->seconds;
        total += result->seconds;
        if (!slowest || result->seconds > slowest->seconds) slowest = result;
    }
    printf("\n");
    table* t = table_create("lr", NULL);
    table_pair(t, "files", "%d", count);
    table_pair(t, "solved", "%d", solved);
    table_pair(t, "not solved", "%d", count - solved - unreadable);
    if (unreadable) table_pair(t, "could not be read", "%d", unreadable);
    if (slowest) {
        table_pair(t, "median time", "%.3f ms", 1e3 * median_of(times, timed));
        table_pair(t, "all times", "%.3f ms", 1e3 * total);
    }
    table_print(t, 0, stdout);
    if (slowest && timed > 1)
        printf("slowest: %s, %.3f ms\n", slowest->file, 1e3 * slowest->seconds);
    if (run->repeat > 1) printf("times: medians of %ld solves\n", run->repeat);
    free(times);
}

// ---- JSON -------------------------------------------------------------------------------------------

void solve_write_json(json_writer* w, const solve_run* run, const solve_result* result) {
    const sn_solve_report* report = &result->report;
    bool answered = !result->trouble[0];
    jw_object_line(w);
    jw_key(w, "file");
    jw_text(w, result->file);
    jw_key(w, "contacts");
    jw_number(w, result->readable ? (double)report->contacts : (double)NAN);
    jw_key(w, "solver");
    jw_text(w, sn_contact_solver_name(run->solver));
    jw_key(w, "residual");
    jw_number(w, report->verdict.residual);
    jw_key(w, "error");
    jw_number(w, report->verdict.error);
    jw_key(w, "iterations");
    jw_number(w, answered ? (double)report->iterations : (double)NAN);
    jw_key(w, "seconds");
    jw_number(w, result->seconds);
    jw_key(w, "ok");
    jw_boolean(w, result->ok);
    jw_key(w, "judged_by");
    jw_text(w, solve_judge(run));
    jw_key(w, "tolerance");
    jw_number(w, run->options.tolerance);
    if (answered) {
        jw_key(w, "groups");
        jw_integer(w, report->groups);
        jw_key(w, "sweeps");
        jw_integer(w, report->sweeps);
        jw_key(w, "newton");
        jw_integer(w, report->newton);
        jw_key(w, "late");
        jw_boolean(w, report->late);
        jw_key(w, "unmet");
        jw_number(w, report->verdict.unmet);
        jw_key(w, "asymmetry");
        jw_number(w, report->asymmetry);
    } else {
        jw_key(w, "trouble");
        jw_text(w, result->trouble);
    }
    jw_object_end(w);
}
