// SPDX-License-Identifier: Apache-2.0
// What two materials make together.
#include "sinew/material.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

sn_material sn_material_default(void) {
    return (sn_material){.mu = 0.5, .mu_kinetic = 0.5, .stiffness = INFINITY};
}

static bool is_coefficient(double x) { return x >= 0 && isfinite(x); }

const char* sn_material_trouble(const sn_material* m) {
    if (!is_coefficient(m->mu) || !is_coefficient(m->mu_kinetic))
        return "friction coefficients must be finite and not negative";
    if (!is_coefficient(m->stribeck_speed) || (m->mu_kinetic != m->mu && m->stribeck_speed == 0))
        return "stribeck_speed must be positive where mu_kinetic differs from mu";
    if (!is_coefficient(m->viscous) || !is_coefficient(m->spin) || !is_coefficient(m->roll))
        return "viscous, spin and roll must be finite and not negative";
    if (m->viscous > 0 && (m->spin > 0 || m->roll > 0))
        return "viscous friction is of points; it cannot be had with spin or roll";
    if (!(m->restitution >= 0 && m->restitution <= 1)) return "restitution must be from 0 to 1";
    if (!(m->stiffness > 0)) return "stiffness must be positive; INFINITY for rigid";
    if (m->stiffness != INFINITY && !is_coefficient(m->damping))
        return "damping must be finite and not negative";
    return NULL;
}

// Two skins in series deform in the ratio of their compliances while the load changes slowly, so of the
// whole rate the share k2/(k1 + k2) is the first one's: what is dissipated is d1 share1^2 + d2 share2^2.
static void put_in_series(const sn_material* a, const sn_material* b, sn_material* out) {
    out->stiffness = b->stiffness;
    out->damping = b->damping;
    if (a->stiffness == INFINITY) return;
    double of_a = b->stiffness == INFINITY ? 1 : 1 / (1 + a->stiffness / b->stiffness);
    out->stiffness = of_a * a->stiffness;
    out->damping = of_a * of_a * a->damping;
    if (b->stiffness != INFINITY) out->damping += (1 - of_a) * (1 - of_a) * b->damping;
}

sn_material sn_material_combine(sn_material a, sn_material b) {
    sn_material m = {
        .mu = sqrt(a.mu * b.mu),
        .mu_kinetic = sqrt(a.mu_kinetic * b.mu_kinetic),
        .stribeck_speed = fmax(a.stribeck_speed, b.stribeck_speed),
        .viscous = fmax(a.viscous, b.viscous),
        .restitution = fmax(a.restitution, b.restitution),
        .spin = fmax(a.spin, b.spin),
        .roll = fmax(a.roll, b.roll),
    };
    put_in_series(&a, &b, &m);
    return m;
}
