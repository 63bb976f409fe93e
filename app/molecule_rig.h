// SPDX-License-Identifier: Apache-2.0
/// A molecule in a world of its own, for experiments.
#ifndef SINEW_APP_MOLECULE_RIG_H
#define SINEW_APP_MOLECULE_RIG_H

#include "sinew/molecule_step.h"
#include "sinew/world.h"

/// Start from {0}; free either way.
typedef struct molecule_rig {
    sn_molecule* molecule;
    sn_torsion_tree* tree;
    sn_molecule_forces* forces;
    sn_world* world;
} molecule_rig;

/// Options of a world for a molecule: no gravity, room for its field, steps of 1 fs.
sn_world_def molecule_rig_world(void);
/// Brings rig->molecule to life. forces NULL: the default; their step is the world's.
sn_status molecule_rig_start(molecule_rig* rig, const sn_molecule_forces_def* forces,
                             const sn_world_def* world, sn_error* error);
void molecule_rig_free(molecule_rig* rig);

/// Says why something failed, which `what` was about.
void molecule_rig_trouble(const char* what, const sn_error* error);

/// The atom of a name in a residue, counted from 0; negative residues count from the end, -1 the last. -1: none.
int molecule_rig_atom(const molecule_rig* rig, int residue, const char* name);
sn_vec3 molecule_rig_place(const molecule_rig* rig, int atom);
/// Energy of the force field at the world's state, kJ/mol.
double molecule_rig_potential(const molecule_rig* rig);

#endif
