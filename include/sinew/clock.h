// SPDX-License-Identifier: Apache-2.0
/// Source of time, injected into every loop: real for people, virtual for tests and batch.
#ifndef SINEW_CLOCK_H
#define SINEW_CLOCK_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct sn_clock {
    int64_t (*now_ns)(void* context);
    void* context;
    /// Waits until it is so late, for loops that keep a pace; NULL: they do not wait.
    void (*wait_ns)(void* context, int64_t until_ns);
} sn_clock;

/// Monotonic time of this machine.
sn_clock sn_clock_real(void);
/// Always *now_ns, which the caller moves; waiting moves it on to the time that was waited for.
sn_clock sn_clock_virtual(int64_t* now_ns);

#ifdef __cplusplus
}
#endif
#endif
