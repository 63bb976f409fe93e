// SPDX-License-Identifier: Apache-2.0
/// A part of the assembly tree as it would move with all its joints free, and how much: what the choice
/// of the active region looks at. In wrenches f = (f_u, f_d) on its boundary bodies,
///     a = Phi f + b           sum over its joints of qdd' A qdd = f' Psi f + f' p + eta          [RGL05]
///
/// While the joints inside are locked, Phi and Psi are constant, and the rest depends on the motion of
/// the part through the angular velocity w of its u alone, once accelerations are the classical ones of the
/// frame origins (a frame that moves uniformly sees the same forces): every bias is linear in
///     z = (1, wx wx, wy wy, wz wz, wx wy, wx wz, wy wz),
/// w in the axes of u; eta is quadratic. So b, p and eta are kept as coefficients of z, and a part that
/// was left alone need not be visited again whatever it did since. docs/decisions/0006 has the reasons.
#ifndef SN_DYNAMICS_TREE_WHOLE_H
#define SN_DYNAMICS_TREE_WHOLE_H

#include "dynamics/tree_region.h"

enum { SNI_Z = 7, SNI_Z_PAIRS = SNI_Z * (SNI_Z + 1) / 2 };

typedef struct sni_whole {
    sni_mat6 phi[3]; ///< uu, du, dd
    sni_mat6 psi[3]; ///< uu, du, dd
    sni_row6 b_u[SNI_Z], b_d[SNI_Z];
    sni_row6 p_u[SNI_Z], p_d[SNI_Z];
    double eta[SNI_Z_PAIRS]; ///< packed lower triangle, symmetric
} sni_whole;

/// The same at one moment, where z is a number: spatial accelerations.
typedef struct sni_moment {
    sni_row6 b_u, b_d, p_u, p_d;
    double eta;
} sni_moment;

/// Either, as far as it goes: `columns` of each.
typedef struct sni_view {
    const sni_mat6* phi;
    const sni_mat6* psi; ///< NULL: no joint inside
    const sni_row6 *b_u, *b_d, *p_u, *p_d;
    const double* eta;
} sni_view;

/// How A and B are joined.
typedef struct sni_joining {
    sni_part part;   ///< kind, d, joined_below, keeps_top
    sni_hinge hinge; ///< X, freedom, mix, armature; gets the factors
    int columns;     ///< 1 or SNI_Z
    sni_row6
        c[SNI_Z]; ///< bias of the joint; and, of a ground node, minus gravity carried to the child
    bool turned;  ///< B's columns are in z of its own u: turn them by R_lu
    sn_mat3 R_lu; ///< axes of B's u from those of A's u
    double tau[6], weight[6];
} sni_joining;

typedef struct sni_whole_kernel {
    /// The part that A and B form; A NULL: the ground. False when a joint has no inertia behind it.
    bool (*assemble)(sni_joining* joining, const sni_view* A, const sni_view* B, sni_whole* out);
    /// Passes the wrenches on a part on to A and B, which are views of one column: their f_u, f_d.
    void (*expand)(sni_joining* joining, const sni_view* A, const sni_view* B, const sni_row6* f_u,
                   const sni_row6* f_d, sni_row6 to_A[2], sni_row6 to_B[2], double* qdd);
} sni_whole_kernel;

extern const sni_whole_kernel sni_whole_kernel_scalar;
extern const sni_whole_kernel sni_whole_kernel_avx2;
const sni_whole_kernel* sni_whole_kernel_pick(void);

/// A single rigid body with inertia I and its inverse; F in its axes.
void sni_whole_of_body(const sni_rigid* I, sn_wrench F, sni_whole* out);
/// View of all columns.
sni_view sni_whole_view(const sni_whole* whole, bool has_joints);
/// b, p and eta of a rigidly moving part whose u and d have these velocities.
void sni_whole_at(const sni_whole* whole, bool has_joints, sn_twist v_u, sn_twist v_d, bool has_d,
                  sni_moment* moment);
sni_view sni_moment_view(const sni_whole* whole, bool has_joints, const sni_moment* moment);
/// Coefficients of w x (w x p) in z, added times sign to the linear part of rows.
void sni_add_centripetal(sn_vec3 p, double sign, sni_row6 rows[SNI_Z]);
/// f' Psi f + f' p + eta, at least zero.
double sni_view_metric(const sni_view* view, bool has_d, const sni_row6* f_u, const sni_row6* f_d);

#endif
