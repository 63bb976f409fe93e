// SPDX-License-Identifier: Apache-2.0
/// Rigid groups and the torsions between them.
#ifndef SN_MOLECULE_TORSION_TREE_H
#define SN_MOLECULE_TORSION_TREE_H

#include "molecule/rotatable.h"

enum { SN_TORSION_NAME = SN_RESIDUE_LABEL + 16 };

typedef struct sni_group {
    sn_pose X_wg;       ///< where q = 0; axes of the world
    sn_body_id body;    ///< of the model; -1: fixed to the world
    int32_t parent;     ///< -1: a root
    int32_t torsion;    ///< that turns it; -1: a root
    int32_t residue;    ///< of its first atom
    sn_inertia inertia; ///< in its frame
} sni_group;

typedef struct sni_torsion {
    char name[SN_TORSION_NAME];
    sn_torsion_kind kind;
    int32_t residue;
    int32_t atoms[4];
    int32_t group;
} sni_torsion;

struct sn_torsion_tree {
    const sn_molecule* molecule;
    sn_torsion_tree_def def;
    sn_model* model;
    sni_group* groups;
    sni_torsion* torsions;
    int32_t* group_of; ///< [atoms]
    int32_t group_count, torsion_count;
};

/// Cuts the molecule into rigid groups and orders them as a tree. False without memory.
bool sni_torsion_tree_cut(sn_torsion_tree* tree);
/// Whether a bond is a disulfide between two bodies that a rod holds.
bool sni_torsion_tree_has_rod(const sn_torsion_tree* tree, const sni_bond* bond);
/// Makes the model of groups and torsions.
sn_status sni_torsion_tree_compile(sn_torsion_tree* tree, sn_error* error);

#endif
