// SPDX-License-Identifier: Apache-2.0
/// sinew bench adaptive: whole steps of worlds in which few of many joints are active, beside steps of
/// worlds in which all are; what the assembly tree costs when every joint is active; what it takes to
/// build a large world.
#include "bench_adaptive.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench_adaptive_world.h"
#include "bench_contender.h"
#include "bench_memory.h"
#include "command.h"
#include "memory.h"
#include "message.h"

enum { REPS = 21, QUICK_REPS = 3, SIZES = 4, CONTENDERS_MOST = 16, SLOW_JOINTS = 1000000 };
static const double REPETITION = 2e-2, QUICK_REPETITION = 5e-3; // s
static const double NEEDED_MB = 7000; // for all worlds of one shape, that of 10^6 joints included

// The joint-space inertia of a long chain is ill-conditioned, and the two ways round differently.
static const double AGREE = 1e-6; // largest difference of qdd over the largest, wanted

// ---- whole steps --------------------------------------------------------------------------------------

typedef struct shape {
    const char* part;
    bench_line_spec sizes[SIZES];
} shape;

static const shape SHAPES[] = {
    {"Whole steps of a chain",
     {{"chain1e3", "chain:1000", 0},
      {"chain1e4", "chain:10000", 0},
      {"chain1e5", "chain:100000", 0},
      {"chain1e6", "chain:1000000", LINE_SLOW}}},
    {"Whole steps of a random tree",
     {{"tree1e3", "random:1000:3", 0},
      {"tree1e4", "random:10000:3", 0},
      {"tree1e5", "random:100000:3", 0},
      {"tree1e6", "random:1000000:3", LINE_SLOW}}},
};
enum { SHAPE_COUNT = sizeof SHAPES / sizeof SHAPES[0] };

typedef struct step_case {
    int size; ///< which of the four
    const char* dynamics;
    int active;
    bool slow; ///< left out when it must be quick
} step_case;

static const step_case CASES[] = {
    {0, "adaptive", BENCH_ACTIVE, false},
    {1, "adaptive", BENCH_ACTIVE, false},
    {2, "adaptive", BENCH_ACTIVE, false},
    {3, "adaptive", BENCH_ACTIVE, true},
    {2, "adaptive", 10, true},
    {2, "adaptive", 250, true},
    {2, "adaptive", 1250, true},
    {0, "aba", 0, false},
    {0, "dca", 0, false},
    {2, "aba", 0, false},
    {2, "dca", 0, false},
};
enum { CASE_COUNT = sizeof CASES / sizeof CASES[0] };

typedef struct bench_group {
    bench_line lines[SIZES];
    double line_seconds[SIZES]; ///< that making it took
    bench_contender at[CONTENDERS_MOST];
    int count;
} bench_group;

static void measure_group(bench_group* g, const bench_options* o) {
    long reps = o->reps ? o->reps : o->quick ? QUICK_REPS : REPS;
    bench_measure(g->at, g->count, reps, o->quick ? QUICK_REPETITION : REPETITION);
}

static void finish_group(bench_group* g, const char* part, bench_rows* rows) {
    for (int i = 0; i < g->count; i++) {
        g->at[i].row.part = part;
        bench_rows_add(rows, &g->at[i].row);
        bench_close(&g->at[i]);
    }
    for (int i = 0; i < SIZES; i++) bench_line_free(&g->lines[i]);
}

// The first world of a run, so that the memory of the process is its own.
static void add_build_row(const bench_group* g, const bench_contender* c, int size,
                          bench_rows* rows) {
    double model = g->line_seconds[size], world = bench_world_seconds(c);
    bench_row row = c->row;
    row.part = "Building";
    row.min_us = row.median_us = 1e6 * (model + world);
    row.reps = 1;
    snprintf(row.line, sizeof row.line, "build-%s", size == SIZES - 1 ? "1e6" : "1e5");
    bench_note_add(&row, "seconds", model + world);
    bench_note_add(&row, "model_seconds", model);
    bench_note_add(&row, "world_seconds", world);
    bench_note_add(&row, "megabytes", bench_memory_peak());
    bench_rows_add(rows, &row);
}

