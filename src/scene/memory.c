// SPDX-License-Identifier: Apache-2.0
#include "scene/memory.h"

#include <stdlib.h>
#include <string.h>

struct sni_block {
    sni_block* next;
    size_t used, size;
    max_align_t bytes[];
};

enum { BLOCK = 1 << 14 };

void* sni_memory_take(sni_memory* memory, size_t size) {
    size_t needed = (size + sizeof(double) - 1) / sizeof(double) * sizeof(double);
    sni_block* block = memory->block;
    if (!block || block->size - block->used < needed) {
        size_t room = needed > BLOCK ? needed : BLOCK;
        block = malloc(sizeof *block + room);
        if (!block) return NULL;
        block->next = memory->block;
        block->used = 0;
        block->size = room;
        memory->block = block;
    }
    void* taken = (char*)block->bytes + block->used;
    block->used += needed;
    return memset(taken, 0, size);
}

const char* sni_memory_join(sni_memory* memory, const char* a, const char* b) {
    size_t na = strlen(a), nb = strlen(b);
    char* joined = sni_memory_take(memory, na + nb + 1);
    if (!joined) return NULL;
    memcpy(joined, a, na);
    memcpy(joined + na, b, nb + 1);
    return joined;
}

const char* sni_memory_text(sni_memory* memory, const char* text) {
    return sni_memory_join(memory, text ? text : "", "");
}

double* sni_memory_numbers(sni_memory* memory, const double* numbers, int count) {
    if (!numbers) return NULL;
    size_t size = (size_t)count * sizeof *numbers;
    double* copy = sni_memory_take(memory, size + sizeof *numbers);
    if (copy) memcpy(copy, numbers, size);
    return copy;
}

void sni_memory_free(sni_memory* memory) {
    while (memory->block) {
        sni_block* next = memory->block->next;
        free(memory->block);
        memory->block = next;
    }
}

void* sni_grow(void* array, int count, int* capacity, size_t size) {
    if (count < *capacity) return array;
    int wanted = *capacity ? 2 * *capacity : 8;
    void* larger = realloc(array, (size_t)wanted * size);
    if (larger) *capacity = wanted;
    return larger;
}
