// SPDX-License-Identifier: Apache-2.0
/// sinew bench dynamics: our algorithms against each other on chains, trees and a humanoid.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "command.h"
#include "memory.h"
#include "message.h"
#include "model_argument.h"
#include "sinew/sinew.h"

static const char* const CASES[] = {"chain:8",    "chain:32",  "chain:128", "chain:512",
                                    "chain:2048", "tree:8",    "tree:32",   "tree:128",
                                    "tree:512",   "tree:2048", "hrp2"};
enum { CASE_COUNT = sizeof CASES / sizeof CASES[0], ENGINES_MOST = 8, REPS_MOST = 10000 };

static const double DENSE_WORK_MOST = 3e8;   // n depth^2 beyond which CRBA is left out
static const int64_t REPETITION_NS = 500000; // a repetition is at least this long: clock noise

// One engine on one case.
typedef struct contender {
    sn_dynamics* dynamics;
    const double *q, *v, *tau;
    double* qdd;
    int loops;        ///< evaluations in a repetition
    double* times_us; ///< of one evaluation, per repetition
    bench_row row;
} contender;

typedef struct bench_case {
    model_source source;
    double *q, *v, *tau, *qdd;
} bench_case;

// Numbers between -1 and 1, the same on every machine.
static double next_number(uint64_t* state) {
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (double)(*state >> 11) / 4503599627370496.0 - 1;
}

static void make_state(bench_case* c) {
    uint64_t random = 1;
    const sn_model* model = c->source.model;
    size_t nq = (size_t)sn_model_nq(model), nv = (size_t)sn_model_nv(model);
    c->q = memory_take(nq, sizeof *c->q);
    c->v = memory_take(nv, sizeof *c->v);
    c->tau = memory_take(nv, sizeof *c->tau);
    c->qdd = memory_take(nv, sizeof *c->qdd);
    for (size_t k = 0; k < nv; k++) c->v[k] = next_number(&random);
    sn_model_neutral(model, c->q);
    sn_model_integrate(model, c->q, c->v, c->q);
    for (size_t k = 0; k < nv; k++) c->v[k] = next_number(&random);
    for (size_t k = 0; k < nv; k++) c->tau[k] = next_number(&random);
}

static int64_t time_loops(const contender* c, sn_clock clock, int loops) {
    int64_t start = clock.now_ns(clock.context);
    for (int i = 0; i < loops; i++) {
        // Random states are finite: a failure would show in the first evaluation.
        (void)sn_dynamics_forward(c->dynamics, c->q, c->v, c->tau, c->qdd);
    }
    return clock.now_ns(clock.context) - start;
}

static double dense_work(const sn_model* model) {
    int count = sn_model_body_count(model), deepest = 0;
    int* depth = memory_take((size_t)count, sizeof *depth);
    for (int i = 0; i < count; i++) {
        sn_body_info b = sn_model_body(model, sn_body(i));
        depth[i] = b.nv + (b.parent.i < 0 ? 0 : depth[b.parent.i]);
        if (depth[i] > deepest) deepest = depth[i];
    }
    free(depth);
    return (double)sn_model_nv(model) * deepest * deepest;
}

// A case's name without its colon: "chain128".
static void name_case(const char* text, char* name, size_t size) {
    size_t length = 0;
    for (; *text && length + 1 < size; text++) {
        if (*text != ':') name[length++] = *text;
    }
    name[length] = '\0';
}

