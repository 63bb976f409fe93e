// SPDX-License-Identifier: Apache-2.0
/// Inputs as rows of a table: a word, a body, and numbers.
#include <string.h>

#include "export.h"
#include "memory.h"

static const char* const kinds[] = {
    [SN_COMMAND_WRENCH] = "wrench",
    [SN_COMMAND_FORCE] = "force",
    [SN_COMMAND_LOCK] = "lock",
    [SN_COMMAND_UNLOCK] = "unlock",
    [SN_COMMAND_KEEP_ACTIVE] = "keep",
    [SN_COMMAND_LET_SLEEP] = "let_sleep",
    [SN_COMMAND_ADAPTIVITY] = "adaptivity",
    [SN_COMMAND_REPLACE] = "replace",
    [SN_COMMAND_STATE] = "state",
    [SN_COMMAND_FORCES] = "forces",
    [SN_COMMAND_CONTROL] = "control",
    [SN_COMMAND_DRIVE] = "drive",
    [SN_COMMAND_GRAVITY] = "gravity",
    [SN_COMMAND_CONSTRAIN] = "constrain",
    [SN_COMMAND_RELEASE] = "release",
    [SN_COMMAND_WAKE] = "wake",
    [SN_COMMAND_SOLVE] = "solve",
    [SN_COMMAND_SOLVED] = "solved",
    [SN_COMMAND_PULL] = "pull",
    [SN_COMMAND_SPRING] = "spring",
};
_Static_assert(sizeof kinds / sizeof *kinds == SN_COMMAND_COUNT, "every command has a word");

/// Numbers as they come.
typedef struct row {
    export_numbers* room;
    int count;
} row;

static void add(row* r, const double* numbers, int count) {
    export_numbers* room = r->room;
    if (r->count + count > room->capacity) {
        room->capacity = 2 * (r->count + count);
        room->numbers = memory_resize(room->numbers, (size_t)room->capacity, sizeof *numbers);
    }
    if (count > 0) memcpy(room->numbers + r->count, numbers, (size_t)count * sizeof *numbers);
    r->count += count;
}

static void add_one(row* r, double number) { add(r, &number, 1); }
static void add_vec3(row* r, sn_vec3 v) { add(r, (double[]){v.x, v.y, v.z}, 3); }

static void add_pose(row* r, sn_pose X) {
    sn_quat q = sn_quat_from_matrix(X.R);
    add_vec3(r, X.p);
    add(r, (double[]){q.w, q.x, q.y, q.z}, 4);
}

static void add_constraint(row* r, const sn_constraint* c) {
    add(r, (double[]){(double)c->id, c->type, c->a.i, c->b.i}, 4);
    add_pose(r, c->X_ac);
    add_pose(r, c->X_bc);
    add(r, (double[]){c->length, c->stiffness, c->damping, c->turn_stiffness, c->turn_damping}, 5);
}

static void add_wrench(row* r, const sn_command* command) {
    add_one(r, command->axes == SN_AXES_WORLD);
    add_vec3(r, command->wrench.n);
    add_vec3(r, command->wrench.f);
}

static void add_force(row* r, const sn_command* command, const sn_model* model) {
    bool there = command->body.i >= 0 && command->body.i < sn_model_body_count(model);
    if (there) add(r, command->force, sn_model_body(model, command->body).nv);
}

static void add_adaptivity(row* r, const sn_adaptivity* a) {
    add(r, (double[]){a->max_active, a->threshold, a->settling_time, a->period, a->metric}, 5);
}

static void add_numbers(row* r, const sn_command* command, const sn_model* model) {
    switch (command->type) {
    case SN_COMMAND_WRENCH: add_wrench(r, command); break;
    case SN_COMMAND_PULL:
        add_vec3(r, command->wrench.n);
        add_vec3(r, command->wrench.f);
        break;
    case SN_COMMAND_SPRING:
        add_one(r, command->number);
        add_vec3(r, command->spring.point);
        add_vec3(r, command->spring.anchor.p);
        add(r,
            (double[]){command->spring.stiffness, command->spring.turn_stiffness,
                       command->spring.most_force},
            3);
        break;
    case SN_COMMAND_FORCE: add_force(r, command, model); break;
    case SN_COMMAND_ADAPTIVITY: add_adaptivity(r, &command->adaptivity); break;
    case SN_COMMAND_REPLACE: add_one(r, sn_model_body_count(model)); break;
    case SN_COMMAND_STATE:
        add(r, (double[]){command->q ? 1 : 0, command->v ? 1 : 0}, 2);
        if (command->q) add(r, command->q, sn_model_nq(model));
        if (command->v) add(r, command->v, sn_model_nv(model));
        break;
    case SN_COMMAND_FORCES:
    case SN_COMMAND_CONTROL: add(r, command->v, sn_model_nv(model)); break;
    case SN_COMMAND_DRIVE: add(r, command->v, 3 * sn_model_nv(model)); break;
    case SN_COMMAND_GRAVITY: add_vec3(r, command->vector); break;
    case SN_COMMAND_CONSTRAIN: add_constraint(r, &command->constraint); break;
    case SN_COMMAND_RELEASE: add_one(r, (double)command->constraint.id); break;
    case SN_COMMAND_SOLVE:
        add(r, (double[]){command->tolerance, (double)command->iterations[0]}, 2);
        break;
    case SN_COMMAND_SOLVED:
        add(r, (double[]){(double)command->iterations[0], (double)command->iterations[1]}, 2);
        break;
    case SN_COMMAND_LOCK:
    case SN_COMMAND_UNLOCK:
    case SN_COMMAND_KEEP_ACTIVE:
    case SN_COMMAND_LET_SLEEP:
    case SN_COMMAND_WAKE:
    case SN_COMMAND_COUNT: break; // the body says it all
    }
}

static bool has_body(sn_command_type type) {
    switch (type) {
    case SN_COMMAND_WRENCH:
    case SN_COMMAND_PULL:
    case SN_COMMAND_FORCE:
    case SN_COMMAND_LOCK:
    case SN_COMMAND_UNLOCK:
    case SN_COMMAND_KEEP_ACTIVE:
    case SN_COMMAND_LET_SLEEP:
    case SN_COMMAND_WAKE: return true;
    default: return false;
    }
}

export_input export_read_input(const sn_input* input, double step, export_numbers* room) {
    const sn_command* command = &input->command;
    row r = {room, 0};
    add_numbers(&r, command, input->model);
    return (export_input){.kind = kinds[command->type],
                          .body = has_body(command->type)              ? command->body.i
                                  : command->type == SN_COMMAND_SPRING ? command->spring.body.i
                                                                       : -1,
                          .step = input->step,
                          .time = (double)input->step * step,
                          .numbers = room->numbers,
                          .count = r.count};
}
