// SPDX-License-Identifier: Apache-2.0
// A model as text that MuJoCo compiles.
#pragma once

#include "peer.h"

namespace peer {

// What body i is called there.
std::string mujoco_name(size_t i);

// What a scene adds to the bodies, as MJCF.
struct MujocoExtras {
    std::string before;            // beside the bodies: options, sizes, defaults
    std::string world;             // fixed to the world
    std::vector<std::string> body; // in each body
};

// MJCF of a model and more; bodies nest in it at most as deep as the XML reader under MuJoCo can.
std::string mujoco_mjcf(const Model& model, const MujocoExtras& extras);

// ` key="1 2 3"`; a rotation as a quaternion.
std::string mujoco_attribute(const char* key, double x);
std::string mujoco_attribute(const char* key, const Vec3& x);
std::string mujoco_attribute(const char* key, const Mat3& R);

// MJCF, whose elements nest as the bodies do; or URDF, which is flat, for trees deeper than the XML
// reader under MuJoCo can nest.
std::string mujoco_xml(const Model& model);

} // namespace peer
