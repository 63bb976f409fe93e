// SPDX-License-Identifier: Apache-2.0
// While the list has room, contacts are appended. Once it is full, a heap of its entries, the largest gap on
// top, says whom a deeper newcomer replaces.
#include "collision/contact_list.h"

void sni_contact_list_layout(sni_contact_list* list, sni_arena* arena, int32_t most) {
    list->most = most;
    list->contact = SN_ARENA_ARRAY(arena, sn_contact, most);
    list->shapes = SN_ARENA_ARRAY(arena, sni_contact_shapes, most);
    list->number = SN_ARENA_ARRAY(arena, int64_t, most);
    list->heap = SN_ARENA_ARRAY(arena, int32_t, most);
}

void sni_contact_list_clear(sni_contact_list* list) {
    list->count = list->dropped = 0;
    list->heaped = false;
}

static void exchange(int32_t* a, int32_t* b) {
    int32_t held = *a;
    *a = *b;
    *b = held;
}

/// Largest gap first; of equal ones the latest.
static bool goes_first(const sni_contact_list* list, int32_t a, int32_t b) {
    double gap_a = list->contact[a].gap, gap_b = list->contact[b].gap;
    return gap_a > gap_b || (gap_a == gap_b && list->number[a] > list->number[b]);
}

static void sink(sni_contact_list* list, int32_t at) {
    for (;;) {
        int32_t first = at, child = 2 * at + 1;
        for (int32_t k = child; k < child + 2 && k < list->count; k++)
            if (goes_first(list, list->heap[k], list->heap[first])) first = k;
        if (first == at) return;
        exchange(&list->heap[at], &list->heap[first]);
        at = first;
    }
}

static void make_heap(sni_contact_list* list) {
    for (int32_t k = 0; k < list->count; k++) list->number[k] = list->heap[k] = k;
    list->next = list->count;
    for (int32_t k = list->count / 2 - 1; k >= 0; k--) sink(list, k);
    list->heaped = true;
}

sn_contact* sni_contact_list_replace(sni_contact_list* list, double gap,
                                     sni_contact_shapes shapes) {
    list->dropped++;
    if (list->most == 0) return NULL;
    if (!list->heaped) make_heap(list);
    int32_t top = list->heap[0];
    sn_contact* room = &list->contact[top];
    if (!(gap < room->gap)) return NULL;
    room->gap = gap;
    list->shapes[top] = shapes;
    list->number[top] = list->next++;
    sink(list, 0);
    return room;
}

static void exchange_contacts(sni_contact_list* list, int32_t a, int32_t b) {
    sn_contact contact = list->contact[a];
    sni_contact_shapes shapes = list->shapes[a];
    int64_t number = list->number[a];
    list->contact[a] = list->contact[b];
    list->shapes[a] = list->shapes[b];
    list->number[a] = list->number[b];
    list->contact[b] = contact;
    list->shapes[b] = shapes;
    list->number[b] = number;
}

/// Sinks by number, largest on top: a heap sort in place.
static void sink_number(sni_contact_list* list, int32_t at, int32_t count) {
    for (;;) {
        int32_t first = at, child = 2 * at + 1;
        for (int32_t k = child; k < child + 2 && k < count; k++)
            if (list->number[k] > list->number[first]) first = k;
        if (first == at) return;
        exchange_contacts(list, at, first);
        at = first;
    }
}

void sni_contact_list_finish(sni_contact_list* list) {
    if (!list->heaped) return;
    for (int32_t k = list->count / 2 - 1; k >= 0; k--) sink_number(list, k, list->count);
    for (int32_t k = list->count - 1; k > 0; k--) {
        exchange_contacts(list, 0, k);
        sink_number(list, 0, k);
    }
}
