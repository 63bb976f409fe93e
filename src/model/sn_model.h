// SPDX-License-Identifier: Apache-2.0
/// Front door of `model`: what the system is. The layout below is for the library only; users see
/// sn_model as opaque (sinew/model.h).
///
/// Canonical frames: every body has, besides the frame its user gave it, a canonical one with the
/// same origin, turned so that its joint's axis is z (universal: axes x and y). All arrays here, and
/// all of `dynamics`, are in canonical frames; R_bc turns a vector into the user's body frame, and
/// only functions of the public headers do so. Compiled once, const ever after, read by any thread.
#ifndef SN_MODEL_SN_MODEL_H
#define SN_MODEL_SN_MODEL_H

#include "base/arena.h"
#include "base/name_map.h"
#include "math/inertia.h"
#include "model/joint.h"
#include "sinew/model.h"

/// What the user said of a body; read by queries, not by the algorithms.
typedef struct sni_body_record {
    const char* name;
    const char* joint_name;
    sn_pose placement;
    sn_vec3 axis, axis2;
    sn_inertia inertia; ///< with what was folded into it
} sni_body_record;

typedef struct sni_frame_record {
    const char* name;
    const char* joint_name;
    int32_t body;
    bool folded;
    sn_pose X_bf; ///< in the user's body frame
} sni_frame_record;

/// A joint that closes a loop, in canonical axes of its own: both its frames are turned so that its axis
/// is z (universal: axes x and y). The bodies' frames are those their users gave them.
typedef struct sni_loop {
    int32_t body[2]; ///< a, b; -1: world
    sn_pose X_bc[2]; ///< turned loop frame in each of the two bodies
    sn_mat3 R_lc;    ///< turned to the user's loop axes
    double pitch;    ///< helical, m/rad
    double length;   ///< free: of a rod, m; 0: none
    double t_s;      ///< stabilisation, s; 0: none
    uint8_t type;
    uint8_t rows; ///< motions it does not leave free: 6 - nv
} sni_loop;

/// Per-DOF constants, one array each so that an algorithm streams only what it reads.
typedef struct sni_dof_constants {
    double *armature, *damping, *stiffness, *friction; // [nv]
    double *lower, *upper, *velocity, *effort;         // [nv]
    double* rest;                                      // [nq]
} sni_dof_constants;

struct sn_model {
    sni_arena arena;
    const char* name;
    int32_t body_count, frame_count, shape_count, loop_count, exclusion_count;
    int32_t vertex_count, triangle_count; ///< of all shapes
    int32_t nq, nv;
    double mass;
    bool sprung; ///< some joint has a spring
    // read by algorithms, in traversal order (parents first)
    sni_joint* joint;   // [body_count]
    sni_rigid* inertia; // [body_count] canonical frame
    sni_dof_constants dof;
    sni_loop* loop; // [loop_count]
    // read by queries
    sn_mat3* R_bc;           // [body_count] canonical to user body axes
    sni_body_record* body;   // [body_count]
    sni_frame_record* frame; // [frame_count]
    sn_shape_info* shape;    // [shape_count]
    sn_vec3* vertex;         // [vertex_count]
    int32_t* triangle;       // [3 triangle_count]
    sn_loop_info* loop_info; // [loop_count]
    sn_exclusion* exclusion; // [exclusion_count]
    char* text;              // all strings
    sni_name_map body_names, joint_names, frame_names, loop_names;
};

/// Makes every quaternion in q unit; those that are so to rounding keep their bits.
void sni_make_unit(const sn_model* model, double* q);
/// A definition that compiles to the same joint; without name and placement.
sn_joint_def sni_joint_def_of(const sn_body_info* info);

/// Numbers of a list of joints that lie together: of one joint, or of all of them where the list has every joint. What
/// is done to each degree of freedom is then one loop over arrays, and looks at no joint.
typedef struct sni_piece {
    int32_t iq, nq, iv, nv;
} sni_piece;

/// Pieces that `count` different joints have.
static inline int32_t sni_piece_count(const sn_model* model, int32_t count) {
    return count == model->body_count ? 1 : count;
}

/// Piece i of them; joints NULL: the first.
static inline sni_piece sni_piece_at(const sn_model* model, const int32_t* joints, int32_t count,
                                     int32_t i) {
    if (count == model->body_count) return (sni_piece){0, model->nq, 0, model->nv};
    const sni_joint* joint = &model->joint[joints ? joints[i] : i];
    return (sni_piece){joint->iq, joint->nq, joint->iv, joint->nv};
}

/// Kinds of per-DOF constant that are plain copies of sn_joint_def: X(field).
#define SN_DOF_FIELDS(X)                                                                           \
    X(armature) X(damping) X(stiffness) X(friction) X(lower) X(upper) X(velocity) X(effort)

#endif
