// SPDX-License-Identifier: Apache-2.0
#include "math/mat6.h"

/// Inverse of a symmetric positive definite 3x3 by its square-root-free Cholesky factors.
static sn_mat3 inverse3(sn_mat3 A) {
    double d0 = 1 / A.m[0][0], l10 = A.m[1][0] * d0, l20 = A.m[2][0] * d0;
    double e1 = A.m[1][1] - l10 * A.m[1][0], d1 = 1 / e1;
    double t21 = A.m[2][1] - l20 * A.m[1][0], l21 = t21 * d1;
    double d2 = 1 / (A.m[2][2] - l20 * A.m[2][0] - l21 * t21);
    // rows of the inverse of the unit factor
    double k10 = -l10, k21 = -l21, k20 = l21 * l10 - l20;
    sn_mat3 r;
    r.m[2][2] = d2;
    r.m[1][2] = r.m[2][1] = k21 * d2;
    r.m[0][2] = r.m[2][0] = k20 * d2;
    r.m[1][1] = d1 + k21 * k21 * d2;
    r.m[0][1] = r.m[1][0] = k10 * d1 + k20 * k21 * d2;
    r.m[0][0] = d0 + k10 * k10 * d1 + k20 * k20 * d2;
    return r;
}

void sni_rigid_inverse(const sni_rigid* I, sni_mat6* inverse) {
    sn_vec3 c = sn_vec3_scale(1 / I->m, I->h);
    // about the centre of mass: J + m [c]x [c]x, and [c]x [c]x = c c^T - c.c 1
    sn_mat3 Ic = sn_mat3_add(I->J, sni_outer(I->h, c));
    double cc = sn_vec3_dot(I->h, c);
    for (int i = 0; i < 3; i++) Ic.m[i][i] -= cc;
    sn_mat3 Q = inverse3(sni_symmetric_part(Ic));
    sn_mat3 C = sn_mat3_skew(c);
    sn_mat3 low = sn_mat3_mul(C, Q); // [c]x Ic^-1
    sn_mat3 M = sn_mat3_mul(low, C);
    *inverse = sni_mat6_zero();
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            inverse->row[i].x[j] = Q.m[i][j];
            inverse->row[3 + i].x[j] = low.m[i][j];
            inverse->row[j].x[3 + i] = low.m[i][j];
            inverse->row[3 + i].x[3 + j] = (i == j ? 1 / I->m : 0) - M.m[i][j];
        }
    }
    sni_mat6_mirror(inverse);
}
