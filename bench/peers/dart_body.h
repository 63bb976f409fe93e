// SPDX-License-Identifier: Apache-2.0
// Our bodies as DART's.
#pragma once

#include "peer.h"

#include <dart/dynamics/BodyNode.hpp>
#include <dart/dynamics/Skeleton.hpp>

namespace peer {

inline Eigen::Vector3d eigen(const Vec3& a) { return {a[0], a[1], a[2]}; }

Eigen::Isometry3d eigen(const Pose& X);

// Axis times angle, angle in [0, pi].
Vec3 rotation_vector(const Quat& a);

// Adds body i of a model with its joint.
dart::dynamics::BodyNode* dart_add(dart::dynamics::SkeletonPtr skeleton,
                                   dart::dynamics::BodyNode* parent, const Body& body, size_t i);

// Adds all bodies to one skeleton; the node of each.
std::vector<dart::dynamics::BodyNode*> dart_add(const Model& model,
                                                dart::dynamics::SkeletonPtr skeleton);

} // namespace peer
