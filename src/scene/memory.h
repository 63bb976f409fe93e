// SPDX-License-Identifier: Apache-2.0
/// Memory of a scene: blocks that never move and are freed whole.
#ifndef SN_SCENE_MEMORY_H
#define SN_SCENE_MEMORY_H

#include <stdbool.h>
#include <stddef.h>

typedef struct sni_block sni_block;

/// Start from {0}.
typedef struct sni_memory {
    sni_block* block; ///< the newest
} sni_memory;

/// `size` zeroed bytes for anything; NULL without memory.
void* sni_memory_take(sni_memory* memory, size_t size);
/// A copy; "" for NULL.
const char* sni_memory_text(sni_memory* memory, const char* text);
/// a and b one after the other.
const char* sni_memory_join(sni_memory* memory, const char* a, const char* b);
/// A copy of count numbers; NULL for NULL.
double* sni_memory_numbers(sni_memory* memory, const double* numbers, int count);
void sni_memory_free(sni_memory* memory);

/// Makes room for one more element of `size` bytes; NULL, array unchanged, without memory.
void* sni_grow(void* array, int count, int* capacity, size_t size);

#endif
