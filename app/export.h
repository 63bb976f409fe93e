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
    EXPORT_METERS = 64,
    EXPORT_ATOMS = 128
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

/// Atoms of all molecules of a recording, one after the other.
typedef struct export_atoms {
    int count;
    const sn_vec3 *p, *v;        ///< [count] nm, nm/ps; NAN: the molecule is not there
    sn_forcefield_energy energy; ///< kJ/mol, of all together
    double kinetic;              ///< kJ/mol, of the whole world
    double temperature;          ///< K, of all its degrees of freedom
} export_atoms;

/// A sample with what was computed of it.
typedef struct export_frame {
    const sn_sample* sample;
    const double* poses;       ///< EXPORT_POSE_NUMBERS of each body; NULL: not wanted
    const export_atoms* atoms; ///< NULL: not wanted, or there are none
} export_frame;

/// One that makes a file. Each function says what is wrong and returns false.
typedef struct export_writer {
    bool (*open)(void* memory, const char* path, sn_recording* recording, unsigned what);
    /// Samples that follow are of this model.
    bool (*begin_era)(void* memory, const sn_model* model, const sn_sample* first);
    bool (*sample)(void* memory, const export_frame* frame);
    bool (*input)(void* memory, const export_input* input);
    bool (*meters)(void* memory, const sn_meters* meters);
    /// Ends it; `good`: the file takes its place, else it is removed.
    bool (*close)(void* memory, bool good);
    void* memory;
} export_writer;

/// Free `memory` with free after close. NULL members: such writers want nothing of it.
export_writer export_csv_writer(void);
/// memory NULL: this program was built without HDF5.
export_writer export_hdf5_writer(void);
/// Trajectories of atoms.
export_writer export_pdb_writer(void);
export_writer export_dcd_writer(void);

#endif
