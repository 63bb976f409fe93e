// SPDX-License-Identifier: Apache-2.0
/// Our own engines as contenders: the algorithms of sn_dynamics, and batches.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench_contender.h"
#include "memory.h"
#include "sinew/sinew.h"

static const double DENSE_WORK_MOST = 3e8; // n depth^2 beyond which CRBA is left out

typedef struct engine {
    sn_dynamics* dynamics;
    sn_batch* batch;
    double* qdd;
} engine;

static sn_status evaluate(const bench_contender* c, size_t which, double* qdd) {
    const bench_line* line = c->line;
    const engine* e = c->self;
    size_t nq = (size_t)sn_model_nq(line->model), nv = (size_t)line->dof;
    if (e->batch) {
        return sn_dynamics_batch(e->batch, c->states, line->q, line->v, line->tau, qdd, NULL);
    }
    return sn_dynamics_forward(e->dynamics, line->q + which * nq, line->v + which * nv,
                               line->tau + which * nv, qdd);
}

static bool compute(bench_contender* c, double* qdd) {
    sn_status status = evaluate(c, 0, qdd);
    if (status != SN_OK) bench_trouble(&c->row, "%s", sn_status_text(status));
    return status == SN_OK;
}

static double time_count(bench_contender* c, long count) {
    engine* e = c->self;
    sn_status status = SN_OK;
    double start = bench_now();
    for (long i = 0; i < count && status == SN_OK; i++) status = evaluate(c, i & 1, e->qdd);
    double taken = bench_now() - start;
    if (status == SN_OK) return taken;
    bench_trouble(&c->row, "%s", sn_status_text(status));
    return -1;
}

static void close_engine(bench_contender* c) {
    engine* e = c->self;
    sn_dynamics_free(e->dynamics);
    sn_batch_free(e->batch);
    free(e->qdd);
    free(e);
}

static const bench_kind KIND = {compute, time_count, close_engine};

// How much a method costs that fills the joint-space inertia.
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

static bench_contender contender_on(const bench_line* line, const char* name, int states) {
    engine* e = memory_take(1, sizeof *e);
    bench_contender c = {.kind = &KIND, .self = e, .line = line, .states = states};
    e->qdd = memory_take((size_t)states * (size_t)line->dof, sizeof *e->qdd);
    c.row = bench_row_on(line->spec->name, line->joints, line->dof);
    snprintf(c.row.engine, sizeof c.row.engine, "sinew:%s", name);
    return c;
}

bool bench_open_algorithm(bench_contender* c, const bench_line* line, const char* name) {
    if (strcmp(name, "crba") == 0 && dense_work(line->model) > DENSE_WORK_MOST) return false;
    *c = contender_on(line, name, 1);
    engine* e = c->self;
    sn_status status = sn_dynamics_create(line->model, name, &e->dynamics, NULL);
    if (status != SN_OK) bench_trouble(&c->row, "%s", sn_status_text(status));
    return true;
}

bool bench_open_batch(bench_contender* c, const bench_line* line) {
    if (!(line->spec->flags & LINE_BATCH)) return false;
    *c = contender_on(line, "aba-batch", BENCH_BATCH);
    engine* e = c->self;
    sn_status status = sn_batch_create(line->model, &e->batch, NULL);
    if (status != SN_OK) bench_trouble(&c->row, "%s", sn_status_text(status));
    return true;
}
