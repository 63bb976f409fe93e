// SPDX-License-Identifier: Apache-2.0
#include "oracle/contact.h"

#include <complex.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

// ---- one contact ----------------------------------------------------------------------------------------

/// The problem of the tangent plane after r_n was eliminated by u_n = 0, in the axes of its eigenvectors.
typedef struct plane {
    real cosine, sine; ///< of the axes
    real l[2];         ///< eigenvalues
    real q[2];         ///< q_t - w q_n/W_nn
    real w[2];         ///< coupling with the normal
    real W_nn, q_n, mu;
} plane;

static void turn(const plane* p, const real x[2], real out[2]) {
    out[0] = p->cosine * x[0] + p->sine * x[1];
    out[1] = -p->sine * x[0] + p->cosine * x[1];
}

static plane plane_of(const real W[9], const real q[3], real mu) {
    plane p = {.W_nn = W[0], .q_n = q[0], .mu = mu};
    const real w[2] = {W[1], W[2]};
    real a = W[4] - w[0] * w[0] / W[0], b = W[5] - w[0] * w[1] / W[0];
    real c = W[8] - w[1] * w[1] / W[0];
    const real reduced[2] = {q[1] - w[0] * q[0] / W[0], q[2] - w[1] * q[0] / W[0]};
    real angle = atan2l(2 * b, a - c) / 2;
    p.cosine = cosl(angle), p.sine = sinl(angle);
    p.l[0] = p.cosine * p.cosine * a + 2 * p.cosine * p.sine * b + p.sine * p.sine * c;
    p.l[1] = p.sine * p.sine * a - 2 * p.cosine * p.sine * b + p.cosine * p.cosine * c;
    turn(&p, reduced, p.q);
    turn(&p, w, p.w);
    return p;
}

static void slide_at(const plane* p, real alpha, real r[3]) {
    const real t[2] = {-p->q[0] / (p->l[0] + alpha), -p->q[1] / (p->l[1] + alpha)};
    r[0] = -(p->q_n + p->w[0] * t[0] + p->w[1] * t[1]) / p->W_nn;
    r[1] = p->cosine * t[0] - p->sine * t[1];
    r[2] = p->sine * t[0] + p->cosine * t[1];
}

/// x (a, b) times (c, d): coefficients of rising powers.
static void multiply(const real* a, int n, const real* b, int m, real* out) {
    memset(out, 0, (size_t)(n + m + 1) * sizeof *out);
    for (int i = 0; i <= n; i++)
        for (int j = 0; j <= m; j++) out[i + j] += a[i] * b[j];
}

/// Left side minus right side of (8.4), rising powers of alpha.
static void quartic(const plane* p, real c[5]) {
    const real first[2] = {p->l[0], 1}, second[2] = {p->l[1], 1};
    real first2[3], second2[3], both[3], inner[3], right[5];
    multiply(first, 1, first, 1, first2);
    multiply(second, 1, second, 1, second2);
    multiply(first, 1, second, 1, both);
    for (int k = 0; k < 3; k++) {
        inner[k] = p->q_n * both[k];
        if (k < 2) inner[k] -= p->w[0] * p->q[0] * second[k] + p->w[1] * p->q[1] * first[k];
    }
    multiply(inner, 2, inner, 2, right);
    real factor = p->mu / p->W_nn * (p->mu / p->W_nn);
    for (int k = 0; k < 5; k++) {
        c[k] = -factor * right[k];
        if (k < 3) c[k] += p->q[0] * p->q[0] * second2[k] + p->q[1] * p->q[1] * first2[k];
    }
}

static long double complex value_at(const real c[5], long double complex x) {
    long double complex sum = 0;
    for (int k = 4; k >= 0; k--) sum = sum * x + c[k];
    return sum;
}

/// All roots at once, by Durand and Kerner's iteration, in units of the largest possible root.
static void roots_of(const real given[5], long double complex root[4]) {
    enum { STEPS = 2000 };
    real size = 0, c[5];
    for (int k = 0; k < 4; k++)
        size = fmaxl(size, powl(fabsl(given[k] / given[4]), 1.0L / (4 - k)));
    if (!(size > 0)) size = 1;
    for (int k = 0; k < 5; k++) c[k] = given[k] / given[4] * powl(size, k - 4);
    for (int k = 0; k < 4; k++) root[k] = cpowl(0.4L + 0.9L * I, k);
    for (int step = 0; step < STEPS; step++) {
        real moved = 0;
        for (int k = 0; k < 4; k++) {
            long double complex product = 1;
            for (int j = 0; j < 4; j++)
                if (j != k) product *= root[k] - root[j];
            long double complex change = value_at(c, root[k]) / product;
            root[k] -= change;
            moved = fmaxl(moved, cabsl(change));
        }
        if (moved < 1e-18L) break;
    }
    for (int k = 0; k < 4; k++) root[k] *= size;
}

