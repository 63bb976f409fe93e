// SPDX-License-Identifier: Apache-2.0
/// A trajectory as one PDB file, a MODEL for each sample: for VMD, PyMOL, ChimeraX, and anything else that reads PDB files.
#include <inttypes.h>
#include <string.h>

#include "export.h"
#include "kept_places.h"
#include "memory.h"
#include "message.h"
#include "output_file.h"
#include "sinew/load.h"

typedef struct pdb_export {
    sn_recording* recording;
    output_file file;
    kept_places kept;
    int models;
} pdb_export;

static bool open_file(void* memory, const char* path, sn_recording* recording, unsigned what) {
    pdb_export* e = memory;
    (void)what; // there is nothing but atoms
    e->recording = recording;
    return output_open(&e->file, path);
}

static bool begin_era(void* memory, const sn_model* model, const sn_sample* first) {
    (void)memory, (void)model, (void)first; // who is there does not change
    return true;
}

/// Lines of a molecule but its title and end.
static void write_lines(const char* text, FILE* out) {
    for (const char* end; *text; text = end) {
        end = strchr(text, '\n');
        end = end ? end + 1 : text + strlen(text);
        if (strncmp(text, "END", 3) != 0 && strncmp(text, "TITLE", 5) != 0 &&
            strncmp(text, "SSBOND", 6) != 0)
            fwrite(text, 1, (size_t)(end - text), out);
    }
}

static bool sample(void* memory, const export_frame* frame) {
    pdb_export* e = memory;
    FILE* out = e->file.stream;
    const sn_vec3* p = kept_places_take(&e->kept, frame->atoms);
    fprintf(out, "MODEL     %4d\n", ++e->models % 10000);
    fprintf(out, "REMARK     TIME %.6g PS, STEP %" PRIu64 "\n", frame->sample->time,
            frame->sample->step);
    for (int k = 0; k < sn_recording_molecule_count(e->recording); k++) {
        const sn_molecule* m =
            sn_torsion_tree_molecule(sn_recording_molecule(e->recording, k)->tree);
        sn_error error = {0};
        char* text = NULL;
        error.status = sn_molecule_to_pdb(m, p, &text, &error);
        if (error.status) {
            message_error_from(&error);
            return false;
        }
        write_lines(text, out);
        sn_text_free(text);
        p += sn_molecule_atom_count(m);
    }
    fputs("ENDMDL\n", out);
    return !ferror(out); // the reason is said when it is closed
}

static bool close_file(void* memory, bool good) {
    pdb_export* e = memory;
    kept_places_free(&e->kept);
    if (!e->file.stream) return good;
    if (!good && !ferror(e->file.stream)) {
        output_discard(&e->file);
        return true;
    }
    fputs("END\n", e->file.stream);
    return output_commit(&e->file);
}

export_writer export_pdb_writer(void) {
    return (export_writer){.open = open_file,
                           .begin_era = begin_era,
                           .sample = sample,
                           .close = close_file,
                           .memory = memory_take(1, sizeof(pdb_export))};
}
