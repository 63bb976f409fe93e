// SPDX-License-Identifier: Apache-2.0
// Quaternions to and from rotation vectors and matrices.
#include "sinew/math.h"

// Below this squared angle the series of sin(t/2)/t and cos(t/2) are exact to rounding:
// the first term left out is t^6 / 2^6 7! < 1e-29 for t = 1e-4.
static const double SERIES_ANGLE_SQUARED = 1e-8;

sn_quat sn_quat_exp(sn_vec3 phi) {
    double t2 = sn_vec3_dot(phi, phi), s, c;
    if (t2 < SERIES_ANGLE_SQUARED) {
        s = 0.5 - t2 / 48 + t2 * t2 / 3840;
        c = 1 - t2 / 8 + t2 * t2 / 384;
    } else {
        double t = sqrt(t2);
        s = sin(0.5 * t) / t;
        c = cos(0.5 * t);
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
    double s = sn_vec3_norm(u);
    // 2 atan2(s, w)/s -> 2/w for s -> 0; the next term, -2 s^2/(3 w^3), is below rounding here.
    double scale = s < 1e-9 ? 2 / w : 2 * atan2(s, w) / s;
    return sn_vec3_scale(scale, u);
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
