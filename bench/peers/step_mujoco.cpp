// SPDX-License-Identifier: Apache-2.0
// MuJoCo: mj_step with elliptic cones, the Newton solver and the semi-implicit Euler integrator, which
// takes damping of joints implicitly. Contacts are soft: `default` with the parameters that MuJoCo has by
// itself, `stiff` with the shortest time constant that it takes, twice the step. It has no coefficient of
// restitution: where there is one, contacts are springs with the damping ratio that gives it.
#include "mujoco_compile.h"
#include "mujoco_xml.h"
#include "step.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace {

using namespace peer;

constexpr double pi = 3.14159265358979323846;
// That there is room for; memory grows with the square.
constexpr int contacts_of_body = 12, contacts_least = 400;

const char* geom_type(ShapeType type) {
    switch (type) {
    case ShapeType::sphere: return "sphere";
    case ShapeType::box: return "box";
    case ShapeType::cylinder: return "cylinder";
    case ShapeType::capsule: return "capsule";
    case ShapeType::plane: return "plane";
    }
    return "";
}

// It wants half sizes.
Vec3 geom_size(const Shape& shape) {
    switch (shape.type) {
    case ShapeType::box: return 0.5 * shape.size;
    case ShapeType::sphere: return {shape.size[0], 0, 0};
    case ShapeType::plane: return {0, 0, 1}; // without end; the last number is for drawing
    case ShapeType::cylinder:
    case ShapeType::capsule: break;
    }
    return {shape.size[0], 0.5 * shape.size[2], 0};
}

std::string geom(const Shape& shape) {
    return std::string("<geom type=\"") + geom_type(shape.type) + "\"" +
           mujoco_attribute("size", geom_size(shape)) + mujoco_attribute("pos", shape.pose.p) +
           mujoco_attribute("quat", shape.pose.R) + " contype=\"" + std::to_string(shape.group) +
           "\" conaffinity=\"" + std::to_string(shape.mask) + "\"/>";
}

// Of a spring that bounces back with `restitution` of the speed.
double damping_ratio(double restitution) {
    const double decay = -std::log(restitution);
    return decay / std::sqrt(pi * pi + decay * decay);
}

// Time constant and damping ratio. A spring swings with 1 / (time constant * ratio): with little damping
// the time constant is as much longer.
std::string contact_parameters(const Scene& scene, const std::string& variant) {
    const double own = 0.02; // what MuJoCo has by itself
    const double time = variant == "stiff" ? 2 * scene.step : own;
    const double ratio = scene.restitution > 0 ? damping_ratio(scene.restitution) : 1;
    return " solref=\"" + std::to_string(time / ratio) + " " + std::to_string(ratio) + "\"";
}

std::string options(const Scene& scene, const std::string& variant) {
    const int contacts =
        std::max(contacts_least, contacts_of_body * static_cast<int>(scene.model.bodies.size()));
    const std::string hold =
        mujoco_attribute("stiffness", scene.stiffness) + mujoco_attribute("damping", scene.damping);
    return "<option cone=\"elliptic\" solver=\"Newton\" integrator=\"Euler\"" +
           mujoco_attribute("timestep", scene.step) + mujoco_attribute("gravity", scene.gravity) +
           "/>\n<size nconmax=\"" + std::to_string(contacts) + "\" njmax=\"" +
           std::to_string(3 * contacts) + "\"/>\n<default><geom condim=\"3\"" +
           mujoco_attribute("friction", Vec3{scene.mu, 0, 0}) + contact_parameters(scene, variant) +
           "/><joint" + hold + "/></default>\n";
}

std::string scene_xml(const Scene& scene, const std::string& variant) {
    MujocoExtras extras;
    extras.before = options(scene, variant);
    extras.body.resize(scene.model.bodies.size());
    for (const Shape& shape : scene.shapes) {
        (shape.body < 0 ? extras.world : extras.body[static_cast<size_t>(shape.body)]) +=
            geom(shape);
    }
    return mujoco_mjcf(scene.model, extras);
}

class Mujoco : public Stepper {
  public:
    Mujoco(const Scene& scene, const std::string& variant)
        : m_(mujoco_compile(scene_xml(scene, variant))), d_(mujoco_data(m_.get())) {
        unsigned next = 0;
        for (size_t i = 0; i < scene.model.bodies.size(); i++) {
            if (!is_root(scene.model.bodies[i])) continue;
            const int body = mj_name2id(m_.get(), mjOBJ_BODY, mujoco_name(i).c_str());
            if (body < 0) throw std::runtime_error("mujoco: lost a body");
            const int joint = m_->body_jntadr[body];
            roots_.push_back({m_->jnt_qposadr[joint], m_->jnt_dofadr[joint]});
            place(roots_.back(), scene.roots[next++]);
        }
    }

    void step() override { mj_step(m_.get(), d_.get()); }

    Look look() const override {
        Look look{static_cast<unsigned>(d_->ncon), 0, {}};
        for (int i = 0; i < d_->ncon; i++) look.depth = std::max(look.depth, -d_->contact[i].dist);
        for (const Place& at : roots_) look.roots.push_back(root(at));
        return look;
    }

  private:
    // Where a free joint's numbers start. Its quaternion is w x y z; velocities are linear in world axes,
    // then angular in body axes.
    struct Place {
        int q, v;
    };

    void place(const Place& at, const Root& root) {
        const Vec3 w_b = transpose(matrix(root.rotation)) * root.omega;
        mjtNum *q = d_->qpos + at.q, *v = d_->qvel + at.v;
        mju_copy3(q, root.position.data());
        q[3] = root.rotation.w, q[4] = root.rotation.x, q[5] = root.rotation.y;
        q[6] = root.rotation.z;
        mju_copy3(v, root.velocity.data());
        mju_copy3(v + 3, w_b.data());
    }

    Root root(const Place& at) const {
        const mjtNum *q = d_->qpos + at.q, *v = d_->qvel + at.v;
        const Quat a = {q[4], q[5], q[6], q[3]};
        return {{q[0], q[1], q[2]}, a, {v[0], v[1], v[2]}, matrix(a) * Vec3{v[3], v[4], v[5]}};
    }

    MujocoModel m_;
    MujocoData d_;
    std::vector<Place> roots_;
};

} // namespace

int main() {
    mujoco_prepare();
    return serve_steps("mujoco", mj_versionString(), {"default", "stiff"},
                       [](const Scene& scene, const std::string& variant) {
                           return std::make_unique<Mujoco>(scene, variant);
                       });
}
