// SPDX-License-Identifier: Apache-2.0
#include "record/command_code.h"

#include <string.h>

#include "record/options_code.h"

/// Which parts a command has.
enum { PART_Q = 1, PART_V = 2, PARTS = 4 };

void sni_command_memory_begin(sni_command_memory* memory) {
    memory->has_control = memory->has_drive = memory->has_forces = false;
}

void sni_command_memory_free(sni_command_memory* memory) {
    sni_bytes_free(&memory->control);
    sni_bytes_free(&memory->drive);
    sni_bytes_free(&memory->forces);
    sni_bytes_free(&memory->q);
    sni_bytes_free(&memory->v);
}

static void code_body(sni_coder* coder, sn_command* command) {
    sni_code_i32(coder, &command->body.i);
}

static void code_moment_and_force(sni_coder* coder, sn_command* command) {
    sni_code_vec3(coder, &command->wrench.n);
    sni_code_vec3(coder, &command->wrench.f);
}

static void code_wrench(sni_coder* coder, sn_command* command) {
    int axes = (int)command->axes;
    code_body(coder, command);
    sni_code_choice(coder, &axes, SN_AXES_WORLD + 1);
    command->axes = (sn_axes)axes;
    code_moment_and_force(coder, command);
}

/// `count` numbers; read into `kept`.
static void code_numbers(sni_coder* coder, sni_bytes* kept, const double** numbers, int count) {
    size_t size = (size_t)count * sizeof **numbers;
    if (!sni_reads(coder)) {
        sni_bytes_add(coder->out, *numbers, size);
        return;
    }
    *numbers = NULL;
    if (size > sni_left(coder)) coder->failed = true;
    if (coder->failed) return;
    sni_bytes_clear(kept);
    void* to = sni_bytes_grow(kept, size + 1); // never NULL for lack of numbers
    if (!to) coder->failed = true;
    if (!to) return;
    sni_code(coder, to, size);
    *numbers = to;
}

static void code_state(sni_coder* coder, sni_command_memory* memory, sn_command* command, int nq,
                       int nv) {
    int parts = (command->q ? PART_Q : 0) | (command->v ? PART_V : 0);
    sni_code_choice(coder, &parts, PARTS);
    if (parts & PART_Q) code_numbers(coder, &memory->q, &command->q, nq);
    if (parts & PART_V) code_numbers(coder, &memory->v, &command->v, nv);
}

/// Forces on all joints, or a word that they are those that came last.
static void code_forces(sni_coder* coder, sni_bytes* last, bool* has_last, sn_command* command,
                        int nv) {
    size_t size = (size_t)nv * sizeof(double);
    bool same = *has_last && last->count >= size;
    if (same && !sni_reads(coder) && size > 0) same = memcmp(last->at, command->v, size) == 0;
    bool known = same;
    sni_code_bool(coder, &same);
    if (sni_reads(coder) && same && !known) coder->failed = true; // of nothing
    if (coder->failed) return;
    if (same) {
        command->v = (const double*)(const void*)last->at;
        return;
    }
    if (sni_reads(coder)) {
        code_numbers(coder, last, &command->v, nv);
    } else {
        sni_bytes_add(coder->out, command->v, size);
        sni_bytes_clear(last);
        void* kept = sni_bytes_grow(last, size + 1);
        if (kept && size > 0) memcpy(kept, command->v, size);
    }
    *has_last = !last->failed;
}

static void code_constraint(sni_coder* coder, sn_constraint* c) {
    int type = (int)c->type;
    sni_code_u64(coder, &c->id);
    sni_code_choice(coder, &type, SN_CONSTRAINT_DISTANCE + 1);
    c->type = (sn_constraint_type)type;
    sni_code_i32(coder, &c->a.i);
    sni_code_i32(coder, &c->b.i);
    sni_code_pose(coder, &c->X_ac);
    sni_code_pose(coder, &c->X_bc);
    sni_code_f64(coder, &c->length);
    sni_code_f64(coder, &c->stiffness);
    sni_code_f64(coder, &c->damping);
    sni_code_f64(coder, &c->turn_stiffness);
    sni_code_f64(coder, &c->turn_damping);
}

static void code_spring(sni_coder* coder, sn_command* command) {
    sn_spring* spring = &command->spring;
    sni_code_choice(coder, &command->number, SN_SPRINGS_MOST);
    sni_code_i32(coder, &spring->body.i);
    sni_code_vec3(coder, &spring->point);
    sni_code_pose(coder, &spring->anchor);
    sni_code_f64(coder, &spring->stiffness);
    sni_code_f64(coder, &spring->turn_stiffness);
    sni_code_f64(coder, &spring->most_force);
}

static void code_i64(sni_coder* coder, int64_t* value) { sni_code(coder, value, sizeof *value); }

void sni_code_command(sni_coder* coder, sni_command_memory* memory, sn_command* command, int nq,
                      int nv, uint64_t* block) {
    int type = (int)command->type;
    sni_code_choice(coder, &type, SN_COMMAND_COUNT);
    command->type = (sn_command_type)type;
    switch (command->type) {
    case SN_COMMAND_WRENCH: code_wrench(coder, command); break;
    case SN_COMMAND_FORCE:
        code_body(coder, command);
        for (int k = 0; k < SN_JOINT_MAX_NV; k++) sni_code_f64(coder, &command->force[k]);
        break;
    case SN_COMMAND_LOCK:
    case SN_COMMAND_UNLOCK:
    case SN_COMMAND_KEEP_ACTIVE:
    case SN_COMMAND_LET_SLEEP:
    case SN_COMMAND_WAKE: code_body(coder, command); break;
    case SN_COMMAND_ADAPTIVITY: sni_code_adaptivity(coder, &command->adaptivity); break;
    case SN_COMMAND_REPLACE: sni_code_u64(coder, block); break;
    case SN_COMMAND_STATE: code_state(coder, memory, command, nq, nv); break;
    case SN_COMMAND_FORCES:
        code_forces(coder, &memory->forces, &memory->has_forces, command, nv);
        break;
    case SN_COMMAND_CONTROL:
        code_forces(coder, &memory->control, &memory->has_control, command, nv);
        break;
    case SN_COMMAND_DRIVE:
        code_forces(coder, &memory->drive, &memory->has_drive, command, 3 * nv);
        break;
    case SN_COMMAND_GRAVITY: sni_code_vec3(coder, &command->vector); break;
    case SN_COMMAND_CONSTRAIN: code_constraint(coder, &command->constraint); break;
    case SN_COMMAND_RELEASE: sni_code_u64(coder, &command->constraint.id); break;
    case SN_COMMAND_SOLVE:
        sni_code_f64(coder, &command->tolerance);
        code_i64(coder, &command->iterations[0]);
        break;
    case SN_COMMAND_SOLVED:
        code_i64(coder, &command->iterations[0]);
        code_i64(coder, &command->iterations[1]);
        break;
    case SN_COMMAND_PULL:
        code_body(coder, command);
        code_moment_and_force(coder, command);
        break;
    case SN_COMMAND_SPRING: code_spring(coder, command); break;
    case SN_COMMAND_COUNT: break; // not a command
    }
}
