// SPDX-License-Identifier: Apache-2.0
/// Atoms that a file does not have: side chains with ideal geometry, hydrogens by rules.
#ifndef SN_MOLECULE_COMPLETE_H
#define SN_MOLECULE_COMPLETE_H

#include "base/warnings.h"
#include "molecule/molecule.h"

/// Gives every atom that is not `placed` a position, and marks it. The backbone atoms N, CA and C (of caps, all heavy
/// atoms) must be there. Warns about heavy atoms of `file` that were missing.
void sni_molecule_complete(sn_molecule* m, bool* placed, const char* file, sni_warnings* warnings);

/// Puts hydrogens of one residue that are not placed where the rules say; how many.
int sni_place_hydrogens(sn_molecule* m, int32_t residue, bool* placed);

#endif
