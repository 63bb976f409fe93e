// SPDX-License-Identifier: Apache-2.0
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "oracle/oracle.h"

/// A power of two near 1/x: scaling by it rounds nothing.
static real scale_of(real x) {
    int e = 0;
    if (!(x > 0)) return 1;
    (void)frexpl(x, &e); // only the exponent is wanted
    return ldexpl(1.0L, -e);
}

/// Scales of rows and columns that bring the largest entry of each near one. Masses of 1e-27 and
/// unit entries of constraints stand in the same matrix.
static void equilibrate(int n, const real* A, real* row, real* column) {
    for (int i = 0; i < n; i++) row[i] = 1, column[i] = 1;
    for (int sweep = 0; sweep < 4; sweep++) {
        for (int i = 0; i < n; i++) {
            real most = 0;
            for (int j = 0; j < n; j++) most = fmaxl(most, fabsl(A[i * n + j] * column[j]));
            row[i] = scale_of(most);
        }
        for (int j = 0; j < n; j++) {
            real most = 0;
            for (int i = 0; i < n; i++) most = fmaxl(most, fabsl(A[i * n + j] * row[i]));
            column[j] = scale_of(most);
        }
    }
}

/// P B = L U in place. False when a pivot is zero or not a number.
static bool lu_factor(int n, real* B, int* pivot) {
    for (int k = 0; k < n; k++) {
        int p = k;
        for (int i = k + 1; i < n; i++)
            if (fabsl(B[i * n + k]) > fabsl(B[p * n + k])) p = i;
        if (!(fabsl(B[p * n + k]) > 0)) return false;
        pivot[k] = p;
        for (int j = 0; p != k && j < n; j++) {
            real t = B[p * n + j];
            B[p * n + j] = B[k * n + j];
            B[k * n + j] = t;
        }
        for (int i = k + 1; i < n; i++) {
            if (B[i * n + k] == 0) continue;
            real m = B[i * n + k] /= B[k * n + k];
            for (int j = k + 1; j < n; j++) B[i * n + j] -= m * B[k * n + j];
        }
    }
    return true;
}

static void lu_solve(int n, const real* B, const int* pivot, real* x) {
    for (int k = 0; k < n; k++) {
        real t = x[pivot[k]];
        x[pivot[k]] = x[k];
        x[k] = t;
    }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++) x[i] -= B[i * n + j] * x[j];
    for (int i = n - 1; i >= 0; i--) {
        for (int j = i + 1; j < n; j++) x[i] -= B[i * n + j] * x[j];
        x[i] /= B[i * n + i];
    }
}

bool oracle_solve(int n, const real* A, real* b) {
    size_t size = (size_t)n * sizeof(real);
    real* B = malloc(size * (size_t)n);
    real* row = malloc(size);
    real* column = malloc(size);
    real* x = calloc((size_t)n, sizeof(real));
    real* r = malloc(size);
    int* pivot = malloc((size_t)n * sizeof(int));
    equilibrate(n, A, row, column);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) B[i * n + j] = row[i] * A[i * n + j] * column[j];
    bool ok = lu_factor(n, B, pivot);
    for (int sweep = 0; ok && sweep < 2; sweep++) { // solve, then refine once
        for (int i = 0; i < n; i++) {
            r[i] = b[i];
            for (int j = 0; j < n; j++) r[i] -= A[i * n + j] * x[j];
            r[i] *= row[i];
        }
        lu_solve(n, B, pivot, r);
        for (int i = 0; i < n; i++) x[i] += column[i] * r[i];
    }
    if (ok) memcpy(b, x, size);
    free(B), free(row), free(column), free(x), free(r), free(pivot);
    return ok;
}

bool oracle_cholesky(int n, real* A) {
    for (int j = 0; j < n; j++) {
        for (int i = j; i < n; i++) {
            real s = A[i * n + j];
            for (int k = 0; k < j; k++) s -= A[i * n + k] * A[j * n + k];
            if (i == j) {
                if (!(s > 0)) return false;
                A[j * n + j] = sqrtl(s);
            } else {
                A[i * n + j] = s / A[j * n + j];
            }
        }
    }
    return true;
}

void oracle_cholesky_solve(int n, const real* L, real* b) {
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < i; k++) b[i] -= L[i * n + k] * b[k];
        b[i] /= L[i * n + i];
    }
    for (int i = n - 1; i >= 0; i--) {
        for (int k = i + 1; k < n; k++) b[i] -= L[k * n + i] * b[k];
        b[i] /= L[i * n + i];
    }
}

/// One Jacobi rotation that makes A[p][q] zero, unless it is nothing already; V (may be NULL) takes part.
static bool jacobi_rotate(int n, real* A, int p, int q, real nothing, real* V) {
    real apq = A[p * n + q];
    if (fabsl(apq) <= nothing) return false;
    real theta = (A[q * n + q] - A[p * n + p]) / (2 * apq);
    real t = (theta >= 0 ? 1 : -1) / (fabsl(theta) + sqrtl(theta * theta + 1));
    real c = 1 / sqrtl(t * t + 1), s = t * c;
    for (int k = 0; k < n; k++) {
        real akp = A[k * n + p], akq = A[k * n + q];
        A[k * n + p] = c * akp - s * akq;
        A[k * n + q] = s * akp + c * akq;
    }
    for (int k = 0; k < n; k++) {
        real apk = A[p * n + k], aqk = A[q * n + k];
        A[p * n + k] = c * apk - s * aqk;
        A[q * n + k] = s * apk + c * aqk;
    }
    A[p * n + q] = A[q * n + p] = 0; // but for rounding it is
    for (int k = 0; V && k < n; k++) {
        real vkp = V[k * n + p], vkq = V[k * n + q];
        V[k * n + p] = c * vkp - s * vkq;
        V[k * n + q] = s * vkp + c * vkq;
    }
    return true;
}

void oracle_eigenvectors(int n, real* A, real* values, real* V) {
    for (int i = 0; V && i < n * n; i++) V[i] = i % n == i / n;
    real most = 0;
    for (int i = 0; i < n * n; i++) most = fmaxl(most, fabsl(A[i]));
    enum { SWEEPS = 20 }; // convergence is quadratic; ten suffice for n = 100
    bool rotated = true;
    for (int sweep = 0; sweep < SWEEPS && rotated; sweep++) {
        rotated = false;
        for (int p = 0; p < n; p++)
            for (int q = p + 1; q < n; q++)
                rotated |= jacobi_rotate(n, A, p, q, LDBL_EPSILON * most, V);
    }
    for (int i = 0; i < n; i++) values[i] = A[i * n + i];
}

void oracle_eigenvalues(int n, real* A, real* values) { oracle_eigenvectors(n, A, values, NULL); }
