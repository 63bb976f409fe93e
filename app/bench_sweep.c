// SPDX-License-Identifier: Apache-2.0
/// What one sweep over m contacts costs, on a humanoid whose four bodies touch: with velocities of contacts
/// kept, a contact meets all others, O(m^2); with velocities of bodies kept, only bodies, O(m C).
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench_solve.h"
#include "memory.h"
#include "message.h"

const char BENCH_SWEEP_PART[] = "Cost of a sweep, a humanoid on m points of four bodies";

enum { LEAST = 8, MOST = 512, QUICK_MOST = 128, REPS = 11, QUICK_REPS = 5, SPACES = 2 };
// All points press, on a skin soft enough for each to carry its part: rigid, few of many would carry anything,
// and a sweep is done quickly with those that carry nothing and feel nothing new.
static const double SKIN = 1;  // 1/kg
static const double PRESS = 1; // m/s
enum { FEW = 2, MANY = 10 };   // sweeps; the difference is free of what a solve does besides

static const struct {
    sn_contact_space space;
    const char* engine;
} SPACE[SPACES] = {{SN_SPACE_CONTACT, "contact-space"}, {SN_SPACE_BODY, "body-space"}};

typedef struct sweep_timer {
    sn_contact_solver* solver;
    const sn_contact_problem* problem;
    double* r;
} sweep_timer;

// Seconds for plain sweeps, and how many they were; negative: the solver refused.
static double time_sweeps(const sweep_timer* t, sn_contact_space space, int iterations,
                          int64_t* sweeps) {
    sn_solve_options options = bench_way_options(bench_way_at(2)); // plain Gauss-Seidel
    sn_solve_report report;
    sn_error error = {0};
    options.space = space;
    options.tolerance = 0; // never
    options.iterations = iterations;
    memset(t->r, 0, (size_t)sn_contact_rows(t->problem) * sizeof *t->r);
    int64_t start = options.clock.now_ns(options.clock.context);
    sn_status status = sn_contact_solve(t->solver, t->problem, &options, t->r, &report, &error);
    int64_t end = options.clock.now_ns(options.clock.context);
    *sweeps = report.sweeps;
    if (status == SN_OK) return 1e-9 * (double)(end - start);
    message_error("sweeps cannot be timed: %s", error.text);
    return -1;
}

static int compare_times(const void* a, const void* b) {
    double x = *(const double*)a, y = *(const double*)b;
    return (x > y) - (x < y);
}

static bool measure(const sweep_timer* t, int space, long reps, bench_rows* rows) {
    double *few = memory_take((size_t)reps, sizeof *few),
           *many = memory_take((size_t)reps, sizeof *many);
    bench_row row = bench_row_on("", (int)t->problem->count, (int)sn_contact_rows(t->problem));
    int64_t few_sweeps = 0, many_sweeps = 0;
    bool good = time_sweeps(t, SPACE[space].space, FEW, &few_sweeps) >= 0; // touches all memory
    for (long k = 0; k < reps && good; k++) {
        few[k] = time_sweeps(t, SPACE[space].space, FEW, &few_sweeps);
        many[k] = time_sweeps(t, SPACE[space].space, MANY, &many_sweeps);
        good = few[k] >= 0 && many[k] >= 0 && many_sweeps > few_sweeps;
    }
    qsort(few, (size_t)reps, sizeof *few, compare_times);
    qsort(many, (size_t)reps, sizeof *many, compare_times);
    double more = good ? (double)(many_sweeps - few_sweeps) : (double)NAN;
    snprintf(row.line, sizeof row.line, "sweep-%d", (int)t->problem->count);
    snprintf(row.engine, sizeof row.engine, "%s", SPACE[space].engine);
    row.part = BENCH_SWEEP_PART;
    row.median_us = 1e6 * (many[reps / 2] - few[reps / 2]) / more;
    row.min_us = 1e6 * (many[0] - few[0]) / more;
    row.reps = reps;
    bench_note_add(&row, "ns_per_contact", 1e3 * row.median_us / t->problem->count);
    if (good) bench_rows_add(rows, &row);
    free(few);
    free(many);
    return good;
}

bool bench_sweeps(const bench_options* o, bench_rows* rows) {
    long reps = o->reps ? o->reps : o->quick ? QUICK_REPS : REPS;
    bool good = true;
    for (int m = LEAST; m <= (o->quick ? QUICK_MOST : MOST) && good; m *= 2) {
        contact_scene* scene = contact_scene_humanoid(m);
        sn_error error = {0};
        if (!scene) return false;
        for (int i = 0; i < m; i++) {
            scene->law[i].compliance = SKIN;
            scene->q[3 * i] -= PRESS;
        }
        sweep_timer t = {.problem = &scene->problem};
        sn_contact_capacity capacity = sn_contact_capacity_of(t.problem);
        t.r = memory_take((size_t)sn_contact_rows(t.problem), sizeof *t.r);
        good = sn_contact_solver_create("nsgs", &capacity, 0, &t.solver, &error) == SN_OK;
        if (!good) message_error("sweeps cannot be timed: %s", error.text);
        for (int space = 0; space < SPACES && good; space++) good = measure(&t, space, reps, rows);
        sn_contact_solver_free(t.solver);
        free(t.r);
        contact_scene_free(scene);
    }
    return good;
}
