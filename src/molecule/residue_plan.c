// SPDX-License-Identifier: Apache-2.0
// From residues of a file to residues of a molecule: what is known, how chains hang together, what their ends are.
#include "molecule/residue_plan.h"

#include <stdlib.h>
#include <string.h>

#include "molecule/geometry.h"

static const double BOND_MOST = 0.2;  // nm, C to N of the next residue; 0.133 is usual
static const double REACH_MOST = 0.4; // nm, of one residue of a stretched chain; 0.38 is usual

static sn_place place_of(const sni_records* records, int32_t residue) {
    sn_place place = {records->file, records->residues[residue].line, 0};
    return place;
}

// ---- what a residue is --------------------------------------------------------------------------

/// A known residue can be completed only from these.
static bool has_skeleton(const sni_records* records, const sni_planned_residue* r) {
    static const char* const amino[] = {"N", "CA", "C", NULL};
    static const char* const ace[] = {"C", "O", "CH3", NULL};
    static const char* const nitrogen[] = {"N", NULL};
    const char* const* names = amino;
    if (r->kind == SNI_RESIDUE_CAP) names = strcmp(r->base, "ACE") == 0 ? ace : nitrogen;
    if (r->kind == SNI_RESIDUE_ION) return true;
    for (; *names; names++)
        if (!sni_records_find_atom(records, r->source, *names)) return false;
    if (strcmp(r->base, "NME") == 0)
        return sni_records_find_atom(records, r->source, "CH3") ||
               sni_records_find_atom(records, r->source, "C");
    return true;
}

/// Whether the residue is kept; what it is goes into r.
static bool sort_residue(const sni_records* records, bool hetero, sni_warnings* warnings,
                         sni_residue_plan* plan, sni_planned_residue* r) {
    const sni_record_residue* source = &records->residues[r->source];
    r->kind = sni_residue_sort(source->name, r->base);
    if (r->kind == SNI_RESIDUE_WATER) {
        plan->water_count += 1;
        return false;
    }
    if (r->kind != SNI_RESIDUE_HETERO && !has_skeleton(records, r)) {
        sni_warnings_note(warnings, "skeleton", place_of(records, r->source),
                          "%s %d lacks atoms of the backbone and is left out", source->name,
                          (int)source->number);
        return false;
    }
    if (r->kind == SNI_RESIDUE_HETERO)
        sni_warnings_note(warnings, "hetero", place_of(records, r->source),
                          hetero ? "the force field does not know %s %d; it is carried along "
                                   "rigidly by what is nearest and feels no forces"
                                 : "the force field does not know %s %d; it is left out",
                          source->name, (int)source->number);
    if (strcmp(source->name, "MSE") == 0)
        sni_warnings_note(warnings, "MSE", place_of(records, r->source),
                          "selenomethionine %d is taken as methionine", (int)source->number);
    return r->kind != SNI_RESIDUE_HETERO || hetero;
}

// ---- chains -------------------------------------------------------------------------------------

static bool in_polymer(const sni_planned_residue* r) {
    return r->kind == SNI_RESIDUE_AMINO || r->kind == SNI_RESIDUE_CAP;
}

/// From the end of one residue to the beginning of the next, nm; a large number when an end is missing.
static double distance_between(const sni_records* records, const sni_planned_residue* a,
                               const sni_planned_residue* b) {
    const sni_record_atom* carbon = sni_records_find_atom(records, a->source, "C");
    const sni_record_atom* nitrogen = sni_records_find_atom(records, b->source, "N");
    return carbon && nitrogen ? sni_distance(carbon->p, nitrogen->p) : 1e6;
}

/// Whether r goes on with the chain that ended with `last`, and whether residues are missing between.
static bool goes_on(const sni_records* records, const sni_planned_residue* last,
                    sni_planned_residue* r) {
    const sni_record_residue *a = &records->residues[last->source],
                             *b = &records->residues[r->source];
    double d = distance_between(records, last, r);
    if (strcmp(records->chains[a->chain].id, records->chains[b->chain].id) != 0) return false;
    bool ended = strcmp(last->base, "NME") == 0 || strcmp(last->base, "NHE") == 0;
    if (ended || strcmp(r->base, "ACE") == 0) return false;
    if (d <= BOND_MOST) return true;
    r->after_gap = true;
    return b->number > a->number && d <= REACH_MOST * ((double)b->number - a->number);
}

static void tell_gap(const sni_records* records, const sni_planned_residue* last,
                     const sni_planned_residue* r, sni_warnings* warnings) {
    const sni_record_residue *a = &records->residues[last->source],
                             *b = &records->residues[r->source];
    sni_warnings_note(warnings, "gap", place_of(records, r->source),
                      "chain %s has a gap between residues %d and %d; its two sides are held "
                      "together rigidly",
                      records->chains[b->chain].id, (int)a->number, (int)b->number);
}

/// Puts residues of the polymer into chains; other groups go to the chain before them.
static void make_chains(const sni_records* records, sni_warnings* warnings,
                        sni_residue_plan* plan) {
    const sni_planned_residue* last = NULL;
    int32_t source_chain = -1;
    for (int32_t i = 0; i < plan->count; i++) {
        sni_planned_residue* r = &plan->residues[i];
        int32_t chain = records->residues[r->source].chain;
        bool fresh = chain != source_chain;
        if (in_polymer(r)) {
            fresh = !last || last->chain != plan->chain_count - 1 || !goes_on(records, last, r);
            r->after_gap = r->after_gap && !fresh;
            r->after_end = r->after_gap && chain != records->residues[last->source].chain;
            if (r->after_gap) tell_gap(records, last, r, warnings);
            last = r;
        }
        if (fresh) plan->chain_count += 1;
        r->chain = plan->chain_count - 1;
        source_chain = chain;
    }
}

