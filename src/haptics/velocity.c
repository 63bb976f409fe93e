// SPDX-License-Identifier: Apache-2.0
#include "haptics/velocity.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

static const int64_t WINDOW_NS = 15 * 1000 * 1000;
static const int64_t SPACING_NS = 900 * 1000; // a little less than a period of 1 kHz

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

/// The i-th newest.
static inline unsigned place_of(const sni_velocity* v, int i) {
    return (unsigned)(v->newest - i) % SN_VELOCITY_KEPT;
}
static inline const double* sample_at(const sni_velocity* v, int i) { return v->x[place_of(v, i)]; }

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
static pair middle_of(range r, const sni_velocity* v, int pair_at, const double* one_over_age,
                      int count) {
    pair sum = r.low + r.high;
    for (int i = 0; i < count; i++) {
        narrow(&r, load(sample_at(v, i) + 2 * pair_at), both(one_over_age[i]));
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
    for (int p = 0; p < pairs; p++) all[p] = r[p];
    for (int i = 0; i < count; i++) {
        const double* kept = sample_at(v, i);
        for (int p = 0; p < pairs; p++) narrow(&all[p], load(kept + 2 * p), both(one_over_age[i]));
    }
    for (int p = 0; p < pairs; p++) {
        pair middle = both(0.5) * (all[p].low + all[p].high);
        if (!both_of(not_above(all[p].low, all[p].high)))
            middle = middle_of(r[p], v, p, one_over_age, count);
        slope[2 * p] = middle[0], slope[2 * p + 1] = middle[1];
    }
}

/// 1/s of each sample within the window, the newest first, which counts in any case; returns how many.
static inline int find_ages(const sni_velocity* v, int64_t now_ns, double* one_over_age) {
    int count = 0;
    for (; count < v->count; count++) {
        int64_t age_ns = now_ns - v->time_ns[place_of(v, count)];
        if (count > 0 && age_ns > WINDOW_NS) break;
        one_over_age[count] = 1e9 / (double)age_ns;
    }
    return count;
}

static void keep(sni_velocity* v, int64_t now_ns, const double x[SN_VELOCITY_CHANNELS]) {
    v->newest = v->newest + 1 < SN_VELOCITY_KEPT ? v->newest + 1 : 0;
    v->time_ns[v->newest] = now_ns;
    for (int c = 0; c < SN_VELOCITY_CHANNELS; c++) v->x[v->newest][c] = x[c];
    if (v->count < SN_VELOCITY_KEPT) v->count++;
}

void sni_velocity_update(sni_velocity* v, int64_t now_ns, const double* x, const double* quantum,
                         int channels, double* velocity) {
    if (v->count && now_ns <= v->time_ns[v->newest]) return;
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
    int count = find_ages(v, now_ns, one_over_age);
    if (count && channels > 4)
        find_slopes(v, r, one_over_age, count, 3, slope);
    else if (count)
        find_slopes(v, r, one_over_age, count, 2, slope);
    for (int c = 0; c < channels; c++) velocity[c] = slope[c];
    if (!v->count || now_ns - v->time_ns[v->newest] >= SPACING_NS) keep(v, now_ns, x_all);
}
