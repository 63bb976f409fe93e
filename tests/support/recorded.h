// SPDX-License-Identifier: Apache-2.0
/// Recordings made and looked at by tests.
#ifndef SINEW_TESTS_RECORDED_H
#define SINEW_TESTS_RECORDED_H

#include "sinew/record.h"
#include "support/check.h"

/// A world that is recorded, and what became of it.
typedef struct recorded {
    char path[256]; ///< in a directory for temporary files, of this process alone
    const sn_model* model;
    sn_world_def def;
    sn_world* world;
    sn_recorder_def options;
    sn_recorder* recorder;
    uint64_t* hash; // [steps] after each
    int steps, capacity;
    sn_step_report report;
} recorded;

/// A path that is no file, for `name`.
void recorded_path(char path[256], const char* name);
/// A world that is not recorded yet, with options that wait for the disk.
recorded recorded_make(const char* name, const sn_model* model, const sn_world_def* def);
/// Recording begins.
void recorded_begin(recorded* r);
/// One step; its status is nobody's business.
void recorded_step(recorded* r);
/// Recording ends, all of it written; the world stays.
void recorded_end(recorded* r);
/// Opens the file, which must be whole and hold every step; every step must come out the same, in hash and sampled
/// state.
void recorded_verify(const recorded* r);
/// Ends, if it must, and removes the file.
void recorded_free(recorded* r);

/// Bytes of a file. Free with free.
unsigned char* recorded_read(const char* path, size_t* count);
void recorded_write(const char* path, const void* bytes, size_t count);

#endif
