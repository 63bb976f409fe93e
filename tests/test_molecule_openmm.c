// SPDX-License-Identifier: Apache-2.0
// Energies, forces and torques against OpenMM's (../shared/data/forcefield/oracle, when it is there).
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "sinew/forcefield.h"
#include "support/check.h"
#include "support/peptide.h"

#define ORACLE SN_TEST_SHARED_DIR "/data/forcefield/oracle/"

/// Against double precision of another program: sums of up to 6 million terms in another order.
static const double TOL_OPENMM = 1e-7;

typedef struct fixture {
    json_t* oracle;
    peptide* molecule;
} fixture;

static const char* const names[] = {"ala_dipeptide", "ala20_helix_capped", "1l2y", "crambin",
                                    "br227"};
enum { NAMES = sizeof names / sizeof names[0] };

static bool open_oracle(const char* name, fixture* f) {
    char path[512];
    snprintf(path, sizeof path, ORACLE "%s.json", name);
    if (access(path, R_OK) != 0) return false;
    f->oracle = json_load_file(path, 0, NULL);
    CHECK(f->oracle != NULL, 0);
    snprintf(path, sizeof path, ORACLE "%s.pdb", name);
    f->molecule = peptide_from_openmm(f->oracle, path);
    return true;
}

static void close_oracle(fixture* f) {
    json_decref(f->oracle);
    peptide_free(f->molecule);
}

static sn_forcefield* create(const peptide* m, const sn_forcefield_def* def) {
    sn_forcefield* field = NULL;
    sn_error error = {0};
    sn_status status = sni_field_create(&m->input, def, &field, &error);
    if (status) check_context(error.text);
    CHECK_STATUS(status, SN_OK);
    return field;
}

static void check_term(json_t* energies, const char* key, double ours) {
    double theirs = json_number_value(json_object_get(energies, key));
    double total = fabs(json_number_value(json_object_get(energies, "total")));
    check_context(key);
    // a term that nearly vanishes is small by cancellation: compare it with the whole then
    CHECK_NEAR(ours, theirs, TOL_OPENMM * fmax(fabs(theirs), 1e-3 * total), 0);
}

static void check_energies(json_t* energies, const sn_forcefield_energy* e) {
    check_term(energies, "bond", e->bond);
    check_term(energies, "angle", e->angle);
    check_term(energies, "torsion", e->torsion);
    check_term(energies, "lj_nonbonded", e->lj_nonbonded);
    check_term(energies, "lj_14", e->lj_14);
    check_term(energies, "coulomb_nonbonded", e->coulomb_nonbonded);
    check_term(energies, "coulomb_14", e->coulomb_14);
    check_term(energies, "total", e->total);
}

static void check_forces(json_t* conformation, const char* kind, int32_t count,
                         const sn_vec3* ours) {
    json_t* forces = json_object_get(json_object_get(conformation, "forces_kJ_per_mol_nm"), kind);
    double* theirs = malloc(sizeof(double) * 3 * (size_t)count);
    for (int32_t i = 0; i < count; i++) {
        for (int32_t k = 0; k < 3; k++) {
            theirs[3 * i + k] =
                json_number_value(json_array_get(json_array_get(forces, (size_t)i), (size_t)k));
        }
    }
    check_context(kind);
    CHECK_VECTOR(&ours[0].x, theirs, 3 * count, TOL_OPENMM, 0);
    free(theirs);
}

/// One kind of force at a time, and all of them.
static void check_conformation(fixture* f, json_t* conformation) {
    static const struct {
        const char* name;
        int terms;
    } kinds[] = {{"torsion", SN_TERM_TORSION},
                 {"lj", SN_TERM_LJ},
                 {"coulomb", SN_TERM_COULOMB},
                 {"total", SN_TERM_ALL}};
    int32_t n = f->molecule->input.atom_count;
    sn_vec3* forces = malloc(sizeof(sn_vec3) * (size_t)n);
    sn_forcefield_report report = {0};
    peptide_place(f->molecule, conformation);
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
        sn_forcefield_def def = sn_forcefield_def_exact();
        def.terms = kinds[k].terms;
        sn_forcefield* field = create(f->molecule, &def);
        CHECK_STATUS(sn_forcefield_evaluate_atoms(field, f->molecule->p, forces, &report), SN_OK);
        check_forces(conformation, kinds[k].name, n, forces);
        sn_forcefield_free(field);
    }
    check_energies(json_object_get(conformation, "energy_kJ_per_mol"), &report.energy);
    free(forces);
}

static void energies_and_forces_are_those_of_openmm(void** state) {
    (void)state;
    for (size_t k = 0; k < NAMES; k++) {
        fixture f;
        if (!open_oracle(names[k], &f)) skip();
        size_t i;
        json_t* conformation;
        json_array_foreach(json_object_get(f.oracle, "conformations"), i, conformation) {
            check_conformation(&f, conformation);
        }
        close_oracle(&f);
    }
}

