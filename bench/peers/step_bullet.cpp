// SPDX-License-Identifier: Apache-2.0
// Bullet: sequential impulses, variants by their iterations; free bodies are rigid bodies, trees are
// multibodies. All other parameters are Bullet's own; nothing is put to sleep. It multiplies the
// coefficients of two bodies, so each has the root of what the scene says. Joints that are held have
// motors: constraints of the solver rather than springs.
//
// Its rigid bodies sit at their centres of mass, along principal axes (the frame C of bullet_tree.h).
#include "bullet_tree.h"
#include "step.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include <BulletDynamics/Featherstone/btMultiBodyConstraintSolver.h>
#include <BulletDynamics/Featherstone/btMultiBodyDynamicsWorld.h>
#include <BulletDynamics/Featherstone/btMultiBodyJointMotor.h>
#include <BulletDynamics/Featherstone/btMultiBodyLinkCollider.h>
#include <BulletDynamics/Featherstone/btMultiBodySphericalJointMotor.h>
#include <btBulletDynamicsCommon.h>

namespace {

using namespace peer;

constexpr double motor_gain = 0.2;    // part of its error that a held joint makes good in a step
constexpr double motor_impulse = 1e3; // N m s, more than any joint needs

btTransform bt(const Pose& X) { return btTransform(peer::bt(quaternion(X.R)), peer::bt(X.p)); }

Vec3 ours(const btVector3& a) { return {a.x(), a.y(), a.z()}; }

Quat ours(const btQuaternion& a) { return {a.x(), a.y(), a.z(), a.w()}; }

std::unique_ptr<btCollisionShape> make_shape(const Shape& shape) {
    const Vec3& s = shape.size;
    switch (shape.type) {
    case ShapeType::sphere: return std::make_unique<btSphereShape>(s[0]);
    case ShapeType::box: return std::make_unique<btBoxShape>(peer::bt(0.5 * s));
    case ShapeType::cylinder:
        return std::make_unique<btCylinderShapeZ>(btVector3(s[0], s[0], 0.5 * s[2]));
    case ShapeType::capsule: return std::make_unique<btCapsuleShapeZ>(s[0], s[2]);
    case ShapeType::plane: break;
    }
    return std::make_unique<btStaticPlaneShape>(btVector3(0, 0, 1), 0);
}

class Bullet : public Stepper {
  public:
    Bullet(const Scene& scene, const std::string& variant)
        : scene_(scene), all_(bullet_trees(scene.model)), dispatcher_(&configuration_) {
        world_ = make_world();
        world_->getSolverInfo().m_numIterations = std::atoi(variant.c_str());
        world_->setGravity(peer::bt(scene.gravity));
        for (const Shape& shape : scene.shapes) {
            if (shape.body < 0) add_fixed(shape);
        }
        size_t next = 0;
        for (BulletTree& tree : all_.trees) {
            const Root* root = tree.free ? &scene_.roots[next++] : nullptr;
            if (tree.links.empty()) {
                add_rigid(tree.root, *root);
            } else {
                add_multibody(tree, root);
            }
        }
    }

    ~Bullet() override {
        for (const auto& motor : motors_) multibody_world_->removeMultiBodyConstraint(motor.get());
        for (const BulletTree& tree : all_.trees) {
            if (!tree.links.empty()) multibody_world_->removeMultiBody(tree.multibody.get());
        }
        for (const auto& collider : colliders_) world_->removeCollisionObject(collider.get());
        for (const auto& rigid : rigids_) world_->removeRigidBody(rigid.get());
    }

    void step() override { world_->stepSimulation(scene_.step, 0); }

    Look look() const override {
        Look look{};
        for (int i = 0; i < dispatcher_.getNumManifolds(); i++) {
            const btPersistentManifold* manifold = dispatcher_.getManifoldByIndexInternal(i);
            look.contacts += static_cast<unsigned>(manifold->getNumContacts());
            for (int k = 0; k < manifold->getNumContacts(); k++) {
                look.depth = std::max(look.depth, -manifold->getContactPoint(k).getDistance());
            }
        }
        for (const BulletTree& tree : all_.trees) {
            if (!tree.free) continue;
            look.roots.push_back(tree.links.empty() ? rigid_root(tree.root) : base_root(tree));
        }
        return look;
    }

