// SPDX-License-Identifier: Apache-2.0
// DART: Skeleton::computeForwardDynamics after setting positions, velocities and forces.
//
// Its conventions. A ball joint's position is the logarithm of its rotation, a free joint's that and
// then the position; velocities, forces and accelerations are those of the body frame in body axes
// like ours, but angular before linear.
#include "peer.h"

#include <dart/dynamics/BallJoint.hpp>
#include <dart/dynamics/BodyNode.hpp>
#include <dart/dynamics/FreeJoint.hpp>
#include <dart/dynamics/PrismaticJoint.hpp>
#include <dart/dynamics/RevoluteJoint.hpp>
#include <dart/dynamics/Skeleton.hpp>
#include <malloc.h>

namespace {

using namespace peer;
namespace dd = dart::dynamics;

Eigen::Vector3d eigen(const Vec3& a) { return {a[0], a[1], a[2]}; }

Eigen::Isometry3d eigen(const Pose& X) {
    Eigen::Isometry3d T = Eigen::Isometry3d::Identity();
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) T(i, j) = X.R[static_cast<unsigned>(3 * i + j)];
    }
    T.translation() = eigen(X.p);
    return T;
}

// The rotation vector: axis times angle, angle in [0, pi].
Vec3 logarithm(const Quat& a) {
    const double sign = a.w < 0 ? -1 : 1;
    const Vec3 v = {sign * a.x, sign * a.y, sign * a.z};
    const double s = std::sqrt(dot(v, v)); // sin of half the angle
    const double scale = s > 0 ? 2 * std::atan2(s, sign * a.w) / s : 2;
    return scale * v;
}

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

dd::BodyNode* add(dd::SkeletonPtr skeleton, dd::BodyNode* parent, const Body& body, size_t i) {
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

class Dart : public Engine {
  public:
    explicit Dart(const Model& model) : model_(model), skeleton_(dd::Skeleton::create("model")) {
        for (size_t i = 0; i < model.bodies.size(); i++) {
            const Body& body = model.bodies[i];
            dd::BodyNode* parent =
                body.parent < 0 ? nullptr : nodes_[static_cast<size_t>(body.parent)];
            nodes_.push_back(add(skeleton_, parent, body, i));
        }
    }

    void set_state(unsigned which, const State& state) override {
        skeleton_->setGravity(eigen(state.gravity));
        Input& input = input_[which];
        input.q.setZero(model_.nv);
        input.v.setZero(model_.nv);
        input.tau.setZero(model_.nv);
        for (size_t i = 0; i < model_.bodies.size(); i++) convert_joint(i, state, input);
    }

    void evaluate(unsigned which) override {
        const Input& input = input_[which];
        skeleton_->setPositions(input.q);
        skeleton_->setVelocities(input.v);
        skeleton_->setForces(input.tau);
        skeleton_->computeForwardDynamics();
    }

    std::vector<double> acceleration(const State&) const override {
        std::vector<double> qdd(model_.nv);
        const Eigen::VectorXd a = skeleton_->getAccelerations();
        for (size_t i = 0; i < model_.bodies.size(); i++) {
            const unsigned iv = model_.bodies[i].iv;
            for (unsigned k = 0; k < degrees(i); k++) qdd[iv + k] = a[dof(i, k)];
        }
        return qdd;
    }

  private:
    struct Input {
        Eigen::VectorXd q, v, tau;
    };

    unsigned degrees(size_t i) const {
        return static_cast<unsigned>(nodes_[i]->getParentJoint()->getNumDofs());
    }

    // DART's index of our degree of freedom k of joint i.
    Eigen::Index dof(size_t i, unsigned k) const {
        if (model_.bodies[i].type == JointType::free) k = (k + 3) % 6;
        return static_cast<Eigen::Index>(nodes_[i]->getParentJoint()->getIndexInSkeleton(k));
    }

    void convert_joint(size_t i, const State& state, Input& input) const {
        const Body& body = model_.bodies[i];
        for (unsigned k = 0; k < degrees(i); k++) {
            input.v[dof(i, k)] = state.v[body.iv + k];
            input.tau[dof(i, k)] = state.tau[body.iv + k];
        }
        if (!has_quaternion(body)) {
            input.q[dof(i, 0)] = state.q[body.iq];
            return;
        }
        const bool free = body.type == JointType::free;
        const Vec3 rotation = logarithm(joint_quat(body, state.q));
        for (unsigned k = 0; k < 3; k++) {
            if (free) input.q[dof(i, k)] = state.q[body.iq + k];
            input.q[dof(i, free ? k + 3 : k)] = rotation[k];
        }
    }

    Model model_;
    dd::SkeletonPtr skeleton_;
    std::vector<dd::BodyNode*> nodes_; // of each of our bodies
    Input input_[2];
};

} // namespace

int main() {
    // A skeleton renews its nv x nv matrices with every body that joins it. Memory that is kept, not
    // given back to the system, makes that bearable: a chain of 2048 builds in 20 s, not 100.
    mallopt(M_MMAP_MAX, 0);
    mallopt(M_TRIM_THRESHOLD, -1);
    return serve("dart", DART_VERSION,
                 [](const Model& model) { return std::make_unique<Dart>(model); });
}
