// SPDX-License-Identifier: Apache-2.0
#include "molecule/fill.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/name_map.h"
#include "molecule/elements.h"
#include "molecule/geometry.h"

static const double HYDROGEN_MOST = 0.15; // nm, from the atom it is on; a farther one is built anew

sn_molecule* sni_molecule_create(const char* name, int32_t residues, int32_t chains) {
    sn_molecule* m = calloc(1, sizeof *m);
    if (!m) return NULL;
    snprintf(m->name, sizeof m->name, "%s", name);
    m->residue_count = residues;
    m->chain_count = chains;
    m->residues = calloc((size_t)residues, sizeof *m->residues);
    m->chains = calloc((size_t)chains, sizeof *m->chains);
    if (m->residues && m->chains) return m;
    sn_molecule_free(m);
    return NULL;
}

/// Marks residues whose numbers do not go up.
static void mark_repeated(sn_molecule* m) {
    const sni_residue* last = NULL;
    for (int32_t i = 0; i < m->residue_count; i++) {
        sni_residue* r = &m->residues[i];
        bool higher = !last || r->chain != last->chain || r->number > last->number ||
                      (r->number == last->number && r->insertion > last->insertion);
        r->repeated = !higher;
        if (higher) last = r;
    }
}

bool sni_molecule_make_atoms(sn_molecule* m) {
    mark_repeated(m);
    for (int32_t i = 0; i < m->residue_count; i++) {
        sni_residue* r = &m->residues[i];
        if (r->template_index >= 0) r->atom_count = sni_templates[r->template_index].atom_count;
        r->first_atom = m->atom_count;
        r->carrier = -1;
        m->atom_count += r->atom_count;
    }
    m->atoms = calloc((size_t)m->atom_count + 1, sizeof *m->atoms);
    if (!m->atoms) return false;
    for (int32_t i = 0; i < m->residue_count; i++) {
        const sni_residue* r = &m->residues[i];
        for (int32_t k = 0; k < r->atom_count; k++) {
            sni_atom* atom = &m->atoms[r->first_atom + k];
            *atom = (sni_atom){.residue = i, .template_atom = -1};
            if (r->template_index < 0) continue;
            const sni_template_atom* known =
                &sni_template_atoms[sni_templates[r->template_index].first_atom + k];
            atom->template_atom = (int16_t)k;
            memcpy(atom->name, known->name, sizeof atom->name);
            memcpy(atom->element, sni_atom_types[known->type].element, sizeof atom->element);
        }
    }
    return true;
}

// ---- atoms of one residue -----------------------------------------------------------------------

typedef struct filling {
    const sni_records* records;
    const sni_planned_residue* planned;
    sn_molecule* m;
    bool* placed;
    sni_warnings* warnings;
    int32_t residue;
} filling;

static bool is_hydrogen(const char* element) { return element[0] == 'H' && !element[1]; }

static void fill_known(const filling* f) {
    const sni_record_residue* source = &f->records->residues[f->planned->source];
    const sni_record_atom* from = f->records->atoms + source->first_atom;
    const sni_residue* r = &f->m->residues[f->residue];
    const sni_template* t = &sni_templates[r->template_index];
    const char* names[SN_RESIDUE_ATOMS_MOST];
    int32_t match[SN_RESIDUE_ATOMS_MOST];
    for (int32_t k = 0; k < source->atom_count; k++) names[k] = from[k].name;
    sni_template_match(t, source->atom_count, names, match);
    for (int32_t k = 0; k < source->atom_count; k++) {
        if (match[k] < 0)
            match[k] = sni_template_atom_find(t, sni_atom_rename(f->planned->base, from[k].name));
        if (f->planned->kind == SNI_RESIDUE_ION) match[k] = k == 0 ? 0 : -1;
        int32_t atom = r->first_atom + match[k];
        if (match[k] >= 0 && !f->placed[atom]) {
            f->m->atoms[atom].p = from[k].p;
            f->m->atoms[atom].line = from[k].line;
            f->placed[atom] = true;
            continue;
        }
        // hydrogens that do not fit are built anew; the second O of the last residue of a file that goes on
        if (is_hydrogen(from[k].element) || strcmp(from[k].element, "D") == 0) continue;
        sn_place place = {f->records->file, from[k].line, from[k].column};
        sni_warnings_note(f->warnings, "unknown atom", place, "%s has no atom %s here; left out",
                          t->name, from[k].name);
    }
}

/// Hydrogens of the file that are not where their bond would have them.
static void drop_far_hydrogens(const filling* f) {
    const sni_residue* r = &f->m->residues[f->residue];
    const sni_template* t = &sni_templates[r->template_index];
    for (int32_t b = 0; b < t->bond_count; b++) {
        sni_template_bond bond = sni_template_bonds[t->first_bond + b];
        int32_t i = r->first_atom + bond.a, j = r->first_atom + bond.b;
        const sni_atom* atoms = f->m->atoms;
        if (sni_distance(atoms[i].p, atoms[j].p) <= HYDROGEN_MOST) continue;
        if (is_hydrogen(atoms[i].element)) f->placed[i] = false;
        if (is_hydrogen(atoms[j].element)) f->placed[j] = false;
    }
}

