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
/// Nobody will wait for it: it ends when its work returns, if it does.
void sni_thread_leave(sni_thread* thread);
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

/// Adds to a number that any thread may add to.
static inline void sni_show_more(sni_shown* shown, int more) {
    atomic_fetch_add_explicit(&shown->value, (uint_fast64_t)(int64_t)more, memory_order_acq_rel);
}

/// Takes what one thread at a time may have; false when another has it. Given back by sni_give.
static inline bool sni_try_take(sni_shown* taken) {
    uint_fast64_t free = 0;
    return atomic_compare_exchange_strong_explicit(&taken->value, &free, 1, memory_order_acq_rel,
                                                   memory_order_relaxed);
}

static inline void sni_give(sni_shown* taken) { sni_show(taken, 0); }

#endif
