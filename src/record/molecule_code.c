// SPDX-License-Identifier: Apache-2.0
#include "record/molecule_code.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "molecule/sn_molecule.h"

/// Least bytes that one of each can take.
enum { CHAIN_LEAST = 5, RESIDUE_LEAST = 27 };
/// As far as atoms of a file may be from the origin, nm.
static const double COORDINATE_MOST = 1e5;

_Static_assert(sizeof(sn_forcefield_def) == 48, "a new option of the force field is coded, too");
_Static_assert(sizeof(sn_molecule_forces_def) == 80, "a new option of a molecule is coded, too");
_Static_assert(sizeof(sn_torsion_tree_def) == 12, "a new option of a torsion tree is coded, too");

// ---- options, both ways -----------------------------------------------------------------------------------

static void code_tree(sni_coder* coder, sn_torsion_tree_def* def) {
    int policy = (int)def->policy, disulfides = (int)def->disulfides;
    sni_code_choice(coder, &policy, SN_TORSION_POLICIES);
    sni_code_choice(coder, &disulfides, SN_DISULFIDES);
    def->policy = (sn_torsion_policy)policy;
    def->disulfides = (sn_disulfide)disulfides;
    sni_code_bool(coder, &def->free_base);
    sni_code_bool(coder, &def->open_rings);
    sni_code_bool(coder, &def->rigid_first);
}

static void code_forces(sni_coder* coder, sn_molecule_forces_def* def) {
    sn_forcefield_def* field = &def->field;
    int dielectric = (int)field->dielectric, precision = (int)field->precision;
    int terms = field->terms;
    sni_code_f64(coder, &field->cutoff);
    sni_code_f64(coder, &field->skin);
    sni_code_f64(coder, &field->soften);
    sni_code_choice(coder, &dielectric, SN_DIELECTRIC_DISTANCE + 1);
    sni_code_f64(coder, &field->permittivity);
    sni_code_choice(coder, &precision, SN_PRECISION_DOUBLE + 1);
    sni_code_choice(coder, &terms, SN_TERM_ALL + 1);
    sni_code_f64(coder, &def->friction);
    sni_code_f64(coder, &def->temperature);
    sni_code_f64(coder, &def->step);
    sni_code_u64(coder, &def->seed);
    field->dielectric = (sn_dielectric)dielectric;
    field->precision = (sn_precision)precision;
    field->terms = terms;
}

// ---- structure, both ways ---------------------------------------------------------------------------------

/// A text that fits into `size` bytes with its zero.
static void code_name(sni_coder* coder, char* name, size_t size) {
    const char* text = name;
    sni_code_text(coder, &text, false);
    if (!sni_reads(coder)) return;
    if (strlen(text) >= size) coder->failed = true;
    memset(name, 0, size);
    if (!coder->failed) memcpy(name, text, strlen(text));
}

/// What the force field calls the residue; "" for a hetero group.
static void code_form(sni_coder* coder, sni_residue* r) {
    const char* form = r->template_index < 0 ? "" : sni_templates[r->template_index].name;
    sni_code_text(coder, &form, false);
    if (!sni_reads(coder)) return;
    r->template_index = -1;
    for (int32_t k = 0; k < sni_templates_count; k++)
        if (strcmp(sni_templates[k].name, form) == 0) r->template_index = (int16_t)k;
    if (form[0] && r->template_index < 0) coder->failed = true;
}

static void code_residue(sni_coder* coder, sni_residue* r, int32_t* partner) {
    uint8_t insertion = (uint8_t)r->insertion;
    code_name(coder, r->name, sizeof r->name);
    code_form(coder, r);
    sni_code_i32(coder, &r->number);
    sni_code(coder, &insertion, sizeof insertion);
    sni_code_bool(coder, &r->after_gap);
    sni_code_i32(coder, &r->chain);
    sni_code_i32(coder, &r->line);
    sni_code_i32(coder, partner);
    r->insertion = (char)insertion;
    if (r->template_index < 0) sni_code_i32(coder, &r->atom_count);
}

