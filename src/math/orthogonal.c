// SPDX-License-Identifier: Apache-2.0
// Reflections H = 1 - beta v v'. Those of Q keep v below the diagonal of their column, with its first number
// apart as the diagonal holds T's. Those of Z mix column k with the columns that are no pivots, and keep their
// vectors in row k of these.
#include "math/orthogonal.h"

#include <math.h>
#include <stddef.h>

static double* column_of(const sni_orthogonal* f, int32_t k) {
    return f->A + (ptrdiff_t)f->order[k] * f->n;
}

static double length_from(const double* x, int32_t k, int32_t n) {
    double sum = 0;
    for (int32_t i = k; i < n; i++) sum += x[i] * x[i];
    return sqrt(sum);
}

/// Brings the longest of the columns from k on, as seen below row k, to place k; its length.
static double choose_column(sni_orthogonal* f, int32_t k) {
    int32_t best = k;
    double longest = -1;
    for (int32_t j = k; j < f->n; j++) {
        double length = length_from(column_of(f, j), k, f->n);
        if (length > longest) longest = length, best = j;
    }
    int32_t column = f->order[best];
    f->order[best] = f->order[k];
    f->order[k] = column;
    return longest;
}

static void reflect_column(const sni_orthogonal* f, int32_t k, double* x) {
    const double* v = column_of(f, k);
    double sum = f->corner[k] * x[k];
    for (int32_t i = k + 1; i < f->n; i++) sum += v[i] * x[i];
    sum *= f->left[k];
    x[k] -= sum * f->corner[k];
    for (int32_t i = k + 1; i < f->n; i++) x[i] -= sum * v[i];
}

/// Zeros below row k of column k.
static void clear_column(sni_orthogonal* f, int32_t k, double length) {
    double* v = column_of(f, k);
    double end = v[k] > 0 ? -length : length;
    f->corner[k] = v[k] - end;
    f->left[k] = 1 / (length * (length + fabs(v[k])));
    for (int32_t j = k + 1; j < f->n; j++) reflect_column(f, k, column_of(f, j));
    v[k] = end;
}

/// Zeros right of the pivots in row k, by Z: v = (1, row of the columns that are no pivots).
static void clear_row(sni_orthogonal* f, int32_t k) {
    double square = 0, pivot = column_of(f, k)[k];
    for (int32_t j = f->rank; j < f->n; j++) square += pow(column_of(f, j)[k], 2);
    f->right[k] = 0;
    if (square == 0) return;
    double length = sqrt(pivot * pivot + square), end = pivot > 0 ? -length : length;
    double first = pivot - end;
    f->right[k] = 2 / (1 + square / (first * first));
    for (int32_t j = f->rank; j < f->n; j++) column_of(f, j)[k] /= first;
    column_of(f, k)[k] = end;
    for (int32_t i = 0; i < k; i++) {
        double sum = column_of(f, k)[i];
        for (int32_t j = f->rank; j < f->n; j++) sum += column_of(f, j)[k] * column_of(f, j)[i];
        sum *= f->right[k];
        column_of(f, k)[i] -= sum;
        for (int32_t j = f->rank; j < f->n; j++) column_of(f, j)[i] -= sum * column_of(f, j)[k];
    }
}

void sni_orthogonal_factor(sni_orthogonal* f, double smallest) {
    double longest = 0;
    for (int32_t i = 0; i < f->n; i++) f->order[i] = i;
    for (f->rank = 0; f->rank < f->n; f->rank++) {
        double length = choose_column(f, f->rank);
        if (f->rank == 0) longest = length;
        if (!(length > smallest * longest)) break;
        clear_column(f, f->rank, length);
    }
    for (int32_t k = f->rank - 1; k >= 0 && f->rank < f->n; k--) clear_row(f, k);
}

void sni_orthogonal_solve(const sni_orthogonal* f, double* b, double* x) {
    for (int32_t k = 0; k < f->rank; k++) reflect_column(f, k, b);
    for (int32_t k = f->rank - 1; k >= 0; k--) { // T^-1
        const double* column = column_of(f, k);
        b[k] /= column[k];
        for (int32_t i = 0; i < k; i++) b[i] -= b[k] * column[i];
    }
    for (int32_t k = f->rank; k < f->n; k++) b[k] = 0;
    for (int32_t k = 0; k < f->rank && f->rank < f->n; k++) {
        double sum = b[k];
        for (int32_t j = f->rank; j < f->n; j++) sum += column_of(f, j)[k] * b[j];
        sum *= f->right[k];
        b[k] -= sum;
        for (int32_t j = f->rank; j < f->n; j++) b[j] -= sum * column_of(f, j)[k];
    }
    for (int32_t k = 0; k < f->n; k++) x[f->order[k]] = b[k];
}
