// SPDX-License-Identifier: Apache-2.0
#include "dart_body.h"

#include <dart/dynamics/BallJoint.hpp>
#include <dart/dynamics/FreeJoint.hpp>
#include <dart/dynamics/PrismaticJoint.hpp>
#include <dart/dynamics/RevoluteJoint.hpp>

namespace peer {

namespace dd = dart::dynamics;

namespace {

template <typename Joint>
dd::BodyNode* add(dd::SkeletonPtr skeleton, dd::BodyNode* parent,
                  typename Joint::Properties joint_properties, const Body& body, size_t i) {
    joint_properties.mName = "j" + std::to_string(i);
    joint_properties.mT_ParentBodyToJoint = eigen(body.placement);
    dd::BodyNode::Properties properties;
    properties.mName = "b" + std::to_string(i);
    const Mat3& I = body.inertia_com;
    properties.mInertia.setMass(body.mass);
    properties.mInertia.setLocalCOM(eigen(body.com));
    properties.mInertia.setMoment(I[0], I[4], I[8], I[1], I[2], I[5]);
    return skeleton->createJointAndBodyNodePair<Joint>(parent, joint_properties, properties).second;
}

// Revolute and prismatic joints have an axis.
template <typename Joint>
typename Joint::Properties along(const Vec3& axis) {
    typename Joint::Properties properties;
    properties.mAxis = eigen(axis);
    return properties;
}

} // namespace

Eigen::Isometry3d eigen(const Pose& X) {
    Eigen::Isometry3d T = Eigen::Isometry3d::Identity();
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) T(i, j) = X.R[static_cast<unsigned>(3 * i + j)];
    }
    T.translation() = eigen(X.p);
    return T;
}

Vec3 rotation_vector(const Quat& a) {
    const double sign = a.w < 0 ? -1 : 1;
    const Vec3 v = {sign * a.x, sign * a.y, sign * a.z};
    const double s = std::sqrt(dot(v, v)); // sin of half the angle
    const double scale = s > 0 ? 2 * std::atan2(s, sign * a.w) / s : 2;
    return scale * v;
}

dd::BodyNode* dart_add(dd::SkeletonPtr skeleton, dd::BodyNode* parent, const Body& body, size_t i) {
    using dd::BallJoint, dd::FreeJoint, dd::PrismaticJoint, dd::RevoluteJoint;
    switch (body.type) {
    case JointType::revolute:
        return add<RevoluteJoint>(skeleton, parent, along<RevoluteJoint>(body.axis), body, i);
    case JointType::prismatic:
        return add<PrismaticJoint>(skeleton, parent, along<PrismaticJoint>(body.axis), body, i);
    case JointType::spherical: return add<BallJoint>(skeleton, parent, {}, body, i);
    case JointType::free: break;
    }
    return add<FreeJoint>(skeleton, parent, {}, body, i);
}

std::vector<dd::BodyNode*> dart_add(const Model& model, dd::SkeletonPtr skeleton) {
    std::vector<dd::BodyNode*> nodes;
    for (size_t i = 0; i < model.bodies.size(); i++) {
        const Body& body = model.bodies[i];
        dd::BodyNode* parent = body.parent < 0 ? nullptr : nodes[static_cast<size_t>(body.parent)];
        nodes.push_back(dart_add(skeleton, parent, body, i));
    }
    return nodes;
}

} // namespace peer
