// SPDX-License-Identifier: Apache-2.0
#include "control/cone_forces.h"

#include <math.h>
#include <string.h>

#include "base/hot.h"
#include "math/small.h"

static double dot(const double* a, const double* b) {
    double sum = 0;
    for (int k = 0; k < SN_CONE_ROWS; k++) sum += a[k] * b[k];
    return sum;
}

/// Value of the dual at y; x = max(0, B' y).
static double dual(int n, const double (*B)[SN_CONE_ROWS], const double* b, double eps,
                   const double* y, double* x) {
    double value = 0.5 * eps * dot(y, y) - dot(b, y);
    for (int j = 0; j < n; j++) {
        x[j] = fmax(0, dot(B[j], y));
        value += 0.5 * x[j] * x[j];
    }
    return value;
}

/// step = H^-1 (-gradient) of the piece at y. False when nothing is left of the gradient, or H cannot be factored.
static bool newton_step(int n, const double (*B)[SN_CONE_ROWS], const double* b, double eps,
                        const double* y, const double* x, double* step, double* slope) {
    static const double DONE = 1e-12; // of the wanted wrench: some digits above rounding
    double H[SN_SMALL_MAX][SN_SMALL_MAX] = {{0}}, gradient[SN_CONE_ROWS];
    for (int r = 0; r < SN_CONE_ROWS; r++) {
        gradient[r] = eps * y[r] - b[r];
        H[r][r] = eps;
    }
    for (int j = 0; j < n; j++) {
        if (!(x[j] > 0)) continue;
        for (int r = 0; r < SN_CONE_ROWS; r++) {
            gradient[r] += B[j][r] * x[j];
            for (int c = 0; c <= r; c++) H[r][c] += B[j][r] * B[j][c];
        }
    }
    if (!(dot(gradient, gradient) > DONE * DONE * dot(b, b))) return false;
    if (!sni_cholesky(H, SN_CONE_ROWS)) return false;
    for (int r = 0; r < SN_CONE_ROWS; r++) step[r] = -gradient[r];
    sni_cholesky_solve((const double(*)[SN_SMALL_MAX])H, SN_CONE_ROWS, step);
    *slope = dot(gradient, step);
    return *slope < 0;
}

SN_HOT int sni_cone_forces(int n, const double (*B)[SN_CONE_ROWS], const double b[SN_CONE_ROWS],
                           double eps, double y[SN_CONE_ROWS], double* x) {
    enum { MOST = 60, HALVINGS = 30 };
    static const double ENOUGH = 1e-4; // of the descent that the slope promises [NW06 ch 3.1]
    double value = dual(n, B, b, eps, y, x), step[SN_CONE_ROWS], slope;
    int i = 0;
    for (; i < MOST && newton_step(n, B, b, eps, y, x, step, &slope); i++) {
        double before[SN_CONE_ROWS], reached = value, length = 1;
        memcpy(before, y, sizeof before);
        for (int k = 0; k < HALVINGS; k++, length /= 2) {
            for (int r = 0; r < SN_CONE_ROWS; r++) y[r] = before[r] + length * step[r];
            reached = dual(n, B, b, eps, y, x);
            if (reached <= value + ENOUGH * length * slope) break;
        }
        if (!(reached < value)) break; // rounding is all that is left
        value = reached;
    }
    return i;
}
