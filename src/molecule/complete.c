// SPDX-License-Identifier: Apache-2.0
#include "molecule/complete.h"

#include <stdio.h>
#include <string.h>

#include "molecule/geometry.h"
#include "molecule/side_chains.h"

static const double CROWDED = 0.12; // nm; atoms of one residue are never nearer, but hydrogens

typedef struct completion {
    sn_molecule* m;
    bool* placed;
    int32_t residue;
    char missing[64]; ///< names of heavy atoms that were not there
} completion;

static int32_t placed_atom(const completion* c, const char* name) {
    int32_t atom = sni_residue_atom(c->m, c->residue, name);
    return atom >= 0 && c->placed[atom] ? atom : -1;
}

static bool is_crowded(const completion* c, sn_vec3 p) {
    const sni_residue* r = &c->m->residues[c->residue];
    for (int32_t i = r->first_atom; i < r->first_atom + r->atom_count; i++)
        if (c->placed[i] && sni_distance(c->m->atoms[i].p, p) < CROWDED) return true;
    return false;
}

/// A torsion whose usual place is taken turns on to the next third.
static void place_row(completion* c, int32_t atom, const sni_side_row* row) {
    int32_t a = placed_atom(c, row->a), b = placed_atom(c, row->b), d = placed_atom(c, row->c);
    if (a < 0 || b < 0 || d < 0) return;
    const sni_atom* atoms = c->m->atoms;
    sn_vec3 p = sn_vec3_zero();
    for (int turn = 0; turn < 3; turn++) {
        p = sni_place_atom(atoms[d].p, atoms[b].p, atoms[a].p, row->r, row->angle * SN_DEGREE,
                           (row->dihedral + 120 * turn) * SN_DEGREE);
        if (row->chi == 0 || !is_crowded(c, p)) break;
    }
    c->m->atoms[atom].p = p;
    c->placed[atom] = true;
}

static void remember(completion* c, const char* name) {
    size_t used = strlen(c->missing);
    snprintf(c->missing + used, sizeof c->missing - used, "%s%s", used ? " " : "", name);
}

/// O and OXT of the backbone: in the plane of CA, C and the next N, or across from each other.
static void complete_oxygens(completion* c) {
    static const sni_side_row ALONE[] = {{"O", "C", "CA", "N", 0.1231, 120.8, 133, 0},
                                         {"OXT", "C", "CA", "O", 0.1249, 117.5, 180, 0},
                                         {"O", "C", "CA", "OXT", 0.1249, 117.5, 180, 0}};
    sn_molecule* m = c->m;
    int32_t oxygen = sni_residue_atom(m, c->residue, "O"), next = -1;
    int32_t ca = placed_atom(c, "CA"), carbon = placed_atom(c, "C");
    if (c->residue + 1 < m->residue_count && !m->residues[c->residue + 1].after_gap &&
        m->residues[c->residue + 1].chain == m->residues[c->residue].chain)
        next = sni_residue_atom(m, c->residue + 1, "N");
    if (oxygen >= 0 && !c->placed[oxygen]) {
        remember(c, "O");
        if (next >= 0 && c->placed[next] && ca >= 0 && carbon >= 0) {
            m->atoms[oxygen].p =
                sni_place_atom(m->atoms[next].p, m->atoms[ca].p, m->atoms[carbon].p, 0.1231,
                               120.8 * SN_DEGREE, 180 * SN_DEGREE);
            c->placed[oxygen] = true;
        } else {
            place_row(c, oxygen, placed_atom(c, "OXT") >= 0 ? &ALONE[2] : &ALONE[0]);
        }
    }
    int32_t last = sni_residue_atom(m, c->residue, "OXT");
    if (last >= 0 && !c->placed[last]) {
        remember(c, "OXT");
        place_row(c, last, &ALONE[1]);
    }
}

static void complete_heavy(completion* c) {
    const sni_residue* r = &c->m->residues[c->residue];
    const sni_side_row* rows;
    int count = sni_side_chain(sni_templates[r->template_index].base, &rows);
    complete_oxygens(c);
    for (int i = 0; i < count; i++) {
        int32_t atom = sni_residue_atom(c->m, c->residue, rows[i].atom);
        if (atom < 0 || c->placed[atom]) continue;
        remember(c, rows[i].atom);
        place_row(c, atom, &rows[i]);
    }
}

void sni_molecule_complete(sn_molecule* m, bool* placed, const char* file, sni_warnings* warnings) {
    for (int32_t i = 0; i < m->residue_count; i++) {
        sni_residue* r = &m->residues[i];
        if (r->template_index < 0) continue;
        completion c = {.m = m, .placed = placed, .residue = i};
        complete_heavy(&c);
        if (!c.missing[0] || r->line == 0 || strcmp(c.missing, "OXT") == 0) continue;
        sn_place place = {file, r->line, 0};
        sni_warnings_note(
            warnings, "missing", place,
            "%s %s/%d lacks %s; built with ideal geometry, where the torsion usually is", r->name,
            m->chains[r->chain].label, (int)r->number, c.missing);
    }
    int added = 0; // after all heavy atoms: a rule may look at the residue before
    for (int32_t i = 0; i < m->residue_count; i++)
        if (m->residues[i].template_index >= 0) added += sni_place_hydrogens(m, i, placed);
    sn_place place = {file, 0, 0};
    if (added > 0 && file)
        sni_say(&warnings->log, SN_LOG_NOTE, place, "%d hydrogens were added, by geometry", added);
}
