// SPDX-License-Identifier: Apache-2.0
#include "hdf5_file.h"

#ifdef SN_HDF5

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"
#include "message.h"

enum { CHUNK_BYTES = 1 << 16, CHUNK_ROWS = 4096, DEFLATE_LEVEL = 4 };

// ---- trouble ------------------------------------------------------------------------------------------

static herr_t keep_reason(unsigned depth, const H5E_error2_t* entry, void* context) {
    (void)depth;
    snprintf(context, 200, "%s", entry->desc ? entry->desc : "");
    return 0;
}

/// Says the innermost reason of the library, once.
static bool fail(hdf5_file* f) {
    char reason[200] = "";
    H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, keep_reason, reason);
    if (!f->failed)
        message_error("%s: cannot be written (%s); is there room, and may you write there?",
                      f->path, reason);
    f->failed = true;
    return false;
}

bool hdf5_worked(hdf5_file* f, long long result) { return result >= 0 || fail(f); }

// ---- the file -----------------------------------------------------------------------------------------

bool hdf5_open(hdf5_file* f, const char* path) {
    H5dont_atexit(); // everything is closed here; what cannot be would be tried again, and crash
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL); // it is us who speak
    f->path = memory_copy(path);
    f->temporary = memory_text("%s.tmp", path);
    f->id = H5Fcreate(f->temporary, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    return hdf5_worked(f, f->id);
}

bool hdf5_close(hdf5_file* f, bool good) {
    if (f->id >= 0) good &= hdf5_worked(f, H5Fclose(f->id));
    if (good && rename(f->temporary, f->path) != 0) {
        message_error("%s: cannot be written (%s)", f->path, strerror(errno));
        good = false;
    }
    if (!good) remove(f->temporary);
    free(f->path);
    free(f->temporary);
    return good;
}

hid_t hdf5_group(hdf5_file* f, hid_t where, const char* name) {
    hid_t links = H5Pcreate(H5P_LINK_CREATE);
    H5Pset_create_intermediate_group(links, 1);
    hid_t group = H5Gcreate2(where, name, links, H5P_DEFAULT, H5P_DEFAULT);
    H5Pclose(links);
    hdf5_worked(f, group);
    return group;
}

// ---- columns ------------------------------------------------------------------------------------------

static hid_t chunked(const hdf5_column* c) {
    hsize_t chunk[HDF5_RANK_MOST];
    memcpy(chunk, c->size, sizeof chunk);
    chunk[0] = c->most;
    hid_t properties = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_chunk(properties, c->rank, chunk);
    if (H5Zfilter_avail(H5Z_FILTER_DEFLATE) > 0) {
        H5Pset_shuffle(properties);
        H5Pset_deflate(properties, DEFLATE_LEVEL);
    }
    return properties;
}

/// width, depth: numbers in a row; 0: the row is one number.
bool hdf5_column_open(hdf5_file* f, hdf5_column* c, hid_t where, const char* name, hid_t type,
                      int width, int depth) {
    *c = (hdf5_column){.type = type, .size = {0, (hsize_t)width, (hsize_t)depth}};
    c->rank = depth ? 3 : width ? 2 : 1;
    c->row_bytes = H5Tget_size(type) * (size_t)(width ? width : 1) * (size_t)(depth ? depth : 1);
    size_t rows = CHUNK_BYTES / c->row_bytes;
    c->most = rows < 1 ? 1 : rows > CHUNK_ROWS ? CHUNK_ROWS : rows;
    c->buffer = memory_take(c->most, c->row_bytes);
    hsize_t most[HDF5_RANK_MOST];
    memcpy(most, c->size, sizeof most);
    most[0] = H5S_UNLIMITED;
    hid_t space = H5Screate_simple(c->rank, c->size, most), properties = chunked(c);
    c->set = H5Dcreate2(where, name, type, space, H5P_DEFAULT, properties, H5P_DEFAULT);
    H5Pclose(properties);
    H5Sclose(space);
    return hdf5_worked(f, c->set);
}

