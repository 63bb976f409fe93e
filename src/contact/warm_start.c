// SPDX-License-Identifier: Apache-2.0
#include "contact/warm_start.h"

#include <string.h>

#include "base/hash.h"
#include "contact/solver.h"

void sni_warm_start_layout(sni_warm_start* memory, const sn_contact_capacity* capacity,
                           sni_arena* arena) {
    size_t contacts = (size_t)capacity->contacts, slots = 4;
    while (slots < 2 * contacts) slots *= 2;
    memory->slots = slots;
    memory->contacts = capacity->contacts;
    memory->rows = capacity->rows;
    memory->id = SN_ARENA_ARRAY(arena, uint64_t, contacts);
    memory->first = SN_ARENA_ARRAY(arena, int32_t, contacts + 1);
    memory->r = SN_ARENA_ARRAY(arena, double, capacity->rows);
    memory->slot = SN_ARENA_ARRAY(arena, size_t, contacts);
    memory->place = SN_ARENA_ARRAY(arena, int32_t, slots);
}

/// Where the table has the id, or the empty slot where it would go.
static size_t slot_of(const sni_warm_start* memory, uint64_t id) {
    size_t at = (size_t)sni_hash(0, &id, sizeof id) & (memory->slots - 1);
    while (memory->place[at] && memory->id[memory->place[at] - 1] != id)
        at = (at + 1) & (memory->slots - 1);
    return at;
}

int32_t sni_warm_start_find(const sni_warm_start* memory, uint64_t id, int32_t guess) {
    if (guess < memory->count && memory->id[guess] == id) return guess;
    return memory->place[slot_of(memory, id)] - 1;
}

/// Whether the lists have the contacts of the problem, in their order and with their rows.
static bool is_listed(const sni_warm_start* memory, const sn_contact_problem* problem) {
    size_t count = (size_t)problem->count;
    return problem->id && memory->count == problem->count &&
           memcmp(memory->id, problem->id, count * sizeof *memory->id) == 0 &&
           memcmp(memory->first, problem->first, (count + 1) * sizeof *memory->first) == 0;
}

int32_t sn_contact_recall(const sn_contact_solver* solver, const sn_contact_problem* problem,
                          double* r) {
    const sni_warm_start* memory = &solver->warm_start;
    int32_t known = 0, guess = 0;
    size_t size = (size_t)sn_contact_rows(problem) * sizeof *r;
    if (is_listed(memory, problem)) {
        memcpy(r, memory->r, size);
        return problem->count;
    }
    memset(r, 0, size);
    for (int32_t i = 0; problem->id && i < problem->count; i++) {
        if (!problem->id[i]) continue;
        int32_t at = sni_warm_start_find(memory, problem->id[i], guess);
        if (at < 0) continue;
        guess = at + 1;
        int32_t rows = sni_warm_start_rows(memory, at);
        if (rows != problem->law[i].rows) continue;
        sni_copy_rows(r + problem->first[i], memory->r + memory->first[at], rows);
        known++;
    }
    return known;
}

/// Lists contact i behind the others, if there is room.
static void list(sni_warm_start* memory, const sn_contact_problem* problem, int32_t i,
                 const double* r) {
    int32_t at = memory->count, first = memory->first[at], rows = problem->law[i].rows;
    if (at == memory->contacts || rows > memory->rows - first) return;
    sni_copy_rows(memory->r + first, r + problem->first[i], rows);
    memory->id[at] = problem->id[i];
    memory->first[at + 1] = first + rows;
    memory->slot[at] = slot_of(memory, problem->id[i]);
    memory->count = memory->place[memory->slot[at]] = at + 1;
}

// Contacts past the capacity are forgotten: they start from zero, which is always right.
void sn_contact_remember(sn_contact_solver* solver, const sn_contact_problem* problem,
                         const double* r) {
    sni_warm_start* memory = &solver->warm_start;
    if (is_listed(memory, problem)) {
        memcpy(memory->r, r, (size_t)sn_contact_rows(problem) * sizeof *r);
        return;
    }
    for (int32_t k = 0; k < memory->count; k++) // costs what there was
        memory->place[memory->slot[k]] = 0;
    memory->count = memory->first[0] = 0;
    for (int32_t i = 0; problem->id && i < problem->count; i++)
        if (problem->id[i]) list(memory, problem, i, r);
}
