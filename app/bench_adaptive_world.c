// SPDX-License-Identifier: Apache-2.0
#include "bench_adaptive_world.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"
#include "sinew/sinew.h"

enum {
    WARM_UP = 30,     // blocks before anything is timed
    OBSERVED = 20,    // blocks in which the choice of joints is watched
    RESTARTS_MOST = 2 // of a world that stopped being finite
};

// Joints of random trees have neither friction nor limits; with shorter steps they stay tame.
static const double STEP = 2e-4; // s
static const double BEND = 0.5;  // rad, m; of every joint, at most
static const double PULL = 20;   // N, twice the weight of a body of a chain

typedef struct running {
    sn_world* world;
    double *q, *v;   ///< where it starts
    sn_body_id held; ///< by the hand
    uint64_t random;
    uint64_t blocks; ///< of BENCH_PERIOD steps so far
    double seconds;  ///< that creating it took
    int restarts;
    uint64_t hash; ///< so that nobody can leave it out
} running;

enum { BLOCKS_HELD = 10 }; // a body is held for so long: 20 ms

// ---- stepping ---------------------------------------------------------------------------------------

// What a hand holds stays active.
static sn_status hold(running* r, bool on) {
    sn_wrench pull = {{0, 0, 0}, {on ? PULL : 0, 0, 0}};
    sn_status status = sn_world_keep_active(r->world, r->held, on);
    return status ? status : sn_world_set_wrench(r->world, r->held, SN_AXES_WORLD, pull);
}

static sn_status hold_another(const bench_contender* c) {
    running* r = c->self;
    sn_status status = hold(r, false);
    r->random = r->random * 6364136223846793005u + 1442695040888963407u;
    r->held = sn_body((int32_t)((r->random >> 33) % (uint64_t)c->line->joints));
    return status ? status : hold(r, true);
}

static sn_status step(running* r) {
    sn_status status = sn_world_step(r->world, NULL);
    r->hash ^= sn_world_hash(r->world);
    return status;
}

static sn_status run_blocks(const bench_contender* c, long count) {
    running* r = c->self;
    sn_status status = SN_OK;
    for (long b = 0; b < count && !status; b++) {
        if (r->blocks++ % BLOCKS_HELD == 0) status = hold_another(c);
        for (int s = 0; s < BENCH_PERIOD && !status; s++) status = step(r);
        r->hash ^= sn_snapshot_step(sn_world_snapshot(r->world));
    }
    return status;
}

static sn_status start(const bench_contender* c) {
    running* r = c->self;
    sn_status status = sn_world_set_state(r->world, r->q, r->v);
    return status ? status : run_blocks(c, WARM_UP);
}

// ---- as a contender ---------------------------------------------------------------------------------

// `count` blocks. A world that is not finite any more starts again, and the time is taken anew.
static double time_blocks(bench_contender* c, long count) {
    running* r = c->self;
    for (;;) {
        double began = bench_now();
        sn_status status = run_blocks(c, count);
        double taken = bench_now() - began;
        if (!status) return taken;
        while (status && r->restarts < RESTARTS_MOST) {
            r->restarts += 1;
            status = start(c);
        }
        if (!status) continue;
        bench_trouble(&c->row, "%s", sn_status_text(status));
        return -1;
    }
}

// `count` steps from the start: with every joint active a step costs the same wherever it is.
static double time_steps(bench_contender* c, long count) {
    running* r = c->self;
    sn_status status = sn_world_set_state(r->world, r->q, r->v);
    double began = bench_now();
    for (long s = 0; s < count && !status; s++) status = step(r);
    double taken = bench_now() - began;
    if (!status) return taken;
    bench_trouble(&c->row, "%s", sn_status_text(status));
    return -1;
}

static void close_world(bench_contender* c) {
    running* r = c->self;
    sn_world_free(r->world);
    free(r->q);
    free(r->v);
    free(r);
}

static const bench_kind BLOCKS = {NULL, time_blocks, close_world};
static const bench_kind STEPS = {NULL, time_steps, close_world};

static running* make_running(const bench_line* line) {
    running* r = memory_take(1, sizeof *r);
    size_t nq = (size_t)sn_model_nq(line->model), nv = (size_t)line->dof;
    r->q = memory_take(nq, sizeof *r->q);
    r->v = memory_take(nv, sizeof *r->v);
    for (size_t k = 0; k < nv; k++) r->v[k] = BEND * line->v[k];
    sn_model_neutral(line->model, r->q);
    sn_model_integrate(line->model, r->q, r->v, r->q);
    memset(r->v, 0, nv * sizeof *r->v);
    r->random = 1;
    return r;
}

void bench_open_world(bench_contender* c, const bench_line* line, const char* name,
                      const char* dynamics, int max_active) {
    bool adaptive = strcmp(dynamics, "adaptive") == 0;
    running* r = make_running(line);
    *c = (bench_contender){.kind = adaptive ? &BLOCKS : &STEPS, .self = r, .line = line};
    c->states = adaptive ? BENCH_PERIOD : 1;
    c->patient = true;
    c->row = bench_row_on(name, line->joints, line->dof);
    snprintf(c->row.engine, sizeof c->row.engine, "sinew:%s", dynamics);
    sn_world_def def = sn_world_def_default();
    def.step = STEP;
    def.dynamics = dynamics;
    def.adaptivity.max_active = max_active;
    def.adaptivity.period = BENCH_PERIOD;
    double began = bench_now();
    sn_status status = sn_world_create(line->model, &def, &r->world, NULL);
    r->seconds = bench_now() - began;
    if (!status && adaptive) status = start(c);
    if (status) bench_trouble(&c->row, "%s", sn_status_text(status));
}

double bench_world_seconds(const bench_contender* c) { return ((const running*)c->self)->seconds; }

// ---- what is active ---------------------------------------------------------------------------------

// Joints that are active now and were not before.
static int count_new(const sn_world* world, bool* active, int joints) {
    int count = 0;
    for (int i = 0; i < joints; i++) {
        bool is = sn_world_is_active(world, sn_body(i));
        count += is && !active[i];
        active[i] = is;
    }
    return count;
}

void bench_note_activity(bench_contender* c) {
    const running* r = c->self;
    if (c->kind != &BLOCKS || c->row.trouble[0]) return;
    bool* active = memory_take((size_t)c->line->joints, sizeof *active);
    count_new(r->world, active, c->line->joints);
    int changed = 0;
    for (int b = 0; b < OBSERVED && !run_blocks(c, 1); b++) {
        changed += count_new(r->world, active, c->line->joints);
    }
    free(active);
    sn_region_report region = sn_world_region(r->world);
    bench_note_add(&c->row, "active", region.active);
    bench_note_add(&c->row, "changed", (double)changed / OBSERVED);
    bench_note_add(&c->row, "left_out", region.error / region.total);
    if (r->restarts > 0) bench_note_add(&c->row, "restarts", r->restarts);
}
