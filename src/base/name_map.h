// SPDX-License-Identifier: Apache-2.0
/// From names to indices: a table of open addressing, sized once. Names are borrowed.
#ifndef SN_BASE_NAME_MAP_H
#define SN_BASE_NAME_MAP_H

#include <stdint.h>

#include "base/arena.h"

typedef struct sni_name_map {
    const char** names; ///< [slots], NULL: empty
    int32_t* values;    ///< [slots]
    uint32_t slots;     ///< power of two, at least twice the capacity
} sni_name_map;

void sni_name_map_layout(sni_name_map* map, sni_arena* arena, int32_t capacity);
/// Adds a name; returns the value it already had (and keeps that), or -1 when it is new.
int32_t sni_name_map_add(sni_name_map* map, const char* name, int32_t value);
/// -1 when there is none.
int32_t sni_name_map_find(const sni_name_map* map, const char* name);

#endif
