// SPDX-License-Identifier: Apache-2.0
#include "read.h"

#include "json.h"

namespace peer {

namespace {

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
    const Json root = load_json(path);
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
    const Json root = load_json(path);
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
