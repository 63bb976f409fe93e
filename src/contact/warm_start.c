// SPDX-License-Identifier: Apache-2.0
#include "contact/warm_start.h"

#include <string.h>

#include "base/hash.h"
#include "contact/solver.h"

void sni_warm_start_layout(sni_warm_start* memory, int32_t contacts, sni_arena* arena) {
    size_t slots = 4;
    while (slots < 2 * (size_t)contacts) slots *= 2;
    memory->slots = slots;
    memory->capacity = contacts;
    memory->slot = SN_ARENA_ARRAY(arena, sni_remembered, slots);
}

/// Slot of the id, or the empty one where it would go.
static sni_remembered* slot_of(const sni_warm_start* memory, uint64_t id) {
    size_t at = (size_t)sni_hash(0, &id, sizeof id) & (memory->slots - 1);
    while (memory->slot[at].id && memory->slot[at].id != id) at = (at + 1) & (memory->slots - 1);
    return &memory->slot[at];
}

int32_t sn_contact_recall(const sn_contact_solver* solver, const sn_contact_problem* problem,
                          double* r) {
    int32_t known = 0;
    memset(r, 0, (size_t)sn_contact_rows(problem) * sizeof *r);
    for (int32_t i = 0; problem->id && i < problem->count; i++) {
        if (!problem->id[i]) continue;
        const sni_remembered* slot = slot_of(&solver->warm_start, problem->id[i]);
        if (!slot->id || slot->rows != problem->law[i].rows) continue;
        memcpy(r + problem->first[i], slot->r, (size_t)slot->rows * sizeof *r);
        known++;
    }
    return known;
}

// Contacts past the capacity are forgotten: they start from zero, which is always right.
void sn_contact_remember(sn_contact_solver* solver, const sn_contact_problem* problem,
                         const double* r) {
    sni_warm_start* memory = &solver->warm_start;
    memset(memory->slot, 0, memory->slots * sizeof *memory->slot);
    for (int32_t i = 0; problem->id && i < problem->count && i < memory->capacity; i++) {
        if (!problem->id[i]) continue;
        sni_remembered* slot = slot_of(memory, problem->id[i]);
        slot->id = problem->id[i];
        slot->rows = problem->law[i].rows;
        memcpy(slot->r, r + problem->first[i], (size_t)slot->rows * sizeof *r);
    }
}
