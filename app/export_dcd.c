// SPDX-License-Identifier: Apache-2.0
/// A trajectory as a DCD file, as CHARMM, NAMD and VMD have them: places of atoms only, beside a structure, such as
/// the PDB file of another export.
/// Little-endian, no unit cell; every record is between two copies of its length.
#include <stdlib.h>
#include <string.h>

#include "export.h"
#include "kept_places.h"
#include "memory.h"
#include "output_file.h"

static const double ANGSTROM_PER_NM = 10;
static const double PS_PER_AKMA =
    0.0488882129; // the unit of time in which 1 kcal/mol is 1 u A^2/AKMA^2
enum { CONTROLS = 20, TITLE = 80 };

typedef struct dcd_export {
    output_file file;
    kept_places kept;
    double step; ///< ps
    uint64_t first, last;
    uint32_t frames;
    int32_t count; ///< of atoms
    float* row;
} dcd_export;

static void write_record(FILE* out, const void* bytes, size_t size) {
    uint32_t length = (uint32_t)size;
    fwrite(&length, sizeof length, 1, out);
    fwrite(bytes, 1, size, out);
    fwrite(&length, sizeof length, 1, out);
}

/// Written again at the end, when everything is known.
static void write_head(const dcd_export* e) {
    struct {
        char magic[4];
        int32_t control[CONTROLS];
    } head = {{'C', 'O', 'R', 'D'}, {0}};
    struct {
        int32_t count;
        char text[TITLE];
    } title = {1, "Created by sinew export"};
    uint64_t every = e->frames > 1 ? (e->last - e->first) / (e->frames - 1) : 1;
    float delta = (float)(e->step / PS_PER_AKMA);
    head.control[0] = (int32_t)e->frames;
    head.control[1] = (int32_t)e->first;
    head.control[2] = (int32_t)(every > 0 ? every : 1);
    head.control[3] = (int32_t)(e->last - e->first);
    memcpy(&head.control[9], &delta, sizeof delta);
    head.control[19] = 24; // as CHARMM 24 and later
    write_record(e->file.stream, &head, sizeof head);
    write_record(e->file.stream, &title, sizeof title);
    write_record(e->file.stream, &e->count, sizeof e->count);
}

static bool open_file(void* memory, const char* path, sn_recording* recording, unsigned what) {
    dcd_export* e = memory;
    (void)what; // there is nothing but atoms
    e->step = sn_recording_ask(recording).step;
    return output_open(&e->file, path);
}

static bool begin_era(void* memory, const sn_model* model, const sn_sample* first) {
    (void)memory, (void)model, (void)first; // who is there does not change
    return true;
}

static bool sample(void* memory, const export_frame* frame) {
    dcd_export* e = memory;
    int count = frame->atoms->count;
    const sn_vec3* p = kept_places_take(&e->kept, frame->atoms);
    if (e->frames == 0) {
        e->first = frame->sample->step;
        e->row = memory_take((size_t)count, sizeof *e->row);
        e->count = count;
        write_head(e);
    }
    e->last = frame->sample->step;
    e->frames++;
    for (int axis = 0; axis < 3; axis++) {
        for (int i = 0; i < count; i++) {
            const double at[3] = {p[i].x, p[i].y, p[i].z};
            e->row[i] = (float)(ANGSTROM_PER_NM * at[axis]);
        }
        write_record(e->file.stream, e->row, (size_t)count * sizeof *e->row);
    }
    return !ferror(e->file.stream); // the reason is said when it is closed
}

static bool close_file(void* memory, bool good) {
    dcd_export* e = memory;
    bool done = good;
    if (e->file.stream && !good && !ferror(e->file.stream)) {
        output_discard(&e->file);
        done = true;
    } else if (e->file.stream) {
        if (e->frames > 0 && fseek(e->file.stream, 0, SEEK_SET) == 0) write_head(e);
        done = output_commit(&e->file);
    }
    kept_places_free(&e->kept);
    free(e->row);
    return done;
}

export_writer export_dcd_writer(void) {
    return (export_writer){.open = open_file,
                           .begin_era = begin_era,
                           .sample = sample,
                           .close = close_file,
                           .memory = memory_take(1, sizeof(dcd_export))};
}
