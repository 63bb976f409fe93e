// SPDX-License-Identifier: Apache-2.0
/// A molecule in a world of its own, for tests.
#ifndef SINEW_TESTS_MOLECULE_WORLD_H
#define SINEW_TESTS_MOLECULE_WORLD_H

#include "sinew/molecule_forces.h"
#include "sinew/world.h"

typedef struct molecule_world {
    sn_molecule* molecule;
    sn_torsion_tree* tree;
    sn_molecule_forces* forces;
    sn_world* world;
    sn_wrench* scratch; // [bodies]
} molecule_world;

/// Of what sn_molecule_build_named knows. world NULL: the default, without gravity; step is that of `forces`.
molecule_world molecule_world_named(const char* name, const sn_molecule_forces_def* forces,
                                    const sn_world_def* world);
/// Of a molecule, which becomes the world's; tree NULL: the default.
molecule_world molecule_world_of(sn_molecule* molecule, const sn_torsion_tree_def* tree,
                                 const sn_molecule_forces_def* forces, const sn_world_def* world);
void molecule_world_free(molecule_world* w);

/// A world's options for a molecule: no gravity, room for a field.
sn_world_def molecule_world_def(void);
void molecule_world_run(molecule_world* w, int steps);
/// At the world's state, kJ/mol.
double molecule_world_potential(molecule_world* w);
/// The same and the kinetic energy.
double molecule_world_energy(molecule_world* w);
/// Forces on the joints of field and wrenches at the world's state, nv numbers.
void molecule_world_torques(molecule_world* w, double* tau);
/// Where an atom is.
sn_vec3 molecule_world_atom(molecule_world* w, int atom);

#endif
