// SPDX-License-Identifier: Apache-2.0
// By non-negative least squares [LH74 ch 23]: of u >= 0 that minimises |E u - f|, E = [G'; h'], f = (0, .., 0, 1), the
// residual r = E u - f has  x = -r[0..5]/r[6]. At most seven u are not zero. Columns are scaled to length one in G.
#include "haptics/least_distance.h"

#include <math.h>
#include <string.h>

enum { ROWS = 7 };
// Of unit columns: gains, pivots and residuals below this are rounding.
static const double NOTHING = 1e-11;

typedef struct squares {
    int32_t count;
    double e[SNI_LEAST_MOST][ROWS];
    double length[SNI_LEAST_MOST]; ///< of g
    double u[SNI_LEAST_MOST];
    bool refused[SNI_LEAST_MOST]; ///< depends on those that are in
    int32_t in[ROWS];             ///< columns that may be above zero
    int32_t in_count;
    double r[ROWS]; ///< f - E u
} squares;

static double dot(const double* a, const double* b) {
    double sum = 0;
    for (int k = 0; k < ROWS; k++) sum += a[k] * b[k];
    return sum;
}

static void find_rest(squares* s) {
    memset(s->r, 0, sizeof s->r);
    s->r[ROWS - 1] = 1;
    for (int32_t i = 0; i < s->in_count; i++)
        for (int k = 0; k < ROWS; k++) s->r[k] -= s->e[s->in[i]][k] * s->u[s->in[i]];
}

/// Least squares over the columns that are in, by Gram and Schmidt twice over; false when the last depends on the others.
static bool solve_in(const squares* s, double* z) {
    double q[ROWS][ROWS], R[ROWS][ROWS] = {{0}}, y[ROWS];
    for (int32_t j = 0; j < s->in_count; j++) {
        memcpy(q[j], s->e[s->in[j]], sizeof q[j]);
        double before = sqrt(dot(q[j], q[j]));
        for (int twice = 0; twice < 2; twice++) {
            for (int32_t i = 0; i < j; i++) {
                double part = dot(q[i], q[j]);
                R[i][j] += part;
                for (int k = 0; k < ROWS; k++) q[j][k] -= part * q[i][k];
            }
        }
        R[j][j] = sqrt(dot(q[j], q[j]));
        if (!(R[j][j] > sqrt(NOTHING) * before)) return false;
        for (int k = 0; k < ROWS; k++) q[j][k] /= R[j][j];
        y[j] = q[j][ROWS - 1]; // q . f
    }
    for (int32_t j = s->in_count - 1; j >= 0; j--) {
        for (int32_t k = j + 1; k < s->in_count; k++) y[j] -= R[j][k] * z[k];
        z[j] = y[j] / R[j][j];
    }
    return true;
}

/// The column that gains most; -1: none gains.
static int32_t choose(const squares* s) {
    int32_t best = -1;
    double most = NOTHING;
    for (int32_t i = 0; i < s->count; i++) {
        if (s->refused[i] || s->u[i] > 0) continue;
        double gain = dot(s->e[i], s->r);
        if (gain > most) most = gain, best = i;
    }
    return best;
}

/// Goes from u towards z until the first is zero, which leaves; false: all of z are above zero, and u is z.
static bool let_go(squares* s, const double* z) {
    double part = 1;
    for (int32_t k = 0; k < s->in_count; k++) {
        double u = s->u[s->in[k]];
        if (z[k] <= 0 && u / (u - z[k]) < part) part = u / (u - z[k]);
    }
    bool all = part == 1;
    int32_t kept = 0;
    for (int32_t k = 0; k < s->in_count; k++) {
        int32_t i = s->in[k];
        s->u[i] += part * (z[k] - s->u[i]);
        if (!all && z[k] <= 0 && !(s->u[i] > NOTHING)) s->u[i] = 0;
        if (s->u[i] > 0) s->in[kept++] = i;
    }
    s->in_count = kept;
    return !all;
}

static void minimise(squares* s) {
    for (int32_t round = 0; round < 3 * SNI_LEAST_MOST; round++) {
        find_rest(s);
        int32_t i = s->in_count < ROWS ? choose(s) : -1;
        if (i < 0) return;
        double z[ROWS];
        s->in[s->in_count++] = i;
        if (!solve_in(s, z) || !(z[s->in_count - 1] > 0)) {
            s->in_count--;
            s->refused[i] = true;
            continue;
        }
        memset(s->refused, 0, sizeof s->refused);
        while (let_go(s, z) && s->in_count > 0 && solve_in(s, z)) {
        }
    }
}

bool sni_least_distance_solve(sni_least_distance* p) {
    squares s = {.count = p->count};
    double farthest = 0; // of a plane from zero: x is in these units
    memset(p->x, 0, sizeof p->x);
    memset(p->multiplier, 0, sizeof p->multiplier);
    for (int32_t i = 0; i < p->count; i++) {
        double square = 0;
        for (int k = 0; k < 6; k++) square += p->g[i][k] * p->g[i][k];
        s.length[i] = sqrt(square);
        farthest = fmax(farthest, p->h[i] / s.length[i]);
    }
    if (!(farthest > 0)) return true;
    for (int32_t i = 0; i < p->count; i++) {
        for (int k = 0; k < 6; k++) s.e[i][k] = p->g[i][k] / s.length[i];
        s.e[i][ROWS - 1] = p->h[i] / (s.length[i] * farthest);
    }
    minimise(&s);
    if (!(s.r[ROWS - 1] > NOTHING)) return false;
    for (int32_t i = 0; i < p->count; i++) {
        p->multiplier[i] = farthest * s.u[i] / (s.r[ROWS - 1] * s.length[i]);
        for (int k = 0; k < 6; k++) p->x[k] += p->multiplier[i] * p->g[i][k];
    }
    return true;
}
