// SPDX-License-Identifier: Apache-2.0
/// Ideal geometry of side chains: where each heavy atom is from three others of its residue.
#ifndef SN_MOLECULE_SIDE_CHAINS_H
#define SN_MOLECULE_SIDE_CHAINS_H

#include <stdint.h>

/// An atom at distance r (nm) from a, with angle (degrees) to b and dihedral (degrees) c-b-a-atom.
typedef struct sni_side_row {
    char atom[5], a[5], b[5], c[5];
    double r, angle, dihedral;
    int8_t chi; ///< 1 to 4: the dihedral is that torsion, and this is where it usually is; 0: rigid
} sni_side_row;

/// Rows of a residue, by its name without end, in an order in which each finds its three atoms; how many.
int sni_side_chain(const char* base, const sni_side_row** rows);

#endif
