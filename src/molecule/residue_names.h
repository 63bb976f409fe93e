// SPDX-License-Identifier: Apache-2.0
/// What files call residues, and what the force field calls them.
#ifndef SN_MOLECULE_RESIDUE_NAMES_H
#define SN_MOLECULE_RESIDUE_NAMES_H

#include "molecule/molecule.h"

typedef enum sni_residue_kind {
    SNI_RESIDUE_AMINO,
    SNI_RESIDUE_CAP, ///< ACE, NME, NHE
    SNI_RESIDUE_ION,
    SNI_RESIDUE_WATER,
    SNI_RESIDUE_HETERO ///< not known to the force field
} sni_residue_kind;

/// Sorts a name of a file; `base` becomes the force field's name without its end. Histidine stays HIS when the name
/// does not tell its state.
sni_residue_kind sni_residue_sort(const char* name, char base[SN_RESIDUE_NAME]);

/// Name of an amino acid from its letter in a sequence, or NULL.
const char* sni_residue_of_letter(char letter);

/// wwPDB name of an atom that a residue of the given base calls differently.
const char* sni_atom_rename(const char* base, const char* name);

/// The nearest form that exists at the ends of chains: ASP for ASH.
const char* sni_residue_common_form(const char* base);

#endif
