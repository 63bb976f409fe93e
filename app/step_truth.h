// SPDX-License-Identifier: Apache-2.0
/// What must happen in a scene with contact, and how far a track is from it. Each fills `facts`; how many.
/// Facts that the track does not reach are NAN.
#ifndef SINEW_APP_STEP_TRUTH_H
#define SINEW_APP_STEP_TRUTH_H

#include "step_track.h"

/// The first root stays where it was after settling: how far it went, along the plane of an incline.
int step_judge_creep(const step_scene* scene, const step_track* track, step_fact* facts);
/// The first root gains speed down the incline at scene->truth, m/s^2.
int step_judge_acceleration(const step_scene* scene, const step_track* track, step_fact* facts);
/// The first root, a ball over z = 0 of radius scene->truth, comes back to e^2 of its height.
int step_judge_bounce(const step_scene* scene, const step_track* track, step_fact* facts);
/// The last root, on top of the others, stays where it is.
int step_judge_tower(const step_scene* scene, const step_track* track, step_fact* facts);
/// After settling energy never rises, and nobody moves.
int step_judge_pile(const step_scene* scene, const step_track* track, step_fact* facts);
/// Momentum is kept, energy not gained.
int step_judge_collision(const step_scene* scene, const step_track* track, step_fact* facts);
/// The first root comes to rest after scene->truth metres.
int step_judge_distance(const step_scene* scene, const step_track* track, step_fact* facts);
/// No root drifts from where it was after settling.
int step_judge_standing(const step_scene* scene, const step_track* track, step_fact* facts);

#endif
