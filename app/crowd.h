// SPDX-License-Identifier: Apache-2.0
/// People standing in a grid, for `sinew reproduce redon-crowd`. [RGL05] has 200 humans with 17,800
/// bodies and 19,000 degrees of freedom; ours have 89 bodies and 95 degrees of freedom each, as theirs
/// on average: a floating pelvis, 24 vertebrae, head and jaw, shoulders, elbows and wrists, hands with
/// five fingers of three joints, hips, knees, ankles, midfeet and toes. All joints are hinges but that
/// of the head, which has two axes.
///
/// Masses and lengths of limbs follow the man of tools/anthropometry.csv [dL96], rounded; how a limb is
/// divided is our estimate. Joints are damped. There is no floor yet: a drag on the pelvis stands in for
/// its friction, and gravity has to be off.
#ifndef SINEW_APP_CROWD_H
#define SINEW_APP_CROWD_H

#include "sinew/model.h"

enum { CROWD_BODIES = 89, CROWD_DOF = 95 }; ///< of one human

/// Bodies of one human that are pushed.
typedef enum crowd_part { CROWD_PELVIS, CROWD_CHEST, CROWD_HEAD, CROWD_PART_COUNT } crowd_part;

/// rows by columns people, `spacing` metres apart, in rows along x, centred on y = 0, from x = 0 on.
/// NULL, error says why, when there is not enough memory.
sn_model* crowd_create(int rows, int columns, double spacing, sn_error* error);
/// Where a human stands: on the floor, world.
sn_vec3 crowd_place(int rows, int columns, double spacing, int which);
/// A body of a human of a crowd.
sn_body_id crowd_body(const sn_model* crowd, int which, crowd_part member);

#endif