/// First and last of the atoms that a degree of freedom moves; they follow each other.
static void moved_range(json_t* dof, int32_t* first, int32_t* last) {
    json_t* range = json_object_get(dof, "moved_first_last");
    *first = (int32_t)json_integer_value(json_array_get(range, 0));
    *last = (int32_t)json_integer_value(json_array_get(range, 1));
    CHECK(*last - *first + 1 == json_integer_value(json_object_get(dof, "n_moved")), 0);
}

/// Rigid groups out of the oracle's degrees of freedom: atoms that all of them move alike.
static void cut_at_dofs(peptide* m, json_t* dofs) {
    int32_t n = m->input.atom_count, groups = 0, joints = (int32_t)json_array_size(dofs);
    uint64_t* pattern = calloc((size_t)n, sizeof(uint64_t));
    size_t d;
    json_t* dof;
    json_array_foreach(dofs, d, dof) {
        sni_rng rng = {d + 1};
        uint64_t mark = sni_rng_next(&rng);
        int32_t first, last;
        moved_range(dof, &first, &last);
        for (int32_t i = first; i <= last; i++) pattern[i] ^= mark;
        json_t* four = json_object_get(dof, "dihedral_atoms");
        m->joints[d] = (sni_atom_pair){(int32_t)json_integer_value(json_array_get(four, 1)),
                                       (int32_t)json_integer_value(json_array_get(four, 2))};
        pattern[m->joints[d].b] ^=
            mark; // on the axis: not in the list, but it goes with the others
    }
    for (int32_t i = 0; i < n; i++) {
        m->group[i] = -1;
        for (int32_t j = 0; j < i && m->group[i] < 0; j++) {
            if (pattern[j] == pattern[i]) m->group[i] = m->group[j];
        }
        if (m->group[i] < 0) {
            m->X_wg[groups] = (sn_pose){sn_mat3_identity(), m->p[i]};
            m->group[i] = groups++;
        }
    }
    m->input.group_count = groups;
    m->input.joint_count = joints;
    free(pattern);
}

/// u . sum over moved groups of their moments about a point of the axis.
static double torque_of(const peptide* m, const sn_wrench* wrenches, json_t* dof) {
    json_t* four = json_object_get(dof, "dihedral_atoms");
    sn_vec3 pj = m->p[json_integer_value(json_array_get(four, 1))];
    sn_vec3 pk = m->p[json_integer_value(json_array_get(four, 2))];
    sn_vec3 axis = sn_vec3_sub(pk, pj), sum = sn_vec3_zero();
    bool* moved = calloc((size_t)m->input.group_count, sizeof(bool));
    int32_t first, last;
    moved_range(dof, &first, &last);
    for (int32_t i = first; i <= last; i++) moved[m->group[i]] = true;
    moved[m->group[json_integer_value(json_array_get(four, 2))]] = true;
    for (int32_t g = 0; g < m->input.group_count; g++) {
        if (!moved[g]) continue;
        sn_vec3 arm = sn_vec3_sub(m->X_wg[g].p, pk);
        sum = sn_vec3_add(sum, sn_vec3_add(wrenches[g].n, sn_vec3_cross(arm, wrenches[g].f)));
    }
    free(moved);
    return sn_vec3_dot(sum, axis) / sn_vec3_norm(axis);
}

/// Whether every joint is between two groups.
static bool cuts_cleanly(const peptide* m) {
    for (int32_t j = 0; j < m->input.joint_count; j++) {
        if (m->group[m->joints[j].a] == m->group[m->joints[j].b]) return false;
    }
    return true;
}

static void torques_about_torsions_are_those_of_openmm(void** state) {
    (void)state;
    for (size_t k = 0; k < NAMES; k++) {
        fixture f;
        if (!open_oracle(names[k], &f)) skip();
        json_t *dofs = json_object_get(f.oracle, "dofs"), *conformation, *dof;
        size_t i, d;
        json_array_foreach(json_object_get(f.oracle, "conformations"), i, conformation) {
            if (!json_object_get(conformation, "torque_kJ_per_mol_rad")) continue;
            peptide_place(f.molecule, conformation);
            cut_at_dofs(f.molecule, dofs);
            CHECK(cuts_cleanly(f.molecule), i);
            sn_forcefield_def def = sn_forcefield_def_exact();
            sn_forcefield* field = create(f.molecule, &def);
            int32_t groups = f.molecule->input.group_count;
            sn_wrench* wrenches = malloc(sizeof(sn_wrench) * (size_t)groups);
            sn_forcefield_report report;
            CHECK_STATUS(sn_forcefield_evaluate(field, f.molecule->X_wg, wrenches, &report), SN_OK);
            check_energies(json_object_get(conformation, "energy_kJ_per_mol"), &report.energy);
            json_t* torques =
                json_object_get(json_object_get(conformation, "torque_kJ_per_mol_rad"), "total");
            size_t count = json_array_size(dofs);
            double *ours = malloc(sizeof(double) * count), *theirs = malloc(sizeof(double) * count);
            json_array_foreach(dofs, d, dof) {
                ours[d] = torque_of(f.molecule, wrenches, dof);
                theirs[d] = json_number_value(json_array_get(torques, d));
            }
            check_context(names[k]);
            CHECK_VECTOR(ours, theirs, (int)count, TOL_OPENMM, i);
            free(ours);
            free(theirs);
            free(wrenches);
            sn_forcefield_free(field);
        }
        close_oracle(&f);
    }
}

