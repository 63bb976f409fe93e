// SPDX-License-Identifier: Apache-2.0
/// PDB files: columns and records as in the wwPDB's format 3.3 [PDB12].
#ifndef SN_MOLECULE_PDB_H
#define SN_MOLECULE_PDB_H

#include "molecule/records.h"

/// Adds what the text says to empty records.
sn_status sni_pdb_read(const char* text, size_t length, sni_warnings* warnings,
                       sni_records* records, sn_error* error);

#endif
