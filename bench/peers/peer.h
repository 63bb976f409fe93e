// SPDX-License-Identifier: Apache-2.0
// What the helper programs share: each runs one other engine on Sinew's models, so that
// `sinew bench dynamics` can time (q, v, tau) -> qdd beside our own and check that all agree.
//
// A program reads one command per line on standard input and answers each with one line:
//   model PATH    a model in Sinew's JSON (docs/eval.md)   ok ENGINE VERSION NV
//   state PATH    JSON with q, v, tau and maybe gravity     ok
//   qdd           forward dynamics of that state            qdd X0 X1 ...
//   time N        forward dynamics N times                  time SECONDS
//   quit
// or with `error REASON`. All vectors are in Sinew's order and conventions (docs/eval.md); what an
// engine wants instead is the business of its program. Whatever an engine itself prints on standard
// output goes to standard error.
//
// `time` counts the engine's work alone: q, v and tau, already in the engine's own conventions, are
// put into its arrays, and everything that depends on them is computed anew. Two states that differ
// by a hair in q take turns, so nothing can be kept from the evaluation before.
#pragma once

#include "geometry.h"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace peer {

enum class JointType { revolute, prismatic, spherical, free };

// A moving body with the joint that carries it. Its frame is the joint frame after the motion:
// X_world_body = X_world_parent * placement * joint(q).
struct Body {
    int parent; // index of a body before this one, or -1: the world
    JointType type;
    Vec3 axis;      // unit, body axes; revolute and prismatic only
    Pose placement; // of the joint frame in the parent body, at q = 0
    double mass;
    Vec3 com;         // body frame
    Mat3 inertia_com; // about the com, body axes
    unsigned iq, iv;  // where its coordinates start in q and in v, tau, qdd
};

struct Model {
    std::vector<Body> bodies; // parents before children
    unsigned nq, nv;
};

// Per joint, as in docs/eval.md. revolute, prismatic: a scalar. spherical: q quaternion x y z w of
// child to parent; v angular velocity in child axes. free: q position, quaternion; v linear velocity
// of the body origin, angular velocity, both in child axes; tau force, moment, child axes.
struct State {
    std::vector<double> q, v, tau;
    Vec3 gravity;
};

// Parts of q, v, tau, qdd.
inline Vec3 get3(const std::vector<double>& a, unsigned i) { return {a[i], a[i + 1], a[i + 2]}; }

inline void put3(std::vector<double>& a, unsigned i, const Vec3& x) {
    for (unsigned k = 0; k < 3; k++) a[i + k] = x[k];
}

inline bool has_quaternion(const Body& body) {
    return body.type == JointType::spherical || body.type == JointType::free;
}

// Where it starts in q.
inline unsigned quaternion_start(const Body& body) {
    return body.type == JointType::free ? body.iq + 3 : body.iq;
}

// The rotation of a spherical or free joint, child to parent.
inline Quat joint_quat(const Body& body, const std::vector<double>& q) {
    const unsigned i = quaternion_start(body);
    return normalized({q[i], q[i + 1], q[i + 2], q[i + 3]});
}

// One engine that has built one model. What it cannot do it throws as std::runtime_error.
class Engine {
  public:
    Engine() = default;
    Engine(const Engine&) = delete;
    Engine& operator=(const Engine&) = delete;
    virtual ~Engine() = default;

    // Convert a state into the engine's conventions and keep it as number `which`, 0 or 1. Both have
    // the same gravity. Not timed.
    virtual void set_state(unsigned which, const State& state) = 0;

    // Put state `which` into the engine and compute its accelerations. This is what is timed.
    virtual void evaluate(unsigned which) = 0;

    // The accelerations of the last evaluation, which was of this state, in our conventions.
    virtual std::vector<double> acceleration(const State& state) const = 0;
};

using EngineBuilder = std::function<std::unique_ptr<Engine>(const Model&)>;

// Answer commands until `quit` or the end of the input; returns what main() should.
int serve(const std::string& engine_name, const std::string& version, const EngineBuilder& build);

} // namespace peer
