// SPDX-License-Identifier: Apache-2.0
/// From a plan to a molecule: atoms in the order of their templates, bonds, what is bonded to nothing.
#ifndef SN_MOLECULE_FILL_H
#define SN_MOLECULE_FILL_H

#include "molecule/molecule.h"
#include "molecule/residue_plan.h"

/// An empty molecule with room for residues and chains; NULL without memory.
sn_molecule* sni_molecule_create(const char* name, int32_t residues, int32_t chains);
/// Room for the atoms of all residues, by their templates or, for hetero groups, atom_count; fills everything of
/// known atoms but where they are. False without memory.
bool sni_molecule_make_atoms(sn_molecule* m);

/// The molecule of a plan; *placed tells which atoms the file has, to be freed.
sn_status sni_molecule_fill(const sni_pdb* pdb, const sni_residue_plan* plan,
                            sni_warnings* warnings, sn_molecule** molecule, bool** placed,
                            sn_error* error);

/// Gives the molecule its bonds, when all atoms are placed: of templates, of the chain, disulfides between the
/// partners, and by distance in hetero groups. False without memory.
bool sni_molecule_bond_atoms(sn_molecule* m, const int32_t* partner);
/// Finds who carries hetero groups and ions. False without memory.
bool sni_molecule_find_carriers(sn_molecule* m);
/// Warns about atoms at the same place. False without memory.
bool sni_molecule_check_overlaps(const sn_molecule* m, const char* file, sni_warnings* warnings);

#endif
