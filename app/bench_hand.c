// SPDX-License-Identifier: Apache-2.0
#include "bench_hand.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"
#include "message.h"
#include "sinew/sinew.h"

enum {
    ACTIVE = 500,      // joints of adaptive dynamics
    FRESH = 20,        // forward dynamics in a repetition
    LONG_LINE = 100000 // joints from which on it is only one
};

static const double PERIOD = 1e-3; // s, of a haptic tick
static const double STEP = 1e-2;   // s, of the simulation

// ---- a line with hands ------------------------------------------------------------------------------

static bool sleeps(const bench_held* h) { return strcmp(h->algorithm, "adaptive") == 0; }

/// Joints that move are active, however many: so where most are to sleep nothing moves.
static sn_status forward(bench_held* h) {
    const double* v = sleeps(h) ? NULL : h->line.v;
    return sn_dynamics_forward(h->dynamics, h->line.q, v, h->line.tau, h->qdd);
}

static sn_status wake_hands(bench_held* h) {
    sn_adaptivity options = sn_adaptivity_default();
    options.max_active = ACTIVE;
    sn_status status = sn_dynamics_set_adaptivity(h->dynamics, &options);
    for (int i = 0; i < h->hand_count && !status; i++) {
        status = sn_dynamics_keep_active(h->dynamics, h->hands[i].body, true);
    }
    return status;
}

static sn_status begin(bench_held* h) {
    sn_error error = {0};
    sn_status status = sn_dynamics_create(h->line.model, h->algorithm, &h->dynamics, &error);
    if (status) message_error_from(&error);
    if (!status && sleeps(h)) status = wake_hands(h);
    if (!status) status = forward(h);
    return status ? status : sn_dynamics_coupling(h->dynamics, h->hands, h->hand_count, &h->law);
}

bool bench_held_make(bench_held* h, const bench_line_spec* spec, const char* algorithm,
                     int hand_count) {
    *h = (bench_held){.algorithm = algorithm, .hand_count = hand_count};
    if (!bench_line_make(spec, &h->line)) return false;
    h->qdd = memory_take((size_t)h->line.dof, sizeof *h->qdd);
    for (int i = 0; i < hand_count; i++) {
        double share = (i + 0.5) / hand_count;
        h->hands[i].body = sn_body((int32_t)(share * h->line.joints));
    }
    sn_status status = begin(h);
    if (status) message_error("%s: %s", spec->name, sn_status_text(status));
    return !status;
}

void bench_held_free(bench_held* h) {
    sn_dynamics_free(h->dynamics);
    free(h->qdd);
    bench_line_free(&h->line);
    *h = (bench_held){0};
}

// ---- tasks ------------------------------------------------------------------------------------------

typedef struct grasp {
    bench_held* held;
    bench_hand_task task;
    sn_coupling_law law; ///< that the task makes or uses
    sn_local_model local;
    sn_grip grips[SN_GRAB_MAX];
    sn_hand devices[SN_GRAB_MAX];
    sn_wrench f_u[SN_GRAB_MAX], f_feed[SN_GRAB_MAX];
} grasp;

// Another wrench each time, so that nothing can be kept.
static void pull(grasp* g, long i) { g->f_u[0].f.x = (double)(i & 7); }

static sn_status do_once(grasp* g, long i) {
    bench_held* h = g->held;
    switch (g->task) {
    case HAND_REFRESH:
    case HAND_FRESH: return sn_dynamics_coupling(h->dynamics, h->hands, h->hand_count, &g->law);
    case HAND_FEEL: {
        sn_body_wrench hands[SN_GRAB_MAX];
        pull(g, i);
        for (int k = 0; k < h->hand_count; k++) {
            hands[k] = (sn_body_wrench){h->hands[k].body, g->f_u[k]};
        }
        return sn_dynamics_feel(h->dynamics, hands, h->hand_count, g->f_feed);
    }
    case HAND_TICK: pull(g, i); return sn_coupling_tick(&g->law, g->f_u, g->f_feed);
    case HAND_PREPARE: return sn_local_model_prepare(&g->local, &g->law, g->grips, PERIOD, STEP);
    case HAND_LOCAL:
        g->devices[0].velocity.v.x = 1e-3 * (double)(i & 7);
        return sn_local_model_tick(&g->local, g->devices, g->f_feed);
    }
    return SN_ERR_ARGUMENT;
}

static double time_task(bench_contender* c, long count) {
    grasp* g = c->self;
    sn_status status = do_once(g, 0); // what is left for the first is the matter of HAND_FRESH
    double began = bench_now();
    for (long i = 0; i < count * c->states && !status; i++) status = do_once(g, i);
    double taken = bench_now() - began;
    if (!status) return taken;
    bench_trouble(&c->row, "%s", sn_status_text(status));
    return -1;
}

// Only the refreshes are timed, not the forward dynamics before each.
static double time_fresh(bench_contender* c, long count) {
    grasp* g = c->self;
    double sum = 0;
    sn_status status = SN_OK;
    for (long i = 0; i < count && !status; i++) {
        status = forward(g->held);
        double began = bench_now();
        if (!status) status = do_once(g, i);
        sum += bench_now() - began;
    }
    if (!status) return sum;
    bench_trouble(&c->row, "%s", sn_status_text(status));
    return -1;
}

static void close_hand(bench_contender* c) { free(c->self); }

static const bench_kind KIND = {NULL, time_task, close_hand};
static const bench_kind FRESH_KIND = {NULL, time_fresh, close_hand};

void bench_open_hand(bench_contender* c, bench_held* held, bench_hand_task task, const char* name) {
    grasp* g = memory_take(1, sizeof *g);
    bool tick = task == HAND_TICK || task == HAND_LOCAL;
    *c = (bench_contender){.kind = task == HAND_FRESH ? &FRESH_KIND : &KIND, .self = g};
    c->line = &held->line;
    c->states = tick ? BENCH_TICKS : 1;
    if (task == HAND_FRESH) c->count = held->line.joints < LONG_LINE ? FRESH : 1;
    c->row = bench_row_on(name, held->line.joints, held->line.dof);
    snprintf(c->row.engine, sizeof c->row.engine, "sinew:%s", held->algorithm);
    g->held = held;
    g->task = task;
    sn_coupling_copy(&held->law, &g->law);
    for (int i = 0; i < held->hand_count; i++) {
        g->grips[i] = sn_grip_at(sn_vec3_zero(), 10, 1000, 0.1, 10);
        g->devices[i].pose = held->law.hand[i].pose;
    }
    sn_status status = sn_local_model_prepare(&g->local, &g->law, g->grips, PERIOD, STEP);
    if (status) bench_trouble(&c->row, "%s", sn_status_text(status));
    if (task <= HAND_FRESH) bench_note_add(&c->row, "nodes", held->law.nodes);
}
