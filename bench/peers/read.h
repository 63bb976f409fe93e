// SPDX-License-Identifier: Apache-2.0
// Reads Sinew's JSON models and states. What does not fit is thrown as std::runtime_error.
#pragma once

#include "peer.h"

namespace peer {

Model read_model(const std::string& path);

// Checks the sizes against the model. Without gravity in the file it is (0, 0, -9.81).
State read_state(const std::string& path, const Model& model);

} // namespace peer
