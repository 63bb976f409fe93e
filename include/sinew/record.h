// SPDX-License-Identifier: Apache-2.0
/// Recordings: everything that happened to a world, so that it can happen again, bit for bit.
///
/// A recording is an append-only file of checksummed blocks: the scene's text, the model, molecules, the options of the
/// world, its state at the beginning, then step by step every input in order (sn_tape), a hash of the state after
/// each step, and samples of the state. A recorder takes these from the simulation thread through a ring and
/// writes them in a thread of its own: the simulation never waits, unless it is told to. A file whose writer was
/// killed opens with all but the last second; a damaged one up to the damage.   docs/recording.md
#ifndef SINEW_RECORD_H
#define SINEW_RECORD_H

#include "sinew/haptics.h"
#include "sinew/modules.h"
#include "sinew/molecule_forces.h"
#include "sinew/safety.h"
#include "sinew/world.h"

#ifdef __cplusplus
extern "C" {
#endif

// ---- writing ------------------------------------------------------------------------------------------------

typedef struct sn_recorder sn_recorder;

typedef struct sn_recorder_def {
    int every;         ///< steps between two samples of the state; 1
    size_t ring_bytes; ///< between the threads; 0: 16 MiB, or more where one message needs it
    bool
        wait; ///< wait for the disk when the ring is full, for batch runs; else the recording has a gap
    const char* scene;               ///< text kept for people, NULL: none
    const char* const* sensor_names; ///< [sensors] sampled with the state
    const int* sensor_numbers;       ///< [sensors]
    int sensors;
    const sn_world_molecule* molecules; ///< [molecule_count] whose forces are the world's field
    int molecule_count;
} sn_recorder_def;

sn_recorder_def sn_recorder_def_default(void);

/// Begins a recording of the world as it is now, and becomes its tape. def is that of the world. Thread: sim,
/// between steps.
sn_status sn_recorder_create(const char* path, sn_world* world, const sn_world_def* world_def,
                             const sn_recorder_def* def, sn_recorder** recorder, sn_error* error);
/// After each step. sensors: the numbers of all of them, NULL: none. Thread: sim. Realtime: yes, unless `wait`.
void sn_recorder_step(sn_recorder* recorder, const sn_world* world, const sn_step_report* report,
                      const double* sensors);

/// What a loop of a session had counted so far when the world had done so many steps. No input: a replay does not need
/// it. Of `safety` all but `acted`, `ticks` and `tank` is kept.
typedef struct sn_meters {
    uint64_t step;
    double time; ///< s, of the step; filled in when it is read
    sn_loop loop;
    const char* hand; ///< its name, 63 bytes of it at most; "": the loop is not of a hand
    sn_loop_meter meter;
    // of a hand, else zero
    sn_latency_meter latency;
    sn_safety_report safety;
} sn_meters;

/// Some times a second and at the end. Left out where the ring is full. Thread: sim, between steps. Realtime: yes,
/// unless `wait`.
void sn_recorder_meters(sn_recorder* recorder, const sn_meters* meters);

typedef enum sn_recorder_state {
    SN_RECORDER_RUNS,
    SN_RECORDER_GAP, ///< the disk was too slow: steps are missing, what follows cannot be replayed
    SN_RECORDER_STOPPED ///< it cannot be written any more (disk full?); what was written is readable
} sn_recorder_state;

typedef struct sn_recorder_status {
    sn_recorder_state state;
    uint64_t steps; ///< taken in
    uint64_t lost;  ///< steps that are not in the file
    uint64_t bytes; ///< written
    char text[256]; ///< why it stopped, for a person; ""
} sn_recorder_status;

/// Never waits. Thread: any.
void sn_recorder_ask(sn_recorder* recorder, sn_recorder_status* status);
/// Whether all models that were put in so far are copied: then they and their replacements may be freed, by
/// sn_world_collect and sn_model_free. Thread: sim.
bool sn_recorder_is_idle(const sn_recorder* recorder);
/// Writes what is left and closes; status (may be NULL) tells how it went.
void sn_recorder_free(sn_recorder* recorder, sn_recorder_status* status);

// ---- reading ------------------------------------------------------------------------------------------------

typedef struct sn_recording sn_recording;

/// Reads the beginning and finds all whole blocks. A file that ends in the middle of a block, or is damaged, ends
/// before that block; the log says so, now and when a block turns out to make no sense while it is read.
sn_status sn_recording_open(const char* path, const sn_log* log, sn_recording** recording,
                            sn_error* error);
sn_status sn_recording_open_memory(const void* bytes, size_t count, const char* name,
                                   const sn_log* log, sn_recording** recording, sn_error* error);
void sn_recording_free(sn_recording* recording);

typedef struct sn_recording_info {
    const char* scene;   ///< "": none
    const char* build;   ///< version that wrote it
    double step;         ///< s
    uint64_t first_step; ///< steps that the world had done at the beginning
    uint64_t steps;      ///< recorded
    uint64_t samples;
    uint64_t inputs;
    uint64_t meters;
    uint64_t blocks;
    uint64_t lost; ///< steps missing
    bool closed;   ///< its writer came to the end
    bool damaged;  ///< there was more, which does not fit its checksums
    bool
        exact; ///< it begins where a replay can begin, too: at the world's first step, or without contact
               ///< and adaptive dynamics, which remember more of the steps before than can be told
    int sensors;
} sn_recording_info;

sn_recording_info sn_recording_ask(const sn_recording* recording);
/// The model that it begins with.
const sn_model* sn_recording_model(const sn_recording* recording);
/// Options of the world as it begins. Modules of plugins are named in it, not there.
const sn_world_def* sn_recording_world(const sn_recording* recording);
/// Molecules whose forces act, with all that their forces depend on.
int sn_recording_molecule_count(const sn_recording* recording);
const sn_world_molecule* sn_recording_molecule(const sn_recording* recording, int i);
const char* sn_recording_sensor_name(const sn_recording* recording, int sensor);
int sn_recording_sensor_numbers(const sn_recording* recording, int sensor);

/// Samples in order; the model they are of changes when bodies came or went. Pointers are valid until the next call.
typedef struct sn_sample {
    uint64_t step;
    double time; ///< s
    const sn_model* model;
    const double* q; ///< [nq]
    const double* v; ///< [nv]
    unsigned events; ///< of the step
    int32_t contacts;
    double deepest; ///< m
    double residual;
    uint64_t hash;
    const double* sensors; ///< numbers of all sensors
} sn_sample;

/// Goes back to the first sample.
void sn_recording_rewind(sn_recording* recording);
/// The next one; false past the last.
bool sn_recording_next(sn_recording* recording, sn_sample* sample);

/// Inputs in order: what reached the world, whatever function it came by, what control and a clock decided
/// included. Pointers are valid until the next call.
typedef struct sn_input {
    uint64_t step;         ///< that it belongs to: what the world counts after it
    sn_command command;    ///< its replacement is NULL
    const sn_model* model; ///< the world's, after the input
} sn_input;

/// Goes back to the first input.
void sn_recording_rewind_inputs(sn_recording* recording);
/// The next one; false past the last.
bool sn_recording_next_input(sn_recording* recording, sn_input* input);

/// Meters in order; `hand` is valid until the next call.
void sn_recording_rewind_meters(sn_recording* recording);
/// The next ones; false past the last.
bool sn_recording_next_meters(sn_recording* recording, sn_meters* meters);

// ---- again ----------------------------------------------------------------------------------------------------

typedef struct sn_replay sn_replay;

/// A world at the recording's beginning. modules: where it used some that are not ours; NULL: none. The recording
/// must outlive it; both may be read at the same time.
sn_status sn_replay_create(sn_recording* recording, const sn_modules* modules, sn_replay** replay,
                           sn_error* error);
sn_world* sn_replay_world(sn_replay* replay);
/// Forces of molecule i of the recording; NULL: there is none.
sn_molecule_forces* sn_replay_molecule(sn_replay* replay, int i);
/// Gives the world the inputs of its next step, and steps. *same: the inputs fitted, and the state has the recorded
/// hash. SN_ERR_CAPACITY past the last step, or where steps are missing; SN_ERR_FORMAT where what is recorded makes no
/// sense.
sn_status sn_replay_step(sn_replay* replay, sn_step_report* report, bool* same);
/// Block of the file that holds the step done last, and its place in the file.
uint64_t sn_replay_block(const sn_replay* replay, uint64_t* offset);
void sn_replay_free(sn_replay* replay);

#ifdef __cplusplus
}
#endif
#endif
