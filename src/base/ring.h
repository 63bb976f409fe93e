// SPDX-License-Identifier: Apache-2.0
/// Stream of fixed-size records from one writer thread to one reader thread, wait-free on both
/// sides. A full ring refuses the record; nothing is ever overwritten.
#ifndef SN_BASE_RING_H
#define SN_BASE_RING_H

#include <stdalign.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "base/arena.h"

typedef struct sni_ring {
    unsigned char* records;
    size_t record_size;
    size_t capacity;
    alignas(64) atomic_size_t written; ///< records ever written
    alignas(64) atomic_size_t taken;   ///< records ever taken
} sni_ring;

static inline void sni_ring_layout(sni_ring* ring, sni_arena* arena, size_t capacity,
                                   size_t record_size) {
    ring->records = sni_arena_take(arena, capacity, record_size);
    ring->record_size = record_size;
    ring->capacity = capacity;
    atomic_init(&ring->written, 0);
    atomic_init(&ring->taken, 0);
}

/// Records that may be written now. Thread: writer. Realtime: yes.
static inline size_t sni_ring_room(const sni_ring* ring) {
    size_t written = atomic_load_explicit(&ring->written, memory_order_relaxed);
    size_t taken = atomic_load_explicit(&ring->taken, memory_order_acquire);
    return ring->capacity - (written - taken);
}

/// False when full. Thread: writer. Realtime: yes.
static inline bool sni_ring_put(sni_ring* ring, const void* record) {
    size_t written = atomic_load_explicit(&ring->written, memory_order_relaxed);
    if (sni_ring_room(ring) == 0) return false;
    memcpy(ring->records + written % ring->capacity * ring->record_size, record, ring->record_size);
    atomic_store_explicit(&ring->written, written + 1, memory_order_release);
    return true;
}

/// False when empty. Thread: reader. Realtime: yes.
static inline bool sni_ring_take(sni_ring* ring, void* record) {
    size_t taken = atomic_load_explicit(&ring->taken, memory_order_relaxed);
    size_t written = atomic_load_explicit(&ring->written, memory_order_acquire);
    if (written == taken) return false;
    memcpy(record, ring->records + taken % ring->capacity * ring->record_size, ring->record_size);
    atomic_store_explicit(&ring->taken, taken + 1, memory_order_release);
    return true;
}

#endif