// ---- the whole way, from the PDB file ---------------------------------------------------------------------

/// Forces in the order of the file.
static void in_file_order(const sn_molecule* m, const sn_vec3* f, sn_vec3* sorted) {
    int n = sn_molecule_atom_count(m);
    for (int i = 0; i < n; i++) {
        int place = 0;
        for (int j = 0; j < n; j++) {
            place += sn_molecule_atom(m, j).line < sn_molecule_atom(m, i).line;
        }
        sorted[place] = f[i];
    }
}

static void check_as_atoms(const sn_molecule* m, json_t* start) {
    int n = sn_molecule_atom_count(m);
    sn_forcefield* field = NULL;
    sn_forcefield_def def = sn_forcefield_def_exact();
    CHECK_STATUS(sn_forcefield_create(m, NULL, &def, &field, NULL), SN_OK);
    sn_vec3 *p = malloc(sizeof(sn_vec3) * (size_t)n), *f = malloc(sizeof(sn_vec3) * (size_t)n),
            *sorted = malloc(sizeof(sn_vec3) * (size_t)n);
    for (int i = 0; i < n; i++) p[i] = sn_molecule_atom(m, i).p;
    sn_forcefield_report report;
    CHECK_STATUS(sn_forcefield_evaluate_atoms(field, p, f, &report), SN_OK);
    check_energies(json_object_get(start, "energy_kJ_per_mol"), &report.energy);
    in_file_order(m, f, sorted);
    check_forces(start, "total", n, sorted);
    free(p), free(f), free(sorted);
    sn_forcefield_free(field);
}

/// Any cutting of the molecule into groups has the same energy.
static void check_as_tree(const sn_molecule* m, json_t* start, sn_torsion_policy policy) {
    sn_torsion_tree_def tree_def = sn_torsion_tree_def_default();
    tree_def.policy = policy;
    sn_torsion_tree* tree = NULL;
    CHECK_STATUS(sn_torsion_tree_create(m, &tree_def, &tree, NULL), SN_OK);
    sn_forcefield* field = NULL;
    sn_forcefield_def def = sn_forcefield_def_exact();
    CHECK_STATUS(sn_forcefield_create(m, tree, &def, &field, NULL), SN_OK);
    int groups = sn_torsion_tree_group_count(tree);
    sn_pose* poses = malloc(sizeof(sn_pose) * (size_t)groups);
    sn_wrench* wrenches = malloc(sizeof(sn_wrench) * (size_t)groups);
    for (int g = 0; g < groups; g++) poses[g] = sn_torsion_tree_group_pose(tree, g);
    sn_forcefield_report report;
    CHECK_STATUS(sn_forcefield_evaluate(field, poses, wrenches, &report), SN_OK);
    check_energies(json_object_get(start, "energy_kJ_per_mol"), &report.energy);
    free(poses), free(wrenches);
    sn_forcefield_free(field);
    sn_torsion_tree_free(tree);
}

static void a_molecule_read_from_its_file_has_the_same_energies(void** state) {
    (void)state;
    for (size_t k = 0; k < NAMES; k++) {
        fixture f;
        if (!open_oracle(names[k], &f)) skip();
        char path[512];
        snprintf(path, sizeof path, ORACLE "%s.pdb", names[k]);
        sn_molecule* m = NULL;
        sn_molecule_read_def def = sn_molecule_read_def_default();
        CHECK_STATUS(sn_molecule_read(path, &def, &m, NULL), SN_OK);
        json_t* start = json_array_get(json_object_get(f.oracle, "conformations"), 0);
        CHECK(sn_molecule_atom_count(m) == f.molecule->input.atom_count, 0);
        check_as_atoms(m, start);
        check_as_tree(m, start, SN_TORSION_POLICY_A);
        check_as_tree(m, start, SN_TORSION_POLICY_B);
        check_as_tree(m, start, SN_TORSION_POLICY_F);
        sn_molecule_free(m);
        close_oracle(&f);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(energies_and_forces_are_those_of_openmm),
        cmocka_unit_test(torques_about_torsions_are_those_of_openmm),
        cmocka_unit_test(a_molecule_read_from_its_file_has_the_same_energies),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
