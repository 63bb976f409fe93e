// SPDX-License-Identifier: Apache-2.0
#include "peer.h"

#include "lines.h"
#include "read.h"

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <utility>

namespace peer {

namespace {

// Far above rounding, far below anything that changes the work.
constexpr double nudge = 1e-6; // m, rad

// The same state with every joint moved a little.
State nudged(const Model& model, State state) {
    for (const Body& body : model.bodies) {
        double* q = &state.q[body.iq];
        if (!has_quaternion(body)) {
            q[0] += nudge;
            continue;
        }
        if (body.type == JointType::free) q[0] += nudge;
        const Quat a = joint_quat(body, state.q) * normalized({nudge / 2, 0, 0, 1});
        double* quat = &state.q[quaternion_start(body)];
        quat[0] = a.x, quat[1] = a.y, quat[2] = a.z, quat[3] = a.w;
    }
    return state;
}

class Server {
  public:
    Server(std::string engine_name, std::string version, EngineBuilder build)
        : name_(std::move(engine_name)), version_(std::move(version)), build_(std::move(build)) {}

    // The answer to one command.
    std::string answer(const std::string& command, const std::string& argument) {
        if (command == "model") return load_model(argument);
        if (!engine_) throw std::runtime_error("no model");
        if (command == "state") return load_state(argument);
        if (command != "qdd" && command != "time") throw std::runtime_error("unknown command");
        if (state_.q.empty()) throw std::runtime_error("no state");
        return command == "qdd" ? qdd() : time(argument);
    }

  private:
    std::string load_model(const std::string& path) {
        engine_.reset();
        state_ = {};
        model_ = read_model(path);
        engine_ = build_(model_);
        return "ok " + name_ + " " + version_ + " " + std::to_string(model_.nv);
    }

    std::string load_state(const std::string& path) {
        state_ = {};
        const State state = read_state(path, model_);
        engine_->set_state(0, state);
        engine_->set_state(1, nudged(model_, state));
        state_ = state;
        return "ok";
    }

    std::string qdd() {
        engine_->evaluate(0);
        std::string line = "qdd";
        for (const double x : engine_->acceleration(state_)) line += format(" %.17g", x);
        return line;
    }

    std::string time(const std::string& argument) {
        const long count = std::atol(argument.c_str());
        if (count < 1) throw std::runtime_error("time needs a count of at least 1");
        const auto start = std::chrono::steady_clock::now();
        for (long i = 0; i < count; i++) engine_->evaluate(static_cast<unsigned>(i & 1));
        const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
        return format("time %.17g", taken.count());
    }

    static std::string format(const char* pattern, double x) {
        char text[40];
        std::snprintf(text, sizeof text, pattern, x);
        return text;
    }

    std::string name_, version_;
    EngineBuilder build_;
    Model model_{};
    State state_{}; // empty: none yet
    std::unique_ptr<Engine> engine_;
};

} // namespace

int serve(const std::string& engine_name, const std::string& version, const EngineBuilder& build) {
    Server server(engine_name, version, build);
    return answer_lines([&](const std::string& command, const std::string& argument) {
        return server.answer(command, argument);
    });
}

} // namespace peer
