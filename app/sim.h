// SPDX-License-Identifier: Apache-2.0
/// sinew sim, in pieces: what was asked for, what is watched while it runs, what is kept for the
/// plot, what is reported. The order of a run is in sim.c.
#ifndef SINEW_APP_SIM_H
#define SINEW_APP_SIM_H

#include <stdbool.h>
#include <stdint.h>

#include "adaptive_options.h"
#include "contact_options.h"
#include "json_writer.h"
#include "options.h"
#include "output_file.h"
#include "scene.h"
#include "sinew/plugin.h"
#include "svg_plot.h"
#include "table.h"
#include "unit_text.h"
#include "world_options.h"

typedef struct sim_options {
    const char* scene; ///< the SCENE word
    int base;
    world_options world;
    const char* simulator; ///< of a plugin; NULL: not given
    double duration;       ///< s; 0: not given
    double pace;           ///< simulated seconds a second; 0: as fast as possible
    bool pin, hold, until_rest, json;
    scene_options scene_options;
    contact_options contact;
    text_list q0, push, keep, plugins;
    adaptive_options adaptive;
    const char* schedule;             ///< "0:857,2:48", or NULL
    const char *record, *plot, *film; ///< paths, or NULL
    const char* commands;             ///< path, "-": standard input; or NULL
    long every;                       ///< steps between two samples; 0: not given
} sim_options;

// ---- sim_setup.c: the world as asked for --------------------------------------------------------

/// Applies --keep; false, with the reason said, when it does not fit the model.
bool sim_setup(sn_world* world, const sim_options* options);

// ---- sim_events.c: what changes while it runs ----------------------------------------------------

/// A force on a body from one step to before another.
typedef struct sim_push {
    char* body;
    sn_vec3 force; ///< N, world axes
    uint64_t from, to;
} sim_push;

/// A budget of active joints from a step on.
typedef struct sim_budget {
    uint64_t step;
    int max_active; ///< negative: any number
} sim_budget;

/// Start from {0}.
typedef struct sim_events {
    sim_push* pushes;
    sim_budget* budgets; ///< by time
    int push_count, budget_count;
    uint64_t next;            ///< step before which something changes
    sn_adaptivity adaptivity; ///< of the world, but for the budget
} sim_events;

/// Read --push and --schedule; false, with the reason said, when they do not fit. Free either way.
bool sim_events_read_pushes(sim_events* events, const sn_model* model, const sim_options* options,
                            double step, uint64_t steps);
bool sim_events_read_budgets(sim_events* events, const sim_options* options, double step,
                             uint64_t steps);
/// What --schedule has for the first step; else `max_active` as it is.
int sim_events_first_budget(const sim_events* events, int max_active);
/// Before a step: makes the changes that are due.
void sim_events_apply(sim_events* events, sn_simulation* sim);
void sim_events_free(sim_events* events);

// ---- sim_commands.c: the command stream -----------------------------------------------------------

typedef struct sim_commands sim_commands;

/// Lines "TIME: EDIT", or "EDIT": at the time of the line before. `live`: what is no file is read while it runs, and
/// lines without a time are applied as they come; else all is read now. NULL, with the reason said, when it
/// cannot be read.
sim_commands* sim_commands_open(const char* path, bool live);
/// Before a step: applies what is due. Errors are said with their line, and the run goes on.
void sim_commands_apply(sim_commands* commands, sn_simulation* sim);
int sim_commands_done(const sim_commands* commands);
int sim_commands_failed(const sim_commands* commands);
int sim_commands_left(const sim_commands* commands); ///< that were not due yet
void sim_commands_free(sim_commands* commands);

// ---- sim_activity.c: active joints over time ------------------------------------------------------

/// Adaptive dynamics while it runs; samples are spread evenly over the run.
typedef struct sim_activity {
    bool on; ///< the dynamics is adaptive
    sn_metric metric;
    double threshold;
    uint64_t stride;
    int count; ///< samples
    double *time, *active, *error, *total;
    int least, most;      ///< active joints
    double sum;           ///< of active joints over the steps
    uint64_t steps;       ///< in the sum
    double error_most;    ///< largest remaining error
    sn_region_report end; ///< after the last step
} sim_activity;

