// SPDX-License-Identifier: Apache-2.0
// MuJoCo's model and data, out of text.
#pragma once

#include <memory>
#include <string>

#include <mujoco/mujoco.h>

namespace peer {

struct MujocoDeleter {
    void operator()(mjModel* m) const { mj_deleteModel(m); }
    void operator()(mjData* d) const { mj_deleteData(d); }
};
using MujocoModel = std::unique_ptr<mjModel, MujocoDeleter>;
using MujocoData = std::unique_ptr<mjData, MujocoDeleter>;

// Call it first. Errors inside MuJoCo end the program: they happen in C code, where no exception can
// pass, and may not return; the reader sees the end of the answers. Warnings, which by default go to a
// log file, are ignored.
void mujoco_prepare();

// Throws std::runtime_error with MuJoCo's reason.
MujocoModel mujoco_compile(const std::string& xml);
MujocoData mujoco_data(const mjModel* m);

} // namespace peer
