// SPDX-License-Identifier: Apache-2.0
// A model as text that MuJoCo compiles.
#pragma once

#include "peer.h"

namespace peer {

// What body i is called there.
std::string mujoco_name(size_t i);

// MJCF, whose elements nest as the bodies do; or URDF, which is flat, for trees deeper than the XML
// reader under MuJoCo can nest.
std::string mujoco_xml(const Model& model);

} // namespace peer
