// SPDX-License-Identifier: Apache-2.0
/// Molecules for tests of the force field: chains of random residues in random shapes, and those of an OpenMM file.
#ifndef SINEW_TESTS_PEPTIDE_H
#define SINEW_TESTS_PEPTIDE_H

#include <jansson.h>

#include "base/rng.h"
#include "molecule/field.h"

typedef struct peptide {
    sni_field_input input; ///< points to what follows
    sni_typed_atom* atoms;
    sni_atom_pair* bonds;
    sn_vec3* p;
    int32_t* group;
    sn_pose* X_wg;
    sni_atom_pair* joints;
    int32_t*
        parent; ///< group at the other end of a joint; joints are in an order from group 0 outwards
} peptide;

/// Residues of all kinds in a loose random shape: bond lengths are nearly right, angles are not, no two atoms are closer than
/// 0.1 nm. Every atom is a group.
peptide* peptide_random(uint64_t seed, int32_t residues);

/// Topology and names of an OpenMM oracle file and the PDB file it was made from, at the positions of a conformation.
peptide* peptide_from_openmm(json_t* oracle, const char* pdb_path);
/// Puts the atoms where "positions_nm" of a conformation has them.
void peptide_place(peptide* m, json_t* conformation);

/// Cuts it into rigid groups at some bonds that are not in a ring, on the way from group 0 outwards. Frames of groups
/// are where the seed says. share: of these bonds, the part that turns.
void peptide_cut(peptide* m, uint64_t seed, double share);

/// Turns every joint by a random angle up to `most`: new poses and positions in X_wg and p.
void peptide_twist(peptide* m, uint64_t seed, double most);

void peptide_free(peptide* m);

#endif
