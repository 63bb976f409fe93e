// SPDX-License-Identifier: Apache-2.0
/// A haptic loop in virtual time: a simulated device with a hand, a spring that it feels, the safety chain or not.
///
///     haptic_trial trial = haptic_trial_default("touch", "firm");
///     trial.task = HAPTIC_WALL;
///     haptic_result r = haptic_run(&trial);
#ifndef SINEW_TESTS_HAPTIC_LOOP_H
#define SINEW_TESTS_HAPTIC_LOOP_H

#include "sinew/certify.h"
#include "sinew/safety.h"
#include "sinew/simulated_device.h"

typedef enum haptic_task {
    HAPTIC_WALL, ///< the half space x < 0; the hand comes, wants 3 mm deep, stays; without a hand: thrown at it
    HAPTIC_GRIP, ///< held at the origin, turning too if the device can; starts 8 mm and 0.2 rad off
    HAPTIC_TASKS
} haptic_task;

typedef struct haptic_trial {
    sn_device_profile profile;
    sn_hand_model hand;
    haptic_task task;
    sn_gains gains; ///< certified ones by default
    double period;  ///< s
    double jitter;  ///< s, of samples
    double duration;
    bool safety; ///< the chain is between law and device
} haptic_trial;

typedef struct haptic_result {
    double
        produced; ///< J, most that the motors put in beyond the spring's first energy and what viscous friction took
    double cycle,
        turn_cycle;    ///< N, Nm: half of what the commanded force varies by in the last second
    double furthest;   ///< m, from where it belongs, in the last second
    double mean_force; ///< N, along x, in the last second
    double mean_depth; ///< m, below the wall
    sn_safety_report report;
} haptic_result;

haptic_trial haptic_trial_default(const char* profile, const char* hand);
haptic_result haptic_run(const haptic_trial* trial);

#endif
