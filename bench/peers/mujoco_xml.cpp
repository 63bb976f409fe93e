// SPDX-License-Identifier: Apache-2.0
#include "mujoco_xml.h"

#include <algorithm>
#include <cstdio>
#include <stdexcept>

namespace peer {

namespace {

// TinyXML-2 refuses elements nested deeper than 100; a body's joint is two inside its parent.
constexpr int deepest_mjcf = 90;

// ` key="1 2 3"`
template <typename List>
std::string attribute(const char* key, const List& list) {
    std::string text = std::string(" ") + key + "=\"";
    const char* separator = "";
    for (const double x : list) {
        char digits[40];
        std::snprintf(digits, sizeof digits, "%s%.17g", separator, x);
        text += digits;
        separator = " ";
    }
    return text + "\"";
}

std::string attribute(const char* key, double x) {
    return attribute(key, std::array<double, 1>{x});
}

std::string attribute(const char* key, const Mat3& R) {
    const Quat a = quaternion(R);
    return attribute(key, std::array<double, 4>{a.w, a.x, a.y, a.z});
}

int depth(const Model& model) {
    std::vector<int> depths;
    int deepest = 0;
    for (const Body& body : model.bodies) {
        const int parent = body.parent < 0 ? 0 : depths[static_cast<size_t>(body.parent)];
        depths.push_back(parent + 1);
        deepest = std::max(deepest, parent + 1);
    }
    return deepest;
}

// ---- MJCF

std::string mjcf_joint(const Body& body) {
    switch (body.type) {
    case JointType::revolute: return "<joint type=\"hinge\"" + attribute("axis", body.axis) + "/>";
    case JointType::prismatic: return "<joint type=\"slide\"" + attribute("axis", body.axis) + "/>";
    case JointType::spherical: return "<joint type=\"ball\"/>";
    case JointType::free: break;
    }
    if (body.parent < 0) return "<freejoint/>";
    return "<joint type=\"slide\" axis=\"1 0 0\"/><joint type=\"slide\" axis=\"0 1 0\"/>"
           "<joint type=\"slide\" axis=\"0 0 1\"/><joint type=\"ball\"/>";
}

// The principal axes are ours: MuJoCo's own are good to 1e-7 only.
std::string mjcf_inertial(const Body& body) {
    const Principal principal = principal_axes(body.inertia_com);
    return "<inertial" + attribute("mass", body.mass) + attribute("pos", body.com) +
           attribute("quat", principal.R) + attribute("diaginertia", principal.moments) + "/>";
}

void mjcf_body(const Model& model, const MujocoExtras& extras,
               const std::vector<std::vector<size_t>>& children, size_t i, std::string& text) {
    const Body& body = model.bodies[i];
    text += "<body name=\"" + mujoco_name(i) + "\"" + attribute("pos", body.placement.p) +
            attribute("quat", body.placement.R) + ">" + mjcf_joint(body) + mjcf_inertial(body);
    if (i < extras.body.size()) text += extras.body[i];
    text += "\n";
    for (const size_t child : children[i]) mjcf_body(model, extras, children, child, text);
    text += "</body>\n";
}

std::string mjcf(const Model& model, const MujocoExtras& extras) {
    std::vector<std::vector<size_t>> children(model.bodies.size());
    std::vector<size_t> roots;
    for (size_t i = 0; i < model.bodies.size(); i++) {
        const int parent = model.bodies[i].parent;
        (parent < 0 ? roots : children[static_cast<size_t>(parent)]).push_back(i);
    }
    std::string text =
        "<mujoco>\n<compiler angle=\"radian\"/>\n" + extras.before + "<worldbody>\n" + extras.world;
    for (const size_t root : roots) mjcf_body(model, extras, children, root, text);
    return text + "</worldbody>\n</mujoco>\n";
}

// ---- URDF

// R = Rz(yaw) Ry(pitch) Rx(roll). The yaw is that of R Rx(roll)', which also holds where the pitch is
// a right angle and any roll will do.
std::string urdf_origin(const Mat3& R, const Vec3& p) {
    const double roll = std::atan2(R[7], R[8]);
    const double pitch = std::atan2(-R[6], std::hypot(R[7], R[8]));
    const double s = std::sin(roll), c = std::cos(roll);
    const double yaw = std::atan2(s * R[2] - c * R[1], c * R[4] - s * R[5]);
    return "<origin" + attribute("xyz", p) + attribute("rpy", Vec3{roll, pitch, yaw}) + "/>";
}

std::string urdf_link(const Body& body, size_t i) {
    const Principal principal = principal_axes(body.inertia_com);
    return "<link name=\"" + mujoco_name(i) + "\"><inertial>" + urdf_origin(principal.R, body.com) +
           "<mass" + attribute("value", body.mass) + "/><inertia" +
           attribute("ixx", principal.moments[0]) + attribute("iyy", principal.moments[1]) +
           attribute("izz", principal.moments[2]) +
           " ixy=\"0\" ixz=\"0\" iyz=\"0\"/></inertial></link>\n";
}

std::string urdf_joint(const Body& body, size_t i) {
    const char* type = body.type == JointType::revolute ? "continuous" : "prismatic";
    const std::string parent =
        body.parent < 0 ? "world" : mujoco_name(static_cast<size_t>(body.parent));
    return "<joint name=\"j" + std::to_string(i) + "\" type=\"" + type + "\">" +
           urdf_origin(body.placement.R, body.placement.p) + "<parent link=\"" + parent +
           "\"/><child link=\"" + mujoco_name(i) + "\"/><axis" + attribute("xyz", body.axis) +
           "/></joint>\n";
}

std::string urdf(const Model& model) {
    std::string text = "<robot name=\"model\">\n<link name=\"world\"/>\n";
    for (size_t i = 0; i < model.bodies.size(); i++) {
        const Body& body = model.bodies[i];
        if (has_quaternion(body)) {
            throw std::runtime_error("unsupported spherical or free joint in a tree of more than " +
                                     std::to_string(deepest_mjcf) +
                                     " bodies from root to leaf (mujoco)");
        }
        text += urdf_link(body, i) + urdf_joint(body, i);
    }
    return text + "</robot>\n";
}

} // namespace

std::string mujoco_name(size_t i) { return "b" + std::to_string(i); }

std::string mujoco_attribute(const char* key, double x) { return attribute(key, x); }
std::string mujoco_attribute(const char* key, const Vec3& x) { return attribute(key, x); }
std::string mujoco_attribute(const char* key, const Mat3& R) { return attribute(key, R); }

std::string mujoco_mjcf(const Model& model, const MujocoExtras& extras) {
    if (depth(model) > deepest_mjcf) throw std::runtime_error("too deep for MJCF (mujoco)");
    return mjcf(model, extras);
}

std::string mujoco_xml(const Model& model) {
    return depth(model) <= deepest_mjcf ? mjcf(model, {}) : urdf(model);
}

} // namespace peer
