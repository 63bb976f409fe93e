// SPDX-License-Identifier: Apache-2.0
/// The forces between the atoms of a molecule: AMBER99SB.   docs/forcefield.md
///
/// An sn_forcefield belongs to one molecule cut into rigid groups. Give it the poses of the groups and it answers
/// with the wrench on each and the energy of every kind of term. It keeps a list of near pairs from one call to the
/// next and makes a new one, in memory it already has, when atoms have moved far enough; it never allocates after
/// creation.
///
/// Units: nm, kJ/mol, e, rad; forces in kJ/(mol nm) = 1.66 pN, moments in kJ/mol. Thread: one at a time.
#ifndef SINEW_FORCEFIELD_H
#define SINEW_FORCEFIELD_H

#include <stdbool.h>
#include <stdint.h>

#include "sinew/torsion_tree.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct sn_forcefield sn_forcefield;

typedef enum sn_dielectric {
    SN_DIELECTRIC_VACUUM,  ///< Coulomb energy proportional to 1/r
    SN_DIELECTRIC_DISTANCE ///< permittivity proportional to r: energy to 1/r^2, a crude solvent
} sn_dielectric;

typedef enum sn_precision {
    SN_PRECISION_MIXED, ///< pairs in single, sums over them in double: forces to about 1e-5
    SN_PRECISION_DOUBLE ///< all in double: about three times slower
} sn_precision;

/// Kinds of terms, to be combined.
enum {
    SN_TERM_BOND = 1,
    SN_TERM_ANGLE = 2,
    SN_TERM_TORSION = 4, ///< impropers, too
    SN_TERM_LJ = 8,
    SN_TERM_COULOMB = 16,
    SN_TERM_ALL = 31
};

typedef struct sn_forcefield_def {
    double cutoff; ///< nm; INFINITY: none
    double skin;   ///< nm by which the pair list reaches farther than the cut-off
    double soften; ///< below this fraction of sigma forces stop growing; 0: never
    sn_dielectric dielectric;
    double
        permittivity; ///< relative; with SN_DIELECTRIC_DISTANCE that at 0.1 nm: 4 means epsilon = 4 r/A
    sn_precision precision;
    int terms; ///< SN_TERM_*
} sn_forcefield_def;

/// What a running simulation wants: cut-off 1 nm, skin 0.12 nm, forces bounded below 0.5 sigma, vacuum, mixed
/// precision.
sn_forcefield_def sn_forcefield_def_default(void);
/// What a reference calculation wants: no cut-off, no softening, vacuum, double precision.
sn_forcefield_def sn_forcefield_def_exact(void);

/// kJ/mol.
typedef struct sn_forcefield_energy {
    double bond, angle, torsion;
    double lj_nonbonded, lj_14;
    double coulomb_nonbonded, coulomb_14;
    double total;
} sn_forcefield_energy;

/// sum += other, term by term.
void sn_forcefield_energy_add(sn_forcefield_energy* sum, const sn_forcefield_energy* other);

typedef struct sn_forcefield_report {
    sn_forcefield_energy energy;
    int32_t overlaps;     ///< pairs closer than the softening distance
    bool rebuilt;         ///< the pair list was made anew
    int64_t listed_pairs; ///< pairs of atoms that the list has, those beyond the cut-off included
} sn_forcefield_report;

/// For a molecule as a torsion tree: groups are those of the tree, bonds that were cut (disulfides) are springs. Without
/// a tree (NULL) every atom is a group. Atoms that the force field does not know, those of hetero groups, feel nothing.
/// Neither molecule nor tree is needed afterwards.
sn_status sn_forcefield_create(const sn_molecule* molecule, const sn_torsion_tree* tree,
                               const sn_forcefield_def* def, sn_forcefield** field,
                               sn_error* error);
void sn_forcefield_free(sn_forcefield* field);

int32_t sn_forcefield_atom_count(const sn_forcefield* field);
int32_t sn_forcefield_group_count(const sn_forcefield* field);

/// The wrench on every group, in world axes, about the group's origin, at the given poses. report may be NULL;
/// energies and overlaps take a third more time.
/// SN_ERR_NUMERIC when a pose or a force is not finite, SN_ERR_CAPACITY when atoms are packed so densely that the
/// pair list is full; wrenches are zero then. Realtime: yes.
sn_status sn_forcefield_evaluate(sn_forcefield* field, const sn_pose* X_wg, sn_wrench* wrench_w,
                                 sn_forcefield_report* report);

/// The same with every atom where the caller says, and the force on each: for molecules that are not rigid in
/// parts. Groups must be single atoms (no torsion tree was given at creation); SN_ERR_ARGUMENT otherwise.
sn_status sn_forcefield_evaluate_atoms(sn_forcefield* field, const sn_vec3* p_w, sn_vec3* f_w,
                                       sn_forcefield_report* report);

/// Promises that groups with the same number keep their poses relative to each other from the next evaluation on:
/// what they do to each other is computed once, then, and kept. Numbers are from 0 to below that of groups. NULL: every group moves by
/// itself, as at creation.
/// The first evaluation afterwards costs about as much as two or three. Where the promise is broken, it is noticed and
/// sums are made anew.
void sn_forcefield_set_parts(sn_forcefield* field, const int32_t* part);

/// Where the atoms were at the last evaluation, world axes, in the order of the molecule.
const sn_vec3* sn_forcefield_atom_positions(const sn_forcefield* field);

#ifdef __cplusplus
}
#endif
#endif
