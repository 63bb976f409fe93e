// SPDX-License-Identifier: Apache-2.0
// Quaternions to and from rotation vectors and matrices.
#include "math/small_angle.h"
#include "sinew/math.h"

// Of angles below 0.2 the series are exact to rounding, and a third of the work of sine, cosine and arc sine: with
// a = t/2 <= 0.1 the first terms left out are a^10/10! < 3e-17 of a cosine, a^10/11! of sin(a)/a, 0.012 x^16 of
// asin(x)/x, x = sin(a). Even and odd terms are summed apart, so that neither waits for the other.
static const double SERIES_HALF_SQUARED = 0.01;

sn_quat sn_quat_exp(sn_vec3 phi) {
    double a2 = 0.25 * sn_vec3_dot(phi, phi), a4 = a2 * a2, s, c;
    if (a2 < SERIES_HALF_SQUARED) {
        s = 0.5 + a4 * (1.0 / 240 + a4 * (1.0 / 725760)) - a2 * (1.0 / 12 + a4 * (1.0 / 10080));
        c = 1 + a4 * (1.0 / 24 + a4 * (1.0 / 40320)) - a2 * (0.5 + a4 * (1.0 / 720));
    } else {
        double a = sqrt(a2);
        s = 0.5 * sin(a) / a;
        c = cos(a);
    }
    return sn_quat_make(c, s * phi.x, s * phi.y, s * phi.z);
}

sn_vec3 sn_quat_log(sn_quat q) {
    sn_vec3 u = sn_vec3_make(q.x, q.y, q.z);
    double w = q.w;
    if (w < 0) {
        w = -w;
        u = sn_vec3_neg(u);
    }
    double s2 = sn_vec3_dot(u, u);
    if (s2 < SERIES_HALF_SQUARED * (w * w)) return sn_vec3_scale(2 * sni_arc_sine_ratio(s2), u);
    double s = sqrt(s2);
    return sn_vec3_scale(2 * atan2(s, w) / s, u);
}

sn_quat sn_quat_from_matrix(sn_mat3 R) {
    // Of the four equivalent forms, the one that divides by the largest component.
    double xx = R.m[0][0], yy = R.m[1][1], zz = R.m[2][2];
    double four[4] = {1 + xx + yy + zz, 1 + xx - yy - zz, 1 - xx + yy - zz, 1 - xx - yy + zz};
    int k = 0;
    for (int i = 1; i < 4; i++)
        if (four[i] > four[k]) k = i;
    double wx = R.m[2][1] - R.m[1][2], wy = R.m[0][2] - R.m[2][0], wz = R.m[1][0] - R.m[0][1];
    double xy = R.m[1][0] + R.m[0][1], xz = R.m[0][2] + R.m[2][0], yz = R.m[2][1] + R.m[1][2];
    sn_quat q = k == 0   ? sn_quat_make(four[0], wx, wy, wz)
                : k == 1 ? sn_quat_make(wx, four[1], xy, xz)
                : k == 2 ? sn_quat_make(wy, xy, four[2], yz)
                         : sn_quat_make(wz, xz, yz, four[3]);
    q = sn_quat_normalized(q);
    return q.w < 0 ? sn_quat_make(-q.w, -q.x, -q.y, -q.z) : q;
}
