// SPDX-License-Identifier: Apache-2.0
// Hydrogens by the geometry of what they hang on.
#include "molecule/complete.h"
#include "molecule/geometry.h"

static const double TETRAHEDRAL = 1.9106332362490186; // acos(-1/3)

typedef struct site {
    sn_vec3 p[4]; ///< the rule's control atoms
    double r;     ///< bond length, nm
    double angle; ///< to the second control atom
} site;

/// The residue before, where it is bonded to this one; -1: none.
static int32_t bonded_before(const sn_molecule* m, int32_t residue) {
    const sni_residue* r = &m->residues[residue];
    if (residue == 0 || r->after_gap || m->residues[residue - 1].chain != r->chain) return -1;
    const sni_residue* before = &m->residues[residue - 1];
    if (before->template_index < 0 || r->template_index < 0) return -1;
    bool links = sni_templates[before->template_index].link[SNI_LINK_NEXT] >= 0 &&
                 sni_templates[r->template_index].link[SNI_LINK_PREVIOUS] >= 0;
    return links ? residue - 1 : -1;
}

/// Atom of a rule as an index into the molecule; -1: there is none.
static int32_t control_atom(const sn_molecule* m, int32_t residue, int32_t control) {
    if (control >= 0) return m->residues[residue].first_atom + control;
    int32_t before = control == SNI_ATOM_NONE ? -1 : bonded_before(m, residue);
    if (before < 0) return -1;
    int32_t ca = sni_residue_atom(m, before, "CA");
    if (ca < 0) ca = sni_residue_atom(m, before, "CH3");
    return control == SNI_ATOM_PREVIOUS_C ? sni_residue_atom(m, before, "C") : ca;
}

static int type_of(const sn_molecule* m, int32_t atom) { return sni_atom_template(m, atom)->type; }

static sn_vec3 away(const site* s, int count) {
    sn_vec3 sum = sn_vec3_zero();
    for (int k = 1; k <= count; k++) sum = sn_vec3_add(sum, sni_direction(s->p[k], s->p[0]));
    return sni_direction(sn_vec3_zero(), sum);
}

/// Where hydrogen number `which` of a rule goes; kinds as in templates.h.
static sn_vec3 place_one(const site* s, int kind, int which) {
    double turn = SN_DEGREE * 180;
    switch (kind) {
    case 1: return sn_vec3_add(s->p[0], sn_vec3_scale(s->r, away(s, 2)));
    case 2: break;
    case 3: turn = which == 0 ? turn : 0; break;
    case 4: turn += which * 120 * SN_DEGREE; break;
    case 5: return sn_vec3_add(s->p[0], sn_vec3_scale(s->r, away(s, 3)));
    default: {
        sn_vec3 n = sn_vec3_cross(sni_direction(s->p[0], s->p[1]), sni_direction(s->p[0], s->p[2]));
        n = sni_perpendicular(away(s, 2), n);
        double half = 0.5 * TETRAHEDRAL, side = which == 0 ? sin(half) : -sin(half);
        sn_vec3 d = sn_vec3_add(sn_vec3_scale(cos(half), away(s, 2)), sn_vec3_scale(side, n));
        return sn_vec3_add(s->p[0], sn_vec3_scale(s->r, d));
    }
    }
    return sni_place_atom(s->p[2], s->p[1], s->p[0], s->r, s->angle, turn);
}

/// False where control atoms are missing.
static bool find_site(const sn_molecule* m, int32_t residue, const sni_hydrogen_rule* rule,
                      site* s) {
    int32_t atom[4], first = m->residues[residue].first_atom;
    for (int k = 0; k < 4; k++) {
        atom[k] = control_atom(m, residue, rule->control[k]);
        if (atom[k] < 0 && rule->control[k] != SNI_ATOM_NONE) return false;
        if (atom[k] >= 0) s->p[k] = m->atoms[atom[k]].p;
    }
    int hydrogen = type_of(m, first + rule->hydrogen[0]), heavy = type_of(m, atom[0]);
    s->r = sni_bond_length(hydrogen, heavy);
    s->angle = sni_bond_angle(hydrogen, heavy, type_of(m, atom[1]));
    if (!(s->r > 0)) s->r = 0.1;
    if (!(s->angle > 0)) s->angle = TETRAHEDRAL;
    return true;
}

/// The hydrogen of a backbone nitrogen behind a gap: as if the residue were in a helix.
static sn_vec3 after_gap(const sn_molecule* m, int32_t residue) {
    sn_vec3 p[3];
    static const char* const names[] = {"C", "CA", "N"};
    for (int k = 0; k < 3; k++) {
        int32_t atom = sni_residue_atom(m, residue, names[k]);
        p[k] = m->atoms[atom < 0 ? m->residues[residue].first_atom : atom].p;
    }
    return sni_place_atom(p[0], p[1], p[2], 0.101, 118.4 * SN_DEGREE, 120 * SN_DEGREE);
}

int sni_place_hydrogens(sn_molecule* m, int32_t residue, bool* placed) {
    int added = 0;
    int32_t first = m->residues[residue].first_atom;
    for (int32_t i = 0; i < sni_hydrogen_rules_count; i++) {
        const sni_hydrogen_rule* rule = &sni_hydrogen_rules[i];
        if (rule->template_index != m->residues[residue].template_index) continue;
        bool missing = false;
        for (int k = 0; k < rule->count; k++) missing |= !placed[first + rule->hydrogen[k]];
        if (!missing) continue; // all hydrogens of an atom, or none: half of them may be wrong
        site s = {0};
        bool found = find_site(m, residue, rule, &s);
        for (int k = 0; k < rule->count; k++) {
            int32_t atom = first + rule->hydrogen[k];
            m->atoms[atom].p = found ? place_one(&s, rule->kind, k) : after_gap(m, residue);
            placed[atom] = true;
            added += 1;
        }
    }
    return added;
}
