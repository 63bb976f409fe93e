// SPDX-License-Identifier: Apache-2.0
/// The formulas of the force field, term by term, in double: energy of one term, and its forces added to those of
/// its atoms.   docs/forcefield.md
#ifndef SN_MOLECULE_TERMS_H
#define SN_MOLECULE_TERMS_H

#include <stdbool.h>

#include "molecule/parameters.h"
#include "sinew/math.h"

/// How atoms that are not bonded act on each other, as the kernels want it. Powers of the inverse cut-off are zero
/// without one, and cutoff2 is larger than any distance.
typedef struct sni_pair_law {
    double cutoff2;    ///< nm^2
    double k2, k3, k6; ///< inverse cut-off to that power
    double soften2;    ///< (fraction of sigma)^2 below which forces stop growing
    double floor2;     ///< nm^2, the same for atoms without sigma; zero without softening
    bool dielectric_r; ///< permittivity proportional to the distance
    double coulomb;    ///< kJ nm / (mol e^2), or kJ nm^2 / (mol e^2) with dielectric_r
} sni_pair_law;

typedef struct sni_pair_energy {
    double lj, coulomb; ///< kJ/mol
} sni_pair_energy;

/// Energy of two atoms at squared distance r2 and, in *g, the force divided by the distance, positive when they
/// repel each other. sigma in nm, epsilon in kJ/mol, qq in e^2. The pair is within the cut-off.
///
/// Lennard-Jones U = 4 eps (s^12/r^12 - s^6/r^6), Coulomb U = k qq/r, or k qq/r^2. With g_U = -U'/r, a cut-off R
/// shifts g: g(r) = g_U(r) - g_U(R), so E(r) = U(r) - U(R) + g_U(R) (r^2 - R^2)/2; energy and force are zero at R,
/// and close pairs hardly notice.   [SF73]  Below the softening distance r0 the energy continues as a parabola,
/// E(r0) + g(r0) (r0^2 - r^2)/2: the force falls linearly to zero.
static inline sni_pair_energy sni_pair_evaluate(const sni_pair_law* law, double r2, double sigma,
                                                double epsilon, double qq, double* g) {
    double s2 = sigma * sigma, s6 = s2 * s2 * s2, b = 4 * epsilon * s6;
    double soft2 = fmax(r2, law->soften2 * s2 + law->floor2);
    double i2 = 1 / soft2, i6 = i2 * i2 * i2;
    double k2 = law->k2, k6 = law->k6;
    double inside = 0.5 * (soft2 - r2), outside = k2 > 0 ? 0.5 * (soft2 - 1 / k2) : 0;
    double lj_edge = b * 6 * (2 * s6 * k6 - 1) * k6 * k2;
    double lj_g = b * 6 * (2 * s6 * i6 - 1) * i6 * i2 - lj_edge;
    double lj = b * ((s6 * i6 - 1) * i6 - (s6 * k6 - 1) * k6) + lj_edge * outside;
    double q = law->coulomb * qq, coulomb_g, coulomb;
    if (law->dielectric_r) {
        coulomb_g = 2 * q * (i2 * i2 - k2 * k2);
        coulomb = q * (i2 - k2 + 2 * k2 * k2 * outside);
    } else {
        double i1 = sqrt(i2);
        coulomb_g = q * (i1 * i2 - law->k3);
        coulomb = q * (i1 - sqrt(k2) + law->k3 * outside);
    }
    *g = lj_g + coulomb_g;
    return (sni_pair_energy){lj + lj_g * inside, coulomb + coulomb_g * inside};
}

double sni_bond_energy(const sni_bond_term* term, const sn_vec3* p, sn_vec3* f);
double sni_angle_energy(const sni_angle_term* term, const sn_vec3* p, sn_vec3* f);
double sni_torsion_energy(const sni_torsion_term* term, const sn_vec3* p, sn_vec3* f);
/// Atoms three bonds apart; the law is one without a cut-off, as is usual for them.
sni_pair_energy sni_scaled_energy(const sni_pair_law* law, const sni_pair_term* term,
                                  const sn_vec3* p, sn_vec3* f);

/// The dihedral a-b-c-d as a unit vector: cosine and sine; zero when three of them lie on a line.
typedef struct sni_dihedral {
    double cosine, sine;
} sni_dihedral;
sni_dihedral sni_dihedral_of(sn_vec3 a, sn_vec3 b, sn_vec3 c, sn_vec3 d);

#endif
