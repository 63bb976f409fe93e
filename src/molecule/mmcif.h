// SPDX-License-Identifier: Apache-2.0
/// mmCIF files, as the wwPDB has them [PDBX]: atoms and disulfides. Chains, residue numbers and names are the authors', those
/// that PDB files of the same entry have.
#ifndef SN_MOLECULE_MMCIF_H
#define SN_MOLECULE_MMCIF_H

#include "molecule/records.h"

/// Whether a text is one, by its beginning.
bool sni_mmcif_is(const char* text, size_t length);
/// Adds what the text says to empty records.
sn_status sni_mmcif_read(const char* text, size_t length, sni_warnings* warnings,
                         sni_records* records, sn_error* error);

#endif
