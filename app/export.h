// SPDX-License-Identifier: Apache-2.0
/// Parts of `sinew export`: a recording goes by, sample after sample and input after input, and a writer makes a
/// file of it. Nothing is kept but what is being written.   docs/recording.md
#ifndef SINEW_APP_EXPORT_H
#define SINEW_APP_EXPORT_H

#include <stdbool.h>

#include "sinew/record.h"

/// What is wanted: bits.
enum {
    EXPORT_Q = 1,
    EXPORT_V = 2,
    EXPORT_POSES = 4,
    EXPORT_SENSORS = 8,
    EXPORT_CONTACT = 16,
    EXPORT_INPUTS = 32,
    EXPORT_METERS = 64
};

enum { EXPORT_POSE_NUMBERS = 7 }; ///< x, y, z, quaternion w, x, y, z

/// Numbers of an input in the order of docs/recording.md.
typedef struct export_input {
    const char* kind; ///< "wrench", "lock", ...
    int body;         ///< -1: none, or the world
    uint64_t step;
    double time; ///< s
    const double* numbers;
    int count;
} export_input;

/// Room that export_read_input fills; start from {0}, free `numbers`.
typedef struct export_numbers {
    double* numbers;
    int capacity;
} export_numbers;

export_input export_read_input(const sn_input* input, double step, export_numbers* room);

/// One that makes a file. Each function says what is wrong and returns false.
typedef struct export_writer {
    bool (*open)(void* memory, const char* path, sn_recording* recording, unsigned what);
    /// Samples that follow are of this model.
    bool (*begin_era)(void* memory, const sn_model* model, const sn_sample* first);
    /// poses: EXPORT_POSE_NUMBERS of each body; NULL: not wanted.
    bool (*sample)(void* memory, const sn_sample* sample, const double* poses);
    bool (*input)(void* memory, const export_input* input);
    bool (*meters)(void* memory, const sn_meters* meters);
    /// Ends it; `good`: the file takes its place, else it is removed.
    bool (*close)(void* memory, bool good);
    void* memory;
} export_writer;

/// Free `memory` with free after close.
export_writer export_csv_writer(void);
/// memory NULL: this program was built without HDF5.
export_writer export_hdf5_writer(void);

#endif
