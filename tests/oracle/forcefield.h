// SPDX-License-Identifier: Apache-2.0
/// The force field a second time, to be read, not to be fast: all pairs, all terms, long double, energies only.
/// Forces are differences of energies.
#ifndef SINEW_TESTS_ORACLE_FORCEFIELD_H
#define SINEW_TESTS_ORACLE_FORCEFIELD_H

#include "molecule/parameters.h"
#include "oracle/oracle.h"
#include "sinew/forcefield.h"

typedef struct oracle_energy {
    real bond, angle, torsion, lj_nonbonded, lj_14, coulomb_nonbonded, coulomb_14;
} oracle_energy;

/// p: 3 numbers an atom, nm.
oracle_energy oracle_forcefield(const sni_parameters* parameters, const sni_typed_atom* atoms,
                                const sn_forcefield_def* def, const real* p);
real oracle_energy_total(const oracle_energy* e);

/// Force on one atom by differences of energies of everything it takes part in.
void oracle_force(const sni_parameters* parameters, const sni_typed_atom* atoms,
                  const sn_forcefield_def* def, const real* p, int32_t atom, real force[3]);

#endif
