// SPDX-License-Identifier: Apache-2.0
/// Inside of an sn_recording: a file or bytes, the places of its blocks, and the models in them.
#ifndef SN_RECORD_RECORDING_H
#define SN_RECORD_RECORDING_H

#include "record/block.h"
#include "record/coder.h"
#include "record/contents.h"
#include "record/molecule_code.h"

/// A block and where it is.
typedef struct sni_indexed {
    sni_block block;
    uint64_t offset; ///< of its header
} sni_indexed;

/// A model that a block has, compiled when it was first asked for.
typedef struct sni_block_model {
    uint64_t block;
    sn_model* model;
    void* bytes; ///< what `parts` points into
    sni_replacement_parts parts;
    struct sni_block_model* next;
} sni_block_model;

/// The samples block that is read.
typedef struct sni_sample_place {
    uint64_t next; ///< block after it
    const sn_model* model;
    void* bytes; ///< of the block, NULL: none
    sni_samples_head head;
    uint32_t index;
} sni_sample_place;

/// The meters block that is read.
typedef struct sni_meters_place {
    uint64_t next; ///< block after it
    void* bytes;   ///< of the block, NULL: none
    sni_coder coder;
    uint32_t left; ///< meters in it that are not read
} sni_meters_place;

/// How far the steps are read.   step_reader.h
typedef struct sni_step_reader {
    uint64_t next;  ///< block after the one that is read
    uint64_t block; ///< that is read
    uint64_t step;  ///< steps done, the one read last included
    void* bytes;    ///< of the block that is read, NULL: none
    sni_coder coder;
    uint32_t left; ///< steps in it that are not read
    sni_command_memory memory;
} sni_step_reader;

/// The input that was read last.
typedef struct sni_input_place {
    sni_step_reader reader;
    uint32_t left;         ///< inputs of its step
    const sn_model* model; ///< the world's then; NULL: nothing is read yet
    bool done;
} sni_input_place;

struct sn_recording {
    int file;                    ///< -1: bytes
    const unsigned char* memory; ///< the caller's, NULL: file
    uint64_t size;
    char* name;
    sn_log log;
    char build[SN_BUILD_TEXT + 1];
    sni_indexed* blocks;
    uint64_t count, capacity;
    sn_recording_info info;
    // first blocks; what they point to
    void *scene_bytes, *options_bytes;
    sn_world_def def;
    sni_sampled sampled;
    const char** sensor_name;         // [sensors]
    uint32_t* sensor_numbers;         // [sensors]
    uint32_t sensor_count;            ///< numbers of all
    sni_recorded_molecule* molecules; // [molecule_count]
    void** molecule_bytes;            // [molecule_count] what they point into
    int molecule_count;
    uint64_t start_block;
    const sn_model* first_model;
    sni_block_model* models;
    sni_sample_place samples;
    sni_input_place inputs;
    sni_meters_place meters;
};

/// What follows a block's header, in memory of its own, 8 bytes more at least; NULL: no memory, or the file changed.
void* sni_recording_bytes(const sn_recording* recording, uint64_t block);
/// The model of a model or replacement block; NULL, with the reason, when it makes no sense.
const sni_block_model* sni_recording_model(sn_recording* recording, uint64_t block,
                                           sn_error* error);
/// The same of a block that must be a replacement; NULL when it is none.
const sni_block_model* sni_recording_replacement(sn_recording* recording, uint64_t block);
/// Says that a block makes no sense.
void sni_recording_damaged(sn_recording* recording, uint64_t block, const char* why);

#endif
