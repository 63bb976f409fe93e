// SPDX-License-Identifier: Apache-2.0
/// Latest value, from one writer thread to one reader thread, wait-free on both sides.
///
/// The owner keeps three slots of whatever type; the mailbox says who may touch which. The writer
/// fills slot sni_mailbox_back() and publishes it; the reader asks for the newest and keeps it until
/// it asks again. A value the reader did not fetch in time is overwritten: only the latest matters.
///
/// State machine: {back, middle, front} is always a permutation of {0, 1, 2}; publish swaps back
/// with middle and marks it fresh, fetch swaps front with middle if it is fresh.
#ifndef SN_BASE_MAILBOX_H
#define SN_BASE_MAILBOX_H

#include <stdalign.h>
#include <stdatomic.h>
#include <stdbool.h>

enum { SN_MAILBOX_SLOTS = 3, SN_MAILBOX_FRESH = 4, SN_CACHE_LINE = 64 };

typedef struct sni_mailbox {
    alignas(SN_CACHE_LINE) atomic_uint middle; ///< slot between the two, plus SN_MAILBOX_FRESH
    alignas(SN_CACHE_LINE) unsigned back;      ///< the writer's slot
    alignas(SN_CACHE_LINE) unsigned front;     ///< the reader's slot
} sni_mailbox;

static inline void sni_mailbox_init(sni_mailbox* box) {
    box->back = 0;
    atomic_init(&box->middle, 1);
    box->front = 2;
}

/// Slot the writer may fill. Thread: writer. Realtime: yes.
static inline unsigned sni_mailbox_back(const sni_mailbox* box) { return box->back; }

/// Hands the filled slot over. Thread: writer. Realtime: yes.
static inline void sni_mailbox_publish(sni_mailbox* box) {
    unsigned old =
        atomic_exchange_explicit(&box->middle, box->back | SN_MAILBOX_FRESH, memory_order_acq_rel);
    box->back = old & ~(unsigned)SN_MAILBOX_FRESH;
}

/// Slot with the newest value; *fresh (may be NULL) tells whether it is another than last time.
/// Thread: reader. Realtime: yes.
static inline unsigned sni_mailbox_fetch(sni_mailbox* box, bool* fresh) {
    bool is_fresh = atomic_load_explicit(&box->middle, memory_order_relaxed) & SN_MAILBOX_FRESH;
    if (is_fresh) {
        unsigned old = atomic_exchange_explicit(&box->middle, box->front, memory_order_acq_rel);
        box->front = old & ~(unsigned)SN_MAILBOX_FRESH;
    }
    if (fresh) *fresh = is_fresh;
    return box->front;
}

#endif
