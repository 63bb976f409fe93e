// SPDX-License-Identifier: Apache-2.0
/// What acts on a molecule in a running world: the force field between its atoms, friction, and the knocks of a heat bath.
///
/// Friction takes momentum from every rigid group at a rate, as a solvent would, and random wrenches give it back so
/// that in time every degree of freedom has kT/2 (Langevin dynamics). At temperature 0 there is friction only: the
/// molecule comes to rest where its energy has a minimum, and follows a hand that pulls slowly as if it were always
/// there. Random numbers depend on seed, step and group alone, so that a run happens again.
/// Units as in sinew/molecule.h: nm, ps, u, kJ/mol.
#ifndef SINEW_MOLECULE_FORCES_H
#define SINEW_MOLECULE_FORCES_H

#include "sinew/dynamics.h"
#include "sinew/forcefield.h"
#include "sinew/torsion_tree.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct sn_molecule_forces sn_molecule_forces;

typedef struct sn_molecule_forces_def {
    sn_forcefield_def field;
    double friction;    ///< 1/ps
    double temperature; ///< K; 0: no knocks
    double step;        ///< ps: how long a knock lasts
    uint64_t seed;
} sn_molecule_forces_def;

/// The force field's default, friction 5/ps, 0 K, steps of 1 fs.
sn_molecule_forces_def sn_molecule_forces_def_default(void);

/// A molecule in a world.
typedef struct sn_world_molecule {
    const char* prefix; ///< of the names of its bodies in the world's model: "helix/", or ""
    const sn_torsion_tree* tree;
    sn_pose pose; ///< of what the tree hangs on, in the world
    sn_molecule_forces_def forces;
} sn_world_molecule;

/// The first of its bodies in a model, where they follow each other; -1: they are not there.
int sn_world_molecule_find(const sn_world_molecule* molecule, const sn_model* model);
/// Where its atoms are (nm, one for each) and how fast (nm/ps; NULL: not wanted) for the motion that the dynamics has.
void sn_world_molecule_place(const sn_world_molecule* molecule, const sn_dynamics* dynamics,
                             int first_body, sn_vec3* p_w, sn_vec3* v_w);

/// Molecule and tree must outlive it.
sn_status sn_molecule_forces_create(const sn_torsion_tree* tree, const sn_molecule_forces_def* def,
                                    sn_molecule_forces** forces, sn_error* error);
void sn_molecule_forces_free(sn_molecule_forces* forces);

/// Adds the wrenches on its bodies, world axes, to wrench_w, which has one for each body of the dynamics' model. The
/// molecule's are those from first_body on; its tree hangs on the world at X_w. For an sn_field. Realtime: yes.
sn_status sn_molecule_forces_compute(sn_molecule_forces* forces, const sn_dynamics* dynamics,
                                     int first_body, sn_pose X_w, uint64_t step,
                                     sn_wrench* wrench_w);

/// Forgets what it keeps from one computation to the next (list of pairs, sums of parts), so that it goes on to the bit as
/// one that was made now would: for recordings that begin here.
void sn_molecule_forces_forget(sn_molecule_forces* forces);

/// Energies and overlaps for the motion that the dynamics has, with everything else as in sn_molecule_forces_compute.
/// Has a force field of its own, made when first asked, so that who measures changes nothing of the run.
sn_status sn_molecule_forces_measure(sn_molecule_forces* forces, const sn_dynamics* dynamics,
                                     int first_body, sn_pose X_w, sn_forcefield_report* report);

/// Energies at the last computation, and what was found. Only when asked for before: they take as long as the forces, and
/// forces are the same to the bit with and without them.
sn_status sn_molecule_forces_want_report(sn_molecule_forces* forces, bool wanted);
sn_forcefield_report sn_molecule_forces_report(const sn_molecule_forces* forces);
/// Where the atoms were at the last computation.
const sn_vec3* sn_molecule_forces_positions(const sn_molecule_forces* forces);

#ifdef __cplusplus
}
#endif
#endif
