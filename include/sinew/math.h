// SPDX-License-Identifier: Apache-2.0
/// Small values of mechanics: vectors, rotations, poses, twists, wrenches, all by value.
///
/// Conventions (docs/notation.md): a pose X_ab maps coordinates of frame b to frame a,
/// p_a = X_ab p_b = R p_b + p. Twists are {w: angular, v: linear velocity of the frame origin},
/// wrenches {n: moment about the frame origin, f: force}; their plain dot product is power.
/// Quaternions are Hamilton, scalar first, unit; R(q) maps child to parent.   [F08 ch 2]
#ifndef SINEW_MATH_H
#define SINEW_MATH_H

#include <math.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct sn_vec3 {
    double x, y, z;
} sn_vec3;

typedef struct sn_quat {
    double w, x, y, z;
} sn_quat;

/// Row-major 3x3 matrix: m[row][column].
typedef struct sn_mat3 {
    double m[3][3];
} sn_mat3;

/// Rotation and origin of one frame in another.
typedef struct sn_pose {
    sn_mat3 R;
    sn_vec3 p;
} sn_pose;

/// Spatial motion vector (velocity, acceleration, motion subspace column).
typedef struct sn_twist {
    sn_vec3 w; ///< angular
    sn_vec3 v; ///< linear, of the body-fixed point at the frame origin
} sn_twist;

/// Spatial force vector (force, impulse, momentum).
typedef struct sn_wrench {
    sn_vec3 n; ///< moment about the frame origin
    sn_vec3 f; ///< force
} sn_wrench;

// ---- vectors ------------------------------------------------------------------------------------

static inline sn_vec3 sn_vec3_make(double x, double y, double z) {
    sn_vec3 r;
    r.x = x, r.y = y, r.z = z;
    return r;
}
static inline sn_vec3 sn_vec3_zero(void) { return sn_vec3_make(0, 0, 0); }
static inline sn_vec3 sn_vec3_add(sn_vec3 a, sn_vec3 b) {
    return sn_vec3_make(a.x + b.x, a.y + b.y, a.z + b.z);
}
static inline sn_vec3 sn_vec3_sub(sn_vec3 a, sn_vec3 b) {
    return sn_vec3_make(a.x - b.x, a.y - b.y, a.z - b.z);
}
static inline sn_vec3 sn_vec3_scale(double s, sn_vec3 a) {
    return sn_vec3_make(s * a.x, s * a.y, s * a.z);
}
static inline sn_vec3 sn_vec3_neg(sn_vec3 a) { return sn_vec3_make(-a.x, -a.y, -a.z); }
static inline double sn_vec3_dot(sn_vec3 a, sn_vec3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
static inline sn_vec3 sn_vec3_cross(sn_vec3 a, sn_vec3 b) {
    return sn_vec3_make(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}
static inline double sn_vec3_norm(sn_vec3 a) { return sqrt(sn_vec3_dot(a, a)); }

// ---- 3x3 matrices -------------------------------------------------------------------------------

static inline sn_mat3 sn_mat3_rows(sn_vec3 a, sn_vec3 b, sn_vec3 c) {
    sn_mat3 r;
    r.m[0][0] = a.x, r.m[0][1] = a.y, r.m[0][2] = a.z;
    r.m[1][0] = b.x, r.m[1][1] = b.y, r.m[1][2] = b.z;
    r.m[2][0] = c.x, r.m[2][1] = c.y, r.m[2][2] = c.z;
    return r;
}
static inline sn_mat3 sn_mat3_diagonal(double a, double b, double c) {
    return sn_mat3_rows(sn_vec3_make(a, 0, 0), sn_vec3_make(0, b, 0), sn_vec3_make(0, 0, c));
}
static inline sn_mat3 sn_mat3_identity(void) { return sn_mat3_diagonal(1, 1, 1); }
static inline sn_vec3 sn_mat3_row(sn_mat3 a, int i) {
    return sn_vec3_make(a.m[i][0], a.m[i][1], a.m[i][2]);
}
static inline sn_vec3 sn_mat3_column(sn_mat3 a, int j) {
    return sn_vec3_make(a.m[0][j], a.m[1][j], a.m[2][j]);
}
static inline sn_mat3 sn_mat3_transpose(sn_mat3 a) {
    return sn_mat3_rows(sn_mat3_column(a, 0), sn_mat3_column(a, 1), sn_mat3_column(a, 2));
}
static inline sn_vec3 sn_mat3_apply(sn_mat3 a, sn_vec3 x) {
    return sn_vec3_make(a.m[0][0] * x.x + a.m[0][1] * x.y + a.m[0][2] * x.z,
                        a.m[1][0] * x.x + a.m[1][1] * x.y + a.m[1][2] * x.z,
                        a.m[2][0] * x.x + a.m[2][1] * x.y + a.m[2][2] * x.z);
}
/// a^T x, without forming the transpose.
static inline sn_vec3 sn_mat3_apply_transposed(sn_mat3 a, sn_vec3 x) {
    return sn_vec3_make(a.m[0][0] * x.x + a.m[1][0] * x.y + a.m[2][0] * x.z,
                        a.m[0][1] * x.x + a.m[1][1] * x.y + a.m[2][1] * x.z,
                        a.m[0][2] * x.x + a.m[1][2] * x.y + a.m[2][2] * x.z);
}
static inline sn_mat3 sn_mat3_mul(sn_mat3 a, sn_mat3 b) {
    sn_mat3 r;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            r.m[i][j] = a.m[i][0] * b.m[0][j] + a.m[i][1] * b.m[1][j] + a.m[i][2] * b.m[2][j];
    return r;
}
static inline sn_mat3 sn_mat3_add(sn_mat3 a, sn_mat3 b) {
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) a.m[i][j] += b.m[i][j];
    return a;
}
static inline sn_mat3 sn_mat3_sub(sn_mat3 a, sn_mat3 b) {
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) a.m[i][j] -= b.m[i][j];
    return a;
}
/// The matrix [a]x with [a]x b = a x b.
static inline sn_mat3 sn_mat3_skew(sn_vec3 a) {
    return sn_mat3_rows(sn_vec3_make(0, -a.z, a.y), sn_vec3_make(a.z, 0, -a.x),
                        sn_vec3_make(-a.y, a.x, 0));
}

