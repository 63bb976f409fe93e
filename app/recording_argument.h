// SPDX-License-Identifier: Apache-2.0
/// The recording that a command is about.
#ifndef SINEW_APP_RECORDING_ARGUMENT_H
#define SINEW_APP_RECORDING_ARGUMENT_H

#include <stdbool.h>

#include "sinew/record.h"

/// Opens it, and says what is wrong with it; NULL, with the reason said, when it cannot be read.
sn_recording* recording_argument(const char* path);
/// Time when its world had done so many steps.
double recording_time(const sn_recording_info* info, uint64_t step);
/// What its numbers are in.
const sn_units* recording_units(const sn_recording* recording);

#endif
