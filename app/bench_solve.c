// SPDX-License-Identifier: Apache-2.0
/// sinew bench solve: contact problems by every solver, Siconos beside them when its helper is there, and
/// what a sweep costs.
#include "bench_solve.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench_siconos.h"
#include "command.h"
#include "memory.h"
#include "message.h"

const double BENCH_SOLVE_ERROR = 1e-8;
const char BENCH_SOLVE_PART[] = "Time to |.|/|q| <= 1e-8, from zero impulses";

enum { REPS = 11, QUICK_REPS = 3, WAYS = 5 };
// What one solve may take, and what all repetitions of one row may take after the first: s.
static const double LIMIT = 2, QUICK_LIMIT = 0.25, BUDGET = 0.5, QUICK_BUDGET = 0.05;
static const int64_t ITERATIONS_MOST = 1000000000; // the time limit comes first

static const bench_way ALL_WAYS[WAYS] = {
    {"sinew:nsgs", "nsgs", "nsgs", true, true},
    {"sinew:nsgs-no-newton", "no newton", "nsgs", true, false},
    {"sinew:gauss-seidel", "plain", "nsgs", false, false},
    {"sinew:projection", "projection", "projection", true, true},
    {"sinew:admm", "admm", "admm", true, true},
};

const bench_way* bench_way_at(int i) { return i < WAYS ? &ALL_WAYS[i] : NULL; }

sn_solve_options bench_way_options(const bench_way* way) {
    sn_solve_options options = sn_solve_options_default();
    options.tolerance = BENCH_SOLVE_ERROR;
    options.siconos_error = true;
    options.iterations = ITERATIONS_MOST;
    options.accelerate = way->accelerate;
    options.newton = way->newton;
    return options;
}

// ---- one problem, one way ---------------------------------------------------------------------------

typedef struct attempt {
    const bench_way* way;
    sn_contact_solver* solver;
    double* r;
    double* times; ///< s, of the solves so far
    long count, wanted;
    sn_solve_report report;
    bench_row row;
} attempt;

static bool open_attempt(attempt* t, const bench_way* way, const bench_problem* p, long reps) {
    sn_contact_capacity capacity = sn_contact_capacity_of(p->problem);
    sn_error error = {0};
    *t = (attempt){.way = way, .wanted = reps};
    t->row = bench_row_on(p->name, (int)p->problem->count, (int)sn_contact_rows(p->problem));
    t->row.part = BENCH_SOLVE_PART;
    snprintf(t->row.engine, sizeof t->row.engine, "%s", way->engine);
    if (sn_contact_solver_create(way->solver, &capacity, 0, &t->solver, &error) != SN_OK) {
        bench_trouble(&t->row, "%.150s", error.text);
        t->wanted = 0;
        return false;
    }
    t->r = memory_take((size_t)sn_contact_rows(p->problem), sizeof *t->r);
    t->times = memory_take((size_t)reps, sizeof *t->times);
    return true;
}

// One solve from zero. After the first it is known how often there is time for it.
static void solve_once(attempt* t, const bench_problem* p, double limit, double budget) {
    sn_solve_options options = bench_way_options(t->way);
    sn_error error = {0};
    memset(t->r, 0, (size_t)sn_contact_rows(p->problem) * sizeof *t->r);
    int64_t start = options.clock.now_ns(options.clock.context);
    options.deadline_ns = start + (int64_t)(1e9 * limit);
    sn_status status = sn_contact_solve(t->solver, p->problem, &options, t->r, &t->report, &error);
    double taken = 1e-9 * (double)(options.clock.now_ns(options.clock.context) - start);
    t->times[t->count++] = taken;
    if (t->count == 1) {
        double room = budget / fmax(taken, 1e-9);
        if (room < (double)t->wanted) t->wanted = room < 1 ? 1 : (long)room;
    }
    if (status == SN_OK && t->report.converged) return;
    t->wanted = t->count;
    if (status)
        bench_trouble(&t->row, "%.150s", error.text);
    else
        bench_trouble(&t->row, "not solved in %.2g s: error %.1e after %lld iterations", taken,
                      t->report.verdict.error, (long long)t->report.iterations);
}

