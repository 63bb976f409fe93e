// SPDX-License-Identifier: Apache-2.0
/// Experiments of the papers, done again: each is a function that measures, prints what it found
/// beside what the paper claims, and returns an exit status: 1 when the claim did not show.
#ifndef SINEW_APP_REPRODUCE_H
#define SINEW_APP_REPRODUCE_H

#include <stdbool.h>

typedef struct reproduce_options {
    const char* plot; ///< SVG file to write, or NULL
    bool json;
} reproduce_options;

int reproduce_keith_joints(const reproduce_options* options);

#endif
