// SPDX-License-Identifier: Apache-2.0
// DART: World::step as it comes: contacts by FCL, of boxes as meshes, solved as a boxed linear
// complementarity problem by Dantzig's method. It multiplies the restitutions of two bodies, so each has
// the root of what the scene says, and takes the smaller of their frictions. Springs and dampers of joints
// are implicit. A skeleton does not touch itself. A plane is a large box: FCL's planes find points inside
// of boxes.
//
// A free joint's position is the logarithm of its rotation, then the position; its velocity is that of the
// body frame, in body axes, angular before linear.
#include "dart_body.h"
#include "step.h"

#include <algorithm>
#include <cmath>

#include <dart/constraint/ConstraintSolver.hpp>
#include <dart/dynamics/BoxShape.hpp>
#include <dart/dynamics/CapsuleShape.hpp>
#include <dart/dynamics/CylinderShape.hpp>
#include <dart/dynamics/SphereShape.hpp>
#include <dart/dynamics/WeldJoint.hpp>
#include <dart/simulation/World.hpp>

namespace {

using namespace peer;
namespace dd = dart::dynamics;

constexpr size_t contacts_most = 100000;
constexpr double ground_edge = 200, ground_depth = 1; // m, of the box that stands for a plane

dd::ShapePtr make_shape(const Shape& shape) {
    const Vec3& s = shape.size;
    switch (shape.type) {
    case ShapeType::sphere: return std::make_shared<dd::SphereShape>(s[0]);
    case ShapeType::box: return std::make_shared<dd::BoxShape>(eigen(s));
    case ShapeType::cylinder: return std::make_shared<dd::CylinderShape>(s[0], s[2]);
    case ShapeType::capsule: return std::make_shared<dd::CapsuleShape>(s[0], s[2]);
    case ShapeType::plane: break;
    }
    return std::make_shared<dd::BoxShape>(Eigen::Vector3d(ground_edge, ground_edge, ground_depth));
}

class Dart : public Stepper {
  public:
    explicit Dart(const Scene& scene)
        : model_(scene.model), world_(dart::simulation::World::create()) {
        world_->setTimeStep(scene.step);
        world_->setGravity(eigen(scene.gravity));
        world_->getConstraintSolver()->getCollisionOption().maxNumContacts = contacts_most;
        add_bodies();
        for (const Shape& shape : scene.shapes) add_shape(shape, scene);
        place_roots(scene);
        hold(scene);
        for (const dd::SkeletonPtr& skeleton : skeletons_) world_->addSkeleton(skeleton);
    }

    void step() override { world_->step(); }

    Look look() const override {
        const auto& result = world_->getLastCollisionResult();
        Look look{static_cast<unsigned>(result.getNumContacts()), 0, {}};
        for (const auto& contact : result.getContacts()) {
            look.depth = std::max(look.depth, contact.penetrationDepth);
        }
        for (size_t i = 0; i < nodes_.size(); i++) {
            if (is_root(model_.bodies[i])) look.roots.push_back(root(*nodes_[i]));
        }
        return look;
    }

  private:
    // One skeleton a tree.
    void add_bodies() {
        for (size_t i = 0; i < model_.bodies.size(); i++) {
            const Body& body = model_.bodies[i];
            dd::BodyNode* parent = nullptr;
            dd::SkeletonPtr skeleton;
            if (body.parent >= 0) {
                parent = nodes_[static_cast<size_t>(body.parent)];
                skeleton = parent->getSkeleton();
            } else {
                skeleton = dd::Skeleton::create("s" + std::to_string(i));
                skeletons_.push_back(skeleton);
            }
            nodes_.push_back(dart_add(skeleton, parent, body, i));
        }
    }

    dd::BodyNode* ground() {
        if (!ground_) {
            const auto skeleton = dd::Skeleton::create("ground");
            ground_ = skeleton->createJointAndBodyNodePair<dd::WeldJoint>().second;
            skeletons_.push_back(skeleton);
        }
        return ground_;
    }

    void add_shape(const Shape& shape, const Scene& scene) {
        dd::BodyNode* node = shape.body < 0 ? ground() : nodes_[static_cast<size_t>(shape.body)];
        dd::ShapeNode* added =
            node->createShapeNodeWith<dd::CollisionAspect, dd::DynamicsAspect>(make_shape(shape));
        Pose X_bs = shape.pose;
        if (shape.type == ShapeType::plane)
            X_bs = X_bs * Pose{identity3, {0, 0, -ground_depth / 2}};
        added->setRelativeTransform(eigen(X_bs));
        added->getDynamicsAspect()->setFrictionCoeff(scene.mu);
        added->getDynamicsAspect()->setRestitutionCoeff(std::sqrt(scene.restitution));
    }

    void place_roots(const Scene& scene) {
        size_t next = 0;
        for (size_t i = 0; i < nodes_.size(); i++) {
            if (!is_root(model_.bodies[i])) continue;
            const Root& root = scene.roots[next++];
            const Pose X_jb =
                inverse(model_.bodies[i].placement) * Pose{matrix(root.rotation), root.position};
            const Mat3 R_bw = transpose(matrix(root.rotation));
            Eigen::Matrix<double, 6, 1> q, v;
            q << eigen(rotation_vector(quaternion(X_jb.R))), eigen(X_jb.p);
            v << eigen(R_bw * root.omega), eigen(R_bw * root.velocity);
            nodes_[i]->getParentJoint()->setPositions(q);
            nodes_[i]->getParentJoint()->setVelocities(v);
        }
    }

    void hold(const Scene& scene) {
        for (size_t i = 0; i < nodes_.size(); i++) {
            if (is_root(model_.bodies[i])) continue;
            dd::Joint* joint = nodes_[i]->getParentJoint();
            for (size_t k = 0; k < joint->getNumDofs(); k++) {
                joint->setSpringStiffness(k, scene.stiffness);
                joint->setDampingCoefficient(k, scene.damping);
            }
        }
    }

    static Root root(const dd::BodyNode& node) {
        const Eigen::Isometry3d& X = node.getWorldTransform();
        const Eigen::Quaterniond a(X.linear());
        const Eigen::Vector3d p = X.translation(), v = node.getLinearVelocity();
        const Eigen::Vector3d w = node.getAngularVelocity();
        return {{p[0], p[1], p[2]},
                {a.x(), a.y(), a.z(), a.w()},
                {v[0], v[1], v[2]},
                {w[0], w[1], w[2]}};
    }

    Model model_;
    dart::simulation::WorldPtr world_;
    std::vector<dd::SkeletonPtr> skeletons_;
    std::vector<dd::BodyNode*> nodes_; // of each of our bodies
    dd::BodyNode* ground_ = nullptr;
};

} // namespace

int main() {
    return serve_steps(
        "dart", DART_VERSION, {"default"},
        [](const Scene& scene, const std::string&) { return std::make_unique<Dart>(scene); });
}
