// SPDX-License-Identifier: Apache-2.0
/// Vectors of three and row-major 3x3 matrices of the oracle, in long double, written on their own.
#ifndef SINEW_TESTS_ORACLE_VECTORS_H
#define SINEW_TESTS_ORACLE_VECTORS_H

#include <math.h>

#include "oracle/oracle.h"

static inline void r3_set(real r[3], real x, real y, real z) { r[0] = x, r[1] = y, r[2] = z; }
static inline void r3_copy(real r[3], const real a[3]) { r3_set(r, a[0], a[1], a[2]); }
static inline void r3_add(real r[3], const real a[3]) { r[0] += a[0], r[1] += a[1], r[2] += a[2]; }
static inline void r3_add_scaled(real r[3], real s, const real a[3]) {
    r[0] += s * a[0], r[1] += s * a[1], r[2] += s * a[2];
}
static inline void r3_sub(real r[3], const real a[3], const real b[3]) {
    r3_set(r, a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}
static inline real r3_dot(const real a[3], const real b[3]) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
/// r += a x b
static inline void r3_add_cross(real r[3], const real a[3], const real b[3]) {
    real x = a[1] * b[2] - a[2] * b[1];
    real y = a[2] * b[0] - a[0] * b[2];
    real z = a[0] * b[1] - a[1] * b[0];
    r[0] += x, r[1] += y, r[2] += z;
}
static inline void r3_cross(real r[3], const real a[3], const real b[3]) {
    real t[3] = {0, 0, 0};
    r3_add_cross(t, a, b);
    r3_copy(r, t);
}
static inline void r3_apply(real r[3], const real R[9], const real a[3]) {
    r3_set(r, r3_dot(R, a), r3_dot(R + 3, a), r3_dot(R + 6, a));
}
static inline void r3_apply_transposed(real r[3], const real R[9], const real a[3]) {
    real t[3] = {0, 0, 0};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) t[j] += R[3 * i + j] * a[i];
    r3_copy(r, t);
}
static inline void r33_mul(real r[9], const real A[9], const real B[9]) {
    real t[9];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            t[3 * i + j] = A[3 * i] * B[j] + A[3 * i + 1] * B[3 + j] + A[3 * i + 2] * B[6 + j];
    for (int i = 0; i < 9; i++) r[i] = t[i];
}
static inline void r33_identity(real R[9]) {
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) R[3 * i + j] = i == j;
}

/// Rodrigues: R = cos 1 + sin [a]x + (1 - cos) a a', a unit.
static inline void r33_rotation(real R[9], const real a[3], real angle) {
    real c = cosl(angle), s = sinl(angle), C = 2 * sinl(angle / 2) * sinl(angle / 2);
    const real skew[9] = {0, -a[2], a[1], a[2], 0, -a[0], -a[1], a[0], 0};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            R[3 * i + j] = (i == j ? c : 0) + s * skew[3 * i + j] + C * a[i] * a[j];
}

/// Rotation of a quaternion w, x, y, z that need not be unit to the last bit of a long double.
static inline void r33_quaternion(real R[9], const real q[4]) {
    real s = 2 / (q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    real w = q[0], x = q[1], y = q[2], z = q[3];
    r3_set(R, 1 - s * (y * y + z * z), s * (x * y - w * z), s * (x * z + w * y));
    r3_set(R + 3, s * (x * y + w * z), 1 - s * (x * x + z * z), s * (y * z - w * x));
    r3_set(R + 6, s * (x * z - w * y), s * (y * z + w * x), 1 - s * (x * x + y * y));
}

/// r = a o b, Hamilton, w first.
static inline void r4_mul(real r[4], const real a[4], const real b[4]) {
    real w = a[0] * b[0] - r3_dot(a + 1, b + 1);
    real u[3] = {0, 0, 0};
    r3_add_scaled(u, a[0], b + 1);
    r3_add_scaled(u, b[0], a + 1);
    r3_add_cross(u, a + 1, b + 1);
    r[0] = w;
    r3_copy(r + 1, u);
}

#endif
