// SPDX-License-Identifier: Apache-2.0
/// sinew zwidth: what stiffness and damping a device can render, tried on the simulated one.
#ifndef SINEW_APP_ZWIDTH_H
#define SINEW_APP_ZWIDTH_H

#include <stdbool.h>
#include <stdio.h>

#include "sinew/certify.h"
#include "sinew/simulated_device.h"

typedef enum zwidth_task {
    ZWIDTH_WALL, ///< the half space x < 0: the hand comes and presses; without one the handle is thrown at it
    ZWIDTH_GRIP, ///< a spring to the middle, released 8 mm off
} zwidth_task;

typedef struct zwidth_trial {
    sn_device_profile profile; ///< with all the delay there is
    sn_hand_model hand;
    zwidth_task task;
    double period; ///< s
    double stiffness, damping;
} zwidth_trial;

typedef struct zwidth_result {
    double cycle; ///< N: half of what the force varies by in the last second
    double
        produced; ///< J, most that the motors put in beyond what the spring had and viscous friction took
    bool swings; ///< the cycle can be felt
    bool active; ///< energy was produced
} zwidth_result;

extern const double ZWIDTH_FELT; ///< N, a cycle of less is not felt

/// One cell. False: the device could not be made, with the reason said.
bool zwidth_try(const zwidth_trial* trial, zwidth_result* result);

enum { ZWIDTH_COLUMNS = 24, ZWIDTH_ROWS = 16 };

typedef struct zwidth_map {
    const char* device;
    const char* hand;
    zwidth_task task;
    double period, delay; ///< s; the latter beyond what the profile has
    double friction;      ///< N s/m, of the device
    double slowness;      ///< s: half a period and all delay
    double encoder;       ///< N/m, bound of stiffness; INFINITY: none
    sn_gains certified;
    zwidth_result at_certified;
    double stiffness[ZWIDTH_COLUMNS], damping[ZWIDTH_ROWS]; ///< middles of cells
    double stiffness_high, damping_high;                    ///< where the map ends
    zwidth_result cell[ZWIDTH_ROWS][ZWIDTH_COLUMNS];
} zwidth_map;

/// Write errors stay on the stream for its owner to find.
void zwidth_draw(const zwidth_map* map, FILE* out);

#endif
