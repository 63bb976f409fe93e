// SPDX-License-Identifier: Apache-2.0
// Simbody: System::realize to Stage::Acceleration, with tau as discrete mobility forces.
//
// Its conventions. A pin turns about z, a slider moves along x: body frames are turned so that the
// joint axis is that one and the frame fixed in the body (M) is the body frame (B), for which it has
// faster code. Quaternions are w x y z; a free joint has its quaternion before its position. Speeds,
// forces and accelerations of ball and free joints are in the axes of the frame fixed in the parent
// (F), angular before linear, the acceleration classical.
#include "peer.h"

#include <Simbody.h>

namespace {

using namespace peer;

SimTK::Vec3 simtk(const Vec3& a) { return {a[0], a[1], a[2]}; }

SimTK::Rotation simtk(const Mat3& R) {
    const SimTK::Mat33 columns(R[0], R[1], R[2], R[3], R[4], R[5], R[6], R[7], R[8]);
    return SimTK::Rotation(columns, true);
}

SimTK::Transform simtk(const Pose& X) { return {simtk(X.R), simtk(X.p)}; }

// Simbody's body frame S in our body frame: the joint axis is its z or its x.
Mat3 turned_frame(const Body& body) {
    switch (body.type) {
    case JointType::revolute: return rotation_with_column(2, body.axis);
    case JointType::prismatic: return rotation_with_column(0, body.axis);
    default: return identity3;
    }
}

SimTK::Body::Rigid rigid(const Body& body, const Mat3& R_bs) {
    const Mat3 I = transpose(R_bs) * body.inertia_com * R_bs;
    const SimTK::Vec3 com = simtk(transpose(R_bs) * body.com);
    const SimTK::Inertia about_com(I[0], I[4], I[8], I[1], I[2], I[5]);
    return SimTK::Body::Rigid(
        SimTK::MassProperties(body.mass, com, about_com.shiftFromMassCenter(com, body.mass)));
}

class Simbody : public Engine {
  public:
    explicit Simbody(const Model& model)
        : model_(model), matter_(system_), forces_(system_), tau_(forces_, matter_),
          gravity_(forces_, matter_, SimTK::Vec3(0)) {
        forces_.setNumberOfThreads(1); // one core, as everyone else
        for (const Body& body : model.bodies) add(body);
        state_ = system_.realizeTopology();
        system_.realizeModel(state_);
    }

    void set_state(unsigned which, const State& state) override {
        gravity_.setGravityVector(state_, simtk(state.gravity));
        Input& input = input_[which];
        input.q.resize(state_.getNQ());
        input.u.resize(state_.getNU());
        input.tau.resize(state_.getNU());
        for (size_t i = 0; i < model_.bodies.size(); i++) convert_joint(i, state, input);
    }

    void evaluate(unsigned which) override {
        const Input& input = input_[which];
        state_.updQ() = input.q;
        state_.updU() = input.u;
        tau_.setAllMobilityForces(state_, input.tau);
        system_.realize(state_, SimTK::Stage::Acceleration);
    }

    std::vector<double> acceleration(const State& state) const override {
        std::vector<double> qdd(model_.nv);
        const SimTK::Vector& a = state_.getUDot();
        for (size_t i = 0; i < model_.bodies.size(); i++) {
            const Body& body = model_.bodies[i];
            const int iu = mobilized(i).getFirstUIndex(state_);
            if (!has_quaternion(body)) {
                qdd[body.iv] = a[iu];
                continue;
            }
            const Mat3 R_bf = transpose(matrix(joint_quat(body, state.q)));
            const bool free = body.type == JointType::free;
            put3(qdd, free ? body.iv + 3 : body.iv, R_bf * Vec3{a[iu], a[iu + 1], a[iu + 2]});
            if (!free) continue;
            const Vec3 v = get3(state.v, body.iv), w = get3(state.v, body.iv + 3);
            put3(qdd, body.iv, R_bf * Vec3{a[iu + 3], a[iu + 4], a[iu + 5]} - cross(w, v));
        }
        return qdd;
    }

  private:
    struct Input {
        SimTK::Vector q, u, tau;
    };

    const SimTK::MobilizedBody& mobilized(size_t i) const {
        return matter_.getMobilizedBody(indices_[i]);
    }

    void add(const Body& body) {
        using namespace SimTK;
        const size_t p = static_cast<size_t>(body.parent);
        const Mat3 R_bs = turned_frame(body);
        Pose X_pf = body.placement * Pose{R_bs, {}};
        if (body.parent >= 0) X_pf = Pose{transpose(turned_[p]), {}} * X_pf;
        const Transform inboard = simtk(X_pf), outboard;
        const SimTK::Body::Rigid info = rigid(body, R_bs);
        const MobilizedBodyIndex index = body.parent < 0 ? GroundIndex : indices_[p];
        MobilizedBody& parent = matter_.updMobilizedBody(index);
        MobilizedBody added;
        switch (body.type) {
        case JointType::revolute:
            added = MobilizedBody::Pin(parent, inboard, info, outboard);
            break;
        case JointType::prismatic:
            added = MobilizedBody::Slider(parent, inboard, info, outboard);
            break;
        case JointType::spherical:
            added = MobilizedBody::Ball(parent, inboard, info, outboard);
            break;
        case JointType::free: added = MobilizedBody::Free(parent, inboard, info, outboard); break;
        }
        indices_.push_back(added.getMobilizedBodyIndex());
        turned_.push_back(R_bs);
    }

    void convert_joint(size_t i, const State& state, Input& input) const {
        const Body& body = model_.bodies[i];
        const int iq = mobilized(i).getFirstQIndex(state_);
        const int iu = mobilized(i).getFirstUIndex(state_);
        if (!has_quaternion(body)) {
            input.q[iq] = state.q[body.iq];
            input.u[iu] = state.v[body.iv];
            input.tau[iu] = state.tau[body.iv];
            return;
        }
        const Quat a = joint_quat(body, state.q);
        const Mat3 R_fb = matrix(a);
        const bool free = body.type == JointType::free;
        const unsigned angular = free ? body.iv + 3 : body.iv;
        put(input.q, iq, {a.w, a.x, a.y});
        input.q[iq + 3] = a.z;
        put(input.u, iu, R_fb * get3(state.v, angular));
        put(input.tau, iu, R_fb * get3(state.tau, angular));
        if (!free) return;
        put(input.q, iq + 4, get3(state.q, body.iq));
        put(input.u, iu + 3, R_fb * get3(state.v, body.iv));
        put(input.tau, iu + 3, R_fb * get3(state.tau, body.iv));
    }

    static void put(SimTK::Vector& list, int i, const Vec3& x) {
        for (int k = 0; k < 3; k++) list[i + k] = x[static_cast<unsigned>(k)];
    }

    Model model_;
    SimTK::MultibodySystem system_;
    SimTK::SimbodyMatterSubsystem matter_;
    SimTK::GeneralForceSubsystem forces_;
    SimTK::Force::DiscreteForces tau_;
    SimTK::Force::Gravity gravity_;
    std::vector<SimTK::MobilizedBodyIndex> indices_; // of each of our bodies
    std::vector<Mat3> turned_;                       // R_bs of each
    SimTK::State state_;
    Input input_[2];
};

std::string version() {
    int major, minor, build;
    SimTK_version_simbody(&major, &minor, &build);
    return std::to_string(major) + "." + std::to_string(minor) + "." + std::to_string(build);
}

} // namespace

int main() {
    return serve("simbody", version(),
                 [](const Model& model) { return std::make_unique<Simbody>(model); });
}
