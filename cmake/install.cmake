# SPDX-License-Identifier: Apache-2.0
# What `make install` puts where: headers, libraries, program, models, scenes, documents, examples of plugins and of a
# driver, and the files by which pkg-config and CMake find the libraries again:
#   pkg-config     CMake            what
#   sinew          sinew::sinew     the core
#   sinew-load     sinew::load      models from files
#   sinew-molecule sinew::molecule  proteins
#   sinew-scene    sinew::scene     scene files
#   sinew-record   sinew::record    recordings
#   sinew-run      sinew::run       scenes that run: all of the above
#   sinew-device   sinew::device    drivers of haptic devices
#   sinew-session  sinew::session   hands in scenes that run: all of the above
#   sinew-server   sinew::server    the viewer: all of the above, and a page in the browser
#   sinew-shared   sinew::shared    everything as one shared library: for programs that load plugins
include(CMakePackageConfigHelpers)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/sinew)
set(data_dir ${CMAKE_INSTALL_DATADIR}/sinew)

install(TARGETS sinew sinew_load sinew_molecule sinew_scene sinew_record sinew_run sinew_device sinew_session
        sinew_server sinew_shared EXPORT sinewTargets)
install(TARGETS sinew_app)
install(DIRECTORY include/sinew TYPE INCLUDE FILES_MATCHING PATTERN "*.h")
install(DIRECTORY models scenes DESTINATION ${data_dir} OPTIONAL)
install(DIRECTORY examples/plugins examples/driver DESTINATION ${CMAKE_INSTALL_DOCDIR}/examples
        FILES_MATCHING PATTERN "*.c")
install(FILES LICENSE README.md CHANGELOG.md TYPE DOC OPTIONAL)

# The package files find the prefix from their own place, so an installed tree may be moved.
file(RELATIVE_PATH SN_PREFIX_FROM_PC /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
foreach(name sinew sinew-load sinew-molecule sinew-scene sinew-record sinew-run sinew-device sinew-session sinew-server
        sinew-shared)
    configure_file(cmake/${name}.pc.in ${name}.pc @ONLY)
    install(FILES ${PROJECT_BINARY_DIR}/${name}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endforeach()

install(EXPORT sinewTargets NAMESPACE sinew:: DESTINATION ${package_dir})
write_basic_package_version_file(sinewConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES cmake/sinewConfig.cmake ${PROJECT_BINARY_DIR}/sinewConfigVersion.cmake
        DESTINATION ${package_dir})