static void stick(const real W[9], const real q[3], real r[3]) {
    const plane p = plane_of(W, q, 0);
    slide_at(&p, 0, r);
}

int oracle_contact_solutions(const real W[9], const real q[3], real mu,
                             real r[ORACLE_CONTACT_ROOTS][3]) {
    const real slack = 1e-12L; // a root at the edge of the cone is one on either side
    int found = 0;
    if (q[0] >= 0) {
        r[0][0] = r[0][1] = r[0][2] = 0;
        return 1;
    }
    stick(W, q, r[0]);
    if (r[0][0] >= 0 && hypotl(r[0][1], r[0][2]) <= mu * r[0][0] * (1 + slack)) found = 1;
    plane p = plane_of(W, q, mu);
    real c[5];
    long double complex root[4];
    quartic(&p, c);
    roots_of(c, root);
    for (int k = 0; k < 4; k++) {
        real alpha = creall(root[k]);
        if (!(alpha > 0) || fabsl(cimagl(root[k])) > 1e-9L * cabsl(root[k])) continue;
        slide_at(&p, alpha, r[found]);
        if (r[found][0] >= 0) found++;
    }
    return found;
}

bool oracle_contact_slide(const real W[9], const real q[3], real mu, real r[3]) {
    plane p = plane_of(W, q, mu);
    real low = 0, high = W[0] + W[4] + W[8];
    slide_at(&p, 0, r);
    if (q[0] >= 0 || (r[0] >= 0 && hypotl(r[1], r[2]) <= mu * r[0])) return false;
    for (slide_at(&p, high, r); hypotl(r[1], r[2]) > mu * r[0]; slide_at(&p, high, r)) high *= 4;
    for (int step = 0; step < 200; step++) {
        real middle = (low + high) / 2;
        slide_at(&p, middle, r);
        if (hypotl(r[1], r[2]) > mu * r[0])
            low = middle;
        else
            high = middle;
    }
    return true;
}

// ---- equalities -----------------------------------------------------------------------------------------

// With response = L L' and v = L y the metric is that of y, in which J L y = 0 takes away what lies in the
// span of the rows of J L: Gram and Schmidt, twice, rows that follow from others left out.
void oracle_hold(int n, const real* response, int rows, const real* J, const real* v_free,
                 real* v) {
    size_t size = (size_t)n;
    real *L = calloc(size * size, sizeof *L), *y = calloc(size, sizeof *y);
    real* basis = calloc((size_t)(rows > 0 ? rows : 1) * size, sizeof *basis);
    int count = 0;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j <= i; j++) {
            real sum = response[i * n + j];
            for (int k = 0; k < j; k++) sum -= L[i * n + k] * L[j * n + k];
            L[i * n + j] = i == j ? sqrtl(sum) : sum / L[j * n + j];
        }
        real sum = v_free[i];
        for (int k = 0; k < i; k++) sum -= L[i * n + k] * y[k];
        y[i] = sum / L[i * n + i];
    }
    for (int row = 0; row < rows; row++) {
        real *b = basis + (ptrdiff_t)count * n, before = 0, after = 0;
        for (int k = 0; k < n; k++) {
            b[k] = 0;
            for (int i = k; i < n; i++) b[k] += J[row * n + i] * L[i * n + k];
            before += b[k] * b[k];
        }
        for (int pass = 0; pass < 2; pass++) {
            for (int other = 0; other < count; other++) {
                const real* e = basis + (ptrdiff_t)other * n;
                real part = 0;
                for (int k = 0; k < n; k++) part += e[k] * b[k];
                for (int k = 0; k < n; k++) b[k] -= part * e[k];
            }
        }
        for (int k = 0; k < n; k++) after += b[k] * b[k];
        if (!(after > 1e-26L * before)) continue;
        for (int k = 0; k < n; k++) b[k] /= sqrtl(after);
        count++;
    }
    for (int other = 0; other < count; other++) {
        const real* e = basis + (ptrdiff_t)other * n;
        real part = 0;
        for (int k = 0; k < n; k++) part += e[k] * y[k];
        for (int k = 0; k < n; k++) y[k] -= part * e[k];
    }
    for (int i = 0; i < n; i++) {
        v[i] = 0;
        for (int k = 0; k <= i; k++) v[i] += L[i * n + k] * y[k];
    }
    free(L), free(y), free(basis);
}
