// SPDX-License-Identifier: Apache-2.0
#ifndef SN_MOLECULE_PDB_ALTLOC_H
#define SN_MOLECULE_PDB_ALTLOC_H

#include "molecule/pdb.h"

/// Of the last residue, keeps one atom of each name: that of the alternate location with most occupancy in the
/// whole residue (of equals, the first letter), so that what is kept fits together. The residue gets the
/// name its kept location has.
void sni_pdb_settle_residue(sni_pdb* pdb, sni_warnings* warnings);

#endif
