// SPDX-License-Identifier: Apache-2.0
#include "haptics/velocity.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

static const double WINDOW = 15e6;   // ns
static const double SPACING = 900e3; // ns: a little less than a period of 1 kHz

// Two channels at once.
enum { PAIRS = SN_VELOCITY_CHANNELS / 2 };

#ifdef __SSE2__
typedef __m128d pair;
static inline pair both(double x) { return _mm_set1_pd(x); }
static inline pair load(const double* x) { return _mm_loadu_pd(x); }
static inline pair larger(pair a, pair b) { return _mm_max_pd(a, b); }
static inline pair smaller(pair a, pair b) { return _mm_min_pd(a, b); }
typedef __m128i pair_mask;
static inline pair_mask not_above(pair a, pair b) { return _mm_castpd_si128(_mm_cmple_pd(a, b)); }
static inline pair where(pair_mask mask, pair a, pair b) {
    pair m = _mm_castsi128_pd(mask);
    return _mm_or_pd(_mm_and_pd(m, a), _mm_andnot_pd(m, b));
}
static inline int bits(pair_mask mask) { return _mm_movemask_pd(_mm_castsi128_pd(mask)); }
#else
typedef double pair __attribute__((vector_size(16)));
static inline pair both(double x) { return (pair){x, x}; }
static inline pair load(const double* x) { return (pair){x[0], x[1]}; }
static inline pair larger(pair a, pair b) {
    return (pair){a[0] > b[0] ? a[0] : b[0], a[1] > b[1] ? a[1] : b[1]};
}
static inline pair smaller(pair a, pair b) {
    return (pair){a[0] < b[0] ? a[0] : b[0], a[1] < b[1] ? a[1] : b[1]};
}
typedef int64_t pair_mask __attribute__((vector_size(16)));
static inline pair_mask not_above(pair a, pair b) { return a <= b; }
static inline pair where(pair_mask mask, pair a, pair b) {
    return (pair)(((pair_mask)a & mask) | ((pair_mask)b & ~mask));
}
static inline int bits(pair_mask mask) { return (mask[0] ? 1 : 0) | (mask[1] ? 2 : 0); }
#endif
static inline bool any(pair_mask mask) { return bits(mask) != 0; }
static inline bool both_of(pair_mask mask) { return bits(mask) == 3; }

/// Of two channels, a line through the newest sample that passes within a quantum of all the others so far has a slope
/// from low to high: there is none once low is above high. from, to: the newest sample less and more its quantum.
typedef struct range {
    pair from, to, low, high;
} range;

static inline void narrow(range* r, pair kept, pair one_over_age) {
    r->low = larger(r->low, (r->from - kept) * one_over_age);
    r->high = smaller(r->high, (r->to - kept) * one_over_age);
}

/// The middles of what is left of the two, each before a sample would leave nothing.
static pair middle_of(range r, const double* kept, const double* one_over_age, int count) {
    pair sum = both(0);
    for (int i = 0; i < count; i++, kept += SN_VELOCITY_CHANNELS) {
        narrow(&r, load(kept), both(one_over_age[i]));
        pair_mask left = not_above(r.low, r.high);
        sum = where(left, r.low + r.high, sum);
        if (!any(left)) break;
    }
    return both(0.5) * sum;
}

/// Of the first 2 * pairs channels. What all samples leave was never nothing, so most often one look at the end will
/// do. Written for a number of pairs that the compiler knows.
static inline __attribute__((always_inline)) void find_slopes(const sni_velocity* v, const range* r,
                                                              const double* one_over_age, int count,
                                                              int pairs, double* slope) {
    range all[PAIRS];
    const double* kept = v->x[v->newest];
    for (int p = 0; p < pairs; p++) all[p] = r[p];
    for (int i = 0; i < count; i++, kept += SN_VELOCITY_CHANNELS) {
        pair one_over = both(one_over_age[i]);
        for (int p = 0; p < pairs; p++) narrow(&all[p], load(kept + 2 * p), one_over);
    }
    for (int p = 0; p < pairs; p++) {
        pair middle = both(0.5) * (all[p].low + all[p].high);
        if (!both_of(not_above(all[p].low, all[p].high)))
            middle = middle_of(r[p], v->x[v->newest] + 2 * p, one_over_age, count);
        slope[2 * p] = middle[0], slope[2 * p + 1] = middle[1];
    }
}

/// 1/s of each sample within the window, the newest first, which counts in any case; returns how many. Beyond them may
/// be anything.
static inline int find_ages(const sni_velocity* v, double now, double* one_over_age) {
    const double* time = v->time + v->newest;
    int count = v->count;
    while (count > 1 && now - time[count - 1] > WINDOW) count--;
    for (int i = 0; i < count; i += 2) {
        pair one_over = both(1e9) / (both(now) - load(time + i));
        one_over_age[i] = one_over[0], one_over_age[i + 1] = one_over[1];
    }
    return count;
}

static void keep_sample(sni_velocity* v, double now, const double x[SN_VELOCITY_CHANNELS]) {
    v->newest = v->newest > 0 ? v->newest - 1 : SN_VELOCITY_KEPT - 1;
    for (int at = v->newest; at < 2 * SN_VELOCITY_KEPT; at += SN_VELOCITY_KEPT) {
        v->time[at] = now;
        for (int c = 0; c < SN_VELOCITY_CHANNELS; c++) v->x[at][c] = x[c];
    }
    if (v->count < SN_VELOCITY_KEPT) v->count++;
}

void sni_velocity_update(sni_velocity* v, int64_t now_ns, const double* x, const double* quantum,
                         int channels, double* velocity) {
    if (!v->count) v->origin_ns = now_ns;
    double now = (double)(now_ns - v->origin_ns), since = now - v->time[v->newest];
    if (v->count && !(since > 0)) return;
    double x_all[SN_VELOCITY_CHANNELS], slope[SN_VELOCITY_CHANNELS] = {0};
    double one_over_age[SN_VELOCITY_KEPT];
    range r[PAIRS];
    for (int c = 0; c < SN_VELOCITY_CHANNELS; c++) x_all[c] = c < channels ? x[c] : 0; // at rest
    for (int p = 0; p < PAIRS; p++) {
        int a = 2 * p, b = a + 1;
        pair at = {x_all[a], x_all[b]};
        pair width = {a < channels ? quantum[a] : 0, b < channels ? quantum[b] : 0};
        r[p] = (range){at - width, at + width, both(-HUGE_VAL), both(HUGE_VAL)};
    }
    int count = find_ages(v, now, one_over_age);
    if (count && channels > 4)
        find_slopes(v, r, one_over_age, count, 3, slope);
    else if (count)
        find_slopes(v, r, one_over_age, count, 2, slope);
    for (int c = 0; c < channels; c++) velocity[c] = slope[c];
    if (!v->count || since >= SPACING) keep_sample(v, now, x_all);
}
