// SPDX-License-Identifier: Apache-2.0
// Any bytes: an error with a reason, or a molecule with sound bonds that becomes a body in every policy and is written
// and read again.
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "sinew/load.h"
#include "sinew/torsion_tree.h"

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

enum { ATOMS_MOST = 20000 }; // more take long and show nothing new

static void ignore(void* context, sn_log_level level, sn_place place, const char* text) {
    (void)context, (void)level;
    if (!place.file || !text || !*text) abort();
}

static void expect(bool holds) {
    if (!holds) abort();
}

static void check_atoms(const sn_molecule* m) {
    int atoms = sn_molecule_atom_count(m);
    for (int i = 0; i < atoms; i++) {
        sn_atom_info a = sn_molecule_atom(m, i);
        expect(isfinite(a.p.x) && isfinite(a.p.y) && isfinite(a.p.z) && a.mass > 0);
    }
    for (int i = 0; i < sn_molecule_bond_count(m); i++) {
        sn_bond_info b = sn_molecule_bond(m, i);
        expect(0 <= b.a && b.a < b.b && b.b < atoms);
    }
}

static void check_tree(const sn_molecule* m, int policy) {
    sn_torsion_tree_def def = sn_torsion_tree_def_default();
    def.policy = (sn_torsion_policy)policy;
    def.free_base = policy % 2 == 1;
    sn_torsion_tree* tree;
    sn_error error;
    sn_status status = sn_torsion_tree_create(m, &def, &tree, &error);
    expect((status == SN_OK) == (tree != NULL));
    if (status) return;
    int groups = sn_torsion_tree_group_count(tree);
    for (int i = 0; i < sn_molecule_atom_count(m); i++) {
        int g = sn_torsion_tree_atom_group(tree, i);
        expect(0 <= g && g < groups);
    }
    for (int i = 0; i < sn_torsion_tree_torsion_count(tree); i++)
        expect(isfinite(sn_torsion_tree_torsion(tree, i).dihedral));
    sn_torsion_tree_free(tree);
}

static void check_round_trip(const sn_molecule* m) {
    char* text;
    sn_error error;
    if (sn_molecule_to_pdb(m, NULL, &text, &error)) return; // too far out for the columns
    sn_molecule* copy;
    (void)sn_molecule_read_memory(text, strlen(text), "again", NULL, &copy, &error);
    sn_molecule_free(copy);
    sn_text_free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    sn_molecule_read_def def = sn_molecule_read_def_default();
    def.log.write = ignore;
    sn_molecule* m;
    sn_error error;
    sn_status status = sn_molecule_read_memory((const char*)data, size, "fuzz", &def, &m, &error);
    expect((status == SN_OK) == (m != NULL));
    if (status) {
        expect(error.status == status && error.text[0] && error.file[0]);
        return 0;
    }
    if (sn_molecule_atom_count(m) <= ATOMS_MOST) {
        check_atoms(m);
        for (int policy = 0; policy < SN_TORSION_POLICIES; policy++) check_tree(m, policy);
        check_round_trip(m);
    }
    sn_molecule_free(m);
    return 0;
}