void sim_activity_start(sim_activity* activity, const sn_world* world, const sn_world_def* def,
                        uint64_t steps);
void sim_activity_step(sim_activity* activity, const sn_world* world, const sn_step_report* report);
void sim_activity_end(sim_activity* activity, const sn_world* world);
void sim_activity_free(sim_activity* activity);

// ---- sim_contact.c: contact over time --------------------------------------------------------------

/// The largest value of something, and when it was.
typedef struct sim_peak {
    double value, time;
} sim_peak;

/// Contact while it runs; samples are spread evenly over the run.
typedef struct sim_contact {
    bool on;
    const sn_units* units;
    double tolerance; ///< of the residual
    uint64_t stride;
    int count;                        ///< samples
    double *time, *points, *overlap;  ///< contact points; overlap as units.way shows it
    double overlap_since;             ///< m: deepest since the last sample
    double overlap_start;             ///< m: deepest in the first step
    uint64_t steps;                   ///< in the sum
    double sum;                       ///< of contact points over the steps
    sim_peak most, deepest, residual; ///< points; m; see sn_contact_verdict
    int32_t groups_least, groups_most;
    int64_t iterations;                     ///< most of a step
    uint64_t unsolved, late, full, refused; ///< steps
    int64_t dropped_contacts, dropped_pairs, bounces;
    int32_t lost;           ///< most bodies without a finite pose
    double energy;          ///< J that contact gave
    sn_contact_summary end; ///< of the last step
} sim_contact;

void sim_contact_start(sim_contact* contact, const sn_world_def* def, uint64_t steps);
void sim_contact_step(sim_contact* contact, const sn_step_report* report);
void sim_contact_free(sim_contact* contact);

// ---- sim_rest.c: when nothing moves any more --------------------------------------------------------

/// All bodies asleep, or slower than a world's rest speed for twice its rest time.
typedef struct sim_rest {
    bool asked, reached;
    sn_dynamics* dynamics; ///< measures speeds
    double speed;          ///< m/s
    double quiet_time;     ///< s
    uint64_t period;       ///< steps between two looks
    double since;          ///< s: when something was last faster
    double fastest;        ///< m/s at the last look
    int body;              ///< the fastest, -1: none moves
} sim_rest;

/// False, with the reason said, when it cannot be told.
bool sim_rest_start(sim_rest* rest, const sn_world* world, const sim_options* options);
bool sim_rest_reached(sim_rest* rest, const sn_world* world, const sn_step_report* report);
void sim_rest_free(sim_rest* rest);

// ---- sim_watch.c: what happened -----------------------------------------------------------------

/// The largest value of something, and the joint and time it belongs to.
typedef struct sim_extreme {
    double value, time;
    int joint;  ///< body index, -1: none yet
    char* name; ///< of the joint, at the end or when its model is gone
} sim_extreme;

/// A limited coordinate.
typedef struct sim_limit {
    int iq, joint;
    double lower, upper;
} sim_limit;

/// Where a joint's numbers and limits are.
typedef struct sim_joint {
    int iv, nv, limit, limit_count;
} sim_joint;