// Sets up one engine on one case; false when it is left out or fails.
static bool prepare(contender* c, const bench_case* on, int index, const char* algorithm, long reps,
                    sn_clock clock) {
    const sn_model* model = on->source.model;
    if (strcmp(algorithm, "crba") == 0 && dense_work(model) > DENSE_WORK_MOST) return false;
    *c = (contender){.q = on->q, .v = on->v, .tau = on->tau, .qdd = on->qdd};
    if (sn_dynamics_create(model, algorithm, &c->dynamics, NULL) != SN_OK ||
        sn_dynamics_forward(c->dynamics, c->q, c->v, c->tau, c->qdd) != SN_OK) {
        message_warning("%s: %s cannot be run; left out", CASES[index], algorithm);
        sn_dynamics_free(c->dynamics);
        c->dynamics = NULL;
        return false;
    }
    int64_t once = time_loops(c, clock, 1);
    c->loops = once > 0 ? (int)(REPETITION_NS / once) + 1 : 1000;
    c->times_us = memory_take((size_t)reps, sizeof *c->times_us);
    name_case(CASES[index], c->row.name, sizeof c->row.name);
    snprintf(c->row.engine, sizeof c->row.engine, "sinew:%s", algorithm);
    c->row.n = sn_model_body_count(model);
    c->row.reps = reps;
    return true;
}

static void measure(contender* all, int count, long reps, sn_clock clock) {
    for (long r = 0; r < reps; r++) {
        for (int i = 0; i < count; i++) {
            int64_t ns = time_loops(&all[i], clock, all[i].loops);
            all[i].times_us[r] = 1e-3 * (double)ns / all[i].loops;
        }
    }
    for (int i = 0; i < count; i++) {
        bench_row* row = &all[i].row;
        row->median_us = bench_median(all[i].times_us, (int)reps);
        row->min_us = all[i].times_us[0]; // sorted by now
    }
}

// Every other engine over the first one of its case.
static int find_ratios(const bench_row* rows, int count, bench_ratio* ratios) {
    int found = 0;
    for (int i = 1, first = 0; i < count; i++) {
        if (strcmp(rows[i].name, rows[first].name) != 0) {
            first = i;
            continue;
        }
        bench_ratio* ratio = &ratios[found++];
        snprintf(ratio->name, sizeof ratio->name, "%.10s_over_%.10s_%.30s",
                 rows[i].engine + strlen("sinew:"), rows[first].engine + strlen("sinew:"),
                 rows[i].name);
        ratio->value = rows[i].median_us / rows[first].median_us;
    }
    return found;
}

static int run_all(bench_case* cases, contender* all, const bench_options* options) {
    int count = 0;
    sn_clock clock = sn_clock_real();
    for (int i = 0; i < CASE_COUNT; i++) {
        model_request request = {CASES[i], MODEL_BASE_UNSET, false, NULL};
        if (!model_source_load(&request, &cases[i].source)) return STATUS_FAILED;
        make_state(&cases[i]);
        for (int a = 0; sn_dynamics_algorithm(a) && a < ENGINES_MOST; a++) {
            count +=
                prepare(&all[count], &cases[i], i, sn_dynamics_algorithm(a), options->reps, clock);
        }
    }
    measure(all, count, options->reps, clock);
    bench_row* rows = memory_take((size_t)count, sizeof *rows);
    bench_ratio* ratios = memory_take((size_t)count, sizeof *ratios);
    for (int i = 0; i < count; i++) rows[i] = all[i].row;
    bench_print("dynamics", rows, count, ratios, find_ratios(rows, count, ratios), options);
    free(rows);
    free(ratios);
    return STATUS_DONE;
}

int bench_dynamics(const bench_options* options) {
    if (options->reps > REPS_MOST) {
        message_error("--reps %ld is too many; at most %d", options->reps, REPS_MOST);
        return STATUS_USAGE;
    }
    bench_case* cases = memory_take(CASE_COUNT, sizeof *cases);
    contender* all = memory_take((size_t)CASE_COUNT * ENGINES_MOST, sizeof *all);
    int status = run_all(cases, all, options);
    for (int i = 0; i < CASE_COUNT * ENGINES_MOST; i++) {
        sn_dynamics_free(all[i].dynamics);
        free(all[i].times_us);
    }
    for (int i = 0; i < CASE_COUNT; i++) {
        model_source_free(&cases[i].source);
        free(cases[i].q);
        free(cases[i].v);
        free(cases[i].tau);
        free(cases[i].qdd);
    }
    free(cases);
    free(all);
    return status;
}
