// SPDX-License-Identifier: Apache-2.0
#include "sinew/units.h"

#include <stdbool.h>

#define SI(field, si, si_shown, si_factor, mol, mol_shown, mol_factor)                             \
    .field = {(si), (si_shown), (si_factor)},
#define MOLECULAR(field, si, si_shown, si_factor, mol, mol_shown, mol_factor)                      \
    .field = {(mol), (mol_shown), (mol_factor)},

const sn_units* sn_units_of(sn_unit_system system) {
    static const sn_units tables[SN_UNITS_COUNT] = {
        [SN_UNITS_SI] = {.name = "SI", SN_UNIT_LIST(SI)},
        [SN_UNITS_MOLECULAR] = {.name = "molecular", SN_UNIT_LIST(MOLECULAR)},
    };
    bool known = (int)system >= 0 && (int)system < SN_UNITS_COUNT;
    return &tables[known ? system : SN_UNITS_SI];
}
