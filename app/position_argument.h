// SPDX-License-Identifier: Apache-2.0
/// Words of --q0: JOINT=VALUE,... in radians or metres, or degrees as 30deg; a spherical joint takes a
/// rotation vector, a free joint a position, or a position and a rotation vector.
#ifndef SINEW_APP_POSITION_ARGUMENT_H
#define SINEW_APP_POSITION_ARGUMENT_H

#include "options.h"
#include "sinew/model.h"

/// Puts all words into q; false, with the reason said, when one does not fit the model.
bool position_arguments_set(const sn_model* model, const text_list* words, double* q);

#endif
