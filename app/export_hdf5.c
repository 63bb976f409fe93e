// SPDX-License-Identifier: Apache-2.0
/// HDF5: datasets that grow, row by row, in compressed chunks; a group for each model. Written beside its place and
/// moved there at the end.
#include "export.h"

#ifdef SN_HDF5

#include <errno.h>
#include <hdf5.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "coordinates.h"
#include "memory.h"
#include "message.h"
#include "recording_argument.h"
#include "sinew/session.h"

enum { CHUNK_BYTES = 1 << 16, CHUNK_ROWS = 4096, DEFLATE_LEVEL = 4, KIND_SIZE = 16, RANK_MOST = 3 };

/// A dataset that grows by rows.
typedef struct column {
    hid_t set, type;
    hsize_t rows;            ///< written
    hsize_t size[RANK_MOST]; ///< of a row; size[0] counts rows
    int rank;
    size_t row_bytes;
    size_t kept, most; ///< rows in the buffer, and that fit
    char* buffer;
} column;

typedef enum which {
    COLUMN_TIME,
    COLUMN_STEP,
    COLUMN_Q,
    COLUMN_V,
    COLUMN_POSES,
    COLUMN_EVENTS,
    COLUMN_CONTACTS,
    COLUMN_DEEPEST,
    COLUMN_RESIDUAL,
    COLUMN_HASH,
    COLUMN_COUNT
} which;

typedef struct hdf5_export {
    sn_recording* recording;
    const sn_units* units;
    char *path, *temporary;
    unsigned what;
    hid_t file; ///< negative: none
    int eras;
    hid_t era;
    column columns[COLUMN_COUNT];
    column* sensors; // [sensor_count]
    int sensor_count;
    column inputs, numbers, meters;
    uint64_t number_count; ///< of all inputs
    bool has_inputs;
    hid_t meters_type; ///< 0: none came
    bool failed;
} hdf5_export;

/// A row of /inputs/table.
typedef struct input_row {
    uint64_t step;
    double time;
    char kind[KIND_SIZE];
    int32_t body;
    uint32_t count;
    uint64_t first;
} input_row;

// ---- trouble ------------------------------------------------------------------------------------------

static herr_t keep_reason(unsigned depth, const H5E_error2_t* entry, void* context) {
    (void)depth;
    snprintf(context, 200, "%s", entry->desc ? entry->desc : "");
    return 0;
}

/// Says the innermost reason of the library, once.
static bool fail(hdf5_export* e) {
    char reason[200] = "";
    H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, keep_reason, reason);
    if (!e->failed)
        message_error("%s: cannot be written (%s); is there room, and may you write there?",
                      e->path, reason);
    e->failed = true;
    return false;
}

static bool worked(hdf5_export* e, long long result) { return result >= 0 || fail(e); }

// ---- columns ------------------------------------------------------------------------------------------

