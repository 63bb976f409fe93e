# SPDX-License-Identifier: Apache-2.0
# What `make install` puts where: headers, libraries, program, models, scenes, documents, and the files by
# which pkg-config (sinew, sinew-load) and CMake (sinew::sinew, sinew::load) find them again.
include(CMakePackageConfigHelpers)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/sinew)
set(data_dir ${CMAKE_INSTALL_DATADIR}/sinew)

install(TARGETS sinew sinew_load sinew_record EXPORT sinewTargets)
install(TARGETS sinew_app)
install(DIRECTORY include/sinew TYPE INCLUDE FILES_MATCHING PATTERN "*.h")
install(DIRECTORY models scenes DESTINATION ${data_dir} OPTIONAL)
install(FILES LICENSE README.md CHANGELOG.md TYPE DOC OPTIONAL)

# The package files find the prefix from their own place, so an installed tree may be moved.
file(RELATIVE_PATH SN_PREFIX_FROM_PC /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
foreach(name sinew sinew-load)
    configure_file(cmake/${name}.pc.in ${name}.pc @ONLY)
    install(FILES ${PROJECT_BINARY_DIR}/${name}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endforeach()

install(EXPORT sinewTargets NAMESPACE sinew:: DESTINATION ${package_dir})
write_basic_package_version_file(sinewConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES cmake/sinewConfig.cmake ${PROJECT_BINARY_DIR}/sinewConfigVersion.cmake
        DESTINATION ${package_dir})