static void fill_hetero(const filling* f) {
    const sni_record_residue* source = &f->records->residues[f->planned->source];
    int32_t first = f->m->residues[f->residue].first_atom;
    for (int32_t k = 0; k < source->atom_count; k++) {
        const sni_record_atom* from = &f->records->atoms[source->first_atom + k];
        sni_atom* atom = &f->m->atoms[first + k];
        atom->p = from->p;
        atom->line = from->line;
        memcpy(atom->name, from->name, sizeof atom->name);
        memcpy(atom->element, from->element, sizeof atom->element);
        f->placed[first + k] = true;
        if (sni_element_mass(atom->element) > 0) continue;
        memcpy(atom->element, "C", 2);
        sn_place place = {f->records->file, from->line, from->column};
        sni_warnings_note(f->warnings, "element", place,
                          "the element of %s is not known; taken as carbon", from->name);
    }
}

// ---- the whole ----------------------------------------------------------------------------------

static const char* id_of(const sni_records* records, const sni_residue_plan* plan, int32_t first) {
    const char* id = records->chains[records->residues[plan->residues[first].source].chain].id;
    return strcmp(id, " ") == 0 ? "_" : id;
}

/// Labels that were given, each with how often its id came.
typedef struct label_map {
    sni_arena arena;
    sni_name_map names; ///< to chains
    int32_t* used;      // [chains] of the id of which that chain is the first
} label_map;

static void lay_out(label_map* map, int32_t chains) {
    sni_name_map_layout(&map->names, &map->arena, chains);
    map->used = SN_ARENA_ARRAY(&map->arena, int32_t, chains);
}

/// The first chain with an id is called so; the others have a number behind it that makes them different from all.
static bool name_chains(const sni_records* records, const sni_residue_plan* plan, sn_molecule* m) {
    label_map map = {0};
    lay_out(&map, m->chain_count);
    if (!sni_arena_allocate(&map.arena)) return false;
    lay_out(&map, m->chain_count);
    for (int32_t c = 0; c < m->chain_count; c++) {
        sni_chain* chain = &m->chains[c];
        snprintf(chain->label, sizeof chain->label, "%.7s",
                 id_of(records, plan, chain->first_residue));
        if (sni_name_map_add(&map.names, chain->label, c) < 0) continue;
        chain->label[0] = '\0'; // taken
    }
    for (int32_t c = 0; c < m->chain_count; c++) {
        sni_chain* chain = &m->chains[c];
        if (chain->label[0]) continue;
        const char* id = id_of(records, plan, chain->first_residue);
        int32_t* used = &map.used[sni_name_map_find(&map.names, id)];
        do {
            snprintf(chain->label, sizeof chain->label, "%.7s%u", id,
                     (unsigned)(++*used + 1) % 100000000u); // there are fewer chains than that
        } while (sni_name_map_find(&map.names, chain->label) >= 0);
        (void)sni_name_map_add(&map.names, chain->label, c); // new, as was asked
    }
    sni_arena_free(&map.arena);
    return true;
}

static void count_residues(const sni_residue_plan* plan, sn_molecule* m) {
    for (int32_t i = plan->count - 1; i >= 0; i--) {
        sni_chain* chain = &m->chains[plan->residues[i].chain];
        chain->residue_count += 1;
        chain->first_residue = i;
    }
}

static bool describe(const sni_records* records, const sni_residue_plan* plan, sn_molecule* m) {
    for (int32_t i = 0; i < plan->count; i++) {
        const sni_planned_residue* planned = &plan->residues[i];
        const sni_record_residue* source = &records->residues[planned->source];
        sni_residue* r = &m->residues[i];
        memcpy(r->name, source->name, sizeof r->name);
        r->insertion = source->insertion;
        r->after_gap = planned->after_gap;
        r->template_index = planned->template_index;
        r->number = source->number;
        r->chain = planned->chain;
        r->line = source->line;
        if (r->template_index < 0) r->atom_count = source->atom_count;
    }
    count_residues(plan, m);
    return name_chains(records, plan, m);
}

static const char* file_name(const char* path) {
    const char* slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

sn_status sni_molecule_fill(const sni_records* records, const sni_residue_plan* plan,
                            sni_warnings* warnings, sn_molecule** molecule, bool** placed,
                            sn_error* error) {
    sn_place place = {records->file, 0, 0};
    sn_molecule* m = sni_molecule_create(file_name(records->file), plan->count, plan->chain_count);
    *molecule = m;
    *placed = NULL;
    if (m && describe(records, plan, m) && sni_molecule_make_atoms(m))
        *placed = calloc((size_t)m->atom_count + 1, sizeof **placed);
    if (!m || !*placed) return sni_fail(error, SN_ERR_MEMORY, place, "not enough memory");
    for (int32_t i = 0; i < plan->count; i++) {
        filling f = {records, &plan->residues[i], m, *placed, warnings, i};
        if (f.planned->template_index < 0) {
            fill_hetero(&f);
        } else {
            fill_known(&f);
            drop_far_hydrogens(&f);
        }
    }
    return SN_OK;
}