typedef struct sim_watch {
    const sn_model* model; ///< as of the last step
    sim_joint* joints;     ///< per body
    bool* turns;           ///< each number of v: angular
    sim_limit* limits;
    int limit_count;
    double slack;       ///< rad or m: a limit that is passed by less counts as kept
    sn_body_id* moving; ///< scratch: joints that are active
    sn_energy energy_start, energy_end;
    sn_momentum momentum_start, momentum_end;
    sim_extreme angular, linear; ///< largest joint speeds, rad/s and m/s
    bool* beyond;                ///< joints that were outside their limits, per body
    char** beyond_names;         ///< of these joints
    int beyond_count, limited_count;
    bool friction, damping; ///< the model has some
    bool edited;            ///< bodies came or went
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

typedef struct sim_record sim_record;

/// Writes the header. `adaptive`: with active joints and remaining error; `contact`: with contacts, overlap and
/// residual. Columns are those of the joints that there are now; one that goes leaves nan.
sim_record* sim_record_start(FILE* file, sn_simulation* sim, bool adaptive, bool contact);
void sim_record_row(sim_record* record, FILE* file, sn_simulation* sim,
                    const sn_contact_summary* contact);
void sim_record_free(sim_record* record);

// ---- sim_sensors.c: sensors in the plot -----------------------------------------------------------

typedef struct sim_sensors sim_sensors;

/// room: most samples
sim_sensors* sim_sensors_create(sn_simulation* sim, int room);
/// Keeps what they show as sample `at`.
void sim_sensors_add(sim_sensors* sensors, int at);
/// Adds a panel for each; names are the sensors' until they are freed.
void sim_sensors_draw(const sim_sensors* sensors, const unit_labels* label, const double* time,
                      int count, plot* p);
void sim_sensors_free(sim_sensors* sensors);

// ---- sim_history.c: what the plot shows ----------------------------------------------------------

typedef struct sim_history sim_history;

sim_history* sim_history_create(sn_simulation* sim, const sn_model* model, uint64_t steps);
/// Keeps a sample when one is due, and always when `last`.
void sim_history_add(sim_history* history, sn_world* world, bool last);
void sim_history_write(const sim_history* history, const sim_activity* activity,
                       const sim_contact* contact, const char* title, const char* subtitle,
                       FILE* file);
void sim_history_free(sim_history* history);

// ---- sim_film.c: the scene while it moves ------------------------------------------------------------

typedef struct sim_film sim_film;

sim_film* sim_film_create(void);
/// Keeps a frame when one is due, and always when `last`; models must stay until the film is written.
void sim_film_add(sim_film* film, sn_simulation* sim, bool last);
void sim_film_write(const sim_film* film, const sn_units* units, const char* title, FILE* file);
void sim_film_free(sim_film* film);

// ---- sim_report.c: the summary -------------------------------------------------------------------

typedef struct sim_result {
    sn_run_report run;
    double simulated;    ///< s
    double wall;         ///< s
    const char* stopped; ///< why it ended early: "interrupted", "not finite", ...; or NULL
    bool files_written;  ///< all that were asked for
    uint64_t hash;
    const char* recording; ///< path, NULL: none
    sn_recorder_status recorder;
} sim_result;

/// All there is to report about.
typedef struct sim_summary {
    const sim_options* options;
    double duration;           ///< s, that holds
    const sn_world_def* world; ///< that holds; its dynamics has a name
    const opened_scene* scene;
    const sn_simulation* sim;
    const sim_watch* watch;
    const sim_activity* activity;
    const sim_contact* contact;
    const sim_rest* rest;
    const sim_commands* commands; ///< or NULL
    const sim_result* result;
} sim_summary;

void sim_report_print(const sim_summary* summary);
void sim_report_json(const sim_summary* summary);

// ---- sim_report_scene.c: its part about the scene: controllers, sensors, plugins, edits, recording ----

void sim_report_scene_rows(table* t, const sim_summary* summary);
/// What the sensors show at the end; nothing where there are none.
void sim_report_sensors(const sim_summary* summary);
/// What went wrong with plugins and recording, on stderr.
void sim_report_scene_trouble(const sim_summary* summary);
void sim_report_scene_json(json_writer* w, const sim_summary* summary);

// ---- sim_report_contact.c: its part about contact --------------------------------------------------

void sim_report_contact_rows(table* t, const sim_summary* summary);
/// What went wrong with contact and what to do about it, on stderr.
void sim_report_contact_trouble(const sim_summary* summary);
void sim_report_contact_json(json_writer* w, const sim_summary* summary);

#endif
