// SPDX-License-Identifier: Apache-2.0
/// What "dca" and "adaptive" share: the assembly tree, the region that moves, and the questions that
/// are answered along it.
#ifndef SN_DYNAMICS_TREE_DYNAMICS_H
#define SN_DYNAMICS_TREE_DYNAMICS_H

#include "dynamics/fast.h"
#include "dynamics/tree_region.h"

typedef struct sni_tree_dynamics {
    const sni_tree_kernel* kernel;
    int32_t active_most; ///< active nodes there is room for
    sni_region region;
    int32_t* part_of; // [tree.count] the part of a node, -1: it has none (it is inside a rigid one)
    sni_climb climb;
    sn_wrench* touch; // [body_count] scratch: wrenches of a climb
    sni_fast fast;    ///< inverse dynamics and mass matrix
    bool fast_began;
    uint32_t version;              ///< of locks and armature that the hinges have; "dca" only
    bool pushed;                   ///< some lump has a wrench left from the last pass
    double* qdd;                   // [nv] of the last forward
    bool accelerated;              ///< the region's accelerations are those of qdd
    bool by_inverse;               ///< accelerations are those of the last inverse
    struct sni_adaptive* adaptive; ///< NULL: every joint is active, always
} sni_tree_dynamics;

static inline sni_tree_dynamics* sni_tree_of(const sn_dynamics* d) { return d->algorithm; }

/// The assembly tree itself, before anything else.
sn_status sni_tree_prepare(sn_dynamics* d);
/// Takes the shared part from the arena, for active_most active nodes.
void sni_tree_dynamics_layout(sni_tree_dynamics* m, sn_dynamics* d, sni_arena* arena);
/// The lump that holds a body, and the body's pose in the lump's u.
int32_t sni_tree_locate(const sn_dynamics* d, int32_t body, sn_pose* X_ug);
/// Fills the region with every node of the tree.
void sni_tree_fill_region(sn_dynamics* d);

/// Forward dynamics of the region, its wrenches and hinges being set.
sn_status sni_tree_forward(sn_dynamics* d, const double* tau, double* qdd);

// ops
void sni_tree_impulse(sn_dynamics* d, const double* tau, const sn_body_wrench* impulses, int count,
                      double* dv);
sn_twist sni_tree_change(const sn_dynamics* d, int32_t body);
void sni_tree_response(sn_dynamics* d, const sn_body_id* bodies, int count, double* Lambda);
void sni_tree_touch(sn_dynamics* d, const sn_body_wrench* wrenches, int count, sn_twist* change);
void sni_tree_inverse(sn_dynamics* d, const double* qdd, bool moving, double* tau);
void sni_tree_mass_matrix(sn_dynamics* d, const sni_rows* rows);
sn_pose sni_tree_pose(const sn_dynamics* d, int32_t body);
sn_twist sni_tree_velocity(const sn_dynamics* d, int32_t body);
/// O(log n), and less accurate where light bodies are between heavy ones.
sn_twist sni_tree_quick_acceleration(const sn_dynamics* d, int32_t body);
sn_twist sni_tree_acceleration(const sn_dynamics* d, int32_t body);

#endif
