// SPDX-License-Identifier: Apache-2.0
/// Front door of `molecule`: proteins, from files or built, as articulated bodies with the forces between their atoms.
///
/// A structure goes through these files, in this order:
///   pdb.c, cif.c, mmcif.c, records.c, altloc.c     what a file says
///   residue_plan.c, protonation.c          what each residue becomes: its template, ends of chains, disulfides, histidines
///   fill.c, complete.c, hydrogens.c, bonds.c     atoms in the order of templates, those that were missing, bonds
///   rotatable.c, torsion_groups.c, torsion_tree.c              bonds that turn, rigid groups, the model
/// templates.h holds what the force field knows of residues and atoms.
/// Units: nm, ps, u, kJ/mol and e everywhere, also in the models that leave by include/sinew/molecule.h.
/// A file is never trusted. Called by whoever reads structures and by the step of a world with molecules; never
/// knows bodies in contact.
#ifndef SN_MOLECULE_SN_MOLECULE_H
#define SN_MOLECULE_SN_MOLECULE_H

#include "molecule/molecule.h"
#include "molecule/templates.h"
#include "molecule/torsion_tree.h"

#endif
