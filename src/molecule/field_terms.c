// SPDX-License-Identifier: Apache-2.0
// Terms with few atoms: which of them motion can change, and their sums.
#include <math.h>

#include "molecule/field.h"

// ---- joint series ---------------------------------------------------------------------------------------

/// Energy of all torsions about a joint; its torque -dE/dphi as a couple on the groups at both ends.
static double twist_joint(sn_forcefield* field, const sni_joint_series* s) {
    const sn_vec3* p = field->p;
    sni_dihedral one = sni_dihedral_of(p[s->a], p[s->b], p[s->c], p[s->d]);
    double energy = s->e0, torque = 0;
    double cosine = one.cosine, sine = one.sine; // of n phi
    for (int32_t n = 1; n <= SNI_HARMONICS; ++n) {
        energy += s->C[n - 1] * cosine - s->S[n - 1] * sine;
        torque += n * (s->C[n - 1] * sine + s->S[n - 1] * cosine);
        double next = cosine * one.cosine - sine * one.sine;
        sine = sine * one.cosine + cosine * one.sine;
        cosine = next;
    }
    sn_vec3 axis = sn_vec3_sub(p[s->c], p[s->b]);
    sn_vec3 couple = sn_vec3_scale(torque / sn_vec3_norm(axis), axis);
    sn_wrench *on_c = &field->couple[field->group[s->c]],
              *on_b = &field->couple[field->group[s->b]];
    on_c->n = sn_vec3_add(on_c->n, couple);
    on_b->n = sn_vec3_sub(on_b->n, couple);
    return energy;
}

// ---- sums -----------------------------------------------------------------------------------------------

static void add_term(sn_forcefield* field, int32_t kind, int32_t i, sn_forcefield_energy* energy) {
    const sni_parameters* terms = &field->parameters;
    if (kind == SNI_KIND_BOND) {
        energy->bond += sni_bond_energy(&terms->bonds[i], field->p, field->f);
    } else if (kind == SNI_KIND_ANGLE) {
        energy->angle += sni_angle_energy(&terms->angles[i], field->p, field->f);
    } else if (kind == SNI_KIND_TORSION) {
        energy->torsion += sni_torsion_energy(&terms->torsions[i], field->p, field->f);
    } else if (kind == SNI_KIND_PAIR) {
        sni_pair_energy pair =
            sni_scaled_energy(&field->law_14, &terms->pairs[i], field->p, field->f);
        energy->lj_14 += pair.lj;
        energy->coulomb_14 += pair.coulomb;
    } else {
        energy->torsion += twist_joint(field, &field->series[i]);
    }
}

void sni_field_sum_terms(sn_forcefield* field, bool active, sn_forcefield_energy* energy) {
    for (int32_t kind = 0; kind < SNI_KINDS; ++kind) {
        const sni_selection* s = &field->select[kind];
        for (int32_t i = active ? 0 : s->active; i < (active ? s->active : s->count); ++i) {
            add_term(field, kind, s->index[i], energy);
        }
    }
}

// ---- parts ----------------------------------------------------------------------------------------------

/// Atoms of a term, -1 for none.
static void atoms_of(const sn_forcefield* field, int32_t kind, int32_t i, int32_t atoms[4]) {
    const sni_parameters* t = &field->parameters;
    atoms[0] = atoms[1] = atoms[2] = atoms[3] = -1;
    if (kind == SNI_KIND_BOND) {
        atoms[0] = t->bonds[i].a, atoms[1] = t->bonds[i].b;
    } else if (kind == SNI_KIND_ANGLE) {
        atoms[0] = t->angles[i].a, atoms[1] = t->angles[i].b, atoms[2] = t->angles[i].c;
    } else if (kind == SNI_KIND_TORSION) {
        atoms[0] = t->torsions[i].a, atoms[1] = t->torsions[i].b;
        atoms[2] = t->torsions[i].c, atoms[3] = t->torsions[i].d;
    } else if (kind == SNI_KIND_PAIR) {
        atoms[0] = t->pairs[i].a, atoms[1] = t->pairs[i].b;
    } else { // the groups of a joint
        atoms[0] = field->series[i].b, atoms[1] = field->series[i].c;
    }
}

static bool within_one_part(const sn_forcefield* field, int32_t kind, int32_t i) {
    int32_t atoms[4];
    atoms_of(field, kind, i, atoms);
    int32_t part = field->part[field->group[atoms[0]]];
    for (int32_t k = 1; k < 4; ++k) {
        if (atoms[k] >= 0 && field->part[field->group[atoms[k]]] != part) return false;
    }
    return true;
}

void sni_field_select(sn_forcefield* field) {
    for (int32_t kind = 0; kind < SNI_KINDS; ++kind) {
        sni_selection* s = &field->select[kind];
        int32_t others = s->count;
        s->active = 0;
        for (int32_t i = 0; i < s->count; ++i) {
            int32_t term = s->all[i];
            s->index[within_one_part(field, kind, term) ? --others : s->active++] = term;
        }
    }
}
