// SPDX-License-Identifier: Apache-2.0
/// What of a model can touch: shapes by type, surfaces, and pairs of bodies that never do.
#ifndef SINEW_APP_INFO_SHAPES_H
#define SINEW_APP_INFO_SHAPES_H

#include <stdbool.h>
#include <stdio.h>

#include "sinew/model.h"

/// Nothing when the model has none. all: however long the lists are.
void info_shapes_print(const sn_model* model, bool all, FILE* out);

#endif
