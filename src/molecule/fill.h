// SPDX-License-Identifier: Apache-2.0
/// From a plan to a molecule: atoms in the order of their templates, bonds, what is bonded to nothing.
#ifndef SN_MOLECULE_FILL_H
#define SN_MOLECULE_FILL_H

#include "molecule/molecule.h"
#include "molecule/residue_plan.h"

/// The molecule of a plan; *placed tells which atoms the file has, to be freed.
sn_status sni_molecule_fill(const sni_records* records, const sni_residue_plan* plan,
                            sni_warnings* warnings, sn_molecule** molecule, bool** placed,
                            sn_error* error);

/// Warns about atoms at the same place. False without memory.
bool sni_molecule_check_overlaps(const sn_molecule* m, const char* file, sni_warnings* warnings);

#endif
