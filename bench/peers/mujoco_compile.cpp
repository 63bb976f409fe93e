// SPDX-License-Identifier: Apache-2.0
#include "mujoco_compile.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <stdexcept>

namespace peer {

namespace {

void die(const char* message) {
    std::fprintf(stderr, "mujoco: %s\n", message);
    std::_Exit(1);
}

void ignore(const char*) {}

} // namespace

void mujoco_prepare() {
    mju_user_error = die;
    mju_user_warning = ignore;
}

MujocoModel mujoco_compile(const std::string& xml) {
    constexpr const char* name = "model.xml";
    const auto files = std::make_unique<mjVFS>();
    mj_defaultVFS(files.get());
    if (mj_makeEmptyFileVFS(files.get(), name, static_cast<int>(xml.size())) != 0) {
        throw std::runtime_error("mujoco: no memory for the model's text");
    }
    std::memcpy(files->filedata[mj_findFileVFS(files.get(), name)], xml.data(), xml.size());
    char error[500] = "";
    MujocoModel m(mj_loadXML(name, files.get(), error, sizeof error));
    mj_deleteVFS(files.get());
    if (!m) throw std::runtime_error(std::string("mujoco: ") + error);
    return m;
}

MujocoData mujoco_data(const mjModel* m) {
    MujocoData d(mj_makeData(m));
    if (!d) throw std::runtime_error("mujoco: no memory");
    return d;
}

} // namespace peer
