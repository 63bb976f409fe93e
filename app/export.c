// SPDX-License-Identifier: Apache-2.0
/// sinew export: a recording for other programs.
#include "export.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "export_motion.h"
#include "memory.h"
#include "message.h"
#include "options.h"
#include "progress.h"
#include "recording_argument.h"
#include "suggest.h"

static const command_page PAGE = {
    "export",
    "RECORDING -o FILE.h5|FILE.csv|FILE.pdb|FILE.dcd [OPTIONS]",
    "Writes what was sampled in a recording, and what reached it from outside, as HDF5 or CSV; "
    "the\n"
    "atoms of molecules also as PDB or DCD. Nothing is simulated. Files of any length are written "
    "as\n"
    "they are read.\n",
    "  sinew export run.sinew -o run.h5                   all of it, for h5py, MATLAB, Julia\n"
    "  sinew export run.sinew -o run.csv --what q,sensors --every 10\n"
    "  sinew export run.sinew -o hit.h5 --from 1.2 --to 1.3 --poses\n"
    "  sinew export protein.sinew -o run.h5               molecules: H5MD, for MDAnalysis\n"
    "  sinew export protein.sinew -o run.pdb --every 10   a MODEL for each sample, for VMD\n",
    "HDF5: a group era_000 with the samples (time, step, q, v, poses, sensors, contact, events,\n"
    "hash), names and units; era_001 and so on where bodies came or went; inputs; meters; scene.\n"
    "With molecules it is an H5MD file as well: particles/trajectory (position, velocity, mass,\n"
    "charge, species, names), observables (energies, temperature), connectivity/bonds.\n"
    "CSV: FILE.csv, FILE.2.csv where bodies came or went, FILE.inputs.csv and FILE.meters.csv. "
    "All\n"
    "names and orders of numbers: docs/recording.md.\n",
    1,
    1,
};

typedef struct export_options {
    const char *path, *output, *what_text;
    double from, to;
    long every;
    bool poses;
    unsigned what;
} export_options;

// ---- what is wanted -----------------------------------------------------------------------------------

static const char* const parts[] = {"q",       "v",      "poses",  "sensors",
                                    "contact", "inputs", "meters", "atoms"};
enum { PARTS = sizeof parts / sizeof *parts };

