// SPDX-License-Identifier: Apache-2.0
/// What sinew info says of a molecule.
#ifndef SINEW_APP_INFO_MOLECULE_H
#define SINEW_APP_INFO_MOLECULE_H

#include <stdbool.h>

/// Exit status.
int info_molecule(const char* text, bool json, bool all);

#endif