// ---- quaternions --------------------------------------------------------------------------------

static inline sn_quat sn_quat_make(double w, double x, double y, double z) {
    sn_quat r;
    r.w = w, r.x = x, r.y = y, r.z = z;
    return r;
}
static inline sn_quat sn_quat_identity(void) { return sn_quat_make(1, 0, 0, 0); }
static inline sn_quat sn_quat_mul(sn_quat a, sn_quat b) {
    return sn_quat_make(a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z,
                        a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
                        a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
                        a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w);
}
static inline sn_quat sn_quat_conj(sn_quat a) { return sn_quat_make(a.w, -a.x, -a.y, -a.z); }
static inline double sn_quat_norm(sn_quat a) {
    return sqrt(a.w * a.w + a.x * a.x + a.y * a.y + a.z * a.z);
}
static inline sn_quat sn_quat_normalized(sn_quat a) {
    double s = 1.0 / sn_quat_norm(a);
    return sn_quat_make(s * a.w, s * a.x, s * a.y, s * a.z);
}
/// Rotation matrix of a unit quaternion, child to parent.
static inline sn_mat3 sn_quat_matrix(sn_quat q) {
    double w = q.w, x = q.x, y = q.y, z = q.z;
    return sn_mat3_rows(
        sn_vec3_make(1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)),
        sn_vec3_make(2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)),
        sn_vec3_make(2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)));
}
/// Unit quaternion of a rotation matrix, with w >= 0.
sn_quat sn_quat_from_matrix(sn_mat3 R);
/// Quaternion of the rotation vector phi (axis times angle).
sn_quat sn_quat_exp(sn_vec3 phi);
/// Rotation vector of a unit quaternion, angle in [0, pi].
sn_vec3 sn_quat_log(sn_quat q);

// ---- poses --------------------------------------------------------------------------------------

static inline sn_pose sn_pose_make(sn_mat3 R, sn_vec3 p) {
    sn_pose r;
    r.R = R, r.p = p;
    return r;
}
static inline sn_pose sn_pose_identity(void) {
    return sn_pose_make(sn_mat3_identity(), sn_vec3_zero());
}
/// X_ac = X_ab X_bc.
static inline sn_pose sn_pose_mul(sn_pose X_ab, sn_pose X_bc) {
    return sn_pose_make(sn_mat3_mul(X_ab.R, X_bc.R),
                        sn_vec3_add(sn_mat3_apply(X_ab.R, X_bc.p), X_ab.p));
}
static inline sn_pose sn_pose_inverse(sn_pose X_ab) {
    return sn_pose_make(sn_mat3_transpose(X_ab.R),
                        sn_vec3_neg(sn_mat3_apply_transposed(X_ab.R, X_ab.p)));
}
/// The point p_b in coordinates of frame a.
static inline sn_vec3 sn_pose_apply(sn_pose X_ab, sn_vec3 p_b) {
    return sn_vec3_add(sn_mat3_apply(X_ab.R, p_b), X_ab.p);
}

