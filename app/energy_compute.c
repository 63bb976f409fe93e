// SPDX-License-Identifier: Apache-2.0
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "atom_names.h"
#include "energy.h"
#include "memory.h"
#include "message.h"

// ---- order ------------------------------------------------------------------------------------------

static const sn_molecule* sorted_molecule; // qsort has no context

static int by_line(const void* a, const void* b) {
    int i = *(const int*)a, j = *(const int*)b;
    int x = sn_molecule_atom(sorted_molecule, i).line,
        y = sn_molecule_atom(sorted_molecule, j).line;
    if (!x != !y) return x ? -1 : 1; // atoms that were added come last
    return x != y ? (x > y) - (x < y) : (i > j) - (i < j);
}

static void sort_atoms(energy_result* r) {
    r->order = memory_take((size_t)r->count, sizeof *r->order);
    for (int i = 0; i < r->count; i++) r->order[i] = i;
    sorted_molecule = r->molecule;
    qsort(r->order, (size_t)r->count, sizeof *r->order, by_line);
}

// ---- forces -----------------------------------------------------------------------------------------

/// The two atoms that are closest to each other without being bonded closely; used when forces are not finite.
static void say_overlap(const energy_result* r, const sn_vec3* p) {
    int a = 0, b = 1;
    double least = INFINITY;
    char first[64], second[64];
    for (int i = 0; i < r->count; i++) {
        for (int j = i + 1; j < r->count; j++) {
            double d = sn_vec3_norm(sn_vec3_sub(p[i], p[j]));
            if (d < least) least = d, a = i, b = j;
        }
    }
    message_error("%s: forces are not finite; %s and %s are %.3g nm apart. Mend the file, or bound "
                  "forces with --soften 0.5",
                  r->name, atom_label(r->molecule, a, first), atom_label(r->molecule, b, second),
                  least);
}

static bool compute_atoms(energy_result* r, int terms, sn_vec3* f, sn_forcefield_report* report) {
    sn_forcefield_def def = r->def;
    sn_forcefield* field;
    sn_error error = {0};
    def.terms = terms;
    error.status = sn_forcefield_create(r->molecule, NULL, &def, &field, &error);
    if (error.status) {
        message_error_from(&error);
        return false;
    }
    sn_vec3* p = memory_take((size_t)r->count, sizeof *p);
    for (int i = 0; i < r->count; i++) p[i] = sn_molecule_atom(r->molecule, i).p;
    sn_status status = sn_forcefield_evaluate_atoms(field, p, f, report);
    if (status == SN_ERR_NUMERIC) {
        say_overlap(r, p);
    } else if (status) {
        message_error("%s: %s", r->name, sn_status_text(status));
    }
    sn_forcefield_free(field);
    free(p);
    return status == SN_OK;
}

// ---- torques ----------------------------------------------------------------------------------------

/// Torque about every torsion: of the wrenches on all groups beyond it, about its axis.
static void sum_torques(energy_result* r, const sn_pose* X_wg, const sn_wrench* wrench_w) {
    const sn_torsion_tree* tree = r->tree;
    int groups = sn_torsion_tree_group_count(tree);
    const sn_model* model = sn_torsion_tree_model(tree);
    sn_wrench* sum = memory_take((size_t)groups, sizeof *sum); // about the world's origin
    int* group_of = memory_take((size_t)sn_model_body_count(model) + 1, sizeof *group_of);
    for (int g = 0; g < groups; g++) {
        sn_vec3 moment = sn_vec3_cross(X_wg[g].p, wrench_w[g].f);
        sum[g] = sn_wrench_make(sn_vec3_add(wrench_w[g].n, moment), wrench_w[g].f);
        group_of[sn_torsion_tree_group_body(tree, g).i + 1] = g;
    }
    for (int g = groups - 1; g >= 0; g--) { // parents come before their children
        sn_body_id body = sn_torsion_tree_group_body(tree, g);
        if (body.i < 0) continue;
        int parent = group_of[sn_model_body(model, body).parent.i + 1];
        if (parent != g) sum[parent] = sn_wrench_add(sum[parent], sum[g]);
    }
    for (int t = 0; t < r->torsion_count; t++) {
        sn_torsion_info info = sn_torsion_tree_torsion(tree, t);
        sn_vec3 a = sn_molecule_atom(r->molecule, info.atoms[1]).p;
        sn_vec3 axis = sn_vec3_sub(sn_molecule_atom(r->molecule, info.atoms[2]).p, a);
        sn_wrench w = sum[info.group];
        sn_vec3 moment = sn_vec3_sub(w.n, sn_vec3_cross(a, w.f));
        r->torque[t] = sn_vec3_dot(moment, axis) / sn_vec3_norm(axis);
        r->dihedral[t] = info.dihedral;
    }
    free(sum);
    free(group_of);
}

static bool compute_torques(energy_result* r) {
    sn_forcefield* field;
    sn_error error = {0};
    error.status = sn_forcefield_create(r->molecule, r->tree, &r->def, &field, &error);
    if (error.status) {
        message_error_from(&error);
        return false;
    }
    int groups = sn_torsion_tree_group_count(r->tree);
    sn_pose* X_wg = memory_take((size_t)groups, sizeof *X_wg);
    sn_wrench* wrench_w = memory_take((size_t)groups, sizeof *wrench_w);
    for (int g = 0; g < groups; g++) X_wg[g] = sn_torsion_tree_group_pose(r->tree, g);
    sn_status status = sn_forcefield_evaluate(field, X_wg, wrench_w, NULL);
    r->dihedral = memory_take((size_t)r->torsion_count, sizeof *r->dihedral);
    r->torque = memory_take((size_t)r->torsion_count, sizeof *r->torque);
    sum_torques(r, X_wg, wrench_w);
    if (status) message_error("%s: torques: %s", r->name, sn_status_text(status));
    sn_forcefield_free(field);
    free(X_wg);
    free(wrench_w);
    return status == SN_OK;
}

// ---- all --------------------------------------------------------------------------------------------

bool energy_compute(energy_result* r, bool forces) {
#define TERMS(name, terms) terms,
    static const int kinds[ENERGY_FORCE_KINDS] = {ENERGY_FORCES(TERMS)};
#undef TERMS
    r->count = sn_molecule_atom_count(r->molecule);
    r->torsion_count = sn_torsion_tree_torsion_count(r->tree);
    sort_atoms(r);
    for (int i = 0; i < r->count; i++) r->unknown += !sn_molecule_atom(r->molecule, i).known;
    for (int k = 0; k < (forces ? ENERGY_FORCE_KINDS : 1); k++) {
        sn_forcefield_report part;
        r->f[k] = memory_take((size_t)r->count, sizeof *r->f[k]);
        if (!compute_atoms(r, kinds[k], r->f[k], k ? &part : &r->report)) return false;
    }
    return !forces || compute_torques(r);
}

void energy_free(energy_result* r) {
    for (int k = 0; k < ENERGY_FORCE_KINDS; k++) free(r->f[k]);
    free(r->order);
    free(r->dihedral);
    free(r->torque);
}
