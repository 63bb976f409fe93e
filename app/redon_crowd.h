// SPDX-License-Identifier: Apache-2.0
/// The run of `sinew reproduce redon-crowd`: a push sweeps through a crowd that is simulated several
/// times, block of steps by block of steps in turn and under the same forces: with all joints, by the
/// articulated-body algorithm, and with few of them active.
#ifndef SINEW_APP_REDON_CROWD_H
#define SINEW_APP_REDON_CROWD_H

#include "crowd.h"
#include "sinew/world.h"

/// One way to choose the active joints.
typedef struct redon_choice {
    const char* name;
    int max_active;
    double threshold; ///< sqrt(J)/s, 0: none
} redon_choice;
enum { REDON_CHOICES = 2 };

typedef struct redon_crowd_def {
    int rows, columns;
    double spacing;       ///< m
    double step;          ///< s
    int block;            ///< steps between two samples; the push moves on as often
    int blocks;           ///< length of the run
    double speed;         ///< m/s, of the push along x, in the middle of the rows
    double reach;         ///< m, from the push
    double force;         ///< N on a human at the centre of the push; linearly less to its reach
    double settling_time; ///< s
    redon_choice choices[REDON_CHOICES];
} redon_crowd_def;

/// As the experiment has it; quick: fewer people, for a shorter time.
redon_crowd_def redon_crowd_def_default(bool quick);

/// One of the choices, after a block.
typedef struct redon_few {
    int active;              ///< joints
    double remaining, total; ///< metric, sqrt(J)/s, at the last choice
    double seconds;          ///< a step took, mean of the block
    double off, off_most;    ///< m, of a body from where it is with all: root mean square, largest
} redon_few;

/// After a block.
typedef struct redon_crowd_sample {
    double time;    ///< s
    int pushed;     ///< people under force
    double seconds; ///< a step with all joints took, mean of the block
    double moved;   ///< m, of a body from where it started: root mean square
    redon_few few[REDON_CHOICES];
} redon_crowd_sample;

/// Fills in def->blocks samples; tells progress on a terminal.
sn_status redon_crowd_run(const sn_model* crowd, const redon_crowd_def* def,
                          redon_crowd_sample* samples, sn_error* error);
/// Mean time of some steps by another algorithm, of the crowd as it starts; s.
sn_status redon_crowd_time(const sn_model* crowd, const redon_crowd_def* def, const char* dynamics,
                           int steps, double* seconds);

#endif
