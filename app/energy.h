// SPDX-License-Identifier: Apache-2.0
/// What sinew energy computes, before it is printed.
#ifndef SINEW_APP_ENERGY_H
#define SINEW_APP_ENERGY_H

#include <stdbool.h>

#include "json_writer.h"
#include "sinew/forcefield.h"

/// Kinds of forces that are told apart: X(name in JSON, terms).
#define ENERGY_FORCES(X)                                                                           \
    X("total", SN_TERM_ALL)                                                                        \
    X("torsion", SN_TERM_TORSION)                                                                  \
    X("lj", SN_TERM_LJ)                                                                            \
    X("coulomb", SN_TERM_COULOMB)
enum { ENERGY_FORCE_KINDS = 4 };

typedef struct energy_result {
    const sn_molecule* molecule;
    const char* name; ///< as it was given
    sn_forcefield_def def;
    sn_forcefield_report report;
    int unknown; ///< atoms without parameters
    int count;
    int* order;                     ///< atoms as the file has them, added ones last
    sn_vec3* f[ENERGY_FORCE_KINDS]; ///< forces on atoms; all but the first only when asked for
    int torsion_count;
    double *dihedral, *torque; ///< rad, kJ/mol; NULL when not asked for
    const sn_torsion_tree* tree;
} energy_result;

/// Energies per term; with `forces` forces of every kind, and torques about the torsions of the tree. False, with the
/// reason said, when that cannot be done.
bool energy_compute(energy_result* r, bool forces);
void energy_free(energy_result* r);

/// {bond: ..., total: ...}
void energy_write_terms(json_writer* w, const sn_forcefield_energy* e);
/// The file of --forces.
void energy_write_forces(json_writer* w, const energy_result* r);

#endif
