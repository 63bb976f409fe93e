// SPDX-License-Identifier: Apache-2.0
#ifndef SN_MOLECULE_ALTLOC_H
#define SN_MOLECULE_ALTLOC_H

#include "molecule/records.h"

/// Of the last residue, keeps one atom of each name: that of the alternate location with most occupancy in the
/// whole residue (of equals, the first letter), so that what is kept fits together. The residue gets the
/// name its kept location has.
void sni_records_settle(sni_records* records, sni_warnings* warnings);

#endif
