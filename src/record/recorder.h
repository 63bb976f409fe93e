// SPDX-License-Identifier: Apache-2.0
/// Inside of an sn_recorder: what the simulation's thread has, what the writing thread has, and what passes
/// between them.
#ifndef SN_RECORD_RECORDER_H
#define SN_RECORD_RECORDER_H

#include "base/stream.h"
#include "base/thread.h"
#include "record/block_file.h"
#include "record/command_code.h"
#include "sinew/record.h"

/// Messages of the stream.
typedef enum sni_message_kind {
    SN_MESSAGE_COMMAND, ///< sni_sent_command, q, v
    SN_MESSAGE_CONTROL, ///< forces: a command that may come in every step
    SN_MESSAGE_DRIVE,   ///< the same of what gives and of bounds
    SN_MESSAGE_STEP,    ///< sni_sent_step; q, v, sensors when it is sampled
    SN_MESSAGE_METERS,  ///< sni_sent_meters
    SN_MESSAGE_GAP      ///< uint64_t: steps that were lost before what follows
} sni_message_kind;

typedef struct sni_sent_command {
    sn_command command; ///< its pointers q, v say only whether they follow
    int32_t nq, nv;     ///< of the model that it reached
} sni_sent_command;

typedef struct sni_sent_step {
    uint64_t step, hash;
    double deepest, residual;
    uint32_t events;
    int32_t contacts;
    int32_t nq, nv; ///< of the sample that follows; -1: none does
} sni_sent_step;

enum { SN_SENT_NAME = 64 };
typedef struct sni_sent_meters {
    sn_meters meters; ///< its hand is what follows
    char hand[SN_SENT_NAME];
} sni_sent_meters;

/// What the writing thread has.
typedef struct sni_record_writer {
    sni_block_file file;
    int sensor_count;                 ///< numbers of all sensors
    sni_bytes message;                ///< the one that is looked at
    sni_bytes pending;                ///< commands of the step that goes on
    uint32_t pending_count;           ///< of them
    sni_bytes steps, samples, meters; ///< blocks that grow
    uint32_t step_count;              ///< in `steps`
    uint32_t input_count;             ///< in `steps`
    uint32_t sample_count;            ///< in `samples`
    uint32_t meters_count;            ///< in `meters`
    int32_t sample_nq;                ///< of `samples`
    int32_t sample_nv;                ///< of `samples`
    uint64_t first, last;      ///< step before the first of `steps`, and the last that was done
    uint64_t first_sample;     ///< step of the first of `samples`
    uint64_t first_meters;     ///< the same of `meters`
    sni_command_memory memory; ///< of `steps`
    int64_t written_ns;        ///< when blocks were last written
    uint64_t all_steps, all_inputs, all_samples, all_lost; ///< in the file
    uint64_t discarded;                                    ///< steps that came after it stopped
} sni_record_writer;

enum { SN_RECORD_REPLACED_MOST = 16 };

struct sn_recorder {
    // the simulation's thread
    sn_world* world;
    char* path;
    int every;
    bool wait;
    double* no_sensors;   ///< NaNs
    uint64_t steps, lost; ///< taken in, and of them not sent
    uint64_t gap;         ///< of them not told to the writer
    bool gap_is_told;     ///< by a message that is not published
    bool broken;          ///< a message of this step did not fit: all of it is lost
    bool deaf;            ///< a new model was lost: what follows means nothing without it
    sn_replacement* replaced[SN_RECORD_REPLACED_MOST]; ///< in this step
    bool forgot;                                       ///< there were more
    int replaced_count;
    size_t models_place; ///< in the stream, behind the last new model
    // between the two
    sni_arena arena;
    sni_stream stream;
    sni_shown steps_shown, lost_shown, bytes_shown, discarded_shown, stopped, end;
    char text[256]; ///< why it stopped: written before `stopped` is shown, never after
    // the writing thread
    sni_thread* thread;
    sni_record_writer writer;
};

/// The writing thread: until `end` is shown and the stream is empty.
void sni_recorder_write(void* recorder);
/// Blocks that every recording begins with.
sn_status sni_recorder_begin(sni_record_writer* writer, const sn_world* world,
                             const sn_world_def* world_def, const sn_recorder_def* def,
                             sn_error* error);
void sni_record_writer_free(sni_record_writer* writer);

#endif
