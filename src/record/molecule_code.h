// SPDX-License-Identifier: Apache-2.0
/// A molecule of a world as bytes: its structure, which bonds turn, and what acts, so that it can be made again to the
/// bit. Bonds are not kept: they follow from the structure.
#ifndef SN_RECORD_MOLECULE_CODE_H
#define SN_RECORD_MOLECULE_CODE_H

#include "record/coder.h"
#include "sinew/molecule_forces.h"

/// One that was read. Start from {0}.
typedef struct sni_recorded_molecule {
    sn_world_molecule world; ///< its prefix is in the bytes it was read from
    sn_molecule* molecule;
    sn_torsion_tree* tree;
} sni_recorded_molecule;

/// False: no memory.
bool sni_write_molecule(sni_coder* coder, const sn_world_molecule* molecule);
/// SN_ERR_FORMAT, with the reason, when it makes no sense. Free either way.
sn_status sni_read_molecule(sni_coder* coder, sni_recorded_molecule* molecule, sn_error* error);
void sni_recorded_molecule_free(sni_recorded_molecule* molecule);

#endif
