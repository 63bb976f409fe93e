// SPDX-License-Identifier: Apache-2.0
#include "base/name_map.h"

#include <string.h>

#include "base/hash.h"

void sni_name_map_layout(sni_name_map* map, sni_arena* arena, int32_t capacity) {
    uint32_t slots = 4;
    while (slots < 2 * (uint32_t)capacity) slots *= 2;
    map->slots = slots;
    map->names = SN_ARENA_ARRAY(arena, const char*, slots);
    map->values = SN_ARENA_ARRAY(arena, int32_t, slots);
}

/// Slot of the name, or the empty slot where it would go.
static uint32_t slot_of(const sni_name_map* map, const char* name) {
    uint32_t slot = (uint32_t)sni_hash(0, name, strlen(name)) & (map->slots - 1);
    while (map->names[slot] && strcmp(map->names[slot], name) != 0)
        slot = (slot + 1) & (map->slots - 1);
    return slot;
}

int32_t sni_name_map_add(sni_name_map* map, const char* name, int32_t value) {
    uint32_t slot = slot_of(map, name);
    if (map->names[slot]) return map->values[slot];
    map->names[slot] = name;
    map->values[slot] = value;
    return -1;
}

int32_t sni_name_map_find(const sni_name_map* map, const char* name) {
    if (!name || !map->slots) return -1;
    uint32_t slot = slot_of(map, name);
    return map->names[slot] ? map->values[slot] : -1;
}
