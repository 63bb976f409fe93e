// SPDX-License-Identifier: Apache-2.0
/// sinew run, in pieces: what was asked for, hands on their devices, what is kept for the plot, what is reported. The
/// order of a run is in run.c.
#ifndef SINEW_APP_RUN_H
#define SINEW_APP_RUN_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "options.h"
#include "output_file.h"
#include "progress.h"
#include "scene.h"
#include "sim.h"
#include "sinew/session.h"
#include "viewer.h"

typedef struct run_options {
    const char* scene;  ///< the SCENE word
    double duration;    ///< s; 0: not given
    const char* device; ///< word of a device; NULL: not given
    const char* hold;   ///< BODY[@X,Y,Z]; NULL: not given
    double at[3];       ///< m, where the device's origin is in the world; NAN: not given
    const char* hand;   ///< of a simulated device; NULL: not given
    text_list scripts;
    int law, mode; ///< negative: not given
    bool six;
    double stiffness, damping, scale, force_scale; ///< negative: not given
    double rate, coupling_rate, pace;              ///< Hz, Hz, simulated seconds a second
    world_options world;
    adaptive_options adaptive;
    bool virtual_time;
    double jitter, step_time; ///< s
    long seed;
    text_list stalls, drivers;
    bool headless, json, pin;
    scene_options scene_options;
    contact_options contact;
    text_list q0, plugins;
    const char *record, *plot; ///< paths, or NULL
    viewer_options viewer;
} run_options;

// ---- run_hands.c: hands, each on a device --------------------------------------------------------------------

enum { RUN_HANDS = 32 }; ///< as many as a session has places for unless told

/// One as it began, in the order of the session's.
typedef struct run_hand {
    char* device;      ///< word of its device
    char* body;        ///< name of what it holds at the start; NULL: nothing
    sn_body_id id;     ///< the same in the whole; -1: nothing
    sn_vec3 point;     ///< m, in that body
    sn_body_id* still; ///< [def.still_count] joints of the whole that are locked while it holds
    sn_hand_def def;   ///< words are the scene's
} run_hand;

/// Start from {0}.
typedef struct run_hands {
    run_hand at[RUN_HANDS];
    int count;
} run_hands;

/// Puts the hands of the scene, or the one that was asked for, into the session; without a viewer there is always one. False,
/// with the reason said, when a device cannot be opened or an option does not fit. Free either way.
bool run_hands_add(run_hands* hands, const run_options* options, sn_simulation* sim,
                   sn_session* session);
void run_hands_free(run_hands* hands);

// ---- run_history.c: forces and ways over time, for the plot ----------------------------------------------------

typedef struct run_history run_history;

run_history* run_history_create(const run_hands* hands, const sn_units* units, uint64_t steps);
/// After a step.
void run_history_add(run_history* history, sn_simulation* sim, const sn_session* session);
void run_history_write(const run_history* history, const char* title, FILE* out);
void run_history_free(run_history* history);

// ---- run_report.c ----------------------------------------------------------------------------------------------

typedef struct run_result {
    uint64_t steps;
    double simulated, wall; ///< s
    uint64_t hash;          ///< of the state
    const char* stopped;    ///< why it ended early; NULL: it did not
    const char* recording;  ///< path; NULL: none
    sn_recorder_status recorder;
    bool files_written;
} run_result;

typedef struct run_summary {
    const run_options* options;
    const opened_scene* scene;
    const sn_world_def* world;
    sn_simulation* sim;
    const sn_session* session;
    const sn_session_def* session_def;
    double duration; ///< s, asked for
    const run_hands* hands;
    const sim_contact* contact;
    const run_result* result;
} run_summary;

/// It ran to its end, wrote its files, and every hand has its force.
bool run_is_well(const run_summary* summary);
void run_report_print(const run_summary* summary);
void run_report_json(const run_summary* summary);
/// Says what went wrong with hands, and what to do.
void run_report_trouble(const run_summary* summary);

// ---- run.c: one scene, from opening it to its end -----------------------------------------------------------------

typedef struct run_state {
    const run_options* options;
    viewer* viewer;       ///< NULL: without one
    const char* dynamics; ///< that a viewer asked for; NULL: as the scene has it
    bool is_another;      ///< opened from the gallery: options about the first scene do not count
    scene_options plain;  ///< of such a scene
    contact_options usual_contact;
    scene_request request;
    opened_scene scene;
    sn_world_def world;
    message_log log; ///< of simulation and session
    sn_simulation* sim;
    sn_session_def def;
    sn_session* session;
    run_hands hands;
    double duration; ///< s
    sim_contact contact;
    output_file plot;
    run_history* history;
    progress shown;
    run_result result;
} run_state;

/// Opens `text`, a SCENE word, with everything that takes part. False, with the reason said. Close either way.
bool run_open(run_state* run, const char* text);
/// Until its time is over, or it is told to end.
void run_interact(run_state* run);
/// Ends recordings, writes plots.
void run_write_files(run_state* run);
/// Prints what came of it; true: all is well.
bool run_report(run_state* run);
void run_close(run_state* run);

// ---- run_viewer.c ---------------------------------------------------------------------------------------------------

/// The scene that was asked for in the viewer, and others that people choose there, until Ctrl-C. Exit status.
int run_with_viewer(run_state* run);

#endif