/// Names of atoms of hetero groups; all others have those of their template.
static void code_hetero_atoms(sni_coder* coder, sn_molecule* m) {
    for (int32_t i = 0; i < m->atom_count && !coder->failed; i++) {
        if (m->atoms[i].template_atom >= 0) continue;
        code_name(coder, m->atoms[i].name, sizeof m->atoms[i].name);
        code_name(coder, m->atoms[i].element, sizeof m->atoms[i].element);
    }
}

static void code_places(sni_coder* coder, sn_molecule* m) {
    for (int32_t i = 0; i < m->atom_count && !coder->failed; i++) {
        sni_code_vec3(coder, &m->atoms[i].p);
        sni_code_i32(coder, &m->atoms[i].line);
    }
}

static void code_chains(sni_coder* coder, sn_molecule* m) {
    for (int32_t i = 0; i < m->chain_count && !coder->failed; i++)
        code_name(coder, m->chains[i].label, sizeof m->chains[i].label);
}

static void code_residues(sni_coder* coder, sn_molecule* m, int32_t* partner) {
    for (int32_t i = 0; i < m->residue_count && !coder->failed; i++)
        code_residue(coder, &m->residues[i], &partner[i]);
}

// ---- writing ----------------------------------------------------------------------------------------------

/// The residue at the other end of the disulfide of each; NULL: no memory.
static int32_t* partners_of(const sn_molecule* m) {
    int32_t* partner = malloc(((size_t)m->residue_count + 1) * sizeof *partner);
    if (!partner) return NULL;
    for (int32_t i = 0; i < m->residue_count; i++) partner[i] = -1;
    for (int32_t k = 0; k < m->bond_count; k++) {
        if (!m->bonds[k].disulfide) continue;
        int32_t a = m->atoms[m->bonds[k].a].residue, b = m->atoms[m->bonds[k].b].residue;
        partner[a] = b;
        partner[b] = a;
    }
    return partner;
}

bool sni_write_molecule(sni_coder* coder, const sn_world_molecule* molecule) {
    sn_world_molecule world = *molecule;
    sn_torsion_tree_def tree = world.tree->def;
    // writing changes nothing of it
    sn_molecule* m = (sn_molecule*)(uintptr_t)world.tree->molecule;
    uint32_t chains = (uint32_t)m->chain_count, residues = (uint32_t)m->residue_count;
    int32_t* partner = partners_of(m);
    if (!partner) return false;
    sni_code_text(coder, &world.prefix, false);
    sni_code_pose(coder, &world.pose);
    code_tree(coder, &tree);
    code_forces(coder, &world.forces);
    code_name(coder, m->name, sizeof m->name);
    sni_code_bool(coder, &m->every_phi);
    sni_code_u32(coder, &chains);
    sni_code_u32(coder, &residues);
    code_chains(coder, m);
    code_residues(coder, m, partner);
    code_hetero_atoms(coder, m);
    code_places(coder, m);
    free(partner);
    return true;
}

// ---- reading ----------------------------------------------------------------------------------------------

/// Chains follow each other, and each has residues.
static bool arrange_chains(sn_molecule* m) {
    for (int32_t i = 0; i < m->residue_count; i++) {
        int32_t chain = m->residues[i].chain, before = i > 0 ? m->residues[i - 1].chain : -1;
        if (chain != before && chain != before + 1) return false;
        if (chain < 0 || chain >= m->chain_count) return false;
        if (chain != before) m->chains[chain].first_residue = i;
        m->chains[chain].residue_count++;
    }
    return m->residues[m->residue_count - 1].chain == m->chain_count - 1;
}

