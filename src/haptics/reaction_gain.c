// SPDX-License-Identifier: Apache-2.0
// How much stiffer than its grip a reaction can be felt.
//
// A hand that displaces its grip by e pulls with f_u = Kc e and feels K Kc e. In units in which the grip is 1,
// f' = Kc^-1/2 f, that is K' = Kc^-1/2 K Kc^1/2, whose norm says how many times the grip's force may come back.
// With J = Kc^-1/2 I Kc^-1/2 and K = I Lambda - 1
//   K' = J^1/2 (P - 1) J^-1/2 ,   P = I^1/2 Lambda I^1/2 turned, eigenvalues in [0, 1]  =>  |K'| <= sqrt(cond J)
#include <stdbool.h>

#include "sinew/certify.h"

enum { SWEEPS = 40 };

/// Eigenvalues of a symmetric matrix, n columns, into its diagonal: Jacobi's rotations.   [GVL96 ch 8]
static void diagonalise(double* A, int n) {
    for (int sweep = 0; sweep < SWEEPS; sweep++) {
        double off = 0;
        for (int p = 0; p < n; p++) {
            for (int q = p + 1; q < n; q++) {
                double apq = A[p * n + q];
                off += fabs(apq);
                if (!(fabs(apq) > 0)) continue;
                double theta = (A[q * n + q] - A[p * n + p]) / (2 * apq);
                double t = copysign(1, theta) / (fabs(theta) + sqrt(theta * theta + 1));
                double c = 1 / sqrt(t * t + 1), s = t * c;
                for (int k = 0; k < n; k++) {
                    double x = A[k * n + p], y = A[k * n + q];
                    A[k * n + p] = c * x - s * y, A[k * n + q] = s * x + c * y;
                }
                for (int k = 0; k < n; k++) {
                    double x = A[p * n + k], y = A[q * n + k];
                    A[p * n + k] = c * x - s * y, A[q * n + k] = s * x + c * y;
                }
            }
        }
        if (!(off > 0)) return;
    }
}

static double largest_of(const double* A, int n) {
    double most = A[0];
    for (int i = 1; i < n; i++) most = fmax(most, A[i * n + i]);
    return most;
}

static double smallest_of(const double* A, int n) {
    double least = A[0];
    for (int i = 1; i < n; i++) least = fmin(least, A[i * n + i]);
    return least;
}

/// Component c of six as a wrench at the point, moved to the origin of the body; angular first.
static void unit_at(sn_vec3 point, int c, double out[6]) {
    double e[3] = {0, 0, 0};
    e[c % 3] = 1;
    sn_vec3 u = sn_vec3_make(e[0], e[1], e[2]), n = c < 3 ? u : sn_vec3_cross(point, u);
    sn_vec3 f = c < 3 ? sn_vec3_zero() : u;
    out[0] = n.x, out[1] = n.y, out[2] = n.z, out[3] = f.x, out[4] = f.y, out[5] = f.z;
}

/// Column of K for one component of one hand, at the points of all.
static void column_of(const sn_coupling_law* law, const sn_vec3* points, int hand, int c,
                      double out[SN_GRAB_ROWS]) {
    double unit[6];
    int n = 6 * law->count;
    unit_at(points[hand], c, unit);
    for (int r = 0; r < n; r++) {
        out[r] = 0;
        for (int k = 0; k < 6; k++) out[r] += law->K[r * n + 6 * hand + k] * unit[k];
    }
    for (int h = 0; h < law->count; h++) { // moments about the points
        double* w = out + 6 * h;
        sn_vec3 arm = sn_vec3_cross(points[h], sn_vec3_make(w[3], w[4], w[5]));
        w[0] -= arm.x, w[1] -= arm.y, w[2] -= arm.z;
    }
}

sn_status sn_reaction_gain(const sn_coupling_law* law, const sn_vec3* points, const sn_gains* gains,
                           double* norm) {
    *norm = 0;
    if (law->count < 1 || law->count > SN_GRAB_MAX) return SN_ERR_ARGUMENT;
    if (!(gains->stiffness > 0) || !(gains->turn_stiffness >= 0)) return SN_ERR_ARGUMENT;
    int first = gains->turn_stiffness > 0 ? 0 : 3, each = 6 - first, n = each * law->count;
    double root[6];
    for (int c = 0; c < 6; c++) root[c] = sqrt(c < 3 ? gains->turn_stiffness : gains->stiffness);
    double A[SN_GRAB_ROWS * SN_GRAB_ROWS], square[SN_GRAB_ROWS * SN_GRAB_ROWS];
    for (int j = 0; j < n; j++) {
        double column[SN_GRAB_ROWS];
        int c = first + j % each;
        column_of(law, points, j / each, c, column);
        for (int i = 0; i < n; i++) {
            int d = first + i % each;
            A[i * n + j] = column[6 * (i / each) + d] * root[c] / root[d];
        }
    }
    double nothing = 0; // stays so unless one is not finite
    for (int i = 0; i < n * n; i++) nothing += 0 * A[i];
    if (nothing != 0) return SN_ERR_NUMERIC;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            square[i * n + j] = 0;
            for (int k = 0; k < n; k++) square[i * n + j] += A[k * n + i] * A[k * n + j];
        }
    }
    diagonalise(square, n);
    *norm = sqrt(fmax(0, largest_of(square, n)));
    return isfinite(*norm) ? SN_OK : SN_ERR_NUMERIC;
}

sn_status sn_reaction_gain_bound(const sn_inertia* inertia, sn_vec3 point, const sn_gains* gains,
                                 double* norm) {
    *norm = 0;
    double m = inertia->mass;
    if (!(m > 0) || !(gains->stiffness > 0) || !(gains->turn_stiffness >= 0))
        return SN_ERR_ARGUMENT;
    const sn_mat3* I = &inertia->I;
    double turn = gains->turn_stiffness;
    if (!(turn > 0)) // any will do: one that suits the body
        turn = gains->stiffness * (I->m[0][0] + I->m[1][1] + I->m[2][2]) / (3 * m);
    // about the point: I_com + m (c.c - c c'), coupling m [c]x
    sn_vec3 c = sn_vec3_sub(inertia->com, point);
    sn_mat3 cx = sn_mat3_skew(c), cc = sn_mat3_mul(cx, sn_mat3_transpose(cx));
    double J[36];
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            J[i * 6 + j] = (I->m[i][j] + m * cc.m[i][j]) / turn;
            J[i * 6 + j + 3] = J[(j + 3) * 6 + i] = m * cx.m[i][j] / sqrt(turn * gains->stiffness);
            J[(i + 3) * 6 + j + 3] = i == j ? m / gains->stiffness : 0;
        }
    }
    diagonalise(J, 6);
    double least = smallest_of(J, 6);
    if (!(least > 0)) return SN_ERR_NUMERIC;
    *norm = sqrt(largest_of(J, 6) / least);
    return isfinite(*norm) ? SN_OK : SN_ERR_NUMERIC;
}
