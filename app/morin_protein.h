// SPDX-License-Identifier: Apache-2.0
/// A person with a hand in a running protein, as [MR07 fig 5] has it, by a script: rest, then six grabs a to f of
/// residues along the chain, pulled and let go again, all timed.
#ifndef SINEW_APP_MORIN_PROTEIN_H
#define SINEW_APP_MORIN_PROTEIN_H

#include <stdbool.h>
#include <stdio.h>

enum { MORIN_GRABS = 6, MORIN_PHASES = 2 * MORIN_GRABS + 1 }; // rest, a, rest, b, ..., f, rest

typedef struct morin_phase {
    char name[8]; ///< "rest", or "a" to "f"
    bool grabbed;
    int active;                           ///< joints that may move, as budgeted
    double step_us, coupling_us, tick_us; ///< medians; of rest only the first
    double felt_pn;                       ///< largest force at the hand, pN
} morin_phase;

typedef struct morin_run {
    const char* molecule; ///< as sn_molecule_build_named knows it
    int budget;           ///< from between d and e on; 0: always all
    int steps;            ///< of a phase
    // found
    int atoms, dof, count; ///< count: of all steps
    double *at, *step_us,
        *coupling_us; ///< [count] step number; times; NAN where nothing is grabbed
    morin_phase phases[MORIN_PHASES];
    double worst_coupling_us; ///< of the coupling and a tick together
} morin_run;

/// False, with the reason said, when it cannot be done.
bool morin_interact(morin_run* run);
void morin_free(morin_run* run);

#endif
