// SPDX-License-Identifier: Apache-2.0
#include "base/arena.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/assert.h"

void* sni_arena_take(sni_arena* arena, size_t count, size_t size) {
    const size_t mask = SN_ARENA_ALIGNMENT - 1;
    if (size && count > (SIZE_MAX / 2 - arena->used) / size) {
        arena->overflow = true;
        return NULL;
    }
    size_t bytes = (count * size + mask) & ~mask;
    void* at = arena->base ? arena->base + arena->used : NULL;
    arena->used += bytes;
    SN_ASSERT(!arena->base || arena->used <= arena->size);
    return at;
}

bool sni_arena_allocate(sni_arena* arena) {
    if (arena->overflow) return false;
    size_t size = arena->used ? arena->used : SN_ARENA_ALIGNMENT;
    unsigned char* base = aligned_alloc(SN_ARENA_ALIGNMENT, size);
    if (!base) return false;
    memset(base, 0, size);
    arena->base = base;
    arena->size = size;
    arena->used = 0;
    return true;
}

void sni_arena_free(sni_arena* arena) {
    free(arena->base);
    memset(arena, 0, sizeof *arena);
}
