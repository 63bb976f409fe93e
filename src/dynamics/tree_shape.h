// SPDX-License-Identifier: Apache-2.0
/// A copy of all that is needed to place any body of an adaptive system, for readers on other threads:
/// the poses of the parts that move as one, and how they are put together. It is renewed after a step at the cost
/// of what is awake and what fell asleep or woke since this copy was renewed last; the rest stays.
#ifndef SN_DYNAMICS_TREE_SHAPE_H
#define SN_DYNAMICS_TREE_SHAPE_H

#include "base/arena.h"
#include "sinew/dynamics.h"

struct sni_tree;

typedef struct sni_shape {
    const sn_model* model;
    const struct sni_tree* tree;
    uint64_t read;  ///< entries of the journal taken over
    bool* active;   // [tree.count]
    sn_pose* X_ud;  // [inner nodes] d in u, of rigid nodes
    int32_t* group; // [tree.count] of a rigid node that moves on its own
    int32_t count;  ///< groups
    sn_pose* pose;  // [count] of the u of each; identity: it stands on the ground
    double *q, *v;  // [nq], [nv]
} sni_shape;

void sni_shape_layout(sni_shape* shape, sni_arena* arena, const sn_dynamics* d);
/// Takes over the state (q, v) that the dynamics holds.
void sni_shape_renew(sni_shape* shape, const sn_dynamics* d, const double* q, const double* v);
/// The group of a body, and the body's pose in it (user's body axes).
int32_t sni_shape_locate(const sni_shape* shape, int32_t body, sn_pose* offset);
/// Whether the joint of a body sleeps.
bool sni_shape_is_still(const sni_shape* shape, int32_t body);

#endif
