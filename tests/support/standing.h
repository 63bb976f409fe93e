// SPDX-License-Identifier: Apache-2.0
/// Humanoids that stand and balance, and are pushed.
#ifndef SINEW_TESTS_STANDING_H
#define SINEW_TESTS_STANDING_H

#include "support/running.h"

/// A humanoid "robot" with bent knees on a floor of mu 0.8; `more` is added to the scene file.
sn_simulation* standing(const char* model, const char* more);
/// The same, with options of balance.
sn_simulation* standing_with(const char* model, const char* balance, const char* more);
/// A force at the chest for 0.2 s, then none; direction in rad from the front to the left.
void standing_push(sn_simulation* sim, double force, double direction);
/// Middle of the soles of the robot, world.
sn_vec3 standing_middle(sn_simulation* sim);
/// The centre of mass is within a few centimetres of where it was at first, and its soles are on the floor.
bool standing_is_up(sn_simulation* sim);

#endif
