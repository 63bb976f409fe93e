// SPDX-License-Identifier: Apache-2.0
/// HDF5: a group for each model, with a dataset for each thing that is sampled.
#include "export.h"

#ifdef SN_HDF5

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "coordinates.h"
#include "export_h5md.h"
#include "hdf5_file.h"
#include "memory.h"
#include "recording_argument.h"
#include "sinew/session.h"

enum { KIND_SIZE = 16 };

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
    unsigned what;
    hdf5_file file;
    export_h5md* h5md; ///< NULL: no molecules
    int eras;
    hid_t era;
    hdf5_column columns[COLUMN_COUNT];
    hdf5_column* sensors; // [sensor_count]
    int sensor_count;
    hdf5_column inputs, numbers, meters;
    uint64_t number_count; ///< of all inputs
    bool has_inputs;
    hid_t meters_type; ///< 0: none came
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

// ---- the file -----------------------------------------------------------------------------------------

static void put_head(hdf5_export* e) {
    sn_recording_info info = sn_recording_ask(e->recording);
    const sn_world_def* world = sn_recording_world(e->recording);
    hdf5_put_text(&e->file, e->file.id, "format", "sinew export");
    hdf5_put_count(&e->file, e->file.id, "format_version", 1);
    hdf5_put_text(&e->file, e->file.id, "build", info.build);
    hdf5_put_unit(&e->file, e->file.id, "step", e->units->time, info.step);
    hdf5_put_count(&e->file, e->file.id, "first_step", info.first_step);
    hdf5_put_count(&e->file, e->file.id, "steps", info.steps);
    hdf5_put_count(&e->file, e->file.id, "lost", info.lost);
    hdf5_put_count(&e->file, e->file.id, "closed", info.closed);
    hdf5_put_count(&e->file, e->file.id, "damaged", info.damaged);
    hdf5_put_text(&e->file, e->file.id, "dynamics", world->dynamics ? world->dynamics : "aba");
    hdf5_put_text(&e->file, e->file.id, "integrator", sn_integrator_name(world->integrator));
    hdf5_put_count(&e->file, e->file.id, "contact", world->contact.on);
    char units[96];
    snprintf(units, sizeof units, "%s: %s, rad, %s, %s, %s", e->units->name,
             e->units->length.symbol, e->units->time.symbol, e->units->mass.symbol,
             e->units->force.symbol);
    hdf5_put_text(&e->file, e->file.id, "units", units);
    hid_t type = hdf5_text_type();
    hdf5_put_list(&e->file, e->file.id, "scene", type, &info.scene, -1, 1);
    H5Tclose(type);
}

static bool open_file(void* memory, const char* path, sn_recording* recording, unsigned what) {
    hdf5_export* e = memory;
    e->recording = recording;
    e->units = recording_units(recording);
    e->what = what;
    e->era = -1;
    e->sensor_count = sn_recording_ask(recording).sensors;
    e->sensors = memory_take((size_t)e->sensor_count, sizeof *e->sensors);
    if (!hdf5_open(&e->file, path)) return false;
    put_head(e);
    e->h5md = export_h5md_open(&e->file, recording, what);
    return !e->file.failed;
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
    hdf5_put_texts(&e->file, e->era, "body_names", body, bodies);
    hdf5_put_texts(&e->file, e->era, "joint_names", joint, bodies);
    hdf5_put_texts(&e->file, e->era, "q_names", q, nq);
    hdf5_put_texts(&e->file, e->era, "v_names", v, nv);
    hdf5_put_list(&e->file, e->era, "parents", H5T_NATIVE_INT32, parent, bodies, 1);
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
    hdf5_column* c = &e->sensors[sensor];
    bool good = hdf5_column_open(&e->file, c, group, flat, H5T_NATIVE_DOUBLE,
                                 sn_recording_sensor_numbers(e->recording, sensor), 0);
    if (good) hdf5_put_text(&e->file, c->set, "name", name);
    free(flat);
    return good;
}

static bool open_sensors(hdf5_export* e) {
    if (!(e->what & EXPORT_SENSORS) || e->sensor_count == 0) return true;
    hid_t group = H5Gcreate2(e->era, "sensors", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    bool good = hdf5_worked(&e->file, group);
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
        hdf5_column* c = &e->columns[list[k].column];
        if (!hdf5_column_open(&e->file, c, e->era, list[k].name, list[k].type, list[k].width,
                              list[k].depth))
            return false;
        hdf5_put_text(&e->file, c->set, "unit", list[k].unit);
    }
    return open_sensors(e);
}

static bool end_era(hdf5_export* e) {
    bool good = true;
    for (int k = 0; k < COLUMN_COUNT; k++) good &= hdf5_column_close(&e->file, &e->columns[k]);
    for (int k = 0; k < e->sensor_count; k++) good &= hdf5_column_close(&e->file, &e->sensors[k]);
    if (e->era >= 0) H5Gclose(e->era);
    e->era = -1;
    return good;
}