static hid_t chunked(const column* c) {
    hsize_t chunk[RANK_MOST];
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
static bool column_open(hdf5_export* e, column* c, hid_t where, const char* name, hid_t type,
                        int width, int depth) {
    *c = (column){.type = type, .size = {0, (hsize_t)width, (hsize_t)depth}};
    c->rank = depth ? 3 : width ? 2 : 1;
    c->row_bytes = H5Tget_size(type) * (size_t)(width ? width : 1) * (size_t)(depth ? depth : 1);
    size_t rows = CHUNK_BYTES / c->row_bytes;
    c->most = rows < 1 ? 1 : rows > CHUNK_ROWS ? CHUNK_ROWS : rows;
    c->buffer = memory_take(c->most, c->row_bytes);
    hsize_t most[RANK_MOST];
    memcpy(most, c->size, sizeof most);
    most[0] = H5S_UNLIMITED;
    hid_t space = H5Screate_simple(c->rank, c->size, most), properties = chunked(c);
    c->set = H5Dcreate2(where, name, type, space, H5P_DEFAULT, properties, H5P_DEFAULT);
    H5Pclose(properties);
    H5Sclose(space);
    return worked(e, c->set);
}

static bool column_flush(hdf5_export* e, column* c) {
    if (c->kept == 0) return true;
    hsize_t start[RANK_MOST] = {c->rows}, whole[RANK_MOST], part[RANK_MOST];
    memcpy(whole, c->size, sizeof whole);
    memcpy(part, c->size, sizeof part);
    whole[0] = c->rows + c->kept;
    part[0] = c->kept;
    if (!worked(e, H5Dset_extent(c->set, whole))) return false;
    hid_t in_file = H5Dget_space(c->set), in_memory = H5Screate_simple(c->rank, part, NULL);
    H5Sselect_hyperslab(in_file, H5S_SELECT_SET, start, NULL, part, NULL);
    bool good = worked(e, H5Dwrite(c->set, c->type, in_memory, in_file, H5P_DEFAULT, c->buffer));
    H5Sclose(in_file);
    H5Sclose(in_memory);
    c->rows = whole[0];
    c->kept = 0;
    return good;
}

static bool column_add(hdf5_export* e, column* c, const void* row) {
    if (!c->buffer) return true; // not wanted
    if (c->row_bytes > 0) memcpy(c->buffer + c->kept * c->row_bytes, row, c->row_bytes);
    return ++c->kept < c->most || column_flush(e, c);
}

static bool column_close(hdf5_export* e, column* c) {
    if (!c->buffer) return true;
    bool good = (e->failed || column_flush(e, c)) && !e->failed;
    if (c->set >= 0) good &= worked(e, H5Dclose(c->set));
    free(c->buffer);
    *c = (column){0};
    return good;
}

// ---- texts and attributes -----------------------------------------------------------------------------

static hid_t text_type(void) {
    hid_t type = H5Tcopy(H5T_C_S1);
    H5Tset_size(type, H5T_VARIABLE);
    H5Tset_cset(type, H5T_CSET_UTF8);
    return type;
}

static void put_attribute(hdf5_export* e, hid_t where, const char* name, hid_t type,
                          const void* value) {
    hid_t space = H5Screate(H5S_SCALAR);
    hid_t attribute = H5Acreate2(where, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
    if (worked(e, attribute)) worked(e, H5Awrite(attribute, type, value));
    H5Aclose(attribute);
    H5Sclose(space);
}

static void put_text(hdf5_export* e, hid_t where, const char* name, const char* text) {
    hid_t type = text_type();
    put_attribute(e, where, name, type, &text);
    H5Tclose(type);
}

static void put_count(hdf5_export* e, hid_t where, const char* name, uint64_t count) {
    put_attribute(e, where, name, H5T_NATIVE_UINT64, &count);
}

/// Under a name that ends with its unit: "mass_kg".
static void put_unit(hdf5_export* e, hid_t where, const char* name, sn_unit unit, double number) {
    char whole[64];
    snprintf(whole, sizeof whole, "%s_%s", name, unit.symbol);
    put_attribute(e, where, whole, H5T_NATIVE_DOUBLE, &number);
}

/// A dataset of `count` values; -1: one alone, no list.
static void put_list(hdf5_export* e, hid_t where, const char* name, hid_t type, const void* values,
                     int count) {
    hsize_t size = (hsize_t)count;
    hid_t space = count < 0 ? H5Screate(H5S_SCALAR) : H5Screate_simple(1, &size, NULL);
    hid_t set = H5Dcreate2(where, name, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    if (worked(e, set) && count != 0)
        worked(e, H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values));
    H5Dclose(set);
    H5Sclose(space);
}

static void put_texts(hdf5_export* e, hid_t where, const char* name, char** texts, int count) {
    hid_t type = text_type();
    put_list(e, where, name, type, texts, count);
    H5Tclose(type);
    for (int k = 0; k < count; k++) free(texts[k]);
    free(texts);
}

// ---- the file -----------------------------------------------------------------------------------------

static void put_head(hdf5_export* e) {
    sn_recording_info info = sn_recording_ask(e->recording);
    const sn_world_def* world = sn_recording_world(e->recording);
    put_text(e, e->file, "format", "sinew export");
    put_count(e, e->file, "format_version", 1);
    put_text(e, e->file, "build", info.build);
    put_unit(e, e->file, "step", e->units->time, info.step);
    put_count(e, e->file, "first_step", info.first_step);
    put_count(e, e->file, "steps", info.steps);
    put_count(e, e->file, "lost", info.lost);
    put_count(e, e->file, "closed", info.closed);
    put_count(e, e->file, "damaged", info.damaged);
    put_text(e, e->file, "dynamics", world->dynamics ? world->dynamics : "aba");
    put_text(e, e->file, "integrator", sn_integrator_name(world->integrator));
    put_count(e, e->file, "contact", world->contact.on);
    char units[96];
    snprintf(units, sizeof units, "%s: %s, rad, %s, %s, %s", e->units->name,
             e->units->length.symbol, e->units->time.symbol, e->units->mass.symbol,
             e->units->force.symbol);
    put_text(e, e->file, "units", units);
    hid_t type = text_type();
    put_list(e, e->file, "scene", type, &info.scene, -1);
    H5Tclose(type);
}

static bool hdf5_open(void* memory, const char* path, sn_recording* recording, unsigned what) {
    hdf5_export* e = memory;
    H5dont_atexit(); // everything is closed here; what cannot be would be tried again, and crash
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL); // it is us who speak
    e->recording = recording;
    e->units = recording_units(recording);
    e->path = memory_copy(path);
    e->temporary = memory_text("%s.tmp", path);
    e->what = what;
    e->file = H5Fcreate(e->temporary, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    e->era = -1;
    e->sensor_count = sn_recording_ask(recording).sensors;
    e->sensors = memory_take((size_t)e->sensor_count, sizeof *e->sensors);
    if (!worked(e, e->file)) return false;
    put_head(e);
    return !e->failed;
}

// ---- models -------------------------------------------------------------------------------------------

static void put_names(hdf5_export* e, const sn_model* model) {
    int bodies = sn_model_body_count(model), nq = sn_model_nq(model), nv = sn_model_nv(model);
    char** body = memory_take((size_t)bodies, sizeof *body);
    char** joint = memory_take((size_t)bodies, sizeof *joint);
    char** q = memory_take((size_t)nq, sizeof *q);
    char** v = memory_take((size_t)nv, sizeof *v);
    int32_t* parent = memory_take((size_t)bodies, sizeof *parent);
    char name[512];
    for (int i = 0; i < bodies; i++) {
        sn_body_info b = sn_model_body(model, sn_body(i));
        body[i] = memory_copy(b.name);
        joint[i] = memory_copy(b.joint_name);
        parent[i] = b.parent.i;
        for (int k = 0; k < b.nq; k++) {
            coordinates_q_name(&b, k, e->units, name, sizeof name);
            q[b.iq + k] = memory_copy(name);
        }
        for (int k = 0; k < b.nv; k++) {
            coordinates_v_name(&b, k, e->units, name, sizeof name);
            v[b.iv + k] = memory_copy(name);
        }
    }
    put_texts(e, e->era, "body_names", body, bodies);
    put_texts(e, e->era, "joint_names", joint, bodies);
    put_texts(e, e->era, "q_names", q, nq);
    put_texts(e, e->era, "v_names", v, nv);
    put_list(e, e->era, "parents", H5T_NATIVE_INT32, parent, bodies);
    free(parent);
}

/// A name that is a path in the file would make groups; dots take the place of slashes.
static bool open_sensor(hdf5_export* e, hid_t group, int sensor) {
    const char* name = sn_recording_sensor_name(e->recording, sensor);
    char* flat = memory_copy(name);
    for (char* at = flat; *at; at++)
        if (*at == '/') *at = '.';
    if (!flat[0] || strcmp(flat, ".") == 0 || H5Lexists(group, flat, H5P_DEFAULT) > 0) {
        free(flat);
        flat = memory_text("sensor_%d", sensor);
    }
    column* c = &e->sensors[sensor];
    bool good = column_open(e, c, group, flat, H5T_NATIVE_DOUBLE,
                            sn_recording_sensor_numbers(e->recording, sensor), 0);
    if (good) put_text(e, c->set, "name", name);
    free(flat);
    return good;
}

static bool open_sensors(hdf5_export* e) {
    if (!(e->what & EXPORT_SENSORS) || e->sensor_count == 0) return true;
    hid_t group = H5Gcreate2(e->era, "sensors", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    bool good = worked(e, group);
    for (int k = 0; k < e->sensor_count && good; k++) good = open_sensor(e, group, k);
    H5Gclose(group);
    return good;
}

static bool open_columns(hdf5_export* e, const sn_model* model) {
    const hid_t real = H5T_NATIVE_DOUBLE, count = H5T_NATIVE_UINT64;
    const sn_units* u = e->units;
    char of_q[64], of_v[64], of_poses[64];
    snprintf(of_q, sizeof of_q, "%s, rad; see q_names", u->length.symbol);
    snprintf(of_v, sizeof of_v, "%s, %s; see v_names", u->speed.symbol, u->turning.symbol);
    snprintf(of_poses, sizeof of_poses, "%s; quaternion w, x, y, z", u->length.symbol);
    const struct {
        which column;
        const char *name, *unit;
        hid_t type;
        int width, depth;
        unsigned part; ///< of what is wanted; 0: always
    } list[] = {
        {COLUMN_TIME, "time", u->time.symbol, real, 0, 0, 0},
        {COLUMN_STEP, "step", "1", count, 0, 0, 0},
        {COLUMN_Q, "q", of_q, real, sn_model_nq(model), 0, EXPORT_Q},
        {COLUMN_V, "v", of_v, real, sn_model_nv(model), 0, EXPORT_V},
        {COLUMN_POSES, "poses", of_poses, real, sn_model_body_count(model), EXPORT_POSE_NUMBERS,
         EXPORT_POSES},
        {COLUMN_EVENTS, "events", "bits of sn_event", H5T_NATIVE_UINT32, 0, 0, 0},
        {COLUMN_CONTACTS, "contacts", "1", H5T_NATIVE_INT32, 0, 0, EXPORT_CONTACT},
        {COLUMN_DEEPEST, "deepest", u->length.symbol, real, 0, 0, EXPORT_CONTACT},
        {COLUMN_RESIDUAL, "residual", "1", real, 0, 0, EXPORT_CONTACT},
        {COLUMN_HASH, "hash", "of time, q and v", count, 0, 0, 0},
    };
    for (size_t k = 0; k < sizeof list / sizeof *list; k++) {
        bool states = list[k].part & (EXPORT_Q | EXPORT_V | EXPORT_POSES);
        if (list[k].part && !(e->what & list[k].part)) continue;
        if (states && list[k].width == 0) continue; // nothing moves
        column* c = &e->columns[list[k].column];
        if (!column_open(e, c, e->era, list[k].name, list[k].type, list[k].width, list[k].depth))
            return false;
        put_text(e, c->set, "unit", list[k].unit);
    }
    return open_sensors(e);
}

static bool end_era(hdf5_export* e) {
    bool good = true;
    for (int k = 0; k < COLUMN_COUNT; k++) good &= column_close(e, &e->columns[k]);
    for (int k = 0; k < e->sensor_count; k++) good &= column_close(e, &e->sensors[k]);
    if (e->era >= 0) H5Gclose(e->era);
    e->era = -1;
    return good;
}

static bool hdf5_begin_era(void* memory, const sn_model* model, const sn_sample* first) {
    hdf5_export* e = memory;
    char name[32];
    if (!end_era(e)) return false;
    snprintf(name, sizeof name, "era_%03d", e->eras++);
    e->era = H5Gcreate2(e->file, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    if (!worked(e, e->era)) return false;
    put_text(e, e->era, "model", sn_model_name(model));
    put_count(e, e->era, "first_step", first->step);
    put_unit(e, e->era, "mass", e->units->mass, sn_model_mass(model));
    put_names(e, model);
    return !e->failed && open_columns(e, model);
}

// ---- rows ---------------------------------------------------------------------------------------------

static bool hdf5_sample(void* memory, const sn_sample* s, const double* poses) {
    hdf5_export* e = memory;
    uint32_t events = s->events;
    const void* rows[COLUMN_COUNT] = {
        [COLUMN_TIME] = &s->time,
        [COLUMN_STEP] = &s->step,
        [COLUMN_Q] = s->q,
        [COLUMN_V] = s->v,
        [COLUMN_POSES] = poses,
        [COLUMN_EVENTS] = &events,
        [COLUMN_CONTACTS] = &s->contacts,
        [COLUMN_DEEPEST] = &s->deepest,
        [COLUMN_RESIDUAL] = &s->residual,
        [COLUMN_HASH] = &s->hash,
    };
    for (int k = 0; k < COLUMN_COUNT; k++)
        if (!column_add(e, &e->columns[k], rows[k])) return false;
    const double* numbers = s->sensors;
    for (int k = 0; k < e->sensor_count; k++) {
        if (!column_add(e, &e->sensors[k], numbers)) return false;
        numbers += sn_recording_sensor_numbers(e->recording, k);
    }
    return true;
}

static hid_t input_type(void) {
    hid_t kind = H5Tcopy(H5T_C_S1), type = H5Tcreate(H5T_COMPOUND, sizeof(input_row));
    H5Tset_size(kind, KIND_SIZE);
    H5Tinsert(type, "step", HOFFSET(input_row, step), H5T_NATIVE_UINT64);
    H5Tinsert(type, "time", HOFFSET(input_row, time), H5T_NATIVE_DOUBLE);
    H5Tinsert(type, "kind", HOFFSET(input_row, kind), kind);
    H5Tinsert(type, "body", HOFFSET(input_row, body), H5T_NATIVE_INT32);
    H5Tinsert(type, "count", HOFFSET(input_row, count), H5T_NATIVE_UINT32);
    H5Tinsert(type, "first", HOFFSET(input_row, first), H5T_NATIVE_UINT64);
    H5Tclose(kind);
    return type;
}

static bool open_inputs(hdf5_export* e) {
    hid_t group = H5Gcreate2(e->file, "inputs", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    e->has_inputs = true;
    bool good = worked(e, group) &&
                column_open(e, &e->inputs, group, "table", input_type(), 0, 0) &&
                column_open(e, &e->numbers, group, "numbers", H5T_NATIVE_DOUBLE, 0, 0);
    H5Gclose(group);
    return good;
}

static bool hdf5_input(void* memory, const export_input* input) {
    hdf5_export* e = memory;
    if (!e->has_inputs && !open_inputs(e)) return false;
    input_row row = {.step = input->step,
                     .time = input->time,
                     .body = input->body,
                     .count = (uint32_t)input->count,
                     .first = e->number_count};
    snprintf(row.kind, sizeof row.kind, "%s", input->kind);
    bool good = column_add(e, &e->inputs, &row);
    for (int k = 0; k < input->count && good; k++)
        good = column_add(e, &e->numbers, &input->numbers[k]);
    e->number_count += (uint64_t)input->count;
    return good;
}

/// A row of meters; the table has a part of it.
typedef struct meters_row {
    sn_meters all;
    double rate;
    char loop[KIND_SIZE], hand[KIND_SIZE * 4];
} meters_row;

static hid_t text_of(size_t size) {
    hid_t type = H5Tcopy(H5T_C_S1);
    H5Tset_size(type, size);
    return type;
}

static hid_t counts_of(hsize_t count) { return H5Tarray_create2(H5T_NATIVE_UINT64, 1, &count); }

static hid_t meters_type(void) {
    hid_t loop = text_of(KIND_SIZE), hand = text_of(sizeof(((meters_row*)0)->hand));
    hid_t bins = counts_of(SN_JITTER_BINS), elements = counts_of(SN_SAFETY_ELEMENTS);
    const hid_t count = H5T_NATIVE_UINT64, ns = H5T_NATIVE_INT64, real = H5T_NATIVE_DOUBLE;
    const struct {
        const char* name;
        size_t place;
        hid_t type;
    } list[] = {
        {"step", HOFFSET(meters_row, all.step), count},
        {"time", HOFFSET(meters_row, all.time), real},
        {"loop", HOFFSET(meters_row, loop), loop},
        {"hand", HOFFSET(meters_row, hand), hand},
        {"ticks", HOFFSET(meters_row, all.meter.ticks), count},
        {"rate_hz", HOFFSET(meters_row, rate), real},
        {"late", HOFFSET(meters_row, all.meter.late), count},
        {"worst_ns", HOFFSET(meters_row, all.meter.worst_ns), ns},
        {"jitter", HOFFSET(meters_row, all.meter.jitter), bins},
        {"latencies", HOFFSET(meters_row, all.latency.count), count},
        {"latency_sum_ns", HOFFSET(meters_row, all.latency.sum_ns), ns},
        {"latency_worst_ns", HOFFSET(meters_row, all.latency.worst_ns), ns},
        {"latency", HOFFSET(meters_row, all.latency.below), bins},
        {"energy", HOFFSET(meters_row, all.safety.energy), real},
        {"energy_least", HOFFSET(meters_row, all.safety.energy_least), real},
        {"max_force", HOFFSET(meters_row, all.safety.max_force), real},
        {"max_force_step", HOFFSET(meters_row, all.safety.max_force_step), real},
        {"trips", HOFFSET(meters_row, all.safety.trips), count},
        {"last_trip", HOFFSET(meters_row, all.safety.last_trip), H5T_NATIVE_UINT},
        {"acted", HOFFSET(meters_row, all.safety.count), elements},
    };
    hid_t type = H5Tcreate(H5T_COMPOUND, sizeof(meters_row));
    for (size_t k = 0; k < sizeof list / sizeof *list; k++)
        H5Tinsert(type, list[k].name, list[k].place, list[k].type);
    H5Tclose(loop);
    H5Tclose(hand);
    H5Tclose(bins);
    H5Tclose(elements);
    return type;
}

static bool open_meters(hdf5_export* e) {
    e->meters_type = meters_type();
    hid_t group = H5Gcreate2(e->file, "meters", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    bool good =
        worked(e, group) && column_open(e, &e->meters, group, "table", e->meters_type, 0, 0);
    char** acted = memory_take(SN_SAFETY_ELEMENTS, sizeof *acted);
    char** causes = memory_take(SN_CAUSES, sizeof *causes);
    for (int k = 0; k < SN_SAFETY_ELEMENTS; k++)
        acted[k] = memory_copy(sn_safety_element_text((sn_safety_element)k));
    for (int k = 0; k < SN_CAUSES; k++)
        causes[k] = memory_copy(sn_safety_cause_text((sn_safety_cause)k));
    put_texts(e, group, "acted_names", acted, SN_SAFETY_ELEMENTS);
    put_texts(e, group, "trip_names", causes, SN_CAUSES);
    H5Gclose(group);
    return good;
}

static bool hdf5_meters(void* memory, const sn_meters* meters) {
    hdf5_export* e = memory;
    if (!e->meters_type && !open_meters(e)) return false;
    meters_row row;
    memset(&row, 0, sizeof row);
    row.all = *meters;
    row.rate = sn_loop_rate(&meters->meter);
    snprintf(row.loop, sizeof row.loop, "%s", sn_loop_name(meters->loop));
    snprintf(row.hand, sizeof row.hand, "%s", meters->hand);
    return column_add(e, &e->meters, &row);
}

static bool hdf5_close(void* memory, bool good) {
    hdf5_export* e = memory;
    hid_t type = e->inputs.type;
    good &= end_era(e);
    good &= column_close(e, &e->inputs);
    good &= column_close(e, &e->numbers);
    good &= column_close(e, &e->meters);
    if (e->meters_type) H5Tclose(e->meters_type);
    if (e->has_inputs) H5Tclose(type);
    if (e->file >= 0) good &= worked(e, H5Fclose(e->file));
    if (good && rename(e->temporary, e->path) != 0) {
        message_error("%s: cannot be written (%s)", e->path, strerror(errno));
        good = false;
    }
    if (!good) remove(e->temporary);
    free(e->sensors);
    free(e->path);
    free(e->temporary);
    return good;
}

export_writer export_hdf5_writer(void) {
    return (export_writer){hdf5_open,
                           hdf5_begin_era,
                           hdf5_sample,
                           hdf5_input,
                           hdf5_meters,
                           hdf5_close,
                           memory_take(1, sizeof(hdf5_export))};
}

#else

export_writer export_hdf5_writer(void) { return (export_writer){0}; }

#endif
