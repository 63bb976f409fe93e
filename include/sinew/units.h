// SPDX-License-Identifier: Apache-2.0
/// What the numbers of a simulation mean: SI, or, in a scene with molecules, nm, ps, u and kJ/mol, which fit together as
/// SI units do (docs/decisions/0012-units-of-molecules.md). Nothing is ever converted while it runs; who prints a number
/// asks here what to write behind it.
///
///     const sn_units* u = sn_units_of(sn_world_units(world));
///     printf("%g %s\n", u->force.factor * f, u->force.shown);        // 1.66 pN
///     fprintf(csv, "force_%s", u->force.symbol);                     // force_kJ/(mol nm)
#ifndef SINEW_UNITS_H
#define SINEW_UNITS_H

#ifdef __cplusplus
extern "C" {
#endif

typedef enum sn_unit_system { SN_UNITS_SI, SN_UNITS_MOLECULAR, SN_UNITS_COUNT } sn_unit_system;

typedef struct sn_unit {
    const char* symbol; ///< of the number as it is: in files
    const char* shown;  ///< of the number times factor: for people
    double factor;
} sn_unit;

/// Piconewtons of one kJ/(mol nm).
#define SN_MOLECULE_FORCE_PN 1.6605390671738466

/// Quantities: X(field, SI symbol, shown, factor, molecular symbol, shown, factor). `way` is a short length: how far a
/// hand went, how deep two bodies overlap. `metric` is what adaptive dynamics compares joints by.
#define SN_UNIT_LIST(X)                                                                            \
    X(length, "m", "m", 1, "nm", "nm", 1)                                                          \
    X(way, "m", "mm", 1e3, "nm", "A", 10)                                                          \
    X(time, "s", "s", 1, "ps", "ps", 1)                                                            \
    X(mass, "kg", "kg", 1, "u", "u", 1)                                                            \
    X(speed, "m/s", "m/s", 1, "nm/ps", "nm/ps", 1)                                                 \
    X(turning, "rad/s", "rad/s", 1, "rad/ps", "rad/ps", 1)                                         \
    X(acceleration, "m/s^2", "m/s^2", 1, "nm/ps^2", "nm/ps^2", 1)                                  \
    X(force, "N", "N", 1, "kJ/(mol nm)", "pN", SN_MOLECULE_FORCE_PN)                               \
    X(moment, "N m", "N m", 1, "kJ/mol", "pN nm", SN_MOLECULE_FORCE_PN)                            \
    X(energy, "J", "J", 1, "kJ/mol", "kJ/mol", 1)                                                  \
    X(momentum, "kg m/s", "kg m/s", 1, "u nm/ps", "u nm/ps", 1)                                    \
    X(spin, "kg m2/s", "kg m2/s", 1, "u nm2/ps", "u nm2/ps", 1)                                    \
    X(stiffness, "N/m", "N/m", 1, "kJ/(mol nm2)", "pN/nm", SN_MOLECULE_FORCE_PN)                   \
    X(damping, "N s/m", "N s/m", 1, "kJ ps/(mol nm2)", "pN ps/nm", SN_MOLECULE_FORCE_PN)           \
    X(metric, "sqrt(J)/s", "sqrt(J)/s", 1, "sqrt(kJ/mol)/ps", "sqrt(kJ/mol)/ps", 1)

#define SN_UNIT_FIELD(field, si, si_shown, si_factor, mol, mol_shown, mol_factor) sn_unit field;
typedef struct sn_units {
    const char* name; ///< of the system
    SN_UNIT_LIST(SN_UNIT_FIELD)
} sn_units;
#undef SN_UNIT_FIELD

/// Never NULL: what is no system is SI.
const sn_units* sn_units_of(sn_unit_system system);

#ifdef __cplusplus
}
#endif
#endif
