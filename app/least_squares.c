// SPDX-License-Identifier: Apache-2.0
#include "least_squares.h"

#include <math.h>

void fit_add(fit* f, const double* row, double value) {
    for (int i = 0; i < f->unknowns; i++) {
        f->b[i] += row[i] * value;
        for (int j = 0; j < f->unknowns; j++) f->A[i][j] += row[i] * row[j];
    }
}

// Gauss-Jordan, the largest pivot of the scaled diagonal first.
bool fit_solve(const fit* f, double* x) {
    static const double SMALLEST = 1e-13; // of the diagonal: what rounding leaves
    int n = f->unknowns;
    fit g = *f;
    double scale[FIT_MOST];
    bool done[FIT_MOST] = {false};
    for (int i = 0; i < n; i++) {
        scale[i] = f->A[i][i];
        x[i] = 0;
    }
    for (int step = 0; step < n; step++) {
        int p = -1;
        for (int i = 0; i < n; i++)
            if (!done[i] && (p < 0 || g.A[i][i] * scale[p] > g.A[p][p] * scale[i])) p = i;
        if (!(g.A[p][p] > SMALLEST * scale[p])) return false;
        done[p] = true;
        for (int i = 0; i < n; i++) {
            if (i == p) continue;
            double factor = g.A[i][p] / g.A[p][p];
            for (int j = 0; j < n; j++) g.A[i][j] -= factor * g.A[p][j];
            g.b[i] -= factor * g.b[p];
        }
    }
    for (int i = 0; i < n; i++) x[i] = g.b[i] / g.A[i][i];
    return true;
}
