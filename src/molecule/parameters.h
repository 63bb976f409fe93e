// SPDX-License-Identifier: Apache-2.0
/// What the force field says of a molecule: every term of its energy with its numbers, found from the types of its
/// atoms and its bonds.   docs/forcefield.md
#ifndef SN_MOLECULE_PARAMETERS_H
#define SN_MOLECULE_PARAMETERS_H

#include <stdint.h>

#include "base/error.h"

typedef struct sni_typed_atom {
    int32_t type;  ///< in sni_atom_types; -1: not known to the force field, nothing acts on it
    double charge; ///< e
} sni_typed_atom;

typedef struct sni_atom_pair {
    int32_t a, b;
} sni_atom_pair;

/// k/2 (r - length)^2
typedef struct sni_bond_term {
    int32_t a, b;
    double length, k;
} sni_bond_term;

/// k/2 (theta - angle)^2, b in the middle
typedef struct sni_angle_term {
    int32_t a, b, c;
    double angle, k;
} sni_angle_term;

/// k (1 + cos(n phi - phase)), phi the dihedral a-b-c-d, zero when cis
typedef struct sni_torsion_term {
    int32_t a, b, c, d;
    int32_t n;
    double phase, k;
} sni_torsion_term;

/// Lennard-Jones and Coulomb between atoms three bonds apart, scaled.
typedef struct sni_pair_term {
    int32_t a, b;
    double qq;             ///< e^2
    double sigma, epsilon; ///< nm, kJ/mol
} sni_pair_term;

typedef struct sni_parameters {
    int32_t atom_count;
    int32_t bond_count, angle_count, torsion_count, pair_count;
    sni_bond_term* bonds;
    sni_angle_term* angles;
    sni_torsion_term* torsions; ///< proper and improper
    sni_pair_term* pairs;
    /// Atoms up to three bonds from atom i: excluded[first_excluded[i]] to excluded[first_excluded[i + 1]], ascending.
    int32_t* first_excluded;
    int32_t* excluded;
} sni_parameters;

/// Fills *parameters, to be given to sni_parameters_free whether it succeeds or not. SN_ERR_MODEL for a bond or an
/// angle that the force field does not have.
sn_status sni_parameters_create(int32_t atom_count, const sni_typed_atom* atoms, int32_t bond_count,
                                const sni_atom_pair* bonds, sni_parameters* parameters,
                                sn_error* error);
void sni_parameters_free(sni_parameters* parameters);

#endif