// Opens a case; false when its model cannot be made.
static bool open_case(bench_group* g, const shape* s, const step_case* k, bench_contender* c) {
    const bench_line_spec* spec = &s->sizes[k->size];
    bench_line* line = &g->lines[k->size];
    bool many = k->active && k->active != BENCH_ACTIVE;
    char name[24];
    snprintf(name, sizeof name, many ? "%s-active%d" : "%s", spec->name, k->active);
    if (!line->model && spec->flags & LINE_SLOW && bench_memory_free() < NEEDED_MB) {
        c->row = bench_row_on(name, SLOW_JOINTS, SLOW_JOINTS);
        snprintf(c->row.engine, sizeof c->row.engine, "sinew:%s", k->dynamics);
        bench_trouble(&c->row, "less than %.0f GB of memory are free", 1e-3 * NEEDED_MB);
        return true;
    }
    double began = bench_now();
    if (!line->model && !bench_line_make(spec, line)) return false;
    g->line_seconds[k->size] += bench_now() - began;
    bench_open_world(c, line, name, k->dynamics, k->active ? k->active : -1);
    return true;
}

static bool run_shape(const shape* s, const bench_options* o, bench_group* g, bench_rows* rows) {
    *g = (bench_group){.count = 0};
    const step_case* chosen[CONTENDERS_MOST];
    for (int i = 0; i < CASE_COUNT; i++) {
        if (!o->quick || !CASES[i].slow) chosen[g->count++] = &CASES[i];
    }
    bool good = true;
    int opened = 0;
    for (int size = SIZES - 1; size >= 0 && good; size--) { // the largest first
        for (int i = 0; i < g->count && good; i++) {
            if (chosen[i]->size != size) continue;
            bench_progress("%s: world %d of %d", s->part, opened + 1, g->count);
            good = open_case(g, s, chosen[i], &g->at[i]);
            if (good && opened++ == 0 && s == SHAPES && !g->at[i].row.trouble[0]) {
                add_build_row(g, &g->at[i], size, rows);
            }
        }
    }
    bench_progress("%s: timing %d worlds by turns", s->part, g->count);
    if (good) measure_group(g, o);
    for (int i = 0; i < g->count && good; i++) bench_note_activity(&g->at[i]);
    finish_group(g, s->part, rows);
    return good;
}

// ---- every joint active ---------------------------------------------------------------------------------

static const bench_line_spec FORWARD[] = {
    {"forward-chain100", "chain:100", 0},
    {"forward-chain1000", "chain:1000", 0},
    {"forward-chain10000", "chain:10000", 0},
    {"forward-tree1000", "tree:1000", 0},
    {"forward-hrp2", "hrp2", 0},
    {"forward-human", "human", 0},
};
enum { FORWARD_COUNT = sizeof FORWARD / sizeof FORWARD[0] };

static void compare(bench_contender* aba, bench_contender* dca) {
    size_t nv = (size_t)aba->line->dof;
    double *ours = memory_take(nv, sizeof *ours), *theirs = memory_take(nv, sizeof *theirs);
    if (aba->kind->compute(aba, ours) && dca->kind->compute(dca, theirs)) {
        dca->row.agree = bench_difference(theirs, ours, nv);
        dca->row.disagrees = !(dca->row.agree <= AGREE);
    }
    free(ours);
    free(theirs);
}

static bool run_forward(const bench_options* o, bench_group* g, bench_rows* rows) {
    for (int i = 0; i < FORWARD_COUNT; i++) {
        *g = (bench_group){.count = 2};
        bench_progress("%s", FORWARD[i].name);
        if (!bench_line_make(&FORWARD[i], &g->lines[0])) return false;
        if (!bench_open_algorithm(&g->at[0], &g->lines[0], "aba") ||
            !bench_open_algorithm(&g->at[1], &g->lines[0], "dca")) {
            return false;
        }
        compare(&g->at[0], &g->at[1]);
        measure_group(g, o);
        bench_row* dca = &g->at[1].row;
        bench_note_add(dca, "over_aba", dca->median_us / g->at[0].row.median_us);
        bench_note_add(dca, "agree", dca->agree);
        finish_group(g, "Forward dynamics, every joint active", rows);
    }
    return true;
}

// ---- the benchmark --------------------------------------------------------------------------------------

static bool run_all(const bench_options* o, bench_rows* rows) {
    bench_group* g = memory_take(1, sizeof *g);
    bool good = true;
    for (int i = 0; i < SHAPE_COUNT && good; i++) good = run_shape(&SHAPES[i], o, g, rows);
    good = good && run_forward(o, g, rows);
    free(g);
    bench_progress_end();
    return good;
}

int bench_adaptive(const bench_options* options) {
    if (!bench_account_possible(options)) return STATUS_USAGE;
    bench_account* account = memory_take(1, sizeof *account);
    int status = STATUS_FAILED;
    if (run_all(options, &account->rows)) {
        bench_adaptive_account(account);
        status = bench_account_show(account, options);
    }
    free(account->rows.at);
    free(account);
    return status;
}
