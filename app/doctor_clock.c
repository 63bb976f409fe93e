// SPDX-License-Identifier: Apache-2.0
#include <math.h>
#include <stdlib.h>

#include "doctor.h"
#include "memory.h"
#include "sinew/clock.h"

enum { PERIOD_NS = 1000000 };

const double JITTER_BELOW_US[JITTER_BINS] = {5, 10, 20, 50, 100, 200, 500, 1000, 5000, INFINITY};

// Of a loop of 1 kHz: nobody feels a tenth of a period; a whole one is a sample lost.
static const double GOOD_US = 100, LOST_US = 1000;

static int rising(const void* a, const void* b) {
    double x = *(const double*)a, y = *(const double*)b;
    return (x > y) - (x < y);
}

static double share(const double* sorted, int count, double part) {
    int i = (int)(part * count);
    return sorted[i < count ? i : count - 1];
}

static void summarise(jitter* j, double* late) {
    for (int i = 0; i < j->count; i++) {
        int bin = 0;
        while (late[i] >= JITTER_BELOW_US[bin]) bin++;
        j->bins[bin]++;
    }
    qsort(late, (size_t)j->count, sizeof *late, rising);
    j->median = share(late, j->count, 0.5);
    j->p99 = share(late, j->count, 0.99);
    j->p999 = share(late, j->count, 0.999);
    j->worst = late[j->count - 1];
}

jitter doctor_measure_clock(double seconds) {
    jitter j = {.count = (int)fmax(1, fmin(seconds, 3600) * 1e9 / PERIOD_NS)};
    double* late = memory_take((size_t)j.count, sizeof *late); // us
    sn_clock clock = sn_clock_real();
    j.granted = sn_realtime_enter(NULL);
    int64_t next = clock.now_ns(clock.context);
    for (int i = 0; i < j.count; i++) {
        next += PERIOD_NS;
        clock.wait_ns(clock.context, next);
        int64_t now = clock.now_ns(clock.context);
        late[i] = 1e-3 * (double)(now - next);
        if (now - next > PERIOD_NS) next = now; // lost ticks count once
    }
    sn_realtime_leave(&j.granted);
    summarise(&j, late);
    free(late);
    return j;
}

void doctor_judge_clock(findings* list, const jitter* j) {
    verdict v = j->p99 >= LOST_US                          ? VERDICT_BROKEN
                : j->p99 >= GOOD_US || j->worst >= LOST_US ? VERDICT_BETTER
                                                           : VERDICT_FINE;
    finding* f = doctor_find(
        list, "clock jitter", v,
        "a loop of 1 kHz, %s, woke up late by %.0f us in the middle, %.0f us at 99 %%, %.0f us at "
        "worst",
        j->granted.priority > 0 ? "real-time" : "without real-time priority", j->median, j->p99,
        j->worst);
    if (v == VERDICT_FINE) return;
    doctor_advise(f,
                  "%s; stop other programs, and see the findings above; a virtual machine cannot "
                  "do better than its host",
                  j->granted.priority > 0 ? "set the governor to performance and boot with "
                                            "preempt=full or a PREEMPT_RT kernel"
                                          : "get real-time priority");
}
