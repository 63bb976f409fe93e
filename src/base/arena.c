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

// calloc, because large blocks then come as pages that cost nothing until they are touched.
bool sni_arena_allocate(sni_arena* arena) {
    if (arena->overflow) return false;
    size_t size = arena->used ? arena->used : SN_ARENA_ALIGNMENT;
    unsigned char* block = calloc(1, size + SN_ARENA_ALIGNMENT);
    if (!block) return false;
    size_t past = (uintptr_t)block % SN_ARENA_ALIGNMENT;
    arena->block = block;
    arena->base = block + (past ? SN_ARENA_ALIGNMENT - past : 0);
    arena->size = size;
    arena->used = 0;
    return true;
}

void sni_arena_free(sni_arena* arena) {
    free(arena->block);
    memset(arena, 0, sizeof *arena);
}
