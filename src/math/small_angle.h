// SPDX-License-Identifier: Apache-2.0
/// Series for small angles and small differences.
#ifndef SN_MATH_SMALL_ANGLE_H
#define SN_MATH_SMALL_ANGLE_H

#include "sinew/math.h"

/// asin(s)/s by the square of s: to rounding below 0.01. Even and odd terms are summed apart.
static inline double sni_arc_sine_ratio(double s2) {
    double s4 = s2 * s2;
    double even = 1 + s4 * (3.0 / 40 + s4 * (35.0 / 1152 + s4 * (231.0 / 13312)));
    double odd = 1.0 / 6 + s4 * (5.0 / 112 + s4 * (63.0 / 2816 + s4 * (143.0 / 10240)));
    return even + s2 * odd;
}

/// A quaternion whose norm is one but for rounding, so that such errors do not add up: a step of Newton instead of a
/// root.
static inline sn_quat sni_unit_again(sn_quat r) {
    double s = 1.5 - 0.5 * (r.w * r.w + r.x * r.x + r.y * r.y + r.z * r.z);
    return sn_quat_make(s * r.w, s * r.x, s * r.y, s * r.z);
}

/// Rotation vector of a small turn: of the skew part of to from^T.
static inline sn_vec3 sni_small_turn(const sn_mat3* from, const sn_mat3* to) {
    sn_vec3 a[3], b[3];
    for (int i = 0; i < 3; i++) a[i] = sn_mat3_row(*from, i), b[i] = sn_mat3_row(*to, i);
    return sn_vec3_make(0.5 * (sn_vec3_dot(b[2], a[1]) - sn_vec3_dot(b[1], a[2])),
                        0.5 * (sn_vec3_dot(b[0], a[2]) - sn_vec3_dot(b[2], a[0])),
                        0.5 * (sn_vec3_dot(b[1], a[0]) - sn_vec3_dot(b[0], a[1])));
}

#endif
