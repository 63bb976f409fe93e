// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE // affinity
#include "sinew/realtime.h"

#include <math.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

sn_realtime_def sn_realtime_def_default(void) {
    sn_realtime_def def = {.priority = 80, .lock_memory = true, .cpu = -1};
    return def;
}

/// False when the kernel does not permit it.
static bool try_priority(int priority) {
    struct sched_param parameter = {.sched_priority = priority};
    return pthread_setschedparam(pthread_self(), SCHED_FIFO, &parameter) == 0;
}

static void ask_priority(int wanted, sn_realtime* granted) {
    int most = sn_realtime_limits_of_process().priority;
    int priority = wanted > most && most > 0 ? most : wanted;
    if (priority > 0 && try_priority(priority)) granted->priority = priority;
    if (granted->priority == wanted) return;
    if (granted->priority > 0) {
        (void)snprintf(
            granted->why_not_priority, sizeof granted->why_not_priority,
            "priority %d, because %d is the highest that is permitted; raise `rtprio` in "
            "/etc/security/limits.conf",
            granted->priority, granted->priority);
        return;
    }
    (void)snprintf(
        granted->why_not_priority, sizeof granted->why_not_priority,
        "real-time priority is not permitted; add `@realtime - rtprio 99` to "
        "/etc/security/limits.conf and yourself to the group `realtime`, then log in again");
}

/// Whether the process has the capability to lock any amount, whatever its limit is.
static bool is_lock_capable(void) {
    enum { IPC_LOCK = 14 }; // capabilities(7)
    char line[128];
    unsigned long long capabilities = 0;
    FILE* file = fopen("/proc/self/status", "r");
    while (file && fgets(line, sizeof line, file))
        if (sscanf(line, "CapEff: %llx", &capabilities) == 1) break;
    if (file) fclose(file);
    return capabilities >> IPC_LOCK & 1;
}

/// Bytes that may be locked.
static double lock_most(void) {
    struct rlimit limit;
    if (is_lock_capable()) return INFINITY;
    if (getrlimit(RLIMIT_MEMLOCK, &limit)) return 0;
    return limit.rlim_cur == RLIM_INFINITY ? INFINITY : (double)limit.rlim_cur;
}

/// All or nothing: with a limit, memory that is asked for later could not be had any more. Pages are locked when they are
/// first written: a world of 10^4 bodies reserves gigabytes for contacts that never come, and to have them at once
/// would stop every thread for seconds.
static void ask_memory(sn_realtime* granted) {
    if (isinf(lock_most()) && mlockall(MCL_CURRENT | MCL_FUTURE | MCL_ONFAULT) == 0) {
        granted->locked = true;
        return;
    }
    (void)snprintf(
        granted->why_not_locked, sizeof granted->why_not_locked,
        "memory cannot be locked, only %.3g MB may be; add `@realtime - memlock unlimited` to "
        "/etc/security/limits.conf and log in again",
        lock_most() * 1e-6);
}

static void ask_processor(int cpu, sn_realtime* granted) {
    cpu_set_t set;
    CPU_ZERO(&set);
    if (cpu < CPU_SETSIZE) CPU_SET((size_t)cpu, &set);
    granted->pinned = cpu < CPU_SETSIZE && sched_setaffinity(0, sizeof set, &set) == 0;
    if (granted->pinned) return;
    (void)snprintf(granted->why_not_pinned, sizeof granted->why_not_pinned,
                   "processor %d is not one that this process may use; `taskset -p %d` shows them",
                   cpu, (int)getpid());
}

sn_realtime sn_realtime_enter(const sn_realtime_def* def) {
    sn_realtime granted = {0};
    sn_realtime_def wanted = def ? *def : sn_realtime_def_default();
    if (wanted.lock_memory) ask_memory(&granted);
    if (wanted.cpu >= 0) ask_processor(wanted.cpu, &granted);
    if (wanted.priority > 0) ask_priority(wanted.priority, &granted);
    return granted;
}

void sn_realtime_leave(const sn_realtime* granted) {
    if (granted->priority > 0) {
        struct sched_param none = {0};
        (void)pthread_setschedparam(pthread_self(), SCHED_OTHER, &none); // always permitted
    }
    if (granted->pinned) {
        cpu_set_t all;
        memset(&all, 0xff, sizeof all); // the kernel takes those away that are not ours
        (void)sched_setaffinity(0, sizeof all, &all);
    }
    if (granted->locked) munlockall();
}

/// Tries it in the calling thread and puts things back.
static bool may_have(int priority) {
    struct sched_param before;
    int policy;
    if (pthread_getschedparam(pthread_self(), &policy, &before) || !try_priority(priority))
        return false;
    (void)pthread_setschedparam(pthread_self(), policy, &before);
    return true;
}

sn_realtime_limits sn_realtime_limits_of_process(void) {
    sn_realtime_limits limits = {0};
    struct rlimit limit;
    int most = sched_get_priority_max(SCHED_FIFO);
    bool known = getrlimit(RLIMIT_RTPRIO, &limit) == 0 && limit.rlim_cur > 0;
    if (may_have(most)) {
        limits.priority = most; // the administrator, or an unlimited process
    } else if (known && limit.rlim_cur < (rlim_t)most && may_have((int)limit.rlim_cur)) {
        limits.priority = (int)limit.rlim_cur;
    }
    limits.lock_most = lock_most();
    cpu_set_t set;
    CPU_ZERO(&set);
    limits.cpus = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
    return limits;
}
