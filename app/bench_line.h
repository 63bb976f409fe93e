// SPDX-License-Identifier: Apache-2.0
/// The lines of `sinew bench dynamics`: models with the states at which their forward dynamics is
/// timed. The same numbers on every machine.
#ifndef SINEW_APP_BENCH_LINE_H
#define SINEW_APP_BENCH_LINE_H

#include <stdbool.h>
#include <stdio.h>

#include "sinew/model.h"

enum { BENCH_BATCH = 64 }; // states of a batch

/// What a line is for, beside timing our own engines.
enum {
    LINE_PEERS = 1,  ///< other engines
    LINE_BATCH = 2,  ///< many states at once
    LINE_LONG = 4,   ///< how the cost of a joint grows with a body; all these are timed together
    LINE_SLOW = 8,   ///< left out when it must be quick
    LINE_ROBOT = 16, ///< a robot rather than a regular shape
    LINE_FREE = 32   ///< of a URDF the root floats
};

typedef struct bench_line_spec {
    const char* name;  ///< "chain128"
    const char* model; ///< as on the command line; "arm" and "protein" are made here
    unsigned flags;
} bench_line_spec;

/// The i-th line, NULL past the last.
const bench_line_spec* bench_line_at(int i);

typedef struct bench_line {
    const bench_line_spec* spec;
    sn_model* model;
    int joints, dof;
    int state_count;     ///< 2, or BENCH_BATCH
    double *q, *v, *tau; ///< state after state; the second is the first moved by a hair
} bench_line;

/// False, with the reason said, when the model cannot be made.
bool bench_line_make(const bench_line_spec* spec, bench_line* line);
void bench_line_free(bench_line* line);

/// Writes the model, and the first state, as docs/eval.md has them; false when that fails.
bool bench_line_write_model(const bench_line* line, FILE* out);
bool bench_line_write_state(const bench_line* line, FILE* out);

/// A seven-joint arm with a gripper of two sliding fingers, in the round dimensions of a Panda.
sn_model* bench_arm(sn_error* error);
/// A backbone with side chains, 857 hinges, like a protein in shape; its bodies are rods of 1 m and 1 kg.
sn_model* bench_protein(sn_error* error);

#endif
