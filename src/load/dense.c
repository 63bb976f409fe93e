// SPDX-License-Identifier: Apache-2.0
#include "load/dense.h"

#include <math.h>
#include <stddef.h>

typedef struct system {
    size_t n, width;
    double *A, *X;
} system;

static void swap_rows(double* a, double* b, size_t count) {
    for (size_t j = 0; j < count; j++) {
        double kept = a[j];
        a[j] = b[j];
        b[j] = kept;
    }
}

/// Rows are brought to size 1 first: then pivots compare. False: a row is zero or not finite.
static bool scale_rows(const system* s) {
    for (size_t i = 0; i < s->n; i++) {
        double size = 0;
        for (size_t j = 0; j < s->n; j++) {
            double entry = fabs(s->A[i * s->n + j]);
            if (!(entry <= size)) size = entry; // NaN stays
        }
        if (!(size > 0) || !isfinite(size)) return false;
        for (size_t j = 0; j < s->n; j++) s->A[i * s->n + j] /= size;
        for (size_t j = 0; j < s->width; j++) s->X[i * s->width + j] /= size;
    }
    return true;
}

static size_t find_pivot(const system* s, size_t step) {
    size_t best = step;
    for (size_t i = step + 1; i < s->n; i++)
        if (fabs(s->A[i * s->n + step]) > fabs(s->A[best * s->n + step])) best = i;
    return best;
}

static bool eliminate(const system* s, double smallest) {
    for (size_t step = 0; step < s->n; step++) {
        size_t pivot = find_pivot(s, step);
        double *A = s->A + step * s->n, *X = s->X + step * s->width;
        if (!(fabs(s->A[pivot * s->n + step]) > smallest)) return false;
        if (pivot != step) {
            swap_rows(A, s->A + pivot * s->n, s->n);
            swap_rows(X, s->X + pivot * s->width, s->width);
        }
        for (size_t i = step + 1; i < s->n; i++) {
            double *row = s->A + i * s->n, *right = s->X + i * s->width;
            double factor = row[step] / A[step];
            if (factor == 0) continue;
            for (size_t j = step; j < s->n; j++) row[j] -= factor * A[j];
            for (size_t j = 0; j < s->width; j++) right[j] -= factor * X[j];
        }
    }
    return true;
}

static void substitute(const system* s) {
    for (size_t i = s->n; i-- > 0;) {
        const double* row = s->A + i * s->n;
        double* X = s->X + i * s->width;
        for (size_t k = i + 1; k < s->n; k++) {
            if (row[k] == 0) continue;
            for (size_t j = 0; j < s->width; j++) X[j] -= row[k] * s->X[k * s->width + j];
        }
        for (size_t j = 0; j < s->width; j++) X[j] /= row[i];
    }
}

bool sni_dense_solve(int32_t n, double* A, int32_t width, double* X, double smallest) {
    system s = {(size_t)n, (size_t)width, A, X};
    if (!scale_rows(&s) || !eliminate(&s, smallest)) return false;
    substitute(&s);
    return true;
}
