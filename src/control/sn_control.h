// SPDX-License-Identifier: Apache-2.0
/// Front door of `control`: what motors, sensors and controllers do, one file each, as functions of numbers
/// (sinew/control.h).
///
/// Called by `run`, which knows where the numbers of a scene's items are, and by `scene`, which checks what files
/// say. Nothing here knows a world, allocates inside a step, or reads a file.
#ifndef SN_CONTROL_SN_CONTROL_H
#define SN_CONTROL_SN_CONTROL_H

#include "sinew/control.h"

#endif
