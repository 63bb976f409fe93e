// SPDX-License-Identifier: Apache-2.0
/// One contact problem: read, solved cold as often as asked, written where asked.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"
#include "message.h"
#include "output_file.h"
#include "solve.h"

// Relative asymmetry of W that rounding explains, and nobody needs to hear about.
static const double ASYMMETRY_SILENT = 1e-12;
static const int64_t TOUCH_NS = 20000000;

// ---- files that are written -------------------------------------------------------------------------

static bool ends_with(const char* text, const char* ending) {
    size_t length = strlen(text), tail = strlen(ending);
    return length >= tail && strcmp(text + length - tail, ending) == 0;
}

bool solve_format_of(const char* path, sn_contact_format* format) {
    *format = ends_with(path, ".dat") ? SN_CONTACT_SICONOS : SN_CONTACT_FC3D;
    if (ends_with(path, ".dat") || ends_with(path, ".fc3d")) return true;
    message_error("--write %s: the name tells no format; end it with .fc3d or .dat", path);
    return false;
}

static bool write_problem(const solve_run* run, const char* file,
                          const sn_contact_problem* problem) {
    sn_contact_format format;
    sn_error error = {0};
    output_file out;
    char* text;
    if (!solve_format_of(run->write, &format)) return false;
    if (sn_contact_problem_write(problem, format, &text, &error) != SN_OK) {
        message_error("--write %s: %s: %s", run->write, file, error.text);
        return false;
    }
    bool good = output_open(&out, run->write);
    if (good) {
        fputs(text, out.stream);
        good = output_commit(&out);
    }
    sn_text_free(text);
    return good;
}

static bool write_impulses(const solve_run* run, const solve_result* result, int32_t rows,
                           const double* r) {
    output_file out;
    if (!output_open(&out, run->impulses)) return false;
    fprintf(out.stream, "# r of %s by %s, error %.3g, residual %.3g\n", result->file,
            sn_contact_solver_name(run->solver), result->report.verdict.error,
            result->report.verdict.residual);
    for (int32_t i = 0; i < rows; i++) fprintf(out.stream, "%.17g\n", r[i]);
    return output_commit(&out);
}

// ---- solving ----------------------------------------------------------------------------------------

static int compare_times(const void* a, const void* b) {
    double x = *(const double*)a, y = *(const double*)b;
    return (x > y) - (x < y);
}

/// A solve that is not timed, or the beginning of one: memory that a solver has but never used costs time when
/// it is touched first, and that is not what is asked.
static sn_status touch_memory(const solve_run* run, sn_contact_solver* solver,
                              const sn_contact_problem* problem, double* r, sn_error* error) {
    sn_solve_options options = run->options;
    sn_solve_report report;
    options.deadline_ns = options.clock.now_ns(options.clock.context) + TOUCH_NS;
    return sn_contact_solve(solver, problem, &options, r, &report, error);
}

/// From zero every time, nothing remembered.
static sn_status solve_cold(const solve_run* run, sn_contact_solver* solver,
                            const sn_contact_problem* problem, double* r, solve_result* result,
                            sn_error* error) {
    double* times = memory_take((size_t)run->repeat, sizeof *times);
    sn_status status = touch_memory(run, solver, problem, r, error);
    for (long k = 0; k < run->repeat && !status; k++) {
        sn_solve_options options = run->options;
        memset(r, 0, (size_t)sn_contact_rows(problem) * sizeof *r);
        int64_t start = options.clock.now_ns(options.clock.context);
        if (run->deadline_us) options.deadline_ns = start + 1000 * (int64_t)run->deadline_us;
        status = sn_contact_solve(solver, problem, &options, r, &result->report, error);
        times[k] = 1e-9 * (double)(options.clock.now_ns(options.clock.context) - start);
    }
    qsort(times, (size_t)run->repeat, sizeof *times, compare_times);
    size_t middle = (size_t)run->repeat / 2;
    result->seconds = run->repeat % 2 ? times[middle] : 0.5 * (times[middle - 1] + times[middle]);
    free(times);
    return status;
}

static void note_trouble(solve_result* result, const sn_error* error) {
    if (error->file[0])
        sn_error_format(error, result->trouble, sizeof result->trouble);
    else
        snprintf(result->trouble, sizeof result->trouble, "%.100s: %s", result->file,
                 error->text[0] ? error->text : sn_status_text(error->status));
    message_error("%s", result->trouble);
}

static void solve_problem(const solve_run* run, const sn_contact_problem* problem,
                          solve_result* result) {
    const char* name = sn_contact_solver_name(run->solver);
    sn_error error = {0};
    sn_contact_solver* solver = NULL;
    sn_contact_capacity capacity = sn_contact_capacity_of(problem);
    int32_t rows = sn_contact_rows(problem);
    double* r = memory_take((size_t)rows, sizeof *r);
    sn_status status =
        sn_contact_solver_create(name, &capacity, (int)run->workers - 1, &solver, &error);
    if (!status) status = solve_cold(run, solver, problem, r, result, &error);
    result->report.contacts = problem->count;
    if (status) {
        error.status = status;
        note_trouble(result, &error);
    } else {
        result->ok = result->report.converged;
        if (result->report.asymmetry > ASYMMETRY_SILENT)
            message_warning(
                "%s: W is not symmetric, by %.1e of its size; %s solved (W + W')/2 in its "
                "place, so the error may stay of that order",
                result->file, result->report.asymmetry, name);
        if (run->impulses && !write_impulses(run, result, rows, r)) result->lost = true;
    }
    sn_contact_solver_free(solver);
    free(r);
}

solve_result solve_file(const solve_run* run, const char* file) {
    solve_result result = {.file = file, .seconds = NAN};
    sn_contact_problem* problem;
    sn_error error = {0};
    result.report.verdict.residual = result.report.verdict.error = NAN;
    if (sn_contact_problem_load(file, &problem, &error) != SN_OK) {
        note_trouble(&result, &error);
        return result;
    }
    result.readable = true;
    result.lost = run->write && !write_problem(run, file, problem);
    solve_problem(run, problem, &result);
    sn_contact_problem_free(problem);
    return result;
}