  private:
    std::unique_ptr<btDiscreteDynamicsWorld> make_world() {
        const bool rigid = std::all_of(all_.trees.begin(), all_.trees.end(),
                                       [](const BulletTree& tree) { return tree.links.empty(); });
        if (rigid) {
            solver_ = std::make_unique<btSequentialImpulseConstraintSolver>();
            return std::make_unique<btDiscreteDynamicsWorld>(&dispatcher_, &broadphase_,
                                                             solver_.get(), &configuration_);
        }
        auto solver = std::make_unique<btMultiBodyConstraintSolver>();
        auto world = std::make_unique<btMultiBodyDynamicsWorld>(&dispatcher_, &broadphase_,
                                                                solver.get(), &configuration_);
        solver_ = std::move(solver);
        multibody_world_ = world.get();
        return world;
    }

    void set_surface(btCollisionObject& object) const {
        object.setFriction(std::sqrt(scene_.mu));
        object.setRestitution(std::sqrt(scene_.restitution));
        object.setActivationState(DISABLE_DEACTIVATION);
    }

    btCollisionShape* keep(std::unique_ptr<btCollisionShape> shape) {
        shapes_.push_back(std::move(shape));
        return shapes_.back().get();
    }

    // All shapes of a body in its frame C; group and mask are those of the first.
    btCollisionShape* body_shape(size_t body, int& group, int& mask) {
        auto compound = std::make_unique<btCompoundShape>();
        const Pose X_cb = inverse(all_.frames[body].X_bc);
        group = mask = 0;
        for (const Shape& shape : scene_.shapes) {
            if (shape.body != static_cast<int>(body)) continue;
            if (group == 0) group = static_cast<int>(shape.group);
            if (mask == 0) mask = static_cast<int>(shape.mask);
            compound->addChildShape(bt(X_cb * shape.pose), keep(make_shape(shape)));
        }
        const btTransform whole = btTransform::getIdentity();
        if (compound->getNumChildShapes() == 1 && compound->getChildTransform(0) == whole) {
            return compound->getChildShape(0);
        }
        return compound->getNumChildShapes() == 0 ? nullptr : keep(std::move(compound));
    }

    void add_fixed(const Shape& shape) {
        auto object = std::make_unique<btCollisionObject>();
        object->setCollisionShape(keep(make_shape(shape)));
        object->setWorldTransform(bt(shape.pose));
        object->setCollisionFlags(object->getCollisionFlags() |
                                  btCollisionObject::CF_STATIC_OBJECT);
        set_surface(*object);
        world_->addCollisionObject(object.get(), static_cast<int>(shape.group),
                                   static_cast<int>(shape.mask));
        colliders_.push_back(std::move(object));
    }

    void add_rigid(size_t i, const Root& root) {
        const Body& body = scene_.model.bodies[i];
        const Pose X_wb = {matrix(root.rotation), root.position};
        int group, mask;
        btRigidBody::btRigidBodyConstructionInfo info(
            body.mass, nullptr, body_shape(i, group, mask), peer::bt(all_.frames[i].moments));
        info.m_startWorldTransform = bt(X_wb * all_.frames[i].X_bc);
        auto rigid = std::make_unique<btRigidBody>(info);
        rigid->setLinearVelocity(peer::bt(root.velocity + cross(root.omega, X_wb.R * body.com)));
        rigid->setAngularVelocity(peer::bt(root.omega));
        rigid->setSleepingThresholds(0, 0);
        set_surface(*rigid);
        world_->addRigidBody(rigid.get(), group, mask);
        rigid->setGravity(peer::bt(scene_.gravity));
        rigid_of_.resize(scene_.model.bodies.size());
        rigid_of_[i] = rigids_.size();
        rigids_.push_back(std::move(rigid));
    }

