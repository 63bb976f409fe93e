// SPDX-License-Identifier: Apache-2.0
/// Front door of `collision`: which shapes touch, and where (sinew/collision.h).
///
/// A step goes from boxes (broad.h) to near pairs, from those to points (solid.h, one function a pair of
/// shape types), from points to contacts with ids (collide.c). Called by `sim` and the public functions;
/// never allocates after creation but where switches of pairs grow (filter.h), never knows dynamics.
#ifndef SN_COLLISION_SN_COLLISION_H
#define SN_COLLISION_SN_COLLISION_H

#include "collision/collider.h"
#include "collision/piece.h"

#endif
