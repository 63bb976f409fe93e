// SPDX-License-Identifier: Apache-2.0
#include "read.h"

#include <stdexcept>

#include <jansson.h>

namespace peer {

namespace {

using Json = std::unique_ptr<json_t, decltype(&json_decref)>;

[[noreturn]] void fail(const std::string& reason) { throw std::runtime_error(reason); }

Json load(const std::string& path) {
    json_error_t error;
    Json root(json_load_file(path.c_str(), 0, &error), &json_decref);
    if (!root) {
        const std::string line = error.line > 0 ? ":" + std::to_string(error.line) : "";
        fail(path + line + ": " + error.text);
    }
    if (!json_is_object(root.get())) fail(path + ": not a JSON object");
    return root;
}

const json_t* member(const json_t* object, const char* key) {
    const json_t* value = json_object_get(object, key);
    if (!value) fail(std::string("no ") + key);
    return value;
}

double number(const json_t* value, const char* what) {
    if (!json_is_number(value)) fail(std::string(what) + " is not a number");
    return json_number_value(value);
}

int integer(const json_t* object, const char* key) {
    const json_t* value = member(object, key);
    if (!json_is_integer(value)) fail(std::string(key) + " is not an integer");
    return static_cast<int>(json_integer_value(value));
}

std::vector<double> numbers(const json_t* object, const char* key, size_t count) {
    const json_t* value = member(object, key);
    if (!json_is_array(value) || json_array_size(value) != count) {
        fail(std::string(key) + " is not an array of " + std::to_string(count) + " numbers");
    }
    std::vector<double> list;
    for (size_t i = 0; i < count; i++) list.push_back(number(json_array_get(value, i), key));
    return list;
}

Vec3 vec3(const json_t* object, const char* key) { return get3(numbers(object, key, 3), 0); }

Pose pose(const json_t* object) {
    const std::vector<double> R = numbers(object, "R", 9);
    Pose X{};
    for (unsigned i = 0; i < 9; i++) X.R[i] = R[i];
    X.p = vec3(object, "p");
    return X;
}

JointType joint_type(const json_t* value) {
    const std::string name = json_is_string(value) ? json_string_value(value) : "?";
    if (name == "revolute") return JointType::revolute;
    if (name == "prismatic") return JointType::prismatic;
    if (name == "spherical") return JointType::spherical;
    if (name == "free") return JointType::free;
    fail("unsupported joint type " + name);
}

// How many coordinates of q and of v a joint has.
unsigned joint_nq(JointType type) {
    return type == JointType::free ? 7 : type == JointType::spherical ? 4 : 1;
}
unsigned joint_nv(JointType type) {
    return type == JointType::free ? 6 : type == JointType::spherical ? 3 : 1;
}

// The body number i; its coordinates follow those of the bodies before it.
Body read_body(const json_t* object, int i, const Model& before) {
    Body body{};
    body.type = joint_type(member(object, "type"));
    body.parent = integer(object, "parent");
    if (body.parent < -1 || body.parent >= i) fail("a parent that does not come first");
    if (integer(object, "iq") != static_cast<int>(before.nq) ||
        integer(object, "iv") != static_cast<int>(before.nv)) {
        fail("iq, iv that do not follow the order of the bodies");
    }
    body.iq = before.nq;
    body.iv = before.nv;
    if (!has_quaternion(body)) body.axis = vec3(object, "axis");
    body.placement = pose(member(object, "placement"));
    body.mass = number(member(object, "mass"), "mass");
    body.com = vec3(object, "com");
    const std::vector<double> I = numbers(object, "inertia_com", 6); // xx xy xz yy yz zz
    body.inertia_com = {I[0], I[1], I[2], I[1], I[3], I[4], I[2], I[4], I[5]};
    return body;
}

} // namespace

Model read_model(const std::string& path) {
    const Json root = load(path);
    const json_t* bodies = member(root.get(), "bodies");
    if (!json_is_array(bodies) || json_array_size(bodies) == 0) fail("no bodies");
    Model model{};
    for (size_t i = 0; i < json_array_size(bodies); i++) {
        model.bodies.push_back(read_body(json_array_get(bodies, i), static_cast<int>(i), model));
        model.nq += joint_nq(model.bodies.back().type);
        model.nv += joint_nv(model.bodies.back().type);
    }
    return model;
}

State read_state(const std::string& path, const Model& model) {
    const Json root = load(path);
    State state{};
    state.q = numbers(root.get(), "q", model.nq);
    state.v = numbers(root.get(), "v", model.nv);
    state.tau = numbers(root.get(), "tau", model.nv);
    state.gravity = {0, 0, -9.81};
    if (json_object_get(root.get(), "gravity")) state.gravity = vec3(root.get(), "gravity");
    if (json_array_size(json_object_get(root.get(), "fext")) > 0) {
        fail("external forces (fext) are not supported");
    }
    for (const Body& body : model.bodies) {
        if (!has_quaternion(body)) continue;
        if (!std::isfinite(joint_quat(body, state.q).w)) fail("a quaternion that is zero");
    }
    return state;
}

} // namespace peer
