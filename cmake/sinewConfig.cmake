# SPDX-License-Identifier: Apache-2.0
# find_package(sinew) gives sinew::sinew (the core), sinew::load (models from files), sinew::scene (scene files),
# sinew::molecule (proteins), sinew::record (recordings), sinew::run (scenes that run), sinew::device (drivers of haptic
# devices), sinew::session (hands in scenes that run), sinew::server (the viewer), and all of them as one shared library,
# sinew::shared.
include(CMakeFindDependencyMacro)
find_dependency(Threads)
find_dependency(PkgConfig)
pkg_check_modules(libxml2 REQUIRED IMPORTED_TARGET libxml-2.0)
pkg_check_modules(jansson REQUIRED IMPORTED_TARGET jansson)
pkg_check_modules(qhull REQUIRED IMPORTED_TARGET qhull_r)
pkg_check_modules(assimp REQUIRED IMPORTED_TARGET assimp)
pkg_check_modules(yaml REQUIRED IMPORTED_TARGET yaml-0.1)
include(${CMAKE_CURRENT_LIST_DIR}/sinewTargets.cmake)
