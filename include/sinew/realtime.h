// SPDX-License-Identifier: Apache-2.0
/// Making a thread real-time, as far as the system permits: it runs before all others (SCHED_FIFO), its memory never
/// has to be fetched from disk (mlockall), it stays on one processor. Each is granted or not, with the reason and
/// what to do; a thread that gets none of them still runs, with the jitter that the machine has.
#ifndef SINEW_REALTIME_H
#define SINEW_REALTIME_H

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/// What is wanted. Start from sn_realtime_def_default().
typedef struct sn_realtime_def {
    int priority;     ///< of SCHED_FIFO, 1 to 99; 0: not asked for
    bool lock_memory; ///< of the whole process
    int cpu;          ///< processor to stay on; -1: any
} sn_realtime_def;

/// Priority 80, memory locked, any processor.
sn_realtime_def sn_realtime_def_default(void);

/// What was granted. Texts are "" where it was, or was not asked for: "why not; what to do".
typedef struct sn_realtime {
    int priority; ///< that it runs with; 0: as any other thread
    bool locked;
    bool pinned;
    char why_not_priority[200];
    char why_not_locked[200];
    char why_not_pinned[200];
} sn_realtime;

/// For the calling thread; def may be NULL. A lower priority is taken where the one asked for is not permitted.
sn_realtime sn_realtime_enter(const sn_realtime_def* def);
/// Back to an ordinary thread, on any processor; memory is unlocked when `granted` says it was locked.
void sn_realtime_leave(const sn_realtime* granted);

/// What this process may have, without asking for it.
typedef struct sn_realtime_limits {
    int priority;     ///< highest permitted; 0: none
    double lock_most; ///< bytes that may be locked; INFINITY: any number
    int cpus;         ///< processors that it may use
} sn_realtime_limits;

sn_realtime_limits sn_realtime_limits_of_process(void);

#ifdef __cplusplus
}
#endif
#endif
