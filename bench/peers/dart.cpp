// SPDX-License-Identifier: Apache-2.0
// DART: Skeleton::computeForwardDynamics after setting positions, velocities and forces.
//
// Its conventions. A ball joint's position is the logarithm of its rotation, a free joint's that and
// then the position; velocities, forces and accelerations are those of the body frame in body axes
// like ours, but angular before linear.
#include "dart_body.h"

#include <malloc.h>

namespace {

using namespace peer;
namespace dd = dart::dynamics;

class Dart : public Engine {
  public:
    explicit Dart(const Model& model)
        : model_(model), skeleton_(dd::Skeleton::create("model")),
          nodes_(dart_add(model, skeleton_)) {}

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
        const Vec3 rotation = rotation_vector(joint_quat(body, state.q));
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
