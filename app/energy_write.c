// SPDX-License-Identifier: Apache-2.0
/// JSON of sinew energy: names and units as in the reference files it is compared with (docs/forcefield.md).
#include <stdlib.h>

#include "energy.h"
#include "memory.h"

void energy_write_terms(json_writer* w, const sn_forcefield_energy* e) {
    const struct {
        const char* name;
        double value;
    } terms[] = {{"bond", e->bond},
                 {"angle", e->angle},
                 {"torsion", e->torsion},
                 {"lj_nonbonded", e->lj_nonbonded},
                 {"lj_14", e->lj_14},
                 {"coulomb_nonbonded", e->coulomb_nonbonded},
                 {"coulomb_14", e->coulomb_14},
                 {"total", e->total}};
    jw_object(w);
    for (size_t i = 0; i < sizeof terms / sizeof terms[0]; i++) {
        jw_key(w, terms[i].name);
        jw_number(w, terms[i].value);
    }
    jw_object_end(w);
}

/// Vectors of atoms in the order of the file.
static void write_vectors(json_writer* w, const energy_result* r, const sn_vec3* v) {
    double* rows = memory_take(3 * (size_t)r->count, sizeof *rows);
    for (int i = 0; i < r->count; i++) {
        sn_vec3 x = v[r->order[i]];
        rows[3 * i] = x.x, rows[3 * i + 1] = x.y, rows[3 * i + 2] = x.z;
    }
    jw_matrix(w, rows, r->count, 3);
    free(rows);
}

static void write_atoms(json_writer* w, const energy_result* r) {
    sn_vec3* p = memory_take((size_t)r->count, sizeof *p);
    jw_key(w, "atoms_name_resname_resid_element_mass_charge");
    jw_array(w);
    for (int i = 0; i < r->count; i++) {
        sn_atom_info a = sn_molecule_atom(r->molecule, r->order[i]);
        sn_residue_info residue = sn_molecule_residue(r->molecule, a.residue);
        p[r->order[i]] = a.p;
        jw_array_line(w);
        jw_text(w, a.name);
        jw_text(w, residue.name);
        jw_integer(w, residue.number);
        jw_text(w, a.element);
        jw_number(w, a.mass);
        jw_number(w, a.charge);
        jw_array_end(w);
    }
    jw_array_end(w);
    jw_key(w, "positions_nm");
    write_vectors(w, r, p);
    free(p);
}

static void write_torsions(json_writer* w, const energy_result* r) {
    jw_key(w, "torsions");
    jw_array(w);
    for (int t = 0; t < r->torsion_count; t++) {
        jw_text(w, sn_torsion_tree_torsion(r->tree, t).name);
    }
    jw_array_end(w);
    jw_key(w, "dihedral_rad");
    jw_numbers(w, r->dihedral, r->torsion_count);
    jw_key(w, "torque_kJ_per_mol_rad");
    jw_object(w);
    jw_key(w, "total");
    jw_numbers(w, r->torque, r->torsion_count);
    jw_object_end(w);
}

void energy_write_forces(json_writer* w, const energy_result* r) {
#define NAME(name, terms) name,
    static const char* const names[ENERGY_FORCE_KINDS] = {ENERGY_FORCES(NAME)};
#undef NAME
    jw_object(w);
    jw_key(w, "name");
    jw_text(w, r->name);
    jw_key(w, "n_atoms");
    jw_integer(w, r->count);
    write_atoms(w, r);
    jw_key(w, "energy_kJ_per_mol");
    energy_write_terms(w, &r->report.energy);
    jw_key(w, "forces_kJ_per_mol_nm");
    jw_object(w);
    for (int k = 0; k < ENERGY_FORCE_KINDS; k++) {
        jw_key(w, names[k]);
        write_vectors(w, r, r->f[k]);
    }
    jw_object_end(w);
    write_torsions(w, r);
    jw_object_end(w);
    jw_finish(w);
}
