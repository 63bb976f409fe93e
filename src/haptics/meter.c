// SPDX-License-Identifier: Apache-2.0
#include "haptics/meter.h"

enum { FIRST_BIN_NS = 100 };

static int bin_of(int64_t late_ns) {
    int bin = 0;
    for (int64_t edge = FIRST_BIN_NS; late_ns >= edge && bin < SN_JITTER_BINS - 1; edge *= 2) bin++;
    return bin;
}

void sni_meter_tick(sn_loop_meter* meter, int64_t now_ns, int64_t due_ns, int64_t period_ns) {
    int64_t late = now_ns > due_ns ? now_ns - due_ns : 0;
    if (meter->ticks++ == 0) meter->first_ns = now_ns;
    meter->last_ns = now_ns;
    if (late > meter->worst_ns) meter->worst_ns = late;
    if (late > period_ns / 2) meter->late++;
    meter->jitter[bin_of(late)]++;
}

double sn_loop_rate(const sn_loop_meter* meter) {
    if (meter->ticks < 2 || meter->last_ns <= meter->first_ns) return 0;
    return (double)(meter->ticks - 1) / ((double)(meter->last_ns - meter->first_ns) * 1e-9);
}

void sni_latency_count(sn_latency_meter* meter, int64_t latency_ns) {
    int64_t latency = latency_ns > 0 ? latency_ns : 0;
    meter->count++;
    meter->sum_ns += latency;
    if (latency > meter->worst_ns) meter->worst_ns = latency;
    meter->below[bin_of(latency)]++;
}
