// SPDX-License-Identifier: Apache-2.0
/// Scripts of hands from files.
#ifndef SINEW_APP_HAND_SCRIPT_ARGUMENT_H
#define SINEW_APP_HAND_SCRIPT_ARGUMENT_H

#include "sinew/simulated_device.h"

/// From a file, "-" is standard input; NULL, with the reason said.
sn_hand_script* hand_script_read(const char* path);

#endif
