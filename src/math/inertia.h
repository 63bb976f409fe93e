// SPDX-License-Identifier: Apache-2.0
/// Spatial inertia of a rigid body, and of an articulated body (which need not be that of any rigid
/// body: its mass may depend on direction).   [F08 ch 2, ch 7]
#ifndef SN_MATH_INERTIA_H
#define SN_MATH_INERTIA_H

#include "sinew/math.h"

/// Rigid: I = [ J  [h]x ; [h]x^T  m 1 ] about the frame origin.
typedef struct sni_rigid {
    double m;  ///< mass
    sn_vec3 h; ///< mass times centre of mass
    sn_mat3 J; ///< rotational inertia about the frame origin, symmetric
} sni_rigid;

/// Articulated: I = [ J  H ; H^T  M ], J and M symmetric.
typedef struct sni_articulated {
    sn_mat3 J, H, M;
} sni_articulated;

/// About the frame origin, from mass, centre of mass and inertia about the centre of mass.
static inline sni_rigid sni_rigid_make(double m, sn_vec3 com, sn_mat3 I_com) {
    sn_mat3 C = sn_mat3_skew(com);
    sn_mat3 shift = sn_mat3_mul(C, sn_mat3_transpose(C));
    sni_rigid r = {m, sn_vec3_scale(m, com), I_com};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) r.J.m[i][j] += m * shift.m[i][j];
    return r;
}

/// Momentum of the body, I v; or the force that gives it the acceleration v from rest.
static inline sn_wrench sni_rigid_mul(const sni_rigid* I, sn_twist v) {
    return sn_wrench_make(sn_vec3_add(sn_mat3_apply(I->J, v.w), sn_vec3_cross(I->h, v.v)),
                          sn_vec3_sub(sn_vec3_scale(I->m, v.v), sn_vec3_cross(I->h, v.w)));
}

static inline sni_rigid sni_rigid_sum(const sni_rigid* a, const sni_rigid* b) {
    sni_rigid r = {a->m + b->m, sn_vec3_add(a->h, b->h), sn_mat3_add(a->J, b->J)};
    return r;
}

static inline sni_rigid sni_rigid_scaled(double share, const sni_rigid* I) {
    sni_rigid r = {share * I->m, sn_vec3_scale(share, I->h), I->J};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) r.J.m[i][j] *= share;
    return r;
}

/// a b^T.
static inline sn_mat3 sni_outer(sn_vec3 a, sn_vec3 b) {
    return sn_mat3_rows(sn_vec3_scale(a.x, b), sn_vec3_scale(a.y, b), sn_vec3_scale(a.z, b));
}

/// The same body about an origin that lies at -p: parallel axes, p from the new origin to the old.
static inline sni_rigid sni_rigid_shifted(sn_vec3 p, const sni_rigid* I) {
    // J' = J - [p]x [h]x - [h']x [p]x,  h' = h + m p,  and -[a]x [b]x = (a . b) 1 - b a^T
    sni_rigid r = {I->m, sn_vec3_add(I->h, sn_vec3_scale(I->m, p)), I->J};
    double both = sn_vec3_dot(p, I->h) + sn_vec3_dot(p, r.h);
    r.J = sn_mat3_sub(r.J, sn_mat3_add(sni_outer(I->h, p), sni_outer(p, r.h)));
    for (int i = 0; i < 3; i++) r.J.m[i][i] += both;
    return r;
}

/// The same body in axes turned by R.
static inline sni_rigid sni_rigid_turned(sn_mat3 R, const sni_rigid* I) {
    sni_rigid r = {I->m, sn_mat3_apply(R, I->h),
                   sn_mat3_mul(sn_mat3_mul(R, I->J), sn_mat3_transpose(R))};
    return r;
}

/// The same body seen from frame a, when frame b has pose X_ab.
static inline sni_rigid sni_rigid_moved(sn_pose X_ab, const sni_rigid* I_b) {
    sni_rigid turned = sni_rigid_turned(X_ab.R, I_b);
    return sni_rigid_shifted(X_ab.p, &turned);
}

static inline sni_articulated sni_articulated_from_rigid(const sni_rigid* I) {
    sni_articulated r = {I->J, sn_mat3_skew(I->h), sn_mat3_diagonal(I->m, I->m, I->m)};
    return r;
}

static inline sn_wrench sni_articulated_mul(const sni_articulated* I, sn_twist v) {
    return sn_wrench_make(
        sn_vec3_add(sn_mat3_apply(I->J, v.w), sn_mat3_apply(I->H, v.v)),
        sn_vec3_add(sn_mat3_apply_transposed(I->H, v.w), sn_mat3_apply(I->M, v.v)));
}

static inline void sni_articulated_add(sni_articulated* I, const sni_articulated* other) {
    I->J = sn_mat3_add(I->J, other->J);
    I->H = sn_mat3_add(I->H, other->H);
    I->M = sn_mat3_add(I->M, other->M);
}

/// I -= U V^T, where the result is known to be symmetric (V = U D^-1 column by column).
static inline void sni_articulated_subtract_outer(sni_articulated* I, sn_wrench U, sn_wrench V) {
    I->J = sn_mat3_sub(I->J, sni_outer(U.n, V.n));
    I->H = sn_mat3_sub(I->H, sni_outer(U.n, V.f));
    I->M = sn_mat3_sub(I->M, sni_outer(U.f, V.f));
}

static inline sn_mat3 sni_symmetric_part(sn_mat3 A) {
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < i; j++) A.m[i][j] = A.m[j][i] = 0.5 * (A.m[i][j] + A.m[j][i]);
    return A;
}

/// The same articulated body felt in frame a, when frame b has pose X_ab. Rounding leaves J and M a
/// little asymmetric, and a chain of light links amplifies that from link to link until nothing is
/// left: the result is made symmetric each time.
static inline sni_articulated sni_articulated_moved(sn_pose X_ab, const sni_articulated* I_b) {
    // Turn, then shift:  H' = H + [p]x M,   J' = J + [p]x H^T - H' [p]x
    sn_mat3 R = X_ab.R, Rt = sn_mat3_transpose(R), P = sn_mat3_skew(X_ab.p);
    sn_mat3 M = sn_mat3_mul(sn_mat3_mul(R, I_b->M), Rt);
    sn_mat3 H = sn_mat3_mul(sn_mat3_mul(R, I_b->H), Rt);
    sn_mat3 J = sn_mat3_mul(sn_mat3_mul(R, I_b->J), Rt);
    sn_mat3 H_a = sn_mat3_add(H, sn_mat3_mul(P, M));
    J = sn_mat3_add(J, sn_mat3_mul(P, sn_mat3_transpose(H)));
    J = sn_mat3_sub(J, sn_mat3_mul(H_a, P));
    sni_articulated r = {sni_symmetric_part(J), H_a, sni_symmetric_part(M)};
    return r;
}

#endif
