// SPDX-License-Identifier: Apache-2.0
/// CSV: NAME.csv has a row for each sample. Where bodies came or went, samples of the next model go on in
/// NAME.2.csv, and so on; inputs and meters, where there are some, are in NAME.inputs.csv and NAME.meters.csv.
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "atom_names.h"
#include "coordinates.h"
#include "csv.h"
#include "export.h"
#include "memory.h"
#include "output_file.h"
#include "recording_argument.h"
#include "sinew/session.h"

typedef struct csv_export {
    sn_recording* recording;
    const char* path;
    const sn_units* units;
    unsigned what;
    int eras;
    output_file samples, inputs, meters;
} csv_export;

/// "run.csv" and "2": "run.2.csv".
static char* beside(const char* path, const char* word) {
    const char* slash = strrchr(path, '/');
    const char* dot = strrchr(slash ? slash : path, '.');
    int length = dot ? (int)(dot - path) : (int)strlen(path);
    return memory_text("%.*s.%s%s", length, path, word, dot ? dot : "");
}

static bool csv_open(void* memory, const char* path, sn_recording* recording, unsigned what) {
    csv_export* e = memory;
    e->recording = recording;
    e->units = recording_units(recording);
    e->path = path;
    e->what = what;
    return true;
}

static void csv_count(csv_writer* csv, uint64_t value) {
    char text[32];
    snprintf(text, sizeof text, "%" PRIu64, value);
    csv_text(csv, text);
}

// ---- samples ------------------------------------------------------------------------------------------

static void name_states(csv_writer* csv, const sn_model* model, const sn_units* units,
                        unsigned what) {
    char name[512];
    for (int part = EXPORT_Q; part <= EXPORT_V; part *= 2) {
        if (!(what & (unsigned)part)) continue;
        for (int i = 0; i < sn_model_body_count(model); i++) {
            sn_body_info b = sn_model_body(model, sn_body(i));
            for (int k = 0; k < (part == EXPORT_Q ? b.nq : b.nv); k++) {
                if (part == EXPORT_Q)
                    coordinates_q_name(&b, k, units, name, sizeof name);
                else
                    coordinates_v_name(&b, k, units, name, sizeof name);
                csv_text(csv, name);
            }
        }
    }
}

static void name_poses(csv_writer* csv, const sn_model* model, const sn_units* units) {
    static const char* const parts[EXPORT_POSE_NUMBERS] = {"x", "y", "z", "qw", "qx", "qy", "qz"};
    for (int i = 0; i < sn_model_body_count(model); i++)
        for (int k = 0; k < EXPORT_POSE_NUMBERS; k++) {
            const char* unit = k < 3 ? units->length.symbol : "";
            char* name = memory_text("pose:%s[%s]%s%s", sn_model_body(model, sn_body(i)).name,
                                     parts[k], unit[0] ? "_" : "", unit);
            csv_text(csv, name);
            free(name);
        }
}

static void name_sensors(csv_writer* csv, const sn_recording* recording) {
    for (int s = 0; s < sn_recording_ask(recording).sensors; s++)
        for (int k = 0; k < sn_recording_sensor_numbers(recording, s); k++) {
            char* name = memory_text("sensor:%s[%d]", sn_recording_sensor_name(recording, s), k);
            csv_text(csv, name);
            free(name);
        }
}

static void name_atoms(csv_writer* csv, const sn_recording* recording) {
    for (int k = 0; k < sn_recording_molecule_count(recording); k++) {
        const sn_world_molecule* m = sn_recording_molecule(recording, k);
        const sn_molecule* molecule = sn_torsion_tree_molecule(m->tree);
        for (int i = 0; i < 3 * sn_molecule_atom_count(molecule); i++) {
            char label[ATOM_LABEL];
            char* name = memory_text("atom:%s%s[%c]_nm", m->prefix,
                                     atom_label(molecule, i / 3, label), "xyz"[i % 3]);
            csv_text(csv, name);
            free(name);
        }
    }
    csv_text(csv, "kinetic_kJ/mol");
    csv_text(csv, "potential_kJ/mol");
}

