// SPDX-License-Identifier: Apache-2.0
// Who is bonded to whom, who is bonded to nobody, and who stands in whose place.
#include <stdlib.h>
#include <string.h>

#include "molecule/array.h"
#include "molecule/cells.h"
#include "molecule/fill.h"
#include "molecule/geometry.h"

static const double HETERO_BOND_MOST = 0.19;    // nm, between heavy atoms of unknown groups
static const double HYDROGEN_BOND_MOST = 0.125; // nm, of their hydrogens
static const double CARRIER_MOST = 0.6;         // nm
static const double OVERLAP = 0.05;             // nm; no two atoms are nearer
enum { NEAR_MOST = 64 };

static bool is_hydrogen(const sni_atom* atom) {
    return strcmp(atom->element, "H") == 0 || strcmp(atom->element, "D") == 0;
}

typedef struct bond_list {
    sn_molecule* m;
    int32_t room;
    bool full;
} bond_list;

static void add(bond_list* list, int32_t a, int32_t b, bool disulfide) {
    sn_molecule* m = list->m;
    if (!SN_GROW(m->bonds, m->bond_count, list->room)) {
        list->full = true;
        return;
    }
    m->bonds[m->bond_count++] = (sni_bond){a < b ? a : b, a < b ? b : a, disulfide};
}

static void add_template(bond_list* list, const sni_residue* r) {
    const sni_template* t = &sni_templates[r->template_index];
    for (int32_t b = 0; b < t->bond_count; b++) {
        sni_template_bond bond = sni_template_bonds[t->first_bond + b];
        add(list, r->first_atom + bond.a, r->first_atom + bond.b, false);
    }
}

static void add_near(bond_list* list, const sni_residue* r) {
    const sni_atom* atoms = list->m->atoms;
    for (int32_t i = r->first_atom; i < r->first_atom + r->atom_count; i++)
        for (int32_t j = i + 1; j < r->first_atom + r->atom_count; j++) {
            bool light = is_hydrogen(&atoms[i]) || is_hydrogen(&atoms[j]);
            double most = light ? HYDROGEN_BOND_MOST : HETERO_BOND_MOST;
            if (sni_distance(atoms[i].p, atoms[j].p) <= most) add(list, i, j, false);
        }
}

/// The chain's bond from the residue before, over gaps and groups between that are in no chain.
static void add_link(bond_list* list, const sni_residue* before, const sni_residue* r) {
    if (!before || before->chain != r->chain || r->after_gap) return;
    int32_t next = sni_templates[before->template_index].link[SNI_LINK_NEXT];
    int32_t previous = sni_templates[r->template_index].link[SNI_LINK_PREVIOUS];
    if (next >= 0 && previous >= 0)
        add(list, before->first_atom + next, r->first_atom + previous, false);
}

static int by_atoms(const void* x, const void* y) {
    const sni_bond *a = x, *b = y;
    if (a->a != b->a) return a->a < b->a ? -1 : 1;
    return (a->b > b->b) - (a->b < b->b);
}

bool sni_molecule_bond_atoms(sn_molecule* m, const int32_t* partner) {
    bond_list list = {.m = m};
    const sni_residue* before = NULL;
    for (int32_t i = 0; i < m->residue_count; i++) {
        const sni_residue* r = &m->residues[i];
        if (r->template_index < 0) {
            add_near(&list, r);
            continue;
        }
        add_template(&list, r);
        if (r->atom_count > 1) {
            add_link(&list, before, r);
            before = r;
        }
        int32_t other = partner ? partner[i] : -1;
        int32_t a = sni_templates[r->template_index].link[SNI_LINK_SIDE];
        if (other < i || a < 0) continue;
        int32_t kind = m->residues[other].template_index; // it may have lost what makes it one
        int32_t b = kind < 0 ? -1 : sni_templates[kind].link[SNI_LINK_SIDE];
        if (b >= 0) add(&list, r->first_atom + a, m->residues[other].first_atom + b, true);
    }
    if (m->bond_count > 0) qsort(m->bonds, (size_t)m->bond_count, sizeof *m->bonds, by_atoms);
    return !list.full;
}

// ---- carriers -----------------------------------------------------------------------------------

/// Ions and hetero groups: what is in no chain.
static bool is_loose(const sni_residue* r) { return r->template_index < 0 || r->atom_count == 1; }

static int32_t nearest_atom(const sn_molecule* m, const sni_cells* cells, const sni_residue* r) {
    int32_t found[NEAR_MOST], best = -1;
    double least = CARRIER_MOST;
    for (int32_t i = r->first_atom; i < r->first_atom + r->atom_count; i++) {
        int32_t count = sni_cells_near(cells, m->atoms[i].p, least, NEAR_MOST, found);
        for (int32_t k = 0; k < count; k++) {
            double d = sni_distance(m->atoms[i].p, m->atoms[found[k]].p);
            if (!(d < least)) continue;
            least = d;
            best = found[k];
        }
    }
    return best;
}

bool sni_molecule_find_carriers(sn_molecule* m) {
    int32_t loose = 0;
    for (int32_t i = 0; i < m->residue_count; i++) loose += is_loose(&m->residues[i]);
    if (loose == 0) return true;
    sni_cells cells;
    bool done = sni_cells_create(&cells, m->atom_count, CARRIER_MOST);
    for (int32_t i = 0; done && i < m->atom_count; i++)
        if (!is_loose(&m->residues[m->atoms[i].residue])) sni_cells_add(&cells, m->atoms[i].p, i);
    for (int32_t i = 0; done && i < m->residue_count; i++)
        if (is_loose(&m->residues[i]))
            m->residues[i].carrier = nearest_atom(m, &cells, &m->residues[i]);
    sni_cells_free(&cells);
    return done;
}

// ---- overlaps -----------------------------------------------------------------------------------

bool sni_molecule_check_overlaps(const sn_molecule* m, const char* file, sni_warnings* warnings) {
    sni_cells cells;
    bool done = sni_cells_create(&cells, m->atom_count, OVERLAP);
    for (int32_t i = 0; done && i < m->atom_count; i++) {
        int32_t other;
        if (sni_cells_near(&cells, m->atoms[i].p, OVERLAP, 1, &other) > 0) {
            const sni_residue *a = &m->residues[m->atoms[i].residue],
                              *b = &m->residues[m->atoms[other].residue];
            sn_place place = {file, a->line, 0};
            sni_warnings_note(warnings, "overlap", place,
                              "%s of %s %s/%d and %s of %s %s/%d are at the same place; forces "
                              "between them mean nothing",
                              m->atoms[i].name, a->name, m->chains[a->chain].label, (int)a->number,
                              m->atoms[other].name, b->name, m->chains[b->chain].label,
                              (int)b->number);
        }
        sni_cells_add(&cells, m->atoms[i].p, i);
    }
    sni_cells_free(&cells);
    return done;
}
