// SPDX-License-Identifier: Apache-2.0
// The doors of a molecule: reading it, and asking what it holds.
#include "molecule/molecule.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "load/sn_load.h"
#include "molecule/complete.h"
#include "molecule/elements.h"
#include "molecule/fill.h"
#include "molecule/records.h"
#include "molecule/residue_plan.h"

sn_molecule_read_def sn_molecule_read_def_default(void) {
    sn_molecule_read_def def = {.hetero = true};
    return def;
}

// ---- reading ------------------------------------------------------------------------------------

static void tell_water(const sni_records* records, const sni_residue_plan* plan,
                       const sn_log* log) {
    sn_place place = {records->file, 0, 0};
    if (plan->water_count > 0)
        sni_say(log, SN_LOG_NOTE, place, "%d water molecules are left out", (int)plan->water_count);
}

/// All that follows the plan.
static sn_status make(const sni_records* records, const sni_residue_plan* plan,
                      sni_warnings* warnings, sn_molecule** molecule, sn_error* error) {
    bool* placed;
    sn_place place = {records->file, 0, 0};
    sn_status status = sni_molecule_fill(records, plan, warnings, molecule, &placed, error);
    int32_t* partner = malloc((size_t)plan->count * sizeof *partner);
    if (!status && !partner) status = sni_fail(error, SN_ERR_MEMORY, place, "not enough memory");
    if (!status) {
        for (int32_t i = 0; i < plan->count; i++) partner[i] = plan->residues[i].partner;
        sni_molecule_complete(*molecule, placed, records->file, warnings);
        tell_water(records, plan, &warnings->log);
        if (!sni_molecule_bond_atoms(*molecule, partner) ||
            !sni_molecule_find_carriers(*molecule) ||
            !sni_molecule_check_overlaps(*molecule, records->file, warnings))
            status = sni_fail(error, SN_ERR_MEMORY, place, "not enough memory");
    }
    free(partner);
    free(placed);
    return status;
}

sn_status sn_molecule_read_memory(const char* text, size_t length, const char* name,
                                  const sn_molecule_read_def* def, sn_molecule** molecule,
                                  sn_error* error) {
    if (molecule) *molecule = NULL;
    if (!molecule || (!text && length > 0))
        return sni_fail(error, SN_ERR_ARGUMENT, sni_nowhere(),
                        "sn_molecule_read_memory needs a text and a place for the molecule");
    sn_molecule_read_def options = def ? *def : sn_molecule_read_def_default();
    sni_warnings* warnings = calloc(1, sizeof *warnings);
    if (!warnings) return sni_fail(error, SN_ERR_MEMORY, sni_nowhere(), "not enough memory");
    warnings->log = options.log;
    sni_records records;
    sni_residue_plan plan = {0};
    const char* file = name && *name ? name : "memory";
    sn_status status = sni_records_read(text ? text : "", length, file, warnings, &records, error);
    if (!status) status = sni_residue_plan_make(&records, options.hetero, warnings, &plan, error);
    if (!status) status = make(&records, &plan, warnings, molecule, error);
    sni_warnings_flush(warnings, file);
    sni_residue_plan_free(&plan);
    sni_records_free(&records);
    free(warnings);
    if (status) {
        sn_molecule_free(*molecule);
        *molecule = NULL;
    }
    return status;
}

sn_status sn_molecule_read(const char* path, const sn_molecule_read_def* def,
                           sn_molecule** molecule, sn_error* error) {
    if (molecule) *molecule = NULL;
    if (!molecule || !path)
        return sni_fail(error, SN_ERR_ARGUMENT, sni_nowhere(),
                        "sn_molecule_read needs a path and a place for the molecule");
    char* text;
    size_t length;
    sn_status status = sni_file_read(path, &text, &length, error);
    if (!status) status = sn_molecule_read_memory(text, length, path, def, molecule, error);
    free(text);
    return status;
}

static bool ends_with(const char* text, size_t length, const char* end) {
    size_t tail = strlen(end);
    return length > tail && strncmp(text + length - tail, end, tail) == 0;
}

bool sn_molecule_is_name(const char* word) {
    static const char* const endings[] = {".pdb", ".ent", ".cif", ".mmcif"};
    size_t length = strlen(word);
    if (ends_with(word, length, ".gz")) length -= 3;
    for (size_t k = 0; k < sizeof endings / sizeof *endings; k++)
        if (ends_with(word, length, endings[k])) return true;
    return sn_molecule_is_built(word);
}

void sn_molecule_free(sn_molecule* m) {
    if (!m) return;
    free(m->atoms);
    free(m->residues);
    free(m->chains);
    free(m->bonds);
    free(m);
}

// ---- asking -------------------------------------------------------------------------------------

int32_t sni_residue_atom(const sn_molecule* m, int32_t residue, const char* name) {
    const sni_residue* r = &m->residues[residue];
    for (int32_t i = r->first_atom; i < r->first_atom + r->atom_count; i++)
        if (strcmp(m->atoms[i].name, name) == 0) return i;
    return -1;
}

void sni_residue_label(const sn_molecule* m, int32_t residue, char label[SN_RESIDUE_LABEL]) {
    const sni_residue* r = &m->residues[residue];
    char insertion[2] = {r->insertion == ' ' ? '\0' : r->insertion, '\0'}, more[16] = "";
    if (r->repeated) snprintf(more, sizeof more, "#%d", (int)residue);
    snprintf(label, SN_RESIDUE_LABEL, "%.15s/%d%s%s", m->chains[r->chain].label, (int)r->number,
             insertion, more);
}

const char* sn_molecule_name(const sn_molecule* m) { return m->name; }
int sn_molecule_atom_count(const sn_molecule* m) { return m->atom_count; }
int sn_molecule_residue_count(const sn_molecule* m) { return m->residue_count; }
int sn_molecule_chain_count(const sn_molecule* m) { return m->chain_count; }
int sn_molecule_bond_count(const sn_molecule* m) { return m->bond_count; }

sn_atom_info sn_molecule_atom(const sn_molecule* m, int atom) {
    const sni_atom* a = &m->atoms[atom];
    const sni_template_atom* known = sni_atom_template(m, atom);
    sn_atom_info info = {a->name, a->element, a->residue, known != NULL, a->p, 0, 0, a->line};
    info.mass = known ? sni_atom_types[known->type].mass : sni_element_mass(a->element);
    if (known) info.charge = known->charge;
    return info;
}

sn_residue_info sn_molecule_residue(const sn_molecule* m, int residue) {
    const sni_residue* r = &m->residues[residue];
    const char* form = r->template_index < 0 ? "" : sni_templates[r->template_index].name;
    sn_residue_info info = {r->name,  form,          r->number,     r->insertion,
                            r->chain, r->first_atom, r->atom_count, r->after_gap};
    return info;
}

sn_chain_info sn_molecule_chain(const sn_molecule* m, int chain) {
    const sni_chain* c = &m->chains[chain];
    sn_chain_info info = {c->label, c->first_residue, c->residue_count};
    return info;
}

sn_bond_info sn_molecule_bond(const sn_molecule* m, int bond) {
    sn_bond_info info = {m->bonds[bond].a, m->bonds[bond].b, m->bonds[bond].disulfide};
    return info;
}

double sn_molecule_mass(const sn_molecule* m) {
    double sum = 0;
    for (int32_t i = 0; i < m->atom_count; i++) sum += sn_molecule_atom(m, i).mass;
    return sum;
}
