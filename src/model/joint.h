// SPDX-License-Identifier: Apache-2.0
/// What each type of joint does, in canonical axes: revolute, prismatic, helical, cylindrical and
/// planar joints about z, universal about x then y. A user's axis is folded into the placement when
/// the model is compiled, so nothing here knows it. docs/notation.md has the table.   [F08 ch 4]
#ifndef SN_MODEL_JOINT_H
#define SN_MODEL_JOINT_H

#include <float.h>

#include "sinew/model.h"

/// Constants of one joint; all joints of a model lie contiguous in traversal order.
typedef struct sni_joint {
    int32_t parent; ///< body index, -1: world
    int32_t iq, iv; ///< first place in q and v
    int32_t above;  ///< degrees of freedom between this joint and the world
    uint8_t type, nq, nv;
    bool alone;   ///< carries a free body on which nothing hangs, with no spring, damper or rotor
    double pitch; ///< helical, m/rad
    sn_pose X_pj; ///< joint frame in the parent's canonical body frame
} sni_joint;

/// Pose of the child in the joint frame at q.
sn_pose sni_joint_pose(const sni_joint* joint, const double* q);

/// Motion subspace in the child frame at q: nv columns, v_J = sum S[k] v[k].
void sni_joint_subspace(const sni_joint* joint, const double* q, sn_twist S[SN_JOINT_MAX_NV]);

/// S_ring v: what the change of S in the child frame adds to the acceleration.
sn_twist sni_joint_bias(const sni_joint* joint, const double* q, const double* v);

void sni_joint_neutral(sn_joint_type type, double* q);

/// Where the origin of a frame goes that moves along a twist for a unit of time, in its axes at the start.
sn_vec3 sni_twist_way(sn_twist step);

/// out = q (+) dv; out may be q.
void sni_joint_integrate(const sni_joint* joint, const double* q, const double* dv, double* out);

/// The shortest dv with q1 = q0 (+) dv.
void sni_joint_difference(const sni_joint* joint, const double* q0, const double* q1, double* dv);

/// ad_a b: Lie bracket of two tangent vectors; zero for joints that simply add.
void sni_joint_bracket(const sni_joint* joint, const double* a, const double* b, double* out);

/// Displacement from `rest` that the joint spring works against, and the direction of its force:
/// force = -stiffness * stretch, energy = stiffness |stretch|^2 / 2.
void sni_joint_stretch(const sni_joint* joint, const double* rest, const double* q,
                       double stretch[SN_JOINT_MAX_NV]);

/// What is unit or perpendicular up to this is kept as it is, so that a model or a state that was read
/// and set again is the same to the last bit.
#define SN_UNIT_ROUNDING (4 * DBL_EPSILON)

/// Makes the quaternion at q unit; zero becomes the neutral one.
void sni_unit_quat(double* q);

/// Where the unit quaternion starts in q of this joint, -1 when it has none.
static inline int sni_joint_quat_at(sn_joint_type type) {
    return type == SN_JOINT_SPHERICAL ? 0 : type == SN_JOINT_FREE ? 3 : -1;
}

#endif
