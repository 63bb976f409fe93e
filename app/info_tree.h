// SPDX-License-Identifier: Apache-2.0
/// The kinematic tree as text: unbranched runs of bodies on one line, branches indented.
#ifndef SINEW_APP_INFO_TREE_H
#define SINEW_APP_INFO_TREE_H

#include <stdbool.h>
#include <stdio.h>

#include "sinew/model.h"

/// Box-drawing characters where the locale has them, ASCII otherwise. `all`: nothing is left out.
void info_tree_print(const sn_model* model, bool all, FILE* out);

#endif
