// SPDX-License-Identifier: Apache-2.0
// Parts of a molecule by name: an atom, a residue, a run of residues.
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/nearest.h"
#include "molecule/torsion_tree.h"

/// The residue whose label is `text`, of `length` characters; -1: none.
static int32_t residue_named(const sn_molecule* m, const char* text, size_t length) {
    for (int32_t i = 0; i < m->residue_count; i++) {
        char label[SN_RESIDUE_LABEL];
        sni_residue_label(m, i, label);
        if (strlen(label) == length && memcmp(label, text, length) == 0) return i;
    }
    return -1;
}

/// "A/10-15" or "A/10-A/15": both ends in one chain. Numbers may be negative, so every dash may be the one between.
static bool parse_run(const sn_molecule* m, const char* text, int32_t* first, int32_t* last) {
    for (const char* dash = strchr(text, '-'); dash; dash = strchr(dash + 1, '-')) {
        char end[2 * SN_RESIDUE_LABEL];
        *first = residue_named(m, text, (size_t)(dash - text));
        if (*first < 0) continue;
        const sni_chain* chain = &m->chains[m->residues[*first].chain];
        snprintf(end, sizeof end, "%.15s/%.20s", chain->label, dash + 1);
        *last = residue_named(m, end, strlen(end));
        if (*last < 0) *last = residue_named(m, dash + 1, strlen(dash + 1));
        if (*last >= *first && m->residues[*last].chain == m->residues[*first].chain) return true;
    }
    return false;
}

/// Atoms from first on, count of them; false: there is no such part.
static bool parse_part(const sn_molecule* m, const char* text, int32_t* first, int32_t* count) {
    const char* space = strrchr(text, ' ');
    int32_t a = residue_named(m, text, strlen(text)), b = a;
    if (space) {
        int32_t residue = residue_named(m, text, (size_t)(space - text));
        *first = residue < 0 ? -1 : sni_residue_atom(m, residue, space + 1);
        *count = 1;
        return *first >= 0;
    }
    if (a < 0 && !parse_run(m, text, &a, &b)) return false;
    *first = m->residues[a].first_atom;
    *count = m->residues[b].first_atom + m->residues[b].atom_count - *first;
    return true;
}

static sn_status fail_unknown(const sn_molecule* m, const char* text, sn_error* error) {
    sni_nearest near = {.wanted = text};
    char best[SN_RESIDUE_LABEL + 8] = "", name[SN_RESIDUE_LABEL + 8];
    for (int32_t i = 0; i < m->atom_count; i++) {
        char label[SN_RESIDUE_LABEL];
        sni_residue_label(m, m->atoms[i].residue, label);
        snprintf(name, sizeof name, "%s %s", label, m->atoms[i].name);
        sni_nearest_offer(&near, name);
        if (near.best != name) continue;
        snprintf(best, sizeof best, "%s", name); // name is written again
        near.best = best;
    }
    return sni_fail(error, SN_ERR_ARGUMENT, sni_nowhere(),
                    "'%.60s' is no atom (\"A/12 CA\"), residue (\"A/12\") or run of residues "
                    "(\"A/10-15\")%s%s%s",
                    text, best[0] ? "; did you mean '" : "", best, best[0] ? "'?" : "");
}

/// Middle of mass of the atoms, and which of them is nearest to it, as the molecule was made.
static sn_vec3 middle_of(const sn_molecule* m, int32_t first, int32_t count, int32_t* nearest) {
    sn_vec3 sum = sn_vec3_zero();
    double mass = 0, least = INFINITY;
    for (int32_t i = first; i < first + count; i++) {
        double own = sn_molecule_atom(m, i).mass;
        sum = sn_vec3_add(sum, sn_vec3_scale(own, m->atoms[i].p));
        mass += own;
    }
    sn_vec3 middle = sn_vec3_scale(1 / mass, sum);
    for (int32_t i = first; i < first + count; i++) {
        double distance = sn_vec3_norm(sn_vec3_sub(m->atoms[i].p, middle));
        if (!(distance < least)) continue;
        least = distance;
        *nearest = i;
    }
    return middle;
}

sn_status sn_torsion_tree_find_part(const sn_torsion_tree* tree, const char* text,
                                    sn_molecule_part* part, sn_body_id* still, int most,
                                    sn_error* error) {
    int32_t first, count, nearest = 0;
    *part = (sn_molecule_part){.body = sn_body_world(), .atom = -1};
    if (!tree || !text) return SN_ERR_ARGUMENT;
    if (!parse_part(tree->molecule, text, &first, &count))
        return fail_unknown(tree->molecule, text, error);
    sn_vec3 middle = middle_of(tree->molecule, first, count, &nearest);
    for (int32_t t = 0; t < tree->torsion_count; t++) {
        const sni_torsion* torsion = &tree->torsions[t];
        int32_t a = torsion->atoms[1] - first, b = torsion->atoms[2] - first;
        if (a < 0 || a >= count || b < 0 || b >= count) continue;
        if (still && part->still < most) still[part->still] = tree->groups[torsion->group].body;
        part->still++;
    }
    bool fixed = false;
    for (int32_t i = first; i < first + count; i++)
        fixed = fixed || tree->groups[tree->group_of[i]].body.i < 0;
    if (fixed)
        return sni_fail(error, SN_ERR_ARGUMENT, sni_nowhere(),
                        "'%.60s' is fixed to the world and cannot be pulled; base: free lets it "
                        "move",
                        text);
    const sni_group* group = &tree->groups[tree->group_of[nearest]];
    part->body = group->body;
    part->atom = nearest;
    part->point = sn_vec3_sub(middle, group->X_wg.p);
    return SN_OK;
}
