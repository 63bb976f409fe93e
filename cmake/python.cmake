# SPDX-License-Identifier: Apache-2.0
# sinew_find_python(VARIABLE MODULES): a Python that can import the modules ("numpy, pytest"), or "". The one on the
# path may be somebody's own without them, while the system's has them.
find_package(Python3 COMPONENTS Interpreter)

function(sinew_find_python variable modules)
    set(${variable} "" PARENT_SCOPE)
    foreach(candidate ${Python3_EXECUTABLE} /usr/bin/python3)
        execute_process(COMMAND ${candidate} -c "import ${modules}"
            RESULT_VARIABLE lacks OUTPUT_QUIET ERROR_QUIET)
        if("${lacks}" STREQUAL "0")
            set(${variable} ${candidate} PARENT_SCOPE)
            return()
        endif()
    endforeach()
endfunction()
