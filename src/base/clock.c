// SPDX-License-Identifier: Apache-2.0
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <stdint.h>
#include <time.h>

#include "sinew/clock.h"

static int64_t real_now_ns(void* context) {
    (void)context; // the machine's clock has no state of ours
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static void real_wait_ns(void* context, int64_t until_ns) {
    (void)context;
    struct timespec until = {until_ns / 1000000000, until_ns % 1000000000};
    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL) == EINTR) continue;
}

static void virtual_wait_ns(void* context, int64_t until_ns) {
    int64_t* now = context;
    if (until_ns > *now) *now = until_ns;
}

static int64_t virtual_now_ns(void* context) { return *(const int64_t*)context; }

sn_clock sn_clock_real(void) {
    sn_clock clock = {real_now_ns, NULL, real_wait_ns};
    return clock;
}

sn_clock sn_clock_virtual(int64_t* now_ns) {
    sn_clock clock = {virtual_now_ns, now_ns, virtual_wait_ns};
    return clock;
}
