// SPDX-License-Identifier: Apache-2.0
#include "math/small.h"

#include <float.h>

bool sni_cholesky(double A[SN_SMALL_MAX][SN_SMALL_MAX], int n) {
    for (int j = 0; j < n; j++) {
        double diagonal = A[j][j], pivot = diagonal;
        for (int k = 0; k < j; k++) pivot -= A[j][k] * A[j][k];
        if (!(pivot > DBL_EPSILON * diagonal)) return false;
        A[j][j] = sqrt(pivot);
        for (int i = j + 1; i < n; i++) {
            double sum = A[i][j];
            for (int k = 0; k < j; k++) sum -= A[i][k] * A[j][k];
            A[i][j] = sum / A[j][j];
        }
    }
    return true;
}

void sni_cholesky_solve(const double L[SN_SMALL_MAX][SN_SMALL_MAX], int n, double* x) {
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < i; k++) x[i] -= L[i][k] * x[k];
        x[i] /= L[i][i];
    }
    for (int i = n - 1; i >= 0; i--) {
        for (int k = i + 1; k < n; k++) x[i] -= L[k][i] * x[k];
        x[i] /= L[i][i];
    }
}

// Cyclic Jacobi: each rotation zeroes one off-diagonal pair; a 3x3 converges in a few sweeps.
void sni_symmetric_eigenvalues(sn_mat3 A, double eigenvalues[3]) {
    enum { SWEEPS = 12 };
    for (int sweep = 0; sweep < SWEEPS; sweep++) {
        for (int p = 0; p < 2; p++) {
            for (int q = p + 1; q < 3; q++) {
                double apq = A.m[p][q];
                if (apq == 0) continue;
                double theta = (A.m[q][q] - A.m[p][p]) / (2 * apq);
                double t = copysign(1, theta) / (fabs(theta) + hypot(theta, 1));
                double c = 1 / hypot(t, 1), s = t * c;
                for (int k = 0; k < 3; k++) {
                    double akp = A.m[k][p], akq = A.m[k][q];
                    A.m[k][p] = c * akp - s * akq;
                    A.m[k][q] = s * akp + c * akq;
                }
                for (int k = 0; k < 3; k++) {
                    double apk = A.m[p][k], aqk = A.m[q][k];
                    A.m[p][k] = c * apk - s * aqk;
                    A.m[q][k] = s * apk + c * aqk;
                }
            }
        }
    }
    double a = A.m[0][0], b = A.m[1][1], c = A.m[2][2];
    eigenvalues[0] = fmin(a, fmin(b, c));
    eigenvalues[2] = fmax(a, fmax(b, c));
    eigenvalues[1] = fmax(fmin(a, b), fmin(fmax(a, b), c));
}