static bool hdf5_begin_era(void* memory, const sn_model* model, const sn_sample* first) {
    hdf5_export* e = memory;
    char name[32];
    if (!end_era(e)) return false;
    snprintf(name, sizeof name, "era_%03d", e->eras++);
    e->era = H5Gcreate2(e->file.id, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    if (!hdf5_worked(&e->file, e->era)) return false;
    hdf5_put_text(&e->file, e->era, "model", sn_model_name(model));
    hdf5_put_count(&e->file, e->era, "first_step", first->step);
    hdf5_put_unit(&e->file, e->era, "mass", e->units->mass, sn_model_mass(model));
    put_names(e, model);
    return !e->file.failed && open_columns(e, model);
}

// ---- rows ---------------------------------------------------------------------------------------------

static bool hdf5_sample(void* memory, const export_frame* frame) {
    hdf5_export* e = memory;
    const sn_sample* s = frame->sample;
    uint32_t events = s->events;
    const void* rows[COLUMN_COUNT] = {
        [COLUMN_TIME] = &s->time,
        [COLUMN_STEP] = &s->step,
        [COLUMN_Q] = s->q,
        [COLUMN_V] = s->v,
        [COLUMN_POSES] = frame->poses,
        [COLUMN_EVENTS] = &events,
        [COLUMN_CONTACTS] = &s->contacts,
        [COLUMN_DEEPEST] = &s->deepest,
        [COLUMN_RESIDUAL] = &s->residual,
        [COLUMN_HASH] = &s->hash,
    };
    for (int k = 0; k < COLUMN_COUNT; k++)
        if (!hdf5_column_add(&e->file, &e->columns[k], rows[k])) return false;
    const double* numbers = s->sensors;
    for (int k = 0; k < e->sensor_count; k++) {
        if (!hdf5_column_add(&e->file, &e->sensors[k], numbers)) return false;
        numbers += sn_recording_sensor_numbers(e->recording, k);
    }
    return export_h5md_add(e->h5md, frame);
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
    hid_t group = H5Gcreate2(e->file.id, "inputs", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    e->has_inputs = true;
    bool good = hdf5_worked(&e->file, group) &&
                hdf5_column_open(&e->file, &e->inputs, group, "table", input_type(), 0, 0) &&
                hdf5_column_open(&e->file, &e->numbers, group, "numbers", H5T_NATIVE_DOUBLE, 0, 0);
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
    bool good = hdf5_column_add(&e->file, &e->inputs, &row);
    for (int k = 0; k < input->count && good; k++)
        good = hdf5_column_add(&e->file, &e->numbers, &input->numbers[k]);
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
    hid_t group = H5Gcreate2(e->file.id, "meters", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    bool good = hdf5_worked(&e->file, group) &&
                hdf5_column_open(&e->file, &e->meters, group, "table", e->meters_type, 0, 0);
    char** acted = memory_take(SN_SAFETY_ELEMENTS, sizeof *acted);
    char** causes = memory_take(SN_CAUSES, sizeof *causes);
    for (int k = 0; k < SN_SAFETY_ELEMENTS; k++)
        acted[k] = memory_copy(sn_safety_element_text((sn_safety_element)k));
    for (int k = 0; k < SN_CAUSES; k++)
        causes[k] = memory_copy(sn_safety_cause_text((sn_safety_cause)k));
    hdf5_put_texts(&e->file, group, "acted_names", acted, SN_SAFETY_ELEMENTS);
    hdf5_put_texts(&e->file, group, "trip_names", causes, SN_CAUSES);
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
    return hdf5_column_add(&e->file, &e->meters, &row);
}

static bool close_file(void* memory, bool good) {
    hdf5_export* e = memory;
    hid_t type = e->inputs.type;
    good &= export_h5md_close(e->h5md);
    good &= end_era(e);
    good &= hdf5_column_close(&e->file, &e->inputs);
    good &= hdf5_column_close(&e->file, &e->numbers);
    good &= hdf5_column_close(&e->file, &e->meters);
    if (e->meters_type) H5Tclose(e->meters_type);
    if (e->has_inputs) H5Tclose(type);
    free(e->sensors);
    return hdf5_close(&e->file, good);
}

export_writer export_hdf5_writer(void) {
    return (export_writer){open_file,
                           hdf5_begin_era,
                           hdf5_sample,
                           hdf5_input,
                           hdf5_meters,
                           close_file,
                           memory_take(1, sizeof(hdf5_export))};
}

#else

export_writer export_hdf5_writer(void) { return (export_writer){0}; }

#endif