// ---- ends ---------------------------------------------------------------------------------------

/// The neighbour of a residue in its chain's polymer, in direction -1 or 1; NULL: it is at an end. A gap is none,
/// unless the file says so.
static const sni_planned_residue* neighbour(const sni_residue_plan* plan, int32_t i,
                                            int direction) {
    const sni_planned_residue* r = &plan->residues[i];
    for (int32_t k = i + direction; k >= 0 && k < plan->count; k += direction) {
        const sni_planned_residue* other = &plan->residues[k];
        if (other->chain != r->chain) return NULL;
        if (in_polymer(other)) return (direction < 0 ? r : other)->after_end ? NULL : other;
    }
    return NULL;
}

static void make_hetero(const sni_records* records, sni_warnings* warnings, sni_planned_residue* r,
                        const char* why) {
    sni_warnings_note(warnings, why, place_of(records, r->source),
                      "%s %d %s; it is carried along "
                      "rigidly and feels no forces",
                      records->residues[r->source].name, (int)records->residues[r->source].number,
                      why);
    r->kind = SNI_RESIDUE_HETERO;
    r->template_index = -1;
}

static void choose_template(const sni_records* records, sni_residue_plan* plan, int32_t i,
                            sni_warnings* warnings) {
    sni_planned_residue* r = &plan->residues[i];
    r->template_index = -1;
    if (r->kind == SNI_RESIDUE_HETERO) return;
    sni_end end = SNI_END_NONE;
    bool chained = in_polymer(r);
    const sni_planned_residue* before = chained ? neighbour(plan, i, -1) : NULL;
    const sni_planned_residue* after = chained ? neighbour(plan, i, 1) : NULL;
    if (r->kind == SNI_RESIDUE_CAP) {
        bool first = strcmp(r->base, "ACE") == 0;
        if (!(first ? after : before) || (!first && r->after_gap)) {
            make_hetero(records, warnings, r, "is a cap of nothing");
            return;
        }
    }
    if (r->kind == SNI_RESIDUE_AMINO && !before && !after) {
        make_hetero(records, warnings, r, "stands alone, which the force field does not know");
        return;
    }
    if (r->kind == SNI_RESIDUE_AMINO && !before) end = SNI_END_N;
    if (r->kind == SNI_RESIDUE_AMINO && !after) end = SNI_END_C;
    r->template_index = (int16_t)sni_template_find(r->base, end);
    if (r->template_index >= 0) return;
    const char* common = sni_residue_common_form(r->base);
    sni_warnings_note(warnings, "end form", place_of(records, r->source),
                      "%s has no form at the end of a chain; taken as %s", r->base, common);
    memmove(r->base, common, strlen(common) + 1);
    r->template_index = (int16_t)sni_template_find(r->base, end);
    if (r->template_index < 0) make_hetero(records, warnings, r, "has no template");
}

/// A cysteine whose partner the force field does not know is bonded to nothing.
static void leave_partner(const sni_records* records, sni_residue_plan* plan, int32_t i,
                          sni_warnings* warnings) {
    sni_planned_residue* r = &plan->residues[i];
    if (r->partner < 0 || plan->residues[r->partner].template_index >= 0) return;
    r->partner = -1;
    if (r->template_index < 0) return;
    memcpy(r->base, "CYS", 4);
    choose_template(records, plan, i, warnings);
}

static sn_status fail(const sni_records* records, sn_status status, const char* what,
                      sn_error* error) {
    sn_place place = {records->file, 0, 0};
    return sni_fail(error, status, place, "%s", what);
}

sn_status sni_residue_plan_make(const sni_records* records, bool hetero, sni_warnings* warnings,
                                sni_residue_plan* plan, sn_error* error) {
    *plan = (sni_residue_plan){0};
    plan->residues = calloc((size_t)records->residue_count, sizeof *plan->residues);
    if (!plan->residues) return fail(records, SN_ERR_MEMORY, "not enough memory", error);
    for (int32_t i = 0; i < records->residue_count; i++) {
        sni_planned_residue r = {.source = i, .partner = -1};
        if (sort_residue(records, hetero, warnings, plan, &r)) plan->residues[plan->count++] = r;
    }
    if (plan->count == 0)
        return fail(records, SN_ERR_FORMAT,
                    "nothing that can be simulated: water only, or residues without backbone atoms "
                    "N, CA and C (a trace of CA atoms is not enough)",
                    error);
    make_chains(records, warnings, plan);
    if (!sni_residue_plan_disulfides(records, plan, warnings) ||
        !sni_residue_plan_histidines(records, plan, warnings))
        return fail(records, SN_ERR_MEMORY, "not enough memory", error);
    for (int32_t i = 0; i < plan->count; i++) choose_template(records, plan, i, warnings);
    for (int32_t i = 0; i < plan->count; i++) leave_partner(records, plan, i, warnings);
    return SN_OK;
}

void sni_residue_plan_free(sni_residue_plan* plan) {
    free(plan->residues);
    *plan = (sni_residue_plan){0};
}
