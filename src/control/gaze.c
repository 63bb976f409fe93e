// SPDX-License-Identifier: Apache-2.0
#include <math.h>

#include "control/sn_control.h"

sn_vec3 sn_turn_between(sn_vec3 from, sn_vec3 to) {
    sn_vec3 across = sn_vec3_cross(from, to);
    double sine = sn_vec3_norm(across), angle = atan2(sine, sn_vec3_dot(from, to));
    if (sine > 0) return sn_vec3_scale(angle / sine, across);
    if (angle == 0) return sn_vec3_zero();
    // opposite: about anything across
    sn_vec3 other = fabs(from.x) < fabs(from.y) ? sn_vec3_make(1, 0, 0) : sn_vec3_make(0, 1, 0);
    sn_vec3 axis = sn_vec3_cross(from, other);
    return sn_vec3_scale(angle / sn_vec3_norm(axis), axis);
}

/// x of the symmetric positive definite A x = b, by Cholesky.
static sn_vec3 solve(double A[3][3], sn_vec3 b) {
    double L[3][3] = {{0}}, y[3] = {b.x, b.y, b.z};
    for (int r = 0; r < 3; r++) {
        for (int c = 0; c <= r; c++) {
            double sum = A[r][c];
            for (int k = 0; k < c; k++) sum -= L[r][k] * L[c][k];
            L[r][c] = r == c ? sqrt(sum) : sum / L[c][c];
        }
        for (int k = 0; k < r; k++) y[r] -= L[r][k] * y[k];
        y[r] /= L[r][r];
    }
    for (int r = 2; r >= 0; r--) {
        for (int k = r + 1; k < 3; k++) y[r] -= L[k][r] * y[k];
        y[r] /= L[r][r];
    }
    return sn_vec3_make(y[0], y[1], y[2]);
}

// angles = J' (J J' + damping^2)^-1 turn, J = [axes]
void sn_turn_by_axes(sn_vec3 turn, const sn_vec3* axes, int count, double damping, double* angles) {
    double A[3][3] = {{0}};
    for (int k = 0; k < 3; k++) A[k][k] = damping * damping;
    for (int i = 0; i < count; i++) {
        const double a[3] = {axes[i].x, axes[i].y, axes[i].z};
        for (int r = 0; r < 3; r++)
            for (int c = 0; c < 3; c++) A[r][c] += a[r] * a[c];
    }
    sn_vec3 x = solve(A, turn);
    for (int i = 0; i < count; i++) angles[i] = sn_vec3_dot(axes[i], x);
}
