// SPDX-License-Identifier: Apache-2.0
/// Surfaces: what happens where two of them touch.
#ifndef SINEW_MATERIAL_H
#define SINEW_MATERIAL_H

#ifdef __cplusplus
extern "C" {
#endif

/// What happens where two surfaces touch.
typedef struct sn_material {
    double mu;         ///< friction at rest
    double mu_kinetic; ///< friction far above stribeck_speed; equal to mu: the same at all speeds
    double stribeck_speed; ///< m/s, see sn_contact_law; positive when mu_kinetic differs from mu
    double viscous;     ///< N s/m: tangential force -viscous u_t besides the dry one; points only
    double restitution; ///< 0 to 1: part of the normal speed that comes back after an impact
    double spin;        ///< m: friction moment about the normal, over the normal force
    double roll;        ///< m: moment against rolling, over the normal force
    double
        stiffness;  ///< N/m of the skin; INFINITY: rigid. A skin bounces by itself: no restitution
    double damping; ///< N s/m of the skin; means nothing where it is rigid
} sn_material;

/// Rigid, mu = 0.5, nothing else.
sn_material sn_material_default(void);
/// NULL, or what is wrong with it.
const char* sn_material_trouble(const sn_material* material);

/// What holds between two bodies of these materials. Friction coefficients: geometric mean. Restitution,
/// viscous, spin, roll, stribeck_speed: the larger. Skins are in series: their compliances add, and the
/// damping is the one that dissipates as much as both when the load changes slowly.
sn_material sn_material_combine(sn_material a, sn_material b);

#ifdef __cplusplus
}
#endif
#endif
