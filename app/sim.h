// SPDX-License-Identifier: Apache-2.0
/// sinew sim, in pieces: what was asked for, what is watched while it runs, what is kept for the
/// plot, what is reported. The order of a run is in sim.c.
#ifndef SINEW_APP_SIM_H
#define SINEW_APP_SIM_H

#include <stdbool.h>
#include <stdint.h>

#include "model_argument.h"
#include "options.h"
#include "output_file.h"
#include "sinew/world.h"

typedef struct sim_options {
    const char* model;
    int base, integrator, dynamics;
    double duration, step; ///< s
    double gravity[3];
    bool pin, json;
    text_list q0, push;
    const char *record, *plot; ///< paths, or NULL
    long every;                ///< steps between two rows of the record
} sim_options;

// ---- sim_setup.c: the world as asked for --------------------------------------------------------

/// Applies --q0, --push and --pin; false, with the reason said, when one does not fit the model.
bool sim_setup(sn_world* world, const sim_options* options);

// ---- sim_watch.c: what happened -----------------------------------------------------------------

/// The largest value of something, and the joint and time it belongs to.
typedef struct sim_extreme {
    double value, time;
    int joint; ///< body index, -1: none yet
} sim_extreme;

/// A limited coordinate.
typedef struct sim_limit {
    int iq, joint;
    double lower, upper;
} sim_limit;

typedef struct sim_watch {
    const sn_model* model;
    int nv;
    int* joint_of; ///< of each number of v
    bool* turns;   ///< each number of v: angular
    sim_limit* limits;
    int limit_count;
    sn_energy energy_start, energy_end;
    sn_momentum momentum_start, momentum_end;
    sim_extreme angular, linear; ///< largest joint speeds, rad/s and m/s
    bool* beyond;                ///< joints that were outside their limits, per body
    int beyond_count, limited_count;
    bool friction, damping; ///< the model has some
    unsigned events;        ///< all that came
    long long sweeps;
    uint64_t no_converge;
    int64_t stage_ns[SN_STAGE_MAX];
    int stage_count;
} sim_watch;

void sim_watch_start(sim_watch* watch, sn_world* world);
void sim_watch_step(sim_watch* watch, const sn_world* world, const sn_step_report* report);
void sim_watch_end(sim_watch* watch, sn_world* world);
void sim_watch_free(sim_watch* watch);

// ---- sim_record.c: rows of the CSV file ----------------------------------------------------------

void sim_record_header(FILE* file, const sn_model* model);
void sim_record_row(FILE* file, sn_world* world);

// ---- sim_history.c: what the plot shows ----------------------------------------------------------

typedef struct sim_history sim_history;

sim_history* sim_history_create(const sn_model* model, uint64_t steps);
/// Keeps a sample when one is due, and always when `last`.
void sim_history_add(sim_history* history, sn_world* world, bool last);
void sim_history_write(const sim_history* history, const char* title, const char* subtitle,
                       FILE* file);
void sim_history_free(sim_history* history);

// ---- sim_report.c: the summary -------------------------------------------------------------------

typedef struct sim_result {
    uint64_t steps;      ///< done
    double simulated;    ///< s
    double wall;         ///< s
    const char* stopped; ///< why it ended early: "interrupted", "not finite", ...; or NULL
    bool files_written;  ///< all that were asked for
    uint64_t hash;
} sim_result;

void sim_report_print(const sim_options* options, const sim_watch* watch, const sim_result* result);
void sim_report_json(const sim_options* options, const sim_watch* watch, const sim_result* result);

#endif
