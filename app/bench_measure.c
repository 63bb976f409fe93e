// SPDX-License-Identifier: Apache-2.0
/// Repetitions by turns, another engine first each time: a busy moment of the machine hits all alike.
#include <math.h>
#include <stdlib.h>

#include "bench_contender.h"
#include "memory.h"
#include "sinew/clock.h"

static const double PILOT_SHARE = 0.2; // of a repetition: long enough to say how many it takes
static const long COUNT_MOST = 100000000;

double bench_now(void) {
    sn_clock clock = sn_clock_real();
    return 1e-9 * (double)clock.now_ns(clock.context);
}

double bench_difference(const double* a, const double* b, size_t count) {
    double difference = 0, size = 0;
    for (size_t k = 0; k < count; k++) {
        double d = fabs(a[k] - b[k]);
        if (!(d <= difference)) difference = d; // so that a NaN stays
        size = fmax(size, fabs(b[k]));
    }
    return size > 0 ? difference / size : difference;
}

static int compare_numbers(const void* a, const void* b) {
    double x = *(const double*)a, y = *(const double*)b;
    return (x > y) - (x < y);
}

static bool out(const bench_contender* c) { return c->row.trouble[0] != '\0'; }

// Finds how many evaluations take `seconds`.
static void calibrate(bench_contender* c, double seconds) {
    bool slow = false;
    c->count = 1;
    for (;;) {
        double taken = c->kind->time(c, c->count);
        if (!(taken >= 0)) return;
        if (1e6 * taken > BENCH_SLOW_US && c->count == 1 && !c->patient) {
            if (slow) {
                bench_trouble(&c->row, "one evaluation takes %.0f ms; given up", 1e3 * taken);
                return;
            }
            slow = true; // the first one may have had to fetch its memory
            continue;
        }
        if (taken >= PILOT_SHARE * seconds || c->count >= COUNT_MOST) {
            double count = (double)c->count * (taken > 0 ? seconds / taken : 1);
            c->count = count < 1 ? 1 : count > (double)COUNT_MOST ? COUNT_MOST : (long)count;
            return;
        }
        double more = taken > 0 ? 1.2 * PILOT_SHARE * seconds / taken : 10;
        c->count *= more < 2 ? 2 : more > 10 ? 10 : (long)more;
    }
}

static void repeat(bench_contender* c, long r) {
    double taken = c->kind->time(c, c->count);
    if (taken >= 0) c->times_us[r] = 1e6 * taken / ((double)c->count * c->states);
}

static void summarize(bench_contender* c, long reps) {
    bench_row* row = &c->row;
    qsort(c->times_us, (size_t)reps, sizeof *c->times_us, compare_numbers);
    row->median_us = 0.5 * (c->times_us[(reps - 1) / 2] + c->times_us[reps / 2]);
    row->min_us = c->times_us[0];
    row->reps = reps;
}

void bench_measure(bench_contender* all, int count, long reps, double seconds) {
    for (int i = 0; i < count; i++) {
        all[i].times_us = memory_take((size_t)reps, sizeof *all[i].times_us);
        if (!out(&all[i]) && all[i].count == 0) calibrate(&all[i], seconds);
    }
    for (long r = 0; r < reps; r++) {
        for (int i = 0; i < count; i++) {
            bench_contender* c = &all[(i + r) % count];
            if (!out(c)) repeat(c, r);
        }
    }
    for (int i = 0; i < count; i++) {
        if (!out(&all[i])) summarize(&all[i], reps);
    }
}

void bench_close(bench_contender* c) {
    if (c->kind) c->kind->close(c);
    free(c->times_us);
    *c = (bench_contender){0};
}
