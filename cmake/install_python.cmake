# SPDX-License-Identifier: Apache-2.0
# Installs the Python module where a Python of this prefix looks for it, with a file that tells it where the library, the
# models and the scenes are, seen from there: an installed tree may be moved. Say -DSN_PYTHON_DIR=... for another place.
sinew_find_python(install_python "numpy")
if(NOT install_python)
    sinew_find_python(install_python "sys")
endif()

# Debian's Python looks in /usr/lib/python3/dist-packages and /usr/local/lib/python3.x/dist-packages, others in
# lib/python3.x/site-packages of their prefix.
set(python_dir lib/python3/site-packages)
if(install_python)
    execute_process(COMMAND ${install_python} -c "import sys; print('python%d.%d' % sys.version_info[:2])"
        OUTPUT_VARIABLE python_version OUTPUT_STRIP_TRAILING_WHITESPACE)
    set(python_dir lib/${python_version}/site-packages)
    if(EXISTS /etc/debian_version AND CMAKE_INSTALL_PREFIX STREQUAL "/usr")
        set(python_dir lib/python3/dist-packages)
    elseif(EXISTS /etc/debian_version AND CMAKE_INSTALL_PREFIX STREQUAL "/usr/local")
        set(python_dir lib/${python_version}/dist-packages)
    endif()
endif()
set(SN_PYTHON_DIR "" CACHE STRING "Where the Python module is installed; empty: where Python looks")
if(SN_PYTHON_DIR)
    set(python_dir ${SN_PYTHON_DIR})
endif()

cmake_path(ABSOLUTE_PATH python_dir BASE_DIRECTORY ${CMAKE_INSTALL_PREFIX} OUTPUT_VARIABLE python_full)
file(RELATIVE_PATH library_from_python ${python_full}/sinew ${CMAKE_INSTALL_FULL_LIBDIR})
file(RELATIVE_PATH data_from_python ${python_full}/sinew ${CMAKE_INSTALL_FULL_DATADIR}/sinew)
string(REGEX REPLACE "/$" "" library_from_python "${library_from_python}")
file(GENERATE OUTPUT ${PROJECT_BINARY_DIR}/_location.py CONTENT
"# Written by the installation: where things are, seen from this file.
LIBRARY = \"${library_from_python}/$<TARGET_SONAME_FILE_NAME:sinew_shared>\"
DATA = \"${data_from_python}\"
")
install(DIRECTORY python/sinew DESTINATION ${python_dir}
        FILES_MATCHING PATTERN "*.py" PATTERN "py.typed" PATTERN "__pycache__" EXCLUDE)
install(FILES ${PROJECT_BINARY_DIR}/_location.py DESTINATION ${python_dir}/sinew)
install(DIRECTORY examples/python DESTINATION ${CMAKE_INSTALL_DOCDIR}/examples FILES_MATCHING PATTERN "*.py")
