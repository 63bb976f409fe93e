// SPDX-License-Identifier: Apache-2.0
#include "oracle/forcefield.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "molecule/templates.h"
#include "oracle/vectors.h"

static real distance(const real* a, const real* b) {
    real d[3];
    r3_sub(d, a, b);
    return sqrtl(r3_dot(d, d));
}

static real angle_between(const real* u, const real* v) {
    return acosl(r3_dot(u, v) / sqrtl(r3_dot(u, u) * r3_dot(v, v)));
}

/// IUPAC: looking along b-c, how far d is turned clockwise from a.
static real dihedral(const real* a, const real* b, const real* c, const real* d) {
    real axis[3], u[3], v[3], n[3];
    r3_sub(axis, c, b);
    r3_sub(u, a, b);
    r3_sub(v, d, c);
    real length = sqrtl(r3_dot(axis, axis));
    for (int k = 0; k < 3; k++) axis[k] /= length;
    r3_add_scaled(u, -r3_dot(u, axis), axis);
    r3_add_scaled(v, -r3_dot(v, axis), axis);
    r3_cross(n, u, v);
    return atan2l(r3_dot(n, axis), r3_dot(u, v));
}

/// Energies of a pair as functions of the distance alone, without cut-off and softening.
static real plain_lj(real r, real sigma, real epsilon) {
    return 4 * epsilon * (powl(sigma / r, 12) - powl(sigma / r, 6));
}

static real plain_coulomb(const sn_forcefield_def* def, real r, real qq) {
    real permittivity = (real)def->permittivity;
    if (def->dielectric == SN_DIELECTRIC_DISTANCE) permittivity *= 10 * r; // of r in Angstrom
    return 138.935457644382L * qq / (permittivity * r);
}

/// A pair's two energies at a distance.
typedef struct pair_energy {
    real lj, coulomb;
} pair_energy;

typedef struct pair_case {
    const sn_forcefield_def* def;
    real sigma, epsilon, qq;
    bool cut;
} pair_case;

static pair_energy plain(const pair_case* c, real r) {
    return (pair_energy){plain_lj(r, c->sigma, c->epsilon), plain_coulomb(c->def, r, c->qq)};
}

/// Slope over distance at r, by differences.
static pair_energy slope(const pair_case* c, real r, pair_energy (*f)(const pair_case*, real)) {
    real h = 1e-6L * r;
    pair_energy above = f(c, r + h), below = f(c, r - h);
    return (pair_energy){(above.lj - below.lj) / (2 * h * r),
                         (above.coulomb - below.coulomb) / (2 * h * r)};
}

/// With a parabola added, so that value and slope vanish at the cut-off.
static pair_energy shifted(const pair_case* c, real r) {
    pair_energy e = plain(c, r);
    real R = (real)c->def->cutoff;
    if (!c->cut) return e;
    if (r >= R) return (pair_energy){0, 0};
    pair_energy at = plain(c, R), s = slope(c, R, plain);
    e.lj -= at.lj + s.lj * (r * r - R * R) / 2;
    e.coulomb -= at.coulomb + s.coulomb * (r * r - R * R) / 2;
    return e;
}

/// Continued below r0 as the parabola with the same value and slope.
static pair_energy softened(const pair_case* c, real r) {
    real soften = (real)c->def->soften;
    real r0 = soften > 0 ? sqrtl(powl(soften * c->sigma, 2) + 0.03L * 0.03L) : 0;
    if (r >= r0) return shifted(c, r);
    pair_energy e = shifted(c, r0), s = slope(c, r0, shifted);
    e.lj += s.lj * (r * r - r0 * r0) / 2;
    e.coulomb += s.coulomb * (r * r - r0 * r0) / 2;
    return e;
}

