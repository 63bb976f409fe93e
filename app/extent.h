// SPDX-License-Identifier: Apache-2.0
/// How far shapes reach, for drawing them.
#ifndef SINEW_APP_EXTENT_H
#define SINEW_APP_EXTENT_H

#include <stdbool.h>

#include "sinew/model.h"

/// Pose of a shape, when its body's is among `poses`.
sn_pose extent_shape_pose(const sn_shape_info* shape, const sn_pose* poses);
/// False for what reaches everywhere or nowhere: planes, meshes that were not read.
bool extent_is_bounded(const sn_shape_info* shape);
/// The point of a bounded shape at X_ws that lies farthest in a direction, world.
sn_vec3 extent_support(const sn_shape_info* shape, sn_pose X_ws, sn_vec3 direction);

#endif
