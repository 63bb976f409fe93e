// SPDX-License-Identifier: Apache-2.0
/// Front door of `haptics`: devices, the safety chain, and the ticks of the coupling loop and of the haptic loops.
///
/// Knows poses, wrenches, affine laws and bounded records of geometry, not bodies or worlds: what it needs of a
/// simulation comes through the mailboxes of hand_line.h, and what it has for one goes back the same way. Nothing in a
/// tick allocates, locks, waits or prints. `session` runs the ticks, in threads or in virtual time.
#ifndef SN_HAPTICS_SN_HAPTICS_H
#define SN_HAPTICS_SN_HAPTICS_H

#include "haptics/coupling_loop.h"
#include "haptics/hand_line.h"
#include "haptics/hand_map.h"
#include "haptics/haptic_loop.h"
#include "haptics/meter.h"

#endif
