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
    memory->list = SN_ARENA_ARRAY(arena, sni_remembered, contacts);
    memory->place = SN_ARENA_ARRAY(arena, int32_t, slots);
}

/// Where the table has the id, or the empty slot where it would go.
static int32_t* slot_of(const sni_warm_start* memory, uint64_t id) {
    size_t at = (size_t)sni_hash(0, &id, sizeof id) & (memory->slots - 1);
    while (memory->place[at] && memory->list[memory->place[at] - 1].id != id)
        at = (at + 1) & (memory->slots - 1);
    return &memory->place[at];
}

int32_t sni_warm_start_find(const sni_warm_start* memory, uint64_t id, int32_t guess) {
    if (guess < memory->count && memory->list[guess].id == id) return guess;
    return *slot_of(memory, id) - 1;
}

int32_t sn_contact_recall(const sn_contact_solver* solver, const sn_contact_problem* problem,
                          double* r) {
    const sni_warm_start* memory = &solver->warm_start;
    int32_t known = 0, guess = 0;
    memset(r, 0, (size_t)sn_contact_rows(problem) * sizeof *r);
    for (int32_t i = 0; problem->id && i < problem->count; i++) {
        if (!problem->id[i]) continue;
        int32_t at = sni_warm_start_find(memory, problem->id[i], guess);
        if (at < 0) continue;
        guess = at + 1;
        const sni_remembered* last = &memory->list[at];
        if (last->rows != problem->law[i].rows) continue;
        sni_copy_rows(r + problem->first[i], last->r, last->rows);
        known++;
    }
    return known;
}

/// Whether the list has the contacts of the problem, in their order.
static bool is_listed(const sni_warm_start* memory, const sn_contact_problem* problem) {
    if (!problem->id || memory->count != problem->count) return false;
    for (int32_t i = 0; i < problem->count; i++)
        if (memory->list[i].id != problem->id[i]) return false;
    return true;
}

static void keep(sni_remembered* now, const sn_contact_problem* problem, int32_t i,
                 const double* r) {
    now->rows = problem->law[i].rows;
    sni_copy_rows(now->r, r + problem->first[i], now->rows);
}

// Contacts past the capacity are forgotten: they start from zero, which is always right.
void sn_contact_remember(sn_contact_solver* solver, const sn_contact_problem* problem,
                         const double* r) {
    sni_warm_start* memory = &solver->warm_start;
    if (is_listed(memory, problem)) {
        for (int32_t i = 0; i < memory->count; i++) keep(&memory->list[i], problem, i, r);
        return;
    }
    for (int32_t k = 0; k < memory->count; k++) *memory->list[k].slot = 0; // costs what there was
    memory->count = 0;
    for (int32_t i = 0; problem->id && i < problem->count && i < memory->capacity; i++) {
        if (!problem->id[i]) continue;
        int32_t at = memory->count++;
        sni_remembered* now = &memory->list[at];
        keep(now, problem, i, r);
        now->id = problem->id[i];
        now->slot = slot_of(memory, now->id);
        *now->slot = at + 1;
    }
}
