// SPDX-License-Identifier: Apache-2.0
/// One thread in the background, and numbers that it and others show each other.
#ifndef SN_BASE_THREAD_H
#define SN_BASE_THREAD_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct sni_thread sni_thread;

/// Runs work(context), with all signals blocked: they are the program's. NULL: no memory, or no thread to be had.
sni_thread* sni_thread_start(void (*work)(void* context), void* context);
/// Waits until it has returned.
void sni_thread_join(sni_thread* thread);
/// Lets other threads run for about so long; 0: those that are ready.
void sni_thread_rest(int64_t ns);

/// A number that one thread sets and any may read. What was written before it was set is seen by who reads it.
typedef struct sni_shown {
    atomic_uint_fast64_t value;
} sni_shown;

static inline void sni_show(sni_shown* shown, uint64_t value) {
    atomic_store_explicit(&shown->value, value, memory_order_release);
}

static inline uint64_t sni_shown_value(const sni_shown* shown) {
    return atomic_load_explicit(&shown->value, memory_order_acquire);
}

#endif