static int compare_times(const void* a, const void* b) {
    double x = *(const double*)a, y = *(const double*)b;
    return (x > y) - (x < y);
}

static void close_attempt(attempt* t, bench_rows* rows) {
    bool solved = t->count > 0 && !t->row.trouble[0];
    if (solved) {
        qsort(t->times, (size_t)t->count, sizeof *t->times, compare_times);
        t->row.median_us = 1e6 * t->times[t->count / 2];
        t->row.min_us = 1e6 * t->times[0];
    }
    t->row.reps = t->count;
    bench_note_add(&t->row, "solved", solved);
    if (t->count > 0) {
        bench_note_add(&t->row, "iterations", (double)t->report.iterations);
        bench_note_add(&t->row, "newton", (double)t->report.newton);
        bench_note_add(&t->row, "groups", t->report.groups);
        bench_note_add(&t->row, "error", t->report.verdict.error);
    }
    bench_rows_add(rows, &t->row);
    sn_contact_solver_free(t->solver);
    free(t->r);
    free(t->times);
}

static void solve_by_siconos(bench_siconos* siconos, const bench_problem* p, double limit,
                             long reps, bench_rows* rows) {
    siconos_answer answer;
    bench_row row = bench_row_on(p->name, (int)p->problem->count, (int)sn_contact_rows(p->problem));
    if (!bench_siconos_solve(siconos, p->problem, BENCH_SOLVE_ERROR, limit, reps, &answer)) return;
    row.part = BENCH_SOLVE_PART;
    row.peer = true;
    snprintf(row.engine, sizeof row.engine, "%s", answer.engine);
    if (answer.ok) row.median_us = row.min_us = 1e6 * answer.seconds;
    if (!answer.ok) bench_trouble(&row, "%s", answer.trouble[0] ? answer.trouble : "not solved");
    row.reps = reps;
    bench_note_add(&row, "solved", answer.ok);
    bench_note_add(&row, "iterations", answer.iterations);
    bench_note_add(&row, "error", answer.error);
    bench_rows_add(rows, &row);
}

// ---- all --------------------------------------------------------------------------------------------

// All ways take turns, another one first each time.
static void solve_problem(const bench_problem* p, bench_siconos* siconos, const bench_options* o,
                          bench_rows* rows) {
    attempt at[WAYS];
    long reps = o->reps ? o->reps : o->quick ? QUICK_REPS : REPS;
    double limit = o->quick ? QUICK_LIMIT : LIMIT, budget = o->quick ? QUICK_BUDGET : BUDGET;
    for (int i = 0; i < WAYS; i++) open_attempt(&at[i], &ALL_WAYS[i], p, reps);
    for (long k = 0; k < reps; k++) {
        for (int i = 0; i < WAYS; i++) {
            attempt* t = &at[(i + k) % WAYS];
            if (t->count < t->wanted) solve_once(t, p, limit, budget);
        }
    }
    for (int i = 0; i < WAYS; i++) close_attempt(&at[i], rows);
    solve_by_siconos(siconos, p, limit, reps, rows);
}

static bool run_all(const bench_options* o, bench_rows* rows) {
    bench_problems problems = {0};
    bench_siconos siconos = {0};
    bool good = bench_problems_make(&problems, o) && bench_siconos_start(&siconos, o->peers);
    for (int i = 0; i < problems.count && good; i++) {
        bench_progress("%s, %d of %d", problems.at[i].name, i + 1, problems.count);
        solve_problem(&problems.at[i], &siconos, o, rows);
    }
    bench_siconos_end(&siconos);
    bench_problems_free(&problems);
    if (good) bench_progress("cost of a sweep");
    return good && bench_sweeps(o, rows);
}

int bench_solve(const bench_options* options) {
    bench_options ours = *options; // --peers is not only of bench dynamics
    ours.peers = NULL;
    if (!bench_account_possible(&ours)) return STATUS_USAGE;
    bench_account* account = memory_take(1, sizeof *account);
    bool good = run_all(options, &account->rows);
    int status = STATUS_USAGE;
    bench_progress_end();
    if (good) {
        bench_solve_account(account);
        status = bench_account_show(account, options);
    }
    free(account->rows.at);
    free(account);
    return status;
}