static void csv_atoms(csv_writer* csv, const export_atoms* atoms) {
    for (int i = 0; i < atoms->count; i++) {
        csv_number(csv, atoms->p[i].x);
        csv_number(csv, atoms->p[i].y);
        csv_number(csv, atoms->p[i].z);
    }
    csv_number(csv, atoms->kinetic);
    csv_number(csv, atoms->energy.total);
}

static bool has_atoms(const csv_export* e) {
    return e->what & EXPORT_ATOMS && sn_recording_molecule_count(e->recording) > 0;
}

static bool csv_begin_era(void* memory, const sn_model* model, const sn_sample* first) {
    csv_export* e = memory;
    (void)first;
    if (e->eras++ > 0 && !output_commit(&e->samples)) return false;
    char number[16];
    snprintf(number, sizeof number, "%d", e->eras);
    char* path = e->eras == 1 ? memory_copy(e->path) : beside(e->path, number);
    bool good = output_open(&e->samples, path);
    free(path);
    if (!good) return false;
    csv_writer csv = csv_start(e->samples.stream);
    csv_unit(&csv, "time", e->units->time);
    csv_text(&csv, "step");
    name_states(&csv, model, e->units, e->what);
    if (e->what & EXPORT_POSES) name_poses(&csv, model, e->units);
    if (has_atoms(e)) name_atoms(&csv, e->recording);
    if (e->what & EXPORT_SENSORS) name_sensors(&csv, e->recording);
    if (e->what & EXPORT_CONTACT) {
        csv_text(&csv, "contacts");
        csv_unit(&csv, "deepest", e->units->length);
        csv_text(&csv, "residual");
    }
    csv_text(&csv, "events");
    csv_text(&csv, "hash");
    csv_end_row(&csv);
    return true;
}

static void csv_numbers(csv_writer* csv, const double* numbers, int count) {
    for (int k = 0; k < count; k++) csv_number(csv, numbers[k]);
}

static int sensor_numbers(const sn_recording* recording) {
    int count = 0;
    for (int s = 0; s < sn_recording_ask(recording).sensors; s++)
        count += sn_recording_sensor_numbers(recording, s);
    return count;
}

static bool csv_sample(void* memory, const export_frame* frame) {
    csv_export* e = memory;
    const sn_sample* sample = frame->sample;
    char hash[24];
    csv_writer csv = csv_start(e->samples.stream);
    csv_number(&csv, sample->time);
    csv_count(&csv, sample->step);
    if (e->what & EXPORT_Q) csv_numbers(&csv, sample->q, sn_model_nq(sample->model));
    if (e->what & EXPORT_V) csv_numbers(&csv, sample->v, sn_model_nv(sample->model));
    if (frame->poses)
        csv_numbers(&csv, frame->poses, EXPORT_POSE_NUMBERS * sn_model_body_count(sample->model));
    if (frame->atoms) csv_atoms(&csv, frame->atoms);
    if (e->what & EXPORT_SENSORS) csv_numbers(&csv, sample->sensors, sensor_numbers(e->recording));
    if (e->what & EXPORT_CONTACT) {
        csv_number(&csv, sample->contacts);
        csv_number(&csv, sample->deepest);
        csv_number(&csv, sample->residual);
    }
    csv_count(&csv, sample->events);
    snprintf(hash, sizeof hash, "0x%016" PRIx64, sample->hash);
    csv_text(&csv, hash);
    csv_end_row(&csv);
    return !ferror(e->samples.stream); // the reason is said when it is closed
}

// ---- inputs -------------------------------------------------------------------------------------------

static bool open_inputs(csv_export* e) {
    char* path = beside(e->path, "inputs");
    bool good = output_open(&e->inputs, path);
    free(path);
    if (good) fprintf(e->inputs.stream, "time_%s,step,kind,body,numbers\n", e->units->time.symbol);
    return good;
}

static bool csv_input(void* memory, const export_input* input) {
    csv_export* e = memory;
    if (!e->inputs.stream && !open_inputs(e)) return false;
    csv_writer csv = csv_start(e->inputs.stream);
    csv_number(&csv, input->time);
    csv_count(&csv, input->step);
    csv_text(&csv, input->kind);
    csv_number(&csv, input->body);
    fputc(',', e->inputs.stream);
    for (int k = 0; k < input->count; k++)
        fprintf(e->inputs.stream, k ? " %.17g" : "%.17g", input->numbers[k]);
    csv_end_row(&csv);
    return !ferror(e->inputs.stream);
}

