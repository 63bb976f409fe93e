// SPDX-License-Identifier: Apache-2.0
/// Waiting for other threads: EVENTUALLY(condition) is true as soon as the condition is, and false when it has not
/// been for a quarter of a minute, which no machine is too busy for.
#ifndef SINEW_TESTS_EVENTUALLY_H
#define SINEW_TESTS_EVENTUALLY_H

#include <stdbool.h>
#include <time.h>

enum { EVENTUALLY_LOOKS = 30000 };

static inline bool eventually_rest(void) {
    struct timespec half_ms = {0, 500000};
    nanosleep(&half_ms, NULL);
    return true;
}

#define EVENTUALLY(condition)                                                                      \
    __extension__({                                                                                \
        bool eventually_is = false;                                                                \
        for (int look = 0; look < EVENTUALLY_LOOKS && !eventually_is; look++) {                    \
            eventually_is = (condition);                                                           \
            if (!eventually_is) eventually_rest();                                                 \
        }                                                                                          \
        eventually_is;                                                                             \
    })

#endif
