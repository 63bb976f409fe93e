// SPDX-License-Identifier: Apache-2.0
// Bullet: btMultiBody, one per tree, in double precision. Its articulated-body pass needs only the
// cached transform of each link to its parent, which setJointPos keeps up to date; world transforms
// (forwardKinematics) are not needed for qdd and not computed.
//
// Its conventions. The frame of a link sits at its com along its principal axes (C below); joint
// axes, pivots and spherical velocities are given there. The base moves freely or not at all; its
// velocity, force and acceleration are those of its com, in world axes, the acceleration classical.
// Gravity is a force on each link.
#include "peer.h"

#include <stdexcept>

#include <BulletDynamics/Featherstone/btMultiBody.h>

static_assert(sizeof(btScalar) == sizeof(double), "needs BT_USE_DOUBLE_PRECISION");

namespace {

using namespace peer;

btVector3 bt(const Vec3& a) { return {a[0], a[1], a[2]}; }

// Bullet's quaternions rotate as ours do, its order of parts is ours too.
btQuaternion bt(const Quat& a) { return {a.x, a.y, a.z, a.w}; }

// A body's com frame C in the body frame, and the moments of inertia along its axes.
struct ComFrame {
    Pose X_bc;
    Vec3 moments;
};

ComFrame com_frame(const Body& body) {
    const Principal principal = principal_axes(body.inertia_com);
    return {{principal.R, body.com}, principal.moments};
}

// What one evaluation copies into one multibody.
struct BaseState {
    btVector3 position, velocity, omega, force, torque;
    btQuaternion world_to_base;
};
struct LinkState {
    double q[4], v[3], tau[3];
};

// A tree: the bodies over one root. A free root is the base of its multibody; any other is the first
// link on a base that is fixed to the world.
struct Tree {
    std::vector<size_t> links; // the body of each link
    size_t root;
    bool free;
    std::unique_ptr<btMultiBody> multibody;
    btAlignedObjectArray<btScalar> scratch_r;
    btAlignedObjectArray<btVector3> scratch_v;
    btAlignedObjectArray<btMatrix3x3> scratch_m;
    BaseState base[2];
    std::vector<LinkState> state[2];
};

class Bullet : public Engine {
  public:
    explicit Bullet(const Model& model) : model_(model) {
        for (const Body& body : model.bodies) frames_.push_back(com_frame(body));
        group_into_trees();
        for (Tree& tree : trees_) build(tree);
    }

    void set_state(unsigned which, const State& state) override {
        for (Tree& tree : trees_) {
            if (tree.free) set_base(which, state, tree);
            tree.state[which].clear();
            tree.multibody->clearForcesAndTorques();
            for (size_t i = 0; i < tree.links.size(); i++) {
                tree.state[which].push_back(link_state(tree.links[i], state));
                const double mass = model_.bodies[tree.links[i]].mass;
                tree.multibody->addLinkForce(static_cast<int>(i), bt(mass * state.gravity));
            }
        }
    }

    void evaluate(unsigned which) override {
        for (Tree& tree : trees_) {
            if (tree.free) put_base(tree.base[which], *tree.multibody);
            for (size_t i = 0; i < tree.links.size(); i++) {
                put_link(tree.state[which][i], static_cast<int>(i), *tree.multibody);
            }
            // With no time step it leaves the velocities alone; qdd stays in the scratch memory.
            tree.multibody->computeAccelerationsArticulatedBodyAlgorithmMultiDof(
                0, tree.scratch_r, tree.scratch_v, tree.scratch_m, false, false, false);
        }
    }

    std::vector<double> acceleration(const State& state) const override {
        std::vector<double> qdd(model_.nv);
        for (const Tree& tree : trees_) {
            const btScalar* base = &tree.scratch_r[tree.multibody->getNumDofs()];
            if (tree.free) get_base(base, state, tree.root, qdd);
            for (size_t i = 0; i < tree.links.size(); i++) {
                const int offset = tree.multibody->getLink(static_cast<int>(i)).m_dofOffset;
                get_link(base + 6 + offset, tree.links[i], qdd);
            }
        }
        return qdd;
    }

  private:
    void group_into_trees() {
        std::vector<size_t> tree_of;
        for (size_t i = 0; i < model_.bodies.size(); i++) {
            const Body& body = model_.bodies[i];
            const bool free = body.type == JointType::free;
            if (body.parent < 0) {
                tree_of.push_back(trees_.size());
                trees_.emplace_back();
                trees_.back().root = i;
                trees_.back().free = free;
            } else {
                if (free) throw std::runtime_error("unsupported free joint that is not at a root");
                tree_of.push_back(tree_of[static_cast<size_t>(body.parent)]);
            }
            link_of_.push_back(-1);
            if (free) continue;
            Tree& tree = trees_[tree_of[i]];
            link_of_.back() = static_cast<int>(tree.links.size());
            tree.links.push_back(i);
        }
    }

    void build(Tree& tree) {
        const double mass = tree.free ? model_.bodies[tree.root].mass : 0;
        const Vec3 moments = tree.free ? frames_[tree.root].moments : Vec3{};
        const int count = static_cast<int>(tree.links.size());
        tree.multibody = std::make_unique<btMultiBody>(count, mass, bt(moments), !tree.free, false);
        for (int i = 0; i < count; i++) setup_link(i, tree);
        tree.multibody->setLinearDamping(0);
        tree.multibody->setAngularDamping(0);
        tree.multibody->finalizeMultiDof();
    }

