// SPDX-License-Identifier: Apache-2.0
// What cysteines and histidines are: bonded to each other, and which nitrogens have a hydrogen.
#include <stdlib.h>
#include <string.h>

#include "molecule/cells.h"
#include "molecule/geometry.h"
#include "molecule/residue_plan.h"

static const double DISULFIDE_MOST = 0.25; // nm, S to S; 0.204 is usual
static const double ACCEPTOR_MOST = 0.33;  // nm, N to O of a hydrogen bond
enum { NEAR_MOST = 16 };

static bool is_cysteine(const sni_planned_residue* r) { return strncmp(r->base, "CY", 2) == 0; }

static const sni_record_atom* sulfur_of(const sni_records* records, const sni_residue_plan* plan,
                                        int32_t i) {
    const sni_planned_residue* r = &plan->residues[i];
    if (r->kind != SNI_RESIDUE_AMINO || !is_cysteine(r)) return NULL;
    return sni_records_find_atom(records, r->source, "SG");
}

/// The nearest sulfur of another residue, or -1.
static int32_t nearest_sulfur(const sni_records* records, const sni_residue_plan* plan,
                              const sni_cells* cells, int32_t i) {
    int32_t found[NEAR_MOST], best = -1;
    const sni_record_atom* own = sulfur_of(records, plan, i);
    if (!own) return -1;
    int32_t count = sni_cells_near(cells, own->p, DISULFIDE_MOST, NEAR_MOST, found);
    double least = DISULFIDE_MOST;
    for (int32_t k = 0; k < count; k++) {
        double d = sni_distance(own->p, sulfur_of(records, plan, found[k])->p);
        if (found[k] == i || !(d <= least)) continue;
        least = d;
        best = found[k];
    }
    return best;
}

static bool is_named(const sni_records* records, const sni_record_ssbond* bond,
                     const sni_residue_plan* plan, int32_t i, int side) {
    const sni_record_residue* r = &records->residues[plan->residues[i].source];
    return r->number == bond->number[side] && r->insertion == bond->insertion[side] &&
           strcmp(records->chains[r->chain].id, bond->chain[side]) == 0;
}

/// SSBOND records are checked, not obeyed: what is too far apart is no bond.
static void check_named(const sni_records* records, const sni_residue_plan* plan,
                        const int32_t* bonded, int32_t bonded_count, sni_warnings* warnings) {
    for (int32_t b = 0; b < records->ssbond_count; b++) {
        const sni_record_ssbond* bond = &records->ssbonds[b];
        bool found = false;
        for (int32_t k = 0; k < bonded_count && !found; k++) {
            int32_t i = bonded[k], j = plan->residues[i].partner;
            found = is_named(records, bond, plan, i, 0) && is_named(records, bond, plan, j, 1);
        }
        sn_place place = {records->file, bond->line, 0};
        if (!found)
            sni_warnings_note(warnings, "ssbond", place,
                              "disulfide %s%d to %s%d: no two sulfur atoms there within 0.25 nm; "
                              "ignored",
                              bond->chain[0], (int)bond->number[0], bond->chain[1],
                              (int)bond->number[1]);
    }
}

bool sni_residue_plan_disulfides(const sni_records* records, sni_residue_plan* plan,
                                 sni_warnings* warnings) {
    sni_cells cells;
    int32_t bonded_count = 0;
    int32_t* bonded = malloc((size_t)plan->count * sizeof *bonded);
    bool done = sni_cells_create(&cells, plan->count, DISULFIDE_MOST) && bonded;
    for (int32_t i = 0; done && i < plan->count; i++) {
        const sni_record_atom* sulfur = sulfur_of(records, plan, i);
        if (sulfur) sni_cells_add(&cells, sulfur->p, i);
    }
    for (int32_t i = 0; done && i < plan->count; i++) {
        int32_t j = nearest_sulfur(records, plan, &cells, i);
        if (j < 0 || nearest_sulfur(records, plan, &cells, j) != i) continue;
        plan->residues[i].partner = j;
        bonded[bonded_count++] = i;
    }
    for (int32_t i = 0; done && i < plan->count; i++) {
        sni_planned_residue* r = &plan->residues[i];
        if (!is_cysteine(r)) continue;
        if (r->partner >= 0) memcpy(r->base, "CYX", 4);
        if (r->partner < 0 && strcmp(r->base, "CYX") == 0) memcpy(r->base, "CYS", 4);
    }
    if (done &&
        (int64_t)records->ssbond_count * bonded_count <= 1 << 24) // thousands of them at most
        check_named(records, plan, bonded, bonded_count, warnings);
    sni_cells_free(&cells);
    free(bonded);
    return done;
}

