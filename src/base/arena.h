// SPDX-License-Identifier: Apache-2.0
/// One block of memory per owner, laid out once and freed whole.
///
/// A layout function takes its arrays from an arena and is run twice: first on an empty arena,
/// which only measures, then on one with memory of that size. So sizes are never written twice:
///     sni_arena arena = {0};
///     layout(owner, &arena);                       // measures
///     if (!sni_arena_allocate(&arena)) ...         // one zeroed block
///     layout(owner, &arena);                       // hands out
#ifndef SN_BASE_ARENA_H
#define SN_BASE_ARENA_H

#include <stdbool.h>
#include <stddef.h>

typedef struct sni_arena {
    void* block;         ///< as it was allocated
    unsigned char* base; ///< its first aligned byte; NULL while measuring
    size_t used;         ///< bytes handed out, or measured
    size_t size;         ///< bytes owned
    bool overflow;       ///< a measured size does not fit size_t
} sni_arena;

/// Every array starts on its own cache line.
enum { SN_ARENA_ALIGNMENT = 64 };

/// `count` objects of `size` bytes; NULL while measuring.
void* sni_arena_take(sni_arena* arena, size_t count, size_t size);
/// Allocates what was measured, zeroed, and starts handing out. False: no memory, arena unchanged.
bool sni_arena_allocate(sni_arena* arena);
void sni_arena_free(sni_arena* arena);

#define SN_ARENA_ARRAY(arena, type, count)                                                         \
    ((type*)sni_arena_take(arena, (size_t)(count), sizeof(type)))

#endif
