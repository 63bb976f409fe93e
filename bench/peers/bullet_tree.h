// SPDX-License-Identifier: Apache-2.0
// Our trees as Bullet's btMultiBody.
//
// The frame of a link sits at its com along its principal axes (C below); joint axes and pivots are given
// there. The base moves freely or not at all.
#pragma once

#include "peer.h"

#include <BulletDynamics/Featherstone/btMultiBody.h>

static_assert(sizeof(btScalar) == sizeof(double), "needs BT_USE_DOUBLE_PRECISION");

namespace peer {

inline btVector3 bt(const Vec3& a) { return {a[0], a[1], a[2]}; }

// Bullet's quaternions rotate as ours do, its order of parts is ours too.
inline btQuaternion bt(const Quat& a) { return {a.x, a.y, a.z, a.w}; }

// A body's com frame C in the body frame, and the moments of inertia along its axes.
struct ComFrame {
    Pose X_bc;
    Vec3 moments;
};

ComFrame com_frame(const Body& body);

// A tree: the bodies over one root. A free root is the base of its multibody; any other is the first
// link on a base that is fixed to the world.
struct BulletTree {
    std::vector<size_t> links; // the body of each link
    size_t root;
    bool free;
    std::unique_ptr<btMultiBody> multibody; // without damping
};

struct BulletTrees {
    std::vector<ComFrame> frames; // of each body
    std::vector<int> link_of;     // link in its tree's multibody, -1: the base
    std::vector<BulletTree> trees;
};

BulletTrees bullet_trees(const Model& model);

// "3.24"
std::string bullet_version();

} // namespace peer