/// Everything, or with only >= 0 what one atom takes part in.
static oracle_energy sum(const sni_parameters* t, const sni_typed_atom* atoms,
                         const sn_forcefield_def* def, const real* p, int32_t only) {
    oracle_energy e = {0};
    for (int32_t i = 0; i < t->bond_count; i++) {
        const sni_bond_term* b = &t->bonds[i];
        if (only >= 0 && b->a != only && b->b != only) continue;
        e.bond += b->k / 2 * powl(distance(p + 3 * b->a, p + 3 * b->b) - b->length, 2);
    }
    for (int32_t i = 0; i < t->angle_count; i++) {
        const sni_angle_term* a = &t->angles[i];
        if (only >= 0 && a->a != only && a->b != only && a->c != only) continue;
        real u[3], v[3];
        r3_sub(u, p + 3 * a->a, p + 3 * a->b);
        r3_sub(v, p + 3 * a->c, p + 3 * a->b);
        e.angle += a->k / 2 * powl(angle_between(u, v) - a->angle, 2);
    }
    for (int32_t i = 0; i < t->torsion_count; i++) {
        const sni_torsion_term* d = &t->torsions[i];
        if (only >= 0 && d->a != only && d->b != only && d->c != only && d->d != only) continue;
        real phi = dihedral(p + 3 * d->a, p + 3 * d->b, p + 3 * d->c, p + 3 * d->d);
        e.torsion += d->k * (1 + cosl(d->n * phi - d->phase));
    }
    for (int32_t i = 0; i < t->pair_count; i++) {
        const sni_pair_term* q = &t->pairs[i];
        if (only >= 0 && q->a != only && q->b != only) continue;
        pair_case c = {def, q->sigma, q->epsilon, q->qq, false};
        pair_energy two = softened(&c, distance(p + 3 * q->a, p + 3 * q->b));
        e.lj_14 += two.lj, e.coulomb_14 += two.coulomb;
    }
    for (int32_t a = 0; a < t->atom_count; a++) {
        for (int32_t b = a + 1; b < t->atom_count; b++) {
            if (only >= 0 && a != only && b != only) continue;
            bool excluded = atoms[a].type < 0 || atoms[b].type < 0;
            for (int32_t k = t->first_excluded[a]; k < t->first_excluded[a + 1]; k++) {
                excluded |= t->excluded[k] == b;
            }
            if (excluded) continue;
            const sni_atom_type *ta = &sni_atom_types[atoms[a].type],
                                *tb = &sni_atom_types[atoms[b].type];
            pair_case c = {def, ((real)ta->sigma + tb->sigma) / 2,
                           sqrtl((real)ta->epsilon * tb->epsilon),
                           (real)atoms[a].charge * atoms[b].charge, isfinite(def->cutoff)};
            pair_energy two = softened(&c, distance(p + 3 * a, p + 3 * b));
            e.lj_nonbonded += two.lj, e.coulomb_nonbonded += two.coulomb;
        }
    }
    return e;
}

oracle_energy oracle_forcefield(const sni_parameters* parameters, const sni_typed_atom* atoms,
                                const sn_forcefield_def* def, const real* p) {
    return sum(parameters, atoms, def, p, -1);
}

real oracle_energy_total(const oracle_energy* e) {
    return e->bond + e->angle + e->torsion + e->lj_nonbonded + e->lj_14 + e->coulomb_nonbonded +
           e->coulomb_14;
}

void oracle_force(const sni_parameters* parameters, const sni_typed_atom* atoms,
                  const sn_forcefield_def* def, const real* p, int32_t atom, real force[3]) {
    size_t size = sizeof(real) * 3 * (size_t)parameters->atom_count;
    real *moved = malloc(size), h = 1e-6L;
    memcpy(moved, p, size);
    for (int k = 0; k < 3; k++) {
        real* x = &moved[3 * atom + k];
        *x = p[3 * atom + k] + h;
        oracle_energy above = sum(parameters, atoms, def, moved, atom);
        *x = p[3 * atom + k] - h;
        oracle_energy below = sum(parameters, atoms, def, moved, atom);
        *x = p[3 * atom + k];
        force[k] = (oracle_energy_total(&below) - oracle_energy_total(&above)) / (2 * h);
    }
    free(moved);
}
