// SPDX-License-Identifier: Apache-2.0
/// Bonds that can turn.
#ifndef SN_MOLECULE_ROTATABLE_H
#define SN_MOLECULE_ROTATABLE_H

#include "molecule/molecule.h"
#include "sinew/torsion_tree.h"

typedef struct sni_rotatable {
    int32_t bond; ///< in the molecule
    int32_t inner,
        outer; ///< its atoms; inner is nearer to where the chain begins, or to the backbone
    int32_t residue;
    sn_torsion_kind kind;
    int8_t number; ///< of chi, 1 to 5; 0: not a chi
} sni_rotatable;

/// All of them in the order of residues; NULL without memory. To be freed. With open_rings, phi of proline counts.
sni_rotatable* sni_rotatable_find(const sn_molecule* m, const sni_adjacency* adjacency,
                                  bool open_rings, int32_t* count);

/// Atoms i, l of the dihedral i-inner-outer-l that names the torsion; i is on the side of `inner`.
void sni_rotatable_dihedral(const sn_molecule* m, const sni_adjacency* adjacency,
                            const sni_rotatable* bond, int32_t* i, int32_t* l);

#endif