/// Atoms of a hetero group must fit into what is left to read; disulfides have two ends.
static bool residues_make_sense(const sni_coder* coder, const sn_molecule* m,
                                const int32_t* partner) {
    size_t room = sni_left(coder) / sizeof(sn_vec3);
    for (int32_t i = 0; i < m->residue_count; i++) {
        const sni_residue* r = &m->residues[i];
        int32_t count =
            r->template_index < 0 ? r->atom_count : sni_templates[r->template_index].atom_count;
        if (count < 1 || count > SN_RESIDUE_ATOMS_MOST || (size_t)count > room) return false;
        room -= (size_t)count;
        if (partner[i] < -1 || partner[i] >= m->residue_count) return false;
        if (partner[i] >= 0 && (partner[i] == i || partner[partner[i]] != i)) return false;
    }
    return true;
}

static bool atoms_make_sense(const sn_molecule* m) {
    for (int32_t i = 0; i < m->atom_count; i++) {
        sn_vec3 p = m->atoms[i].p;
        double most = fmax(fabs(p.x), fmax(fabs(p.y), fabs(p.z)));
        if (!(most <= COORDINATE_MOST) || isnan(p.x + p.y + p.z)) return false;
        if (!(sn_molecule_atom(m, i).mass > 0)) return false;
    }
    return true;
}

/// SN_ERR_FORMAT or SN_ERR_MEMORY.
static sn_status read_atoms(sni_coder* coder, sn_molecule* m, const int32_t* partner) {
    if (coder->failed || !arrange_chains(m) || !residues_make_sense(coder, m, partner))
        return SN_ERR_FORMAT;
    if (!sni_molecule_make_atoms(m)) return SN_ERR_MEMORY;
    code_hetero_atoms(coder, m);
    code_places(coder, m);
    if (coder->failed || !atoms_make_sense(m)) return SN_ERR_FORMAT;
    bool done = sni_molecule_bond_atoms(m, partner) && sni_molecule_find_carriers(m);
    return done ? SN_OK : SN_ERR_MEMORY;
}

static sn_status read_structure(sni_coder* coder, sn_molecule** molecule) {
    char name[sizeof(*molecule)->name];
    bool every_phi = false;
    uint32_t chains = 0, residues = 0;
    name[0] = '\0';
    code_name(coder, name, sizeof name);
    sni_code_bool(coder, &every_phi);
    sni_code_count(coder, &chains, CHAIN_LEAST);
    sni_code_count(coder, &residues, RESIDUE_LEAST);
    if (coder->failed || chains == 0 || residues == 0) return SN_ERR_FORMAT;
    sn_molecule* m = sni_molecule_create(name, (int32_t)residues, (int32_t)chains);
    int32_t* partner = calloc(residues, sizeof *partner);
    *molecule = m;
    sn_status status = m && partner ? SN_OK : SN_ERR_MEMORY;
    if (!status) {
        m->every_phi = every_phi;
        code_chains(coder, m);
        code_residues(coder, m, partner);
        status = read_atoms(coder, m, partner);
    }
    free(partner);
    return status;
}

sn_status sni_read_molecule(sni_coder* coder, sni_recorded_molecule* molecule, sn_error* error) {
    sn_world_molecule* world = &molecule->world;
    sn_torsion_tree_def tree = {0};
    sni_code_text(coder, &world->prefix, false);
    sni_code_pose(coder, &world->pose);
    code_tree(coder, &tree);
    code_forces(coder, &world->forces);
    sn_status status = read_structure(coder, &molecule->molecule);
    if (!status) status = sn_torsion_tree_create(molecule->molecule, &tree, &molecule->tree, error);
    world->tree = molecule->tree;
    if (!status) return SN_OK;
    return sni_fail(error, status, sni_nowhere(), "a molecule makes no sense");
}

void sni_recorded_molecule_free(sni_recorded_molecule* molecule) {
    sn_torsion_tree_free(molecule->tree);
    sn_molecule_free(molecule->molecule);
    *molecule = (sni_recorded_molecule){0};
}
