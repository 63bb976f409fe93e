// SPDX-License-Identifier: Apache-2.0
// Bullet: btMultiBody, one per tree, in double precision. Its articulated-body pass needs only the
// cached transform of each link to its parent, which setJointPos keeps up to date; world transforms
// (forwardKinematics) are not needed for qdd and not computed.
//
// Its conventions, beside those of bullet_tree.h. Spherical velocities are given in the frame of the link.
// The velocity, force and acceleration of the base are those of its com, in world axes, the acceleration
// classical. Gravity is a force on each link.
#include "bullet_tree.h"

namespace {

using namespace peer;

// What one evaluation copies into one multibody.
struct BaseState {
    btVector3 position, velocity, omega, force, torque;
    btQuaternion world_to_base;
};
struct LinkState {
    double q[4], v[3], tau[3];
};

struct Tree : BulletTree {
    explicit Tree(BulletTree&& tree) : BulletTree(std::move(tree)) {}

    btAlignedObjectArray<btScalar> scratch_r;
    btAlignedObjectArray<btVector3> scratch_v;
    btAlignedObjectArray<btMatrix3x3> scratch_m;
    BaseState base[2];
    std::vector<LinkState> state[2];
};

class Bullet : public Engine {
  public:
    explicit Bullet(const Model& model) : model_(model) {
        BulletTrees all = bullet_trees(model);
        frames_ = std::move(all.frames);
        for (BulletTree& tree : all.trees) trees_.emplace_back(std::move(tree));
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
    std::vector<Tree> trees_;
};

} // namespace

int main() {
    return serve("bullet", bullet_version(),
                 [](const Model& model) { return std::make_unique<Bullet>(model); });
}