// ---- twists and wrenches ------------------------------------------------------------------------

static inline sn_twist sn_twist_make(sn_vec3 w, sn_vec3 v) {
    sn_twist r;
    r.w = w, r.v = v;
    return r;
}
static inline sn_wrench sn_wrench_make(sn_vec3 n, sn_vec3 f) {
    sn_wrench r;
    r.n = n, r.f = f;
    return r;
}
static inline sn_twist sn_twist_zero(void) { return sn_twist_make(sn_vec3_zero(), sn_vec3_zero()); }
static inline sn_wrench sn_wrench_zero(void) {
    return sn_wrench_make(sn_vec3_zero(), sn_vec3_zero());
}
static inline sn_twist sn_twist_add(sn_twist a, sn_twist b) {
    return sn_twist_make(sn_vec3_add(a.w, b.w), sn_vec3_add(a.v, b.v));
}
static inline sn_twist sn_twist_sub(sn_twist a, sn_twist b) {
    return sn_twist_make(sn_vec3_sub(a.w, b.w), sn_vec3_sub(a.v, b.v));
}
static inline sn_twist sn_twist_scale(double s, sn_twist a) {
    return sn_twist_make(sn_vec3_scale(s, a.w), sn_vec3_scale(s, a.v));
}
static inline sn_wrench sn_wrench_add(sn_wrench a, sn_wrench b) {
    return sn_wrench_make(sn_vec3_add(a.n, b.n), sn_vec3_add(a.f, b.f));
}
static inline sn_wrench sn_wrench_sub(sn_wrench a, sn_wrench b) {
    return sn_wrench_make(sn_vec3_sub(a.n, b.n), sn_vec3_sub(a.f, b.f));
}
static inline sn_wrench sn_wrench_scale(double s, sn_wrench a) {
    return sn_wrench_make(sn_vec3_scale(s, a.n), sn_vec3_scale(s, a.f));
}
/// Power of a wrench along a twist of the same frame.
static inline double sn_power(sn_wrench f, sn_twist v) {
    return sn_vec3_dot(f.n, v.w) + sn_vec3_dot(f.f, v.v);
}
/// A twist known in frame b, in coordinates of frame a.
static inline sn_twist sn_pose_twist(sn_pose X_ab, sn_twist t_b) {
    sn_vec3 w = sn_mat3_apply(X_ab.R, t_b.w);
    return sn_twist_make(w, sn_vec3_add(sn_mat3_apply(X_ab.R, t_b.v), sn_vec3_cross(X_ab.p, w)));
}
/// A twist known in frame a, in coordinates of frame b.
static inline sn_twist sn_pose_twist_inverse(sn_pose X_ab, sn_twist t_a) {
    return sn_twist_make(
        sn_mat3_apply_transposed(X_ab.R, t_a.w),
        sn_mat3_apply_transposed(X_ab.R, sn_vec3_sub(t_a.v, sn_vec3_cross(X_ab.p, t_a.w))));
}
/// A wrench known in frame b, in coordinates of frame a.
static inline sn_wrench sn_pose_wrench(sn_pose X_ab, sn_wrench f_b) {
    sn_vec3 f = sn_mat3_apply(X_ab.R, f_b.f);
    return sn_wrench_make(sn_vec3_add(sn_mat3_apply(X_ab.R, f_b.n), sn_vec3_cross(X_ab.p, f)), f);
}
/// A wrench known in frame a, in coordinates of frame b.
static inline sn_wrench sn_pose_wrench_inverse(sn_pose X_ab, sn_wrench f_a) {
    return sn_wrench_make(
        sn_mat3_apply_transposed(X_ab.R, sn_vec3_sub(f_a.n, sn_vec3_cross(X_ab.p, f_a.f))),
        sn_mat3_apply_transposed(X_ab.R, f_a.f));
}
/// v x m: rate of a motion vector m carried by a frame moving with v.
static inline sn_twist sn_twist_cross(sn_twist v, sn_twist m) {
    return sn_twist_make(sn_vec3_cross(v.w, m.w),
                         sn_vec3_add(sn_vec3_cross(v.w, m.v), sn_vec3_cross(v.v, m.w)));
}
/// v x* f: rate of a force vector f carried by a frame moving with v.
static inline sn_wrench sn_twist_cross_wrench(sn_twist v, sn_wrench f) {
    return sn_wrench_make(sn_vec3_add(sn_vec3_cross(v.w, f.n), sn_vec3_cross(v.v, f.f)),
                          sn_vec3_cross(v.w, f.f));
}

#ifdef __cplusplus
}
#endif
#endif
