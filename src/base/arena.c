// SPDX-License-Identifier: Apache-2.0
#include "base/arena.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

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

/// From this size on a block has pages of its own. They cost nothing until they are touched, and are given back with it;
/// blocks of calloc are like that only until it has others of their size to use again.
enum { OWN_PAGES = 1 << 20 };

static unsigned char* take_block(size_t size) {
    if (size < OWN_PAGES) return calloc(1, size);
    void* pages = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return pages == MAP_FAILED ? NULL : pages;
}

static void give_back(void* block, size_t size) {
    if (size < OWN_PAGES)
        free(block);
    else
        (void)munmap(block, size);
}

bool sni_arena_allocate(sni_arena* arena) {
    if (arena->overflow) return false;
    size_t size = arena->used ? arena->used : SN_ARENA_ALIGNMENT;
    unsigned char* block = take_block(size + SN_ARENA_ALIGNMENT);
    if (!block) return false;
    size_t past = (uintptr_t)block % SN_ARENA_ALIGNMENT;
    arena->block = block;
    arena->base = block + (past ? SN_ARENA_ALIGNMENT - past : 0);
    arena->size = size;
    arena->used = 0;
    return true;
}

void sni_arena_free(sni_arena* arena) {
    give_back(arena->block, arena->size + SN_ARENA_ALIGNMENT);
    memset(arena, 0, sizeof *arena);
}
