// SPDX-License-Identifier: Apache-2.0
/// An HDF5 file that is being written: beside its place, and moved there at the end. Columns grow row by row in
/// compressed chunks. What goes wrong is said once; everything after it does nothing.
#ifndef SINEW_APP_HDF5_FILE_H
#define SINEW_APP_HDF5_FILE_H
#ifdef SN_HDF5

#include <hdf5.h>
#include <stdbool.h>

#include "sinew/units.h"

enum { HDF5_RANK_MOST = 3 };

/// Start from {0}.
typedef struct hdf5_file {
    hid_t id; ///< negative: none
    char *path, *temporary;
    bool failed;
} hdf5_file;

bool hdf5_open(hdf5_file* f, const char* path);
/// Ends it; `good`: the file takes its place, else it is removed. Whether it is there.
bool hdf5_close(hdf5_file* f, bool good);
/// False, with the reason said once, when a call of the library has failed.
bool hdf5_worked(hdf5_file* f, long long result);
/// A group, to be closed by H5Gclose; with the groups above it.
hid_t hdf5_group(hdf5_file* f, hid_t where, const char* name);

/// A dataset that grows by rows.
typedef struct hdf5_column {
    hid_t set, type;
    hsize_t rows;                 ///< written
    hsize_t size[HDF5_RANK_MOST]; ///< of a row; size[0] counts rows
    int rank;
    size_t row_bytes;
    size_t kept, most; ///< rows in the buffer, and that fit
    char* buffer;
} hdf5_column;

/// width, depth: numbers in a row; 0: the row is one number.
bool hdf5_column_open(hdf5_file* f, hdf5_column* c, hid_t where, const char* name, hid_t type,
                      int width, int depth);
/// Nothing where the column is not open.
bool hdf5_column_add(hdf5_file* f, hdf5_column* c, const void* row);
bool hdf5_column_close(hdf5_file* f, hdf5_column* c);

/// Attributes.
void hdf5_put_attribute(hdf5_file* f, hid_t where, const char* name, hid_t type, const void* value);
void hdf5_put_text(hdf5_file* f, hid_t where, const char* name, const char* text);
void hdf5_put_count(hdf5_file* f, hid_t where, const char* name, uint64_t count);
/// Under a name that ends with its unit: "mass_kg".
void hdf5_put_unit(hdf5_file* f, hid_t where, const char* name, sn_unit unit, double number);

/// Datasets: of `count` values in rows of `width`; count -1: one alone, no list.
void hdf5_put_list(hdf5_file* f, hid_t where, const char* name, hid_t type, const void* values,
                   int count, int width);
/// Frees the texts and their list.
void hdf5_put_texts(hdf5_file* f, hid_t where, const char* name, char** texts, int count);
/// Of texts of any length; to be closed by H5Tclose.
hid_t hdf5_text_type(void);

#endif
#endif
