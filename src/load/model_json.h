// SPDX-License-Identifier: Apache-2.0
/// What the reader and the writer of JSON models must agree on.
#ifndef SN_LOAD_MODEL_JSON_H
#define SN_LOAD_MODEL_JSON_H

#include "load/json.h"
#include "load/mesh.h"

enum { SN_MODEL_JSON_VERSION = 1 };

/// Per-DOF constants: X(key, when null), where NAN means that null is not allowed.
#define SN_MODEL_JSON_DOF_LIST(X)                                                                  \
    X(armature, NAN)                                                                               \
    X(damping, NAN)                                                                                \
    X(stiffness, NAN)                                                                              \
    X(friction, INFINITY)                                                                          \
    X(lower, -INFINITY)                                                                            \
    X(upper, INFINITY)                                                                             \
    X(velocity, INFINITY)                                                                          \
    X(effort, INFINITY)

/// Files keep q as position then quaternion x,y,z,w and v of a free joint as linear then angular;
/// in memory the quaternion starts with w and the angular part comes first. These give the place in
/// memory of number k of the file.
static inline int sni_model_json_q(sn_joint_type type, int k) {
    int start = type == SN_JOINT_SPHERICAL ? 0 : type == SN_JOINT_FREE ? 3 : k + 1;
    return k < start ? k : start + (k - start + 1) % 4;
}
static inline int sni_model_json_v(sn_joint_type type, int k) {
    return type == SN_JOINT_FREE ? (k + 3) % 6 : k;
}

/// Numbers of a material, all but the friction at rest, mu: X(key).
#define SN_MODEL_JSON_MATERIAL_LIST(X)                                                             \
    X(mu_kinetic)                                                                                  \
    X(stribeck_speed) X(viscous) X(restitution) X(spin) X(roll) X(stiffness) X(damping)

/// Names of the four combinations of sn_shape_use bits.
static const char* const sni_model_json_uses[4] = {"none", "visual", "collision", "both"};

/// Type, name, placement, inertia and constants of a body: everything but its name and parent.
/// *iq and *iv are where the joint's numbers start, and are moved on.
sn_status sni_model_json_body(const sni_json_at* at, sn_body_def* def, int64_t* iq, int64_t* iv);
/// Everything but the body it belongs to. Corners are in *mesh until sni_triangles_clear, also after an error.
sn_status sni_model_json_shape(const sni_json_at* at, sn_shape_def* def, sni_triangles* mesh);
/// Everything but the bodies it holds.
sn_status sni_model_json_loop(const sni_json_at* at, sn_loop_def* def);

#endif
