// SPDX-License-Identifier: Apache-2.0
// MuJoCo: the stages of mj_forward that make the smooth qacc, and none of those for tendons,
// contacts, constraints, actuators and sensors, of which the models have none.
//
// Its conventions. A quaternion is w x y z. A ball joint is as ours. A free joint moves in the world
// frame: linear velocity and force in world axes, linear acceleration classical, also in world axes;
// the angular parts are in body axes as ours. In mid-tree it does not exist: three slides and a ball
// stand for it, whose linear parts are in placement axes.
#include "mujoco_compile.h"
#include "mujoco_xml.h"
#include "peer.h"

#include <stdexcept>

namespace {

using namespace peer;

// q, v, tau in MuJoCo's conventions and order.
struct Input {
    std::vector<mjtNum> q, v, tau;
};

class Mujoco : public Engine {
  public:
    explicit Mujoco(const Model& model) : model_(model), m_(mujoco_compile(mujoco_xml(model))) {
        if (m_->nv != static_cast<int>(model.nv) || m_->nq != static_cast<int>(model.nq)) {
            throw std::runtime_error("mujoco: other coordinates than ours");
        }
        d_ = mujoco_data(m_.get());
        for (size_t i = 0; i < model.bodies.size(); i++) {
            const int body = mj_name2id(m_.get(), mjOBJ_BODY, mujoco_name(i).c_str());
            if (body < 0) throw std::runtime_error("mujoco: lost a body");
            const int joint = m_->body_jntadr[body];
            q_start_.push_back(static_cast<unsigned>(m_->jnt_qposadr[joint]));
            v_start_.push_back(static_cast<unsigned>(m_->jnt_dofadr[joint]));
        }
        forces_.resize(model.nv);
    }

    void set_state(unsigned which, const State& state) override {
        Input& input = input_[which];
        input.q.assign(model_.nq, 0);
        input.v.assign(model_.nv, 0);
        input.tau.assign(model_.nv, 0);
        mju_copy3(m_->opt.gravity, state.gravity.data());
        for (size_t i = 0; i < model_.bodies.size(); i++) convert_joint(i, state, input);
    }

    void evaluate(unsigned which) override {
        const mjModel* m = m_.get();
        mjData* d = d_.get();
        const Input& input = input_[which];
        mju_copy(d->qpos, input.q.data(), m->nq);
        mju_copy(d->qvel, input.v.data(), m->nv);
        mju_copy(d->qfrc_applied, input.tau.data(), m->nv);
        mj_kinematics(m, d);
        mj_comPos(m, d);
        mj_crb(m, d);
        mj_factorM(m, d);
        mj_comVel(m, d);
        mj_rne(m, d, 0, d->qfrc_bias);
        mju_sub(forces_.data(), d->qfrc_applied, d->qfrc_bias, m->nv);
        mj_solveM(m, d, d->qacc, forces_.data(), 1);
    }

    std::vector<double> acceleration(const State& state) const override {
        std::vector<double> qdd(model_.nv);
        for (size_t i = 0; i < model_.bodies.size(); i++) {
            const Body& body = model_.bodies[i];
            const mjtNum* a = d_->qacc + v_start_[i];
            if (body.type != JointType::free) {
                for (unsigned k = 0; k < (has_quaternion(body) ? 3 : 1); k++)
                    qdd[body.iv + k] = a[k];
                continue;
            }
            const Vec3 v = get3(state.v, body.iv), w = get3(state.v, body.iv + 3);
            const Mat3 R = linear_from_body(body, state);
            put3(qdd, body.iv, transpose(R) * Vec3{a[0], a[1], a[2]} - cross(w, v));
            put3(qdd, body.iv + 3, {a[3], a[4], a[5]});
        }
        return qdd;
    }

  private:
    // From body axes to those of the linear parts of a free joint: world or placement.
    static Mat3 linear_from_body(const Body& body, const State& state) {
        const Mat3 R = matrix(joint_quat(body, state.q));
        return body.parent < 0 ? body.placement.R * R : R;
    }

    void convert_joint(size_t i, const State& state, Input& input) const {
        const Body& body = model_.bodies[i];
        unsigned iq = q_start_[i];
        const unsigned iv = v_start_[i];
        if (!has_quaternion(body)) {
            input.q[iq] = state.q[body.iq];
            input.v[iv] = state.v[body.iv];
            input.tau[iv] = state.tau[body.iv];
            return;
        }
        unsigned linear = 0; // how many of v are linear parts
        Quat a = joint_quat(body, state.q);
        if (body.type == JointType::free) {
            linear = 3;
            const Mat3 R = linear_from_body(body, state);
            put3(input.v, iv, R * get3(state.v, body.iv));
            put3(input.tau, iv, R * get3(state.tau, body.iv));
            Vec3 p = get3(state.q, body.iq);
            if (body.parent < 0) {
                p = body.placement.R * p + body.placement.p;
                a = quaternion(body.placement.R) * a;
            }
            put3(input.q, iq, p);
            iq += 3;
        }
        input.q[iq] = a.w;
        put3(input.q, iq + 1, {a.x, a.y, a.z});
        put3(input.v, iv + linear, get3(state.v, body.iv + linear));
        put3(input.tau, iv + linear, get3(state.tau, body.iv + linear));
    }

    Model model_;
    MujocoModel m_;
    MujocoData d_;
    std::vector<unsigned> q_start_, v_start_; // of each of our bodies, in MuJoCo's q and v
    Input input_[2];
    std::vector<mjtNum> forces_;
};

} // namespace

int main() {
    mujoco_prepare();
    return serve("mujoco", mj_versionString(),
                 [](const Model& model) { return std::make_unique<Mujoco>(model); });
}