static bool add_part(export_options* o, const char* word, size_t length) {
    for (int k = 0; k < PARTS; k++) {
        if (strlen(parts[k]) != length || strncmp(parts[k], word, length) != 0) continue;
        o->what |= 1u << k;
        return true;
    }
    char* copy = memory_text("%.*s", (int)length, word);
    const char* near = suggest_name(copy, parts, PARTS);
    message_error(
        "--what: there is no '%s'%s%s%s; there are q, v, poses, sensors, contact, inputs, meters, "
        "atoms",
        copy, near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
    free(copy);
    return false;
}

static bool ends_with(const char* text, const char* end) {
    size_t length = strlen(text), tail = strlen(end);
    return length > tail && strcmp(text + length - tail, end) == 0;
}

/// A kind of file, by the end of its name.
typedef struct file_kind {
    const char* ending;
    export_writer (*writer)(void);
    unsigned what; ///< that is in it unless told
    bool only_atoms;
} file_kind;

enum {
    WHAT_STATES =
        EXPORT_Q | EXPORT_V | EXPORT_SENSORS | EXPORT_CONTACT | EXPORT_INPUTS | EXPORT_METERS
};

static const file_kind KINDS[] = {
    {".csv", export_csv_writer, WHAT_STATES, false},
    {".h5", export_hdf5_writer, WHAT_STATES | EXPORT_ATOMS, false},
    {".hdf5", export_hdf5_writer, WHAT_STATES | EXPORT_ATOMS, false},
    {".h5md", export_hdf5_writer, WHAT_STATES | EXPORT_ATOMS, false},
    {".pdb", export_pdb_writer, EXPORT_ATOMS, true},
    {".dcd", export_dcd_writer, EXPORT_ATOMS, true},
};

/// NULL: said why not.
static const file_kind* find_kind(const char* output) {
    for (size_t k = 0; k < sizeof KINDS / sizeof *KINDS; k++)
        if (ends_with(output, KINDS[k].ending)) return &KINDS[k];
    message_error("%s: the name must end in .h5, .hdf5, .h5md, .csv, .pdb or .dcd", output);
    return NULL;
}

/// Memory NULL: said why not.
static export_writer choose_writer(const file_kind* kind, const char* output) {
    export_writer writer = kind->writer();
    if (!writer.memory)
        message_error("%s: this program was built without HDF5; install libhdf5-dev and build it "
                      "again, or export to a .csv file",
                      output);
    return writer;
}

static bool parse_what(export_options* o, const file_kind* kind) {
    if (kind->only_atoms && (o->what_text || o->poses)) {
        message_error("%s: has places of atoms and nothing else; leave out --%s, or write HDF5 or "
                      "CSV",
                      o->output, o->poses ? "poses" : "what");
        return false;
    }
    if (!o->what_text) o->what = kind->what;
    for (const char* at = o->what_text; at;) {
        size_t length = strcspn(at, ",");
        if (!add_part(o, at, length)) return false;
        at = at[length] ? at + length + 1 : NULL;
    }
    if (o->poses) o->what |= EXPORT_POSES;
    return true;
}

// ---- samples ------------------------------------------------------------------------------------------

static bool is_within(const export_options* o, double time) {
    return time >= o->from && time <= o->to;
}

static bool write_samples(const export_options* o, sn_recording* recording,
                          const export_writer* writer, uint64_t* written) {
    sn_recording_info info = sn_recording_ask(recording);
    progress bar = progress_start(recording_time(&info, info.first_step + info.steps),
                                  recording_units(recording), true);
    const sn_model* model = NULL;
    export_motion* motion = export_motion_create(recording, o->what);
    sn_sample sample;
    bool good = true;
    for (uint64_t seen = 0; good && sn_recording_next(recording, &sample);) {
        progress_update(&bar, sample.time);
        if (sample.time > o->to) break;
        if (!is_within(o, sample.time) || seen++ % (uint64_t)o->every != 0) continue;
        if (sample.model != model) {
            model = sample.model;
            good = export_motion_begin(motion, model) &&
                   writer->begin_era(writer->memory, model, &sample);
        }
        if (!good) break;
        export_frame frame = export_motion_compute(motion, &sample);
        good = writer->sample(writer->memory, &frame);
        if (good) ++*written;
    }
    export_motion_free(motion);
    progress_finish(&bar);
    return good;
}

static bool write_inputs(const export_options* o, sn_recording* recording,
                         const export_writer* writer, uint64_t* written) {
    double step = sn_recording_ask(recording).step;
    export_numbers room = {0};
    sn_input input;
    bool good = true;
    while (good && (o->what & EXPORT_INPUTS) && sn_recording_next_input(recording, &input)) {
        export_input row = export_read_input(&input, step, &room);
        if (!is_within(o, row.time)) continue;
        good = writer->input(writer->memory, &row);
        if (good) ++*written;
    }
    free(room.numbers);
    return good;
}

static bool write_meters(const export_options* o, sn_recording* recording,
                         const export_writer* writer) {
    sn_meters meters;
    bool good = true;
    while (good && (o->what & EXPORT_METERS) && sn_recording_next_meters(recording, &meters))
        if (is_within(o, meters.time)) good = writer->meters(writer->memory, &meters);
    return good;
}

// ---- the command --------------------------------------------------------------------------------------

static int export_all(const export_options* o, sn_recording* recording,
                      const export_writer* writer) {
    uint64_t samples = 0, inputs = 0;
    const char* unit = recording_units(recording)->time.shown;
    bool good = writer->open(writer->memory, o->output, recording, o->what) &&
                write_samples(o, recording, writer, &samples) &&
                write_inputs(o, recording, writer, &inputs) && write_meters(o, recording, writer);
    if (good && samples == 0)
        message_warning("%s: there is no sample between %g %s and %g %s", o->path, o->from, unit,
                        o->to, unit);
    if (!writer->close(writer->memory, good) || !good) return STATUS_FAILED;
    printf("%s: %" PRIu64 " samples, %" PRIu64 " inputs\n", o->output, samples, inputs);
    return STATUS_DONE;
}

static int run(export_options* o) {
    if (!o->output) {
        message_error("no file given to write; add -o FILE.h5 or -o FILE.csv");
        return STATUS_USAGE;
    }
    const file_kind* kind = find_kind(o->output);
    if (!kind || !parse_what(o, kind)) return STATUS_USAGE;
    export_writer writer = choose_writer(kind, o->output);
    if (!writer.memory) return STATUS_USAGE;
    sn_recording* recording = recording_argument(o->path);
    int status = STATUS_USAGE;
    if (recording && kind->only_atoms && sn_recording_molecule_count(recording) == 0)
        message_error("%s: there are no molecules in %s; export it to HDF5 or CSV", o->output,
                      o->path);
    else if (recording)
        status = export_all(o, recording, &writer);
    free(writer.memory);
    sn_recording_free(recording);
    return status;
}

int command_export(int argc, char** argv) {
    export_options o = {.to = INFINITY, .every = 1};
    text_list arguments = {0};
    const option options[] = {
        {"output", "FILE",
         "what to write, by its ending: .h5, .hdf5, .h5md or .csv; of molecules also .pdb or .dcd",
         OPTION_TEXT, &o.output},
        {"from", "S", "samples and inputs from this time on, in s (of molecules ps)", OPTION_NUMBER,
         &o.from},
        {"to", "S", "samples and inputs up to this time, in s (of molecules ps)", OPTION_NUMBER,
         &o.to},
        {"every", "K", "every K-th sample of these; 1 if not given", OPTION_COUNT, &o.every},
        {"what", "PART,PART,...",
         "only these parts: q, v, poses, sensors, contact, inputs, meters, atoms; all but poses if "
         "not given, in CSV neither atoms",
         OPTION_TEXT, &o.what_text},
        {"poses", NULL, "poses of all bodies, too", OPTION_FLAG, &o.poses},
    };
    options_result parsed =
        options_parse(&PAGE, options, sizeof options / sizeof options[0], argc, argv, &arguments);
    int status = parsed == OPTIONS_BAD ? STATUS_USAGE : STATUS_DONE;
    if (parsed == OPTIONS_RUN) {
        o.path = arguments.items[0];
        status = run(&o);
    }
    text_list_free(&arguments);
    return status;
}