// ---- meters -------------------------------------------------------------------------------------------

static const double US = 1e-3; // of a ns

static bool open_meters(csv_export* e) {
    char* path = beside(e->path, "meters");
    bool good = output_open(&e->meters, path);
    free(path);
    if (!good) return false;
    fprintf(e->meters.stream, "time_%s,step,", e->units->time.symbol);
    fputs("loop,hand,ticks,rate_hz,late,worst_us,jitter,latencies,latency_mean_us,"
          "latency_worst_us,latency,energy_J,energy_least_J,max_force_N,max_force_step_N,trips,"
          "last_trip,latched",
          e->meters.stream);
    for (int k = 0; k < SN_SAFETY_ELEMENTS; k++)
        fprintf(e->meters.stream, ",acted:%s", sn_safety_element_text((sn_safety_element)k));
    fputc('\n', e->meters.stream);
    return true;
}

/// One cell of numbers.
static void csv_counts(csv_writer* csv, const uint64_t* counts, int count) {
    char text[SN_JITTER_BINS * 21 + 1];
    size_t length = 0;
    for (int k = 0; k < count; k++)
        length += (size_t)snprintf(text + length, sizeof text - length,
                                   k ? " %" PRIu64 : "%" PRIu64, counts[k]);
    csv_text(csv, text);
}

static void csv_hand_meters(csv_writer* csv, const sn_meters* m) {
    const sn_latency_meter* latency = &m->latency;
    const sn_safety_report* safety = &m->safety;
    csv_count(csv, latency->count);
    csv_number(csv, latency->count ? US * (double)latency->sum_ns / (double)latency->count : 0);
    csv_number(csv, US * (double)latency->worst_ns);
    csv_counts(csv, latency->below, SN_JITTER_BINS);
    csv_number(csv, safety->energy);
    csv_number(csv, safety->energy_least);
    csv_number(csv, safety->max_force);
    csv_number(csv, safety->max_force_step);
    csv_count(csv, safety->trips);
    csv_text(csv, safety->trips ? sn_safety_cause_text(safety->last_trip) : "");
    csv_count(csv, safety->latched);
    for (int k = 0; k < SN_SAFETY_ELEMENTS; k++) csv_count(csv, safety->count[k]);
}

static bool csv_meters(void* memory, const sn_meters* m) {
    enum { OF_HANDS = 11 + SN_SAFETY_ELEMENTS }; // columns
    csv_export* e = memory;
    if (!e->meters.stream && !open_meters(e)) return false;
    csv_writer csv = csv_start(e->meters.stream);
    csv_number(&csv, m->time);
    csv_count(&csv, m->step);
    csv_text(&csv, sn_loop_name(m->loop));
    csv_text(&csv, m->hand);
    csv_count(&csv, m->meter.ticks);
    csv_number(&csv, sn_loop_rate(&m->meter));
    csv_count(&csv, m->meter.late);
    csv_number(&csv, US * (double)m->meter.worst_ns);
    csv_counts(&csv, m->meter.jitter, SN_JITTER_BINS);
    if (m->loop == SN_LOOP_HAPTICS)
        csv_hand_meters(&csv, m);
    else
        for (int k = 0; k < OF_HANDS; k++) csv_text(&csv, "");
    csv_end_row(&csv);
    return !ferror(e->meters.stream);
}

/// What could not be written is told why it could not.
static bool finish(output_file* file, bool good) {
    if (!file->stream) return true;
    if (good || ferror(file->stream)) return output_commit(file);
    output_discard(file);
    return true;
}

static bool csv_close(void* memory, bool good) {
    csv_export* e = memory;
    bool samples = finish(&e->samples, good), inputs = finish(&e->inputs, good && samples);
    bool meters = finish(&e->meters, good && samples && inputs);
    return samples && inputs && meters;
}

export_writer export_csv_writer(void) {
    return (export_writer){csv_open,
                           csv_begin_era,
                           csv_sample,
                           csv_input,
                           csv_meters,
                           csv_close,
                           memory_take(1, sizeof(csv_export))};
}
