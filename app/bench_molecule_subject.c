// SPDX-License-Identifier: Apache-2.0
/// The proteins of `sinew bench molecule`: from the Protein Data Bank where the files are beside the clone, built from
/// the sequence otherwise.
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench_molecule.h"
#include "memory.h"
#include "message.h"
#include "model_argument.h"

static const char CRAMBIN[] = "TTCCPSIVARSNFNVCRLPGTPEALCATYTGCIIIPGATCPGDYAN"; // of 1CRN
static const double HAIR = 1e-4; // rad, between the two positions

typedef struct subject_spec {
    const char *name, *file, *built, *dynamics;
} subject_spec;

#define SPEC(code, name, file, built, dynamics) {name, file, built, dynamics},
static const subject_spec SPECS[SUBJECTS] = {BENCH_SUBJECTS(SPEC)};
#undef SPEC

// ---- molecules --------------------------------------------------------------------------------------

static sn_status build(bench_subject* s, const char* text, sn_error* error) {
    if (text != CRAMBIN) return sn_molecule_build_named(text, &s->molecule, error);
    sn_molecule_build_def def = sn_molecule_build_def_default();
    def.name = "crambin";
    def.sequence = text;
    def.capped = false;
    return sn_molecule_build(&def, &s->molecule, error);
}

static sn_status load(bench_subject* s, const subject_spec* spec, sn_error* error) {
    char* path = spec->file
                     ? memory_text("%s/../../shared/data/proteins/%s", model_folders[0], spec->file)
                     : NULL;
    bool there = path && access(path, R_OK) == 0;
    sn_status status;
    if (there) {
        sn_molecule_read_def def = sn_molecule_read_def_default();
        status = sn_molecule_read(path, &def, &s->molecule, error);
        s->source = spec->file;
    } else {
        status = build(s, spec->built, error);
        s->source = "built from its sequence as one long helix";
    }
    free(path);
    return status;
}

// ---- motion -----------------------------------------------------------------------------------------

/// Whether a torsion moves from the first position to the second.
static bool moves(const bench_subject* s, bool window, int torsion) {
    int first = (s->torsions - BENCH_WINDOW) / 2;
    return !window || (torsion >= first && torsion < first + BENCH_WINDOW);
}

static sn_status place(bench_subject* s, int k) {
    sn_status status = sn_dynamics_forward(s->dynamics, s->q[k], s->v, NULL, s->qdd);
    for (int g = 0; g < s->groups && !status; g++) {
        sn_body_id body = sn_torsion_tree_group_body(s->tree, g);
        s->X_wg[k][g] = body.i < 0 ? sn_torsion_tree_group_pose(s->tree, g)
                                   : sn_dynamics_pose(s->dynamics, body);
    }
    return status;
}

/// Groups that the window does not move relative to each other become parts.
static void declare_parts(bench_subject* s) {
    const sn_model* model = sn_torsion_tree_model(s->tree);
    int32_t* part = memory_take((size_t)s->groups, sizeof *part);
    int* group_of = memory_take((size_t)sn_model_body_count(model) + 1, sizeof *group_of);
    bool* turns = memory_take((size_t)s->groups, sizeof *turns);
    for (int t = 0; t < s->torsions; t++) {
        turns[sn_torsion_tree_torsion(s->tree, t).group] = moves(s, true, t);
    }
    for (int g = 0; g < s->groups; g++) { // parents come before their children
        sn_body_id body = sn_torsion_tree_group_body(s->tree, g);
        group_of[body.i + 1] = g;
        part[g] = g;
        if (body.i < 0 || turns[g]) continue;
        part[g] = part[group_of[sn_model_body(model, body).parent.i + 1]];
    }
    sn_forcefield_set_parts(s->field, part);
    free(part);
    free(group_of);
    free(turns);
}

static sn_status set_up(bench_subject* s, const char* dynamics, bool window, sn_error* error) {
    sn_torsion_tree_def tree_def = sn_torsion_tree_def_for(s->molecule);
    sn_forcefield_def def = sn_forcefield_def_default();
    sn_status status = sn_torsion_tree_create(s->molecule, &tree_def, &s->tree, error);
    if (!status) status = sn_forcefield_create(s->molecule, s->tree, &def, &s->field, error);
    if (status) return status;
    const sn_model* model = sn_torsion_tree_model(s->tree);
    status = sn_dynamics_create(model, dynamics, &s->dynamics, error);
    if (status) return status;
    s->groups = sn_torsion_tree_group_count(s->tree);
    s->torsions = sn_torsion_tree_torsion_count(s->tree);
    s->v = memory_take((size_t)sn_model_nv(model), sizeof *s->v);
    s->qdd = memory_take((size_t)sn_model_nv(model), sizeof *s->qdd);
    s->wrench_w = memory_take((size_t)s->groups, sizeof *s->wrench_w);
    for (int k = 0; k < 2; k++) {
        s->q[k] = memory_take((size_t)sn_model_nq(model), sizeof *s->q[k]);
        s->X_wg[k] = memory_take((size_t)s->groups, sizeof *s->X_wg[k]);
        for (int t = 0; t < s->torsions && k == 1; t++) {
            int at = sn_model_body(model, sn_torsion_tree_torsion(s->tree, t).body).iq;
            if (moves(s, window, t)) s->q[k][at] = HAIR * (t % 3 - 1);
        }
    }
    for (int k = 1; k >= 0 && !status; k--) status = place(s, k);
    if (window) declare_parts(s);
    return status;
}

bool bench_subject_make(bench_subject* s, int which) {
    const subject_spec* spec = &SPECS[which];
    sn_error error = {0};
    *s = (bench_subject){.name = spec->name};
    error.status = load(s, spec, &error);
    if (!error.status) error.status = set_up(s, spec->dynamics, which == SUBJECT_WINDOW, &error);
    if (!error.status) return true;
    if (!error.text[0]) {
        message_error("%s: %s", spec->name, sn_status_text(error.status));
    } else {
        message_error_from(&error);
    }
    return false;
}

void bench_subject_free(bench_subject* s) {
    sn_dynamics_free(s->dynamics);
    sn_forcefield_free(s->field);
    sn_torsion_tree_free(s->tree);
    sn_molecule_free(s->molecule);
    for (int k = 0; k < 2; k++) {
        free(s->q[k]);
        free(s->X_wg[k]);
    }
    free(s->v);
    free(s->qdd);
    free(s->wrench_w);
    *s = (bench_subject){0};
}
