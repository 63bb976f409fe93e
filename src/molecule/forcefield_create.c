// SPDX-License-Identifier: Apache-2.0
// From a molecule and its torsion tree to a force field.
#include <stdlib.h>

#include "molecule/field.h"
#include "molecule/molecule.h"
#include "molecule/torsion_tree.h"

/// Arrays of an sni_field_input, by which it is filled.
typedef struct input_arrays {
    sni_typed_atom* atoms;
    sni_atom_pair *bonds, *joints, *rods;
    sn_vec3* p;
    int32_t* group;
    sn_pose* X_wg;
} input_arrays;

static bool take_arrays(input_arrays* a, size_t atoms, size_t bonds, size_t joints) {
    a->atoms = malloc(sizeof *a->atoms * (atoms + 1));
    a->bonds = malloc(sizeof *a->bonds * (bonds + 1));
    a->joints = malloc(sizeof *a->joints * (joints + 1));
    a->rods = malloc(sizeof *a->rods * (bonds + 1));
    a->p = malloc(sizeof *a->p * (atoms + 1));
    a->group = malloc(sizeof *a->group * (atoms + 1));
    a->X_wg = malloc(sizeof *a->X_wg * (atoms + 1));
    return a->atoms && a->bonds && a->joints && a->rods && a->p && a->group && a->X_wg;
}

static void free_arrays(input_arrays* a) {
    free(a->atoms);
    free(a->bonds);
    free(a->joints);
    free(a->rods);
    free(a->p);
    free(a->group);
    free(a->X_wg);
}

static void fill_groups(const sn_molecule* m, const sn_torsion_tree* tree, input_arrays* a) {
    for (int32_t i = 0; i < m->atom_count; i++) {
        a->group[i] = tree ? tree->group_of[i] : i;
        if (!tree) a->X_wg[i] = (sn_pose){sn_mat3_identity(), m->atoms[i].p};
    }
    for (int32_t g = 0; tree && g < tree->group_count; g++) {
        a->X_wg[g] = sn_torsion_tree_group_pose(tree, g);
    }
    for (int32_t t = 0; tree && t < tree->torsion_count; t++) {
        const int32_t* dihedral = tree->torsions[t].atoms;
        a->joints[t] = (sni_atom_pair){dihedral[1], dihedral[2]};
    }
}

sn_status sn_forcefield_create(const sn_molecule* m, const sn_torsion_tree* tree,
                               const sn_forcefield_def* def, sn_forcefield** field,
                               sn_error* error) {
    if (!m || !def || !field || (tree && tree->molecule != m)) {
        return sni_fail(
            error, SN_ERR_ARGUMENT, sni_nowhere(),
            "a force field needs a molecule, its own torsion tree or none, and options");
    }
    input_arrays a = {0};
    sni_field_input input = {.atom_count = m->atom_count,
                             .bond_count = m->bond_count,
                             .group_count = tree ? tree->group_count : m->atom_count,
                             .joint_count = tree ? tree->torsion_count : 0};
    *field = NULL;
    sn_status status;
    if (take_arrays(&a, (size_t)m->atom_count, (size_t)m->bond_count, (size_t)input.joint_count)) {
        for (int32_t i = 0; i < m->atom_count; i++) {
            const sni_template_atom* known = sni_atom_template(m, i);
            a.atoms[i] =
                known ? (sni_typed_atom){known->type, known->charge} : (sni_typed_atom){-1, 0};
            a.p[i] = m->atoms[i].p;
        }
        for (int32_t i = 0; i < m->bond_count; i++) {
            a.bonds[i] = (sni_atom_pair){m->bonds[i].a, m->bonds[i].b};
            if (tree && sni_torsion_tree_has_rod(tree, &m->bonds[i]))
                a.rods[input.rod_count++] = a.bonds[i];
        }
        fill_groups(m, tree, &a);
        input.atoms = a.atoms, input.bonds = a.bonds, input.joints = a.joints, input.rods = a.rods;
        input.p = a.p, input.group = a.group, input.X_wg = a.X_wg;
        status = sni_field_create(&input, def, field, error);
    } else {
        status = sni_fail(error, SN_ERR_MEMORY, sni_nowhere(),
                          "no memory for the forces of %d atoms", (int)m->atom_count);
    }
    free_arrays(&a);
    return status;
}
