// SPDX-License-Identifier: Apache-2.0
// Rows stay where they are and are reached through `order`: exchanging two of its entries exchanges the
// rows and the columns.
#include "math/pivoted.h"

#include <math.h>
#include <stddef.h>

static size_t place(int32_t n, const int32_t* order, int32_t i, int32_t k) {
    return (size_t)order[i] * (size_t)n + (size_t)order[k];
}

/// Brings the largest of the diagonal entries from k on to place k.
static void choose_pivot(int32_t n, const double* A, int32_t k, int32_t* order) {
    int32_t best = k;
    for (int32_t i = k + 1; i < n; i++)
        if (A[place(n, order, i, i)] > A[place(n, order, best, best)]) best = i;
    int32_t row = order[best];
    order[best] = order[k];
    order[k] = row;
}

int32_t sni_pivoted_cholesky(int32_t n, double* A, double smallest, int32_t* order) {
    for (int32_t i = 0; i < n; i++) order[i] = i;
    for (int32_t k = 0; k < n; k++) {
        choose_pivot(n, A, k, order);
        double pivot = A[place(n, order, k, k)];
        if (!(pivot > smallest)) return k;
        double root = A[place(n, order, k, k)] = sqrt(pivot);
        for (int32_t i = k + 1; i < n; i++) A[place(n, order, i, k)] /= root;
        for (int32_t i = k + 1; i < n;
             i++) // both halves: the order of what is left may still change
            for (int32_t j = k + 1; j < n; j++)
                A[place(n, order, i, j)] -= A[place(n, order, i, k)] * A[place(n, order, j, k)];
    }
    return n;
}

void sni_pivoted_forward(int32_t n, const double* A, int32_t rank, const int32_t* order,
                         double* x) {
    for (int32_t i = 0; i < rank; i++) {
        double sum = x[order[i]];
        for (int32_t k = 0; k < i; k++) sum -= A[place(n, order, i, k)] * x[order[k]];
        x[order[i]] = sum / A[place(n, order, i, i)];
    }
}

void sni_pivoted_back(int32_t n, const double* A, int32_t rank, const int32_t* order, double* x) {
    for (int32_t i = rank; i < n; i++) x[order[i]] = 0;
    for (int32_t i = rank - 1; i >= 0; i--) {
        double sum = x[order[i]];
        for (int32_t k = i + 1; k < rank; k++) sum -= A[place(n, order, k, i)] * x[order[k]];
        x[order[i]] = sum / A[place(n, order, i, i)];
    }
}
