// SPDX-License-Identifier: Apache-2.0
/// What is known of the rigid parts of an assembly tree while the joints inside are locked: each is one
/// rigid body, and remembers how it would move if its joints were freed. Computed when a part becomes
/// rigid, from its two parts; nothing has to be renewed while it only moves.
#ifndef SN_DYNAMICS_TREE_FROZEN_H
#define SN_DYNAMICS_TREE_FROZEN_H

#include "dynamics/sn_dynamics.h"
#include "dynamics/tree_whole.h"

/// Wrenches on the bodies of a part that keep their direction in the world while it turns: with r from
/// u in u's axes and forces in world axes, all that is needed is sums.
typedef struct sni_world_push {
    sn_vec3 f, n; ///< sums of forces and of moments
    sn_mat3 rf;   ///< sum of r f^T
} sni_world_push;

/// One inner node.
typedef struct sni_frozen_node {
    sni_rigid I;         ///< in the frame of u; where nothing leaves the node: in the world
    sn_pose X_ud;        ///< d in u, when there is a d
    sn_wrench F;         ///< wrenches in body axes, in the frame of u
    sni_world_push push; ///< wrenches in world axes
    double spring;       ///< energy in the springs of its joints
} sni_frozen_node;

/// Parts with fewer joints than this are put together again when their whole is asked for: they are
/// three quarters of all.
enum { SNI_KEPT_JOINTS = 4 };

typedef struct sni_frozen {
    const sni_whole_kernel* kernel;
    int32_t* inner_of; // [tree.count] place of an inner node below, -1: leaf
    sni_frozen_node* node;
    int32_t* kept_of; // [tree.count] place of its whole below, -1: not kept
    sni_whole* kept;
    double* tau;    // [nv] joint forces: of a locked joint those it had when it was locked
    double* weight; // [nv] of the metric
} sni_frozen;

void sni_frozen_layout(sni_frozen* frozen, sni_arena* arena, const sn_dynamics* d);
void sni_frozen_start(sni_frozen* frozen, const sn_dynamics* d);

/// Renews a node whose parts are rigid and known: as a rigid body, its wrenches, its whole.
void sni_frozen_renew(sni_frozen* frozen, const sn_dynamics* d, int32_t node);
void sni_frozen_renew_wrench(sni_frozen* frozen, const sn_dynamics* d, int32_t node);
void sni_frozen_renew_whole(sni_frozen* frozen, const sn_dynamics* d, int32_t node);

/// A rigid node as one body.
void sni_frozen_body(const sni_frozen* frozen, const sn_dynamics* d, int32_t node, sni_rigid* I,
                     sn_pose* X_ud);
/// Energy in the springs of its joints.
double sni_frozen_spring(const sni_frozen* frozen, int32_t node);
/// External wrench on it in the frame of u, whose axes in the world are R_wu.
sn_wrench sni_frozen_wrench(const sni_frozen* frozen, const sn_dynamics* d, int32_t node,
                            sn_mat3 R_wu);
/// Pose of the u of part B in the u of part A of a rigid node; of a ground node: in the world.
sn_pose sni_frozen_step(const sni_frozen* frozen, const sn_dynamics* d, int32_t node);
/// How it would move: kept, or put together in *room.
const sni_whole* sni_frozen_whole(const sni_frozen* frozen, const sn_dynamics* d, int32_t node,
                                  sni_whole* room);
/// What the node joins, with everything but the columns of c filled in.
void sni_begin_joining(const sni_frozen* frozen, const sn_dynamics* d, int32_t node,
                       sni_joining* joining);

static inline bool sni_node_has_joints(const sni_node* node) { return node->joints > 0; }

#endif