static bool column_flush(hdf5_file* f, hdf5_column* c) {
    if (c->kept == 0) return true;
    hsize_t start[HDF5_RANK_MOST] = {c->rows}, whole[HDF5_RANK_MOST], part[HDF5_RANK_MOST];
    memcpy(whole, c->size, sizeof whole);
    memcpy(part, c->size, sizeof part);
    whole[0] = c->rows + c->kept;
    part[0] = c->kept;
    if (!hdf5_worked(f, H5Dset_extent(c->set, whole))) return false;
    hid_t in_file = H5Dget_space(c->set), in_memory = H5Screate_simple(c->rank, part, NULL);
    H5Sselect_hyperslab(in_file, H5S_SELECT_SET, start, NULL, part, NULL);
    bool good =
        hdf5_worked(f, H5Dwrite(c->set, c->type, in_memory, in_file, H5P_DEFAULT, c->buffer));
    H5Sclose(in_file);
    H5Sclose(in_memory);
    c->rows = whole[0];
    c->kept = 0;
    return good;
}

bool hdf5_column_add(hdf5_file* f, hdf5_column* c, const void* row) {
    if (!c->buffer) return true; // not wanted
    if (c->row_bytes > 0) memcpy(c->buffer + c->kept * c->row_bytes, row, c->row_bytes);
    return ++c->kept < c->most || column_flush(f, c);
}

bool hdf5_column_close(hdf5_file* f, hdf5_column* c) {
    if (!c->buffer) return true;
    bool good = (f->failed || column_flush(f, c)) && !f->failed;
    if (c->set >= 0) good &= hdf5_worked(f, H5Dclose(c->set));
    free(c->buffer);
    *c = (hdf5_column){0};
    return good;
}

// ---- texts and attributes -----------------------------------------------------------------------------

hid_t hdf5_text_type(void) {
    hid_t type = H5Tcopy(H5T_C_S1);
    H5Tset_size(type, H5T_VARIABLE);
    H5Tset_cset(type, H5T_CSET_UTF8);
    return type;
}

void hdf5_put_attribute(hdf5_file* f, hid_t where, const char* name, hid_t type,
                        const void* value) {
    hid_t space = H5Screate(H5S_SCALAR);
    hid_t attribute = H5Acreate2(where, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
    if (hdf5_worked(f, attribute)) hdf5_worked(f, H5Awrite(attribute, type, value));
    H5Aclose(attribute);
    H5Sclose(space);
}

void hdf5_put_text(hdf5_file* f, hid_t where, const char* name, const char* text) {
    hid_t type = hdf5_text_type();
    hdf5_put_attribute(f, where, name, type, &text);
    H5Tclose(type);
}

void hdf5_put_count(hdf5_file* f, hid_t where, const char* name, uint64_t count) {
    hdf5_put_attribute(f, where, name, H5T_NATIVE_UINT64, &count);
}

/// Under a name that ends with its unit: "mass_kg".
void hdf5_put_unit(hdf5_file* f, hid_t where, const char* name, sn_unit unit, double number) {
    char whole[64];
    snprintf(whole, sizeof whole, "%s_%s", name, unit.symbol);
    hdf5_put_attribute(f, where, whole, H5T_NATIVE_DOUBLE, &number);
}

/// A dataset of `count` values; -1: one alone, no list.
void hdf5_put_list(hdf5_file* f, hid_t where, const char* name, hid_t type, const void* values,
                   int count, int width) {
    hsize_t size[2] = {(hsize_t)count, (hsize_t)width};
    hid_t space =
        count < 0 ? H5Screate(H5S_SCALAR) : H5Screate_simple(width > 1 ? 2 : 1, size, NULL);
    hid_t set = H5Dcreate2(where, name, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    if (hdf5_worked(f, set) && count != 0)
        hdf5_worked(f, H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values));
    H5Dclose(set);
    H5Sclose(space);
}

void hdf5_put_texts(hdf5_file* f, hid_t where, const char* name, char** texts, int count) {
    hid_t type = hdf5_text_type();
    hdf5_put_list(f, where, name, type, texts, count, 1);
    H5Tclose(type);
    for (int k = 0; k < count; k++) free(texts[k]);
    free(texts);
}

#endif
