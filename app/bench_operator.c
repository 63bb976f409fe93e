// SPDX-License-Identifier: Apache-2.0
#include "bench_operator.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"
#include "message.h"
#include "sinew/sinew.h"

// Methods agree to rounding; a random state of a robot loses two or three digits.
static const double AGREE = 1e-11;

// ---- a line with dynamics ---------------------------------------------------------------------------

static sn_dynamics* make_dynamics(bench_robot* robot, const char* algorithm) {
    sn_dynamics* d = NULL;
    sn_error error = {0};
    const bench_line* line = &robot->line;
    if (sn_dynamics_create(line->model, algorithm, &d, &error)) {
        message_error_from(&error);
        return NULL;
    }
    sn_status status = sn_dynamics_forward(d, line->q, line->v, line->tau, robot->qdd);
    if (!status) return d;
    message_error("%s: %s", line->spec->name, sn_status_text(status));
    sn_dynamics_free(d);
    return NULL;
}

bool bench_robot_make(bench_robot* robot, const bench_line_spec* spec) {
    *robot = (bench_robot){0};
    if (!bench_line_make(spec, &robot->line)) return false;
    robot->qdd = memory_take((size_t)robot->line.dof, sizeof *robot->qdd);
    robot->aba = make_dynamics(robot, "aba");
    robot->dca = make_dynamics(robot, "dca");
    return robot->aba && robot->dca;
}

void bench_robot_free(bench_robot* robot) {
    sn_dynamics_free(robot->aba);
    sn_dynamics_free(robot->dca);
    free(robot->qdd);
    bench_line_free(&robot->line);
    *robot = (bench_robot){0};
}

sn_dynamics* bench_robot_dynamics(const bench_robot* robot, const char* method) {
    return strcmp(method, "tree") == 0 ? robot->dca : robot->aba;
}

// ---- tasks ------------------------------------------------------------------------------------------

typedef struct operation {
    const bench_robot* robot;
    const touching* contacts;
    sn_dynamics* dynamics;
    sn_delassus* delassus;
    sn_delassus_rows* turned; ///< the groups backward: as many bodies, in another order
    bench_operator_task task;
    double *x, *W;
} operation;

static sn_status forward(const operation* o, long i) {
    const bench_line* line = &o->robot->line;
    size_t nq = (size_t)sn_model_nq(line->model), nv = (size_t)line->dof, which = (size_t)(i & 1);
    return sn_dynamics_forward(o->dynamics, line->q + which * nq, line->v + which * nv,
                               line->tau + which * nv, o->robot->qdd);
}

static sn_status do_once(operation* o, long i) {
    const touching* t = o->contacts;
    sn_status status = SN_OK;
    switch (o->task) {
    case OPERATOR_MATRIX: return sn_delassus_matrix(o->delassus, t->groups, t->count, o->W);
    case OPERATOR_NEW:
        return sn_delassus_matrix(o->delassus, i & 1 ? o->turned : t->groups, t->count, o->W);
    case OPERATOR_OMEGA: return sn_delassus_omega(o->delassus, t->groups, t->count);
    case OPERATOR_PROJECTION: return sn_delassus_project(o->delassus, o->W);
    case OPERATOR_APPLY: return sn_delassus_apply(o->delassus, t->groups, t->count, o->x, o->W);
    case OPERATOR_FORWARD: return forward(o, i);
    case OPERATOR_BOTH: status = forward(o, i); break;
    case OPERATOR_RESPONSE: break;
    }
    return status ? status : sn_delassus_response(o->delassus, t->bodies, t->body_count, o->W);
}

// The same dynamics serves several contenders: it must be at its first state again afterwards.
static double time_count(bench_contender* c, long count) {
    operation* o = c->self;
    sn_status status = SN_OK;
    bool moves = o->task == OPERATOR_FORWARD || o->task == OPERATOR_BOTH;
    if (o->task == OPERATOR_PROJECTION) {
        status = sn_delassus_omega(o->delassus, o->contacts->groups, o->contacts->count);
    }
    double began = bench_now();
    for (long i = 0; i < count && !status; i++) status = do_once(o, i);
    double taken = bench_now() - began;
    if (moves && !status) status = forward(o, 0);
    if (!status) return taken;
    bench_trouble(&c->row, "%s", sn_status_text(status));
    return -1;
}

static void close_operation(bench_contender* c) {
    operation* o = c->self;
    sn_delassus_free(o->delassus);
    free(o->turned);
    free(o->x);
    free(o->W);
    free(o);
}

static const bench_kind KIND = {NULL, time_count, close_operation};

// How far the matrix is from the dense one; and what it takes, counted.
static void judge(bench_contender* c) {
    operation* o = c->self;
    const touching* t = o->contacts;
    size_t size = (size_t)t->rows * (size_t)t->rows;
    sn_delassus* dense = touching_operator(t, o->robot->aba, "dense");
    sn_status status = dense ? sn_delassus_matrix(dense, t->groups, t->count, t->W) : SN_ERR_MEMORY;
    if (!status) status = sn_delassus_matrix(o->delassus, t->groups, t->count, o->W);
    sn_delassus_free(dense);
    if (status) {
        bench_trouble(&c->row, "%s", sn_status_text(status));
        return;
    }
    sn_delassus_work work = sn_delassus_count(o->delassus);
    c->row.agree = bench_difference(o->W, t->W, size);
    bench_note_add(&c->row, "rows", t->rows);
    bench_note_add(&c->row, "multiplications_omega", work.omega);
    bench_note_add(&c->row, "multiplications_projection", work.projection);
    bench_note_add(&c->row, "agree", c->row.agree);
    if (c->row.agree <= AGREE) return;
    bench_trouble(&c->row, "differs from the dense operator by %.1e of its size", c->row.agree);
}

void bench_open_operator(bench_contender* c, const bench_robot* robot, const touching* contacts,
                         const char* method, bench_operator_task task, const char* name) {
    operation* o = memory_take(1, sizeof *o);
    size_t rows = (size_t)contacts->rows;
    *c = (bench_contender){.kind = &KIND, .self = o, .line = &robot->line, .states = 1};
    *o = (operation){.robot = robot, .contacts = contacts, .task = task};
    o->dynamics = bench_robot_dynamics(robot, method);
    o->delassus = touching_operator(contacts, o->dynamics, method);
    o->turned = memory_take((size_t)contacts->count, sizeof *o->turned);
    for (int g = 0; g < contacts->count; g++) {
        o->turned[g] = contacts->groups[contacts->count - 1 - g];
    }
    o->x = memory_take(rows, sizeof *o->x);
    o->W = memory_take(rows * rows, sizeof *o->W);
    for (size_t r = 0; r < rows; r++) o->x[r] = 1;
    c->row = bench_row_on(name, robot->line.joints, robot->line.dof);
    snprintf(c->row.engine, sizeof c->row.engine, "sinew:%s", method);
    if (!o->delassus) {
        bench_trouble(&c->row, "cannot be made");
    } else if (task == OPERATOR_MATRIX) {
        judge(c);
    }
}