// ---- histidines ---------------------------------------------------------------------------------

/// Distance from an atom to the nearest oxygen of another residue, nm; a large number when none is near.
static double acceptor_distance(const sni_records* records, const sni_residue_plan* plan,
                                const sni_cells* oxygens, int32_t i, const char* name) {
    const sni_record_atom* own = sni_records_find_atom(records, plan->residues[i].source, name);
    const sni_record_residue* r = &records->residues[plan->residues[i].source];
    int32_t found[NEAR_MOST];
    double least = 1e6;
    if (!own) return least;
    int32_t count = sni_cells_near(oxygens, own->p, ACCEPTOR_MOST, NEAR_MOST, found);
    for (int32_t k = 0; k < count; k++) {
        double d = sni_distance(own->p, records->atoms[found[k]].p);
        bool inside = found[k] >= r->first_atom && found[k] < r->first_atom + r->atom_count;
        if (!inside && d < least) least = d;
    }
    return least;
}

/// Hydrogens in the file tell; without them, the nitrogen that is nearer to an oxygen has one, and where none is
/// near the one farther out, as most have.
static const char* histidine_form(const sni_records* records, const sni_residue_plan* plan,
                                  const sni_cells* oxygens, int32_t i) {
    int32_t source = plan->residues[i].source;
    bool delta = sni_records_find_atom(records, source, "HD1") != NULL;
    bool epsilon = sni_records_find_atom(records, source, "HE2") != NULL;
    if (delta) return epsilon ? "HIP" : "HID";
    if (epsilon) return "HIE";
    double d = acceptor_distance(records, plan, oxygens, i, "ND1");
    return d < acceptor_distance(records, plan, oxygens, i, "NE2") ? "HID" : "HIE";
}

bool sni_residue_plan_histidines(const sni_records* records, sni_residue_plan* plan,
                                 sni_warnings* warnings) {
    int32_t count = 0;
    for (int32_t i = 0; i < plan->count; i++) count += strcmp(plan->residues[i].base, "HIS") == 0;
    if (count == 0) return true;
    sni_cells oxygens;
    bool done = sni_cells_create(&oxygens, records->atom_count, ACCEPTOR_MOST);
    for (int32_t i = 0; done && i < records->atom_count; i++)
        if (strcmp(records->atoms[i].element, "O") == 0)
            sni_cells_add(&oxygens, records->atoms[i].p, i);
    for (int32_t i = 0; done && i < plan->count; i++) {
        sni_planned_residue* r = &plan->residues[i];
        if (strcmp(r->base, "HIS") != 0) continue;
        memcpy(r->base, histidine_form(records, plan, &oxygens, i), 4);
        const sni_record_residue* source = &records->residues[r->source];
        sn_place place = {records->file, source->line, 0};
        bool told = sni_records_find_atom(records, r->source, "HD1") ||
                    sni_records_find_atom(records, r->source, "HE2");
        if (!told)
            sni_warnings_note(warnings, "histidine", place,
                              "histidine %d: the file does not say which nitrogen has the "
                              "hydrogen; taken as %s from its surroundings (name it HID, HIE or "
                              "HIP to decide)",
                              (int)source->number, r->base);
    }
    sni_cells_free(&oxygens);
    return done;
}
