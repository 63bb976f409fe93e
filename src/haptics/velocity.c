// SPDX-License-Identifier: Apache-2.0
#include "haptics/velocity.h"

#include <math.h>
#include <string.h>

static const double WINDOW = 15e-3;           // s
static const int64_t SPACING_NS = 900 * 1000; // a little less than a period of 1 kHz

static double slope_of_longest_line(const double (*const* seen)[SN_VELOCITY_CHANNELS],
                                    const double* one_over_age, int known, int channel, double x,
                                    double quantum) {
    double low = -HUGE_VAL, high = HUGE_VAL;
    for (int i = 0; i < known; i++) {
        double slope = (x - (*seen[i])[channel]) * one_over_age[i];
        double width = quantum * one_over_age[i];
        double least = slope - width, most = slope + width;
        if (least > high || most < low) break;
        low = least > low ? least : low;
        high = most < high ? most : high;
    }
    return 0.5 * (low + high);
}

static void keep(sni_velocity* v, int64_t now_ns, const double* x, int channels) {
    v->newest = v->newest + 1 < SN_VELOCITY_KEPT ? v->newest + 1 : 0;
    v->time_ns[v->newest] = now_ns;
    memcpy(v->x[v->newest], x, (size_t)channels * sizeof *x);
    if (v->count < SN_VELOCITY_KEPT) v->count++;
}

void sni_velocity_update(sni_velocity* v, int64_t now_ns, const double* x, const double* quantum,
                         int channels, double* velocity) {
    if (v->count && now_ns <= v->time_ns[v->newest]) return;
    double one_over_age[SN_VELOCITY_KEPT];
    const double(*seen[SN_VELOCITY_KEPT])[SN_VELOCITY_CHANNELS]; // newest first
    int known = 0;
    for (int at = v->newest; known<v->count; known++, at = at> 0 ? at - 1 : SN_VELOCITY_KEPT - 1) {
        double age = 1e-9 * (double)(now_ns - v->time_ns[at]);
        if (known > 0 && age > WINDOW) break;
        one_over_age[known] = 1 / age;
        seen[known] = (const double(*)[SN_VELOCITY_CHANNELS]) & v->x[at];
    }
    for (int c = 0; c < channels; c++)
        velocity[c] =
            known ? slope_of_longest_line(seen, one_over_age, known, c, x[c], quantum[c]) : 0;
    if (!v->count || now_ns - v->time_ns[v->newest] >= SPACING_NS) keep(v, now_ns, x, channels);
}
