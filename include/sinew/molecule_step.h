// SPDX-License-Identifier: Apache-2.0
/// Steps in time that a molecule stays stable with.   docs/molecules.md
///
/// The fastest small motion of the torsions about a configuration has the angular frequency w: the largest eigenvalue
/// of M^-1 H is w^2, H the second derivatives of the energy. With friction g semi-implicit Euler is stable as long as
/// (w h)^2 + 2 g h < 4. Heat and hands push atoms closer together than they are there, where they are stiffer, and
/// accuracy wants many steps in an oscillation: a part of the bound is used.
#ifndef SINEW_MOLECULE_STEP_H
#define SINEW_MOLECULE_STEP_H

#include "sinew/molecule_forces.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Part of the bound that is used.
#define SN_STEP_SHARE 0.1

typedef struct sn_step_choice {
    double frequency; ///< w, rad/ps; 0: nothing oscillates
    int torsion;      ///< that takes most part in it
    double bound;     ///< ps: longer steps are not stable
    double step;      ///< ps: SN_STEP_SHARE of it, at most SN_STEP_MOST
} sn_step_choice;

/// ps: however slow the motions are.
#define SN_STEP_MOST 5e-3

/// Of the molecule at q (NULL: as it was made), by some tens of evaluations of its forces. Not realtime.
sn_status sn_molecule_choose_step(const sn_torsion_tree* tree, const sn_molecule_forces_def* forces,
                                  const double* q, sn_step_choice* choice, sn_error* error);

#ifdef __cplusplus
}
#endif
#endif