    void add_multibody(BulletTree& tree, const Root* root) {
        btMultiBody& m = *tree.multibody;
        if (root) {
            const Mat3 R_wb = matrix(root->rotation);
            const Vec3 com = R_wb * scene_.model.bodies[tree.root].com;
            m.setBasePos(peer::bt(root->position + com));
            m.setWorldToBaseRot(
                peer::bt(quaternion(transpose(R_wb * all_.frames[tree.root].X_bc.R))));
            m.setBaseVel(peer::bt(root->velocity + cross(root->omega, com)));
            m.setBaseOmega(peer::bt(root->omega));
            add_collider(tree, -1, tree.root);
        }
        for (size_t k = 0; k < tree.links.size(); k++) {
            add_collider(tree, static_cast<int>(k), tree.links[k]);
        }
        m.setCanSleep(false);
        m.setHasSelfCollision(false);
        multibody_world_->addMultiBody(&m);
        btAlignedObjectArray<btQuaternion> turns;
        btAlignedObjectArray<btVector3> places;
        m.forwardKinematics(turns, places);
        m.updateCollisionObjectWorldTransforms(turns, places);
        if (scene_.stiffness > 0) hold(tree);
    }

    void add_collider(BulletTree& tree, int link, size_t body) {
        int group, mask;
        btCollisionShape* shape = body_shape(body, group, mask);
        if (!shape) return;
        auto collider = std::make_unique<btMultiBodyLinkCollider>(tree.multibody.get(), link);
        collider->setCollisionShape(shape);
        set_surface(*collider);
        if (link < 0) {
            tree.multibody->setBaseCollider(collider.get());
        } else {
            tree.multibody->getLink(link).m_collider = collider.get();
        }
        world_->addCollisionObject(collider.get(), group, mask);
        colliders_.push_back(std::move(collider));
    }

    void hold(BulletTree& tree) {
        for (size_t k = 0; k < tree.links.size(); k++) {
            const int link = static_cast<int>(k);
            if (scene_.model.bodies[tree.links[k]].type == JointType::spherical) {
                auto motor = std::make_unique<btMultiBodySphericalJointMotor>(tree.multibody.get(),
                                                                              link, motor_impulse);
                motor->setPositionTarget(btQuaternion::getIdentity(), motor_gain);
                motors_.push_back(std::move(motor));
            } else {
                auto motor = std::make_unique<btMultiBodyJointMotor>(tree.multibody.get(), link, 0,
                                                                     motor_impulse);
                motor->setPositionTarget(0, motor_gain);
                motors_.push_back(std::move(motor));
            }
            motors_.back()->finalizeMultiDof();
            multibody_world_->addMultiBodyConstraint(motors_.back().get());
        }
    }

    // From the frame C of a body and the velocity of its com.
    Root root_at(size_t body, const Pose& X_wc, const Vec3& velocity, const Vec3& omega) const {
        const Pose X_wb = X_wc * inverse(all_.frames[body].X_bc);
        const Vec3 com = X_wb.R * scene_.model.bodies[body].com;
        return {X_wb.p, quaternion(X_wb.R), velocity - cross(omega, com), omega};
    }

    Root rigid_root(size_t body) const {
        const btRigidBody& rigid = *rigids_[rigid_of_[body]];
        const btTransform& at = rigid.getWorldTransform();
        return root_at(body, {matrix(ours(at.getRotation())), ours(at.getOrigin())},
                       ours(rigid.getLinearVelocity()), ours(rigid.getAngularVelocity()));
    }

    Root base_root(const BulletTree& tree) const {
        const btMultiBody& m = *tree.multibody;
        const Mat3 R_wc = transpose(matrix(ours(m.getWorldToBaseRot())));
        return root_at(tree.root, {R_wc, ours(m.getBasePos())}, ours(m.getBaseVel()),
                       ours(m.getBaseOmega()));
    }

    Scene scene_;
    BulletTrees all_;
    btDefaultCollisionConfiguration configuration_;
    btCollisionDispatcher dispatcher_;
    btDbvtBroadphase broadphase_;
    std::vector<std::unique_ptr<btCollisionShape>> shapes_;
    std::unique_ptr<btSequentialImpulseConstraintSolver> solver_;
    std::unique_ptr<btDiscreteDynamicsWorld> world_;
    btMultiBodyDynamicsWorld* multibody_world_ = nullptr; // the same, when there are trees
    std::vector<std::unique_ptr<btCollisionObject>> colliders_;
    std::vector<std::unique_ptr<btRigidBody>> rigids_;
    std::vector<size_t> rigid_of_; // of each body that is one
    std::vector<std::unique_ptr<btMultiBodyConstraint>> motors_;
};

} // namespace

int main() {
    return serve_steps("bullet", bullet_version(), {"10", "50"},
                       [](const Scene& scene, const std::string& variant) {
                           return std::make_unique<Bullet>(scene, variant);
                       });
}