    void setup_link(int i, Tree& tree) {
        const size_t index = tree.links[static_cast<size_t>(i)];
        const Body& body = model_.bodies[index];
        const Pose& X_bc = frames_[index].X_bc;
        const size_t p = static_cast<size_t>(body.parent);
        const Pose X_cp = body.parent < 0 ? Pose{identity3, {}} : inverse(frames_[p].X_bc);
        const int parent = body.parent < 0 ? -1 : link_of_[p];
        const Pose joint = X_cp * body.placement; // in the com frame of the parent
        const Mat3 R_cb = transpose(X_bc.R);
        const btQuaternion from_parent = bt(quaternion(R_cb * transpose(joint.R)));
        const btVector3 axis = bt(R_cb * body.axis), pivot = bt(joint.p), com = bt(R_cb * X_bc.p);
        const btVector3 moments = bt(frames_[index].moments);
        btMultiBody& m = *tree.multibody;
        switch (body.type) {
        case JointType::revolute:
            m.setupRevolute(i, body.mass, moments, parent, from_parent, axis, pivot, com, true);
            break;
        case JointType::prismatic:
            m.setupPrismatic(i, body.mass, moments, parent, from_parent, axis, pivot, com, true);
            break;
        case JointType::spherical:
            m.setupSpherical(i, body.mass, moments, parent, from_parent, pivot, com, true);
            break;
        case JointType::free: break;
        }
    }

    // The free base: from the body origin to the com, from body to world axes.
    void set_base(unsigned which, const State& state, Tree& tree) const {
        const Body& body = model_.bodies[tree.root];
        const Mat3 R_wb = body.placement.R * matrix(joint_quat(body, state.q));
        const Vec3 v = get3(state.v, body.iv), w = get3(state.v, body.iv + 3);
        const Vec3 f = get3(state.tau, body.iv), n = get3(state.tau, body.iv + 3);
        const Vec3 origin = body.placement.R * get3(state.q, body.iq) + body.placement.p;
        BaseState& base = tree.base[which];
        base.position = bt(origin + R_wb * body.com);
        base.world_to_base = bt(quaternion(transpose(R_wb * frames_[tree.root].X_bc.R)));
        base.velocity = bt(R_wb * (v + cross(w, body.com)));
        base.omega = bt(R_wb * w);
        base.force = bt(R_wb * f + body.mass * state.gravity);
        base.torque = bt(R_wb * (n - cross(body.com, f)));
    }

    LinkState link_state(size_t index, const State& state) const {
        const Body& body = model_.bodies[index];
        if (body.type != JointType::spherical) {
            return {{state.q[body.iq]}, {state.v[body.iv]}, {state.tau[body.iv]}};
        }
        const Mat3& R_bc = frames_[index].X_bc.R;
        const Quat bc = quaternion(R_bc);
        const Quat a = conjugate(bc) * joint_quat(body, state.q) * bc;
        const Vec3 v = transpose(R_bc) * get3(state.v, body.iv);
        const Vec3 tau = transpose(R_bc) * get3(state.tau, body.iv);
        return {{a.x, a.y, a.z, a.w}, {v[0], v[1], v[2]}, {tau[0], tau[1], tau[2]}};
    }

    static void put_base(const BaseState& base, btMultiBody& m) {
        m.setBasePos(base.position);
        m.setWorldToBaseRot(base.world_to_base);
        m.setBaseVel(base.velocity);
        m.setBaseOmega(base.omega);
        m.addBaseForce(base.force - m.getBaseForce()); // it can only be added to
        m.addBaseTorque(base.torque - m.getBaseTorque());
    }

    static void put_link(const LinkState& link, int i, btMultiBody& m) {
        m.setJointPosMultiDof(i, link.q);
        m.setJointVelMultiDof(i, link.v);
        m.addJointTorqueMultiDof(i, link.tau); // its name says add, but it sets
    }

    // a: classical accelerations of the com in world axes, angular then linear.
    void get_base(const btScalar* a, const State& state, size_t root,
                  std::vector<double>& qdd) const {
        const Body& body = model_.bodies[root];
        const Mat3 R_bw = transpose(body.placement.R * matrix(joint_quat(body, state.q)));
        const Vec3 v = get3(state.v, body.iv), w = get3(state.v, body.iv + 3);
        const Vec3 wdot = R_bw * Vec3{a[0], a[1], a[2]};
        const Vec3 com = R_bw * Vec3{a[3], a[4], a[5]};
        const Vec3 origin = com - cross(wdot, body.com) - cross(w, cross(w, body.com));
        put3(qdd, body.iv, origin - cross(w, v));
        put3(qdd, body.iv + 3, wdot);
    }

    void get_link(const btScalar* a, size_t index, std::vector<double>& qdd) const {
        const Body& body = model_.bodies[index];
        if (body.type == JointType::spherical) {
            put3(qdd, body.iv, frames_[index].X_bc.R * Vec3{a[0], a[1], a[2]});
        } else {
            qdd[body.iv] = a[0];
        }
    }

    Model model_;
    std::vector<ComFrame> frames_;
    std::vector<int> link_of_; // link in its tree's multibody, -1: the base
    std::vector<Tree> trees_;
};

std::string version() {
    const int number = btGetVersion(); // 324: 3.24
    return std::to_string(number / 100) + "." + std::to_string(number % 100);
}

} // namespace

int main() {
    return serve("bullet", version(),
                 [](const Model& model) { return std::make_unique<Bullet>(model); });
}
