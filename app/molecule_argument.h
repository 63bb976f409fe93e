// SPDX-License-Identifier: Apache-2.0
/// The MOLECULE word of the command line: a PDB or mmCIF file, or a molecule that is built, such as ala:20.
#ifndef SINEW_APP_MOLECULE_ARGUMENT_H
#define SINEW_APP_MOLECULE_ARGUMENT_H

#include <stdbool.h>

#include "message.h"
#include "sinew/molecule.h"

/// What --help says of MOLECULE.
#define MOLECULE_HELP                                                                              \
    "MOLECULE is a PDB or mmCIF file (.pdb, .ent, .cif), ala:COUNT (polyalanine, a helix\n"        \
    "between caps; ala:COUNT:strand and others), or bacteriorhodopsin (its whole sequence as "     \
    "one\n"                                                                                        \
    "long helix, which is not how it folds).\n"

/// Choices of --policy, in the order of sn_torsion_policy.
#define MOLECULE_POLICY_CHOICES "A|B|C|D|E|F"
#define MOLECULE_POLICY_HELP                                                                       \
    "bonds that turn: A phi and psi; B (the default) and side chains; C B and omega; D B and OH, " \
    "SH, NH3; E D and CH3; F all"

typedef struct molecule_source {
    sn_molecule* molecule;
    message_log log; ///< what was said while it was read
} molecule_source;

/// Reads or builds it. False, with the reason said, when that fails.
bool molecule_source_load(const char* text, molecule_source* source);
void molecule_source_free(molecule_source* source);

#endif
