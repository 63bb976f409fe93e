// SPDX-License-Identifier: Apache-2.0
/// Two sides of something lock-free, in every order of their atomic operations.
///
/// A test includes this, then the header under test: its atomic operations become points at which the other side may
/// go on. The sides run on stacks of their own in one thread; all schedules are tried, each by a run from the
/// beginning. What is between two points belongs to one side alone or the code is wrong, which shows in what comes
/// out. Orders are those of one memory: that acquire and release are where they must be is the thread sanitizer's
/// business.
#ifndef SINEW_TESTS_INTERLEAVE_H
#define SINEW_TESTS_INTERLEAVE_H

#include <stdatomic.h>
#include <stdbool.h>

typedef struct interleaved {
    void (*begin)(void* context);   ///< before each run
    void (*side[2])(void* context); ///< bounded: nobody waits for the other
    bool (*good)(void* context);    ///< after each run; false ends it all
    void* context;
    bool relaxed_too; ///< a relaxed load is of what the other side writes, and so a point as well
} interleaved;

/// Number of schedules that were tried; -1: one of them was not good. Its choices are printed.
long interleave_all(const interleaved* sides);
/// The other side may go on here.
void interleave_point(void);
/// The same before a load.
void interleave_load(memory_order order);
/// False where stacks cannot be exchanged: under the thread sanitizer.
bool interleave_works(void);

/// As the atomic one, after a point; there is one thread.
static inline unsigned interleave_exchange(atomic_uint* object, unsigned value) {
    interleave_point();
    unsigned old = *object;
    *object = value;
    return old;
}

#undef atomic_load_explicit
#undef atomic_store_explicit
#undef atomic_exchange_explicit
#define atomic_load_explicit(object, order) (interleave_load(order), *(object))
#define atomic_store_explicit(object, value, order)                                                \
    (interleave_point(), (void)(*(object) = (value)))
#define atomic_exchange_explicit(object, value, order) interleave_exchange(object, value)

#endif
