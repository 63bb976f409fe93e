// SPDX-License-Identifier: Apache-2.0
/// What atoms are called.
#ifndef SINEW_APP_ATOM_NAMES_H
#define SINEW_APP_ATOM_NAMES_H

#include "sinew/molecule.h"

enum { ATOM_LABEL = 64 };

/// "A/12 ALA CA". Returns text.
const char* atom_label(const sn_molecule* molecule, int atom, char text[ATOM_LABEL]);
/// Of an element by its symbol; 0: none.
int atomic_number(const char* element);

#endif
