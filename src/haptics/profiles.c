// SPDX-License-Identifier: Apache-2.0
// Devices that can be simulated. docs/simulated_device.md says where each number is from, and which are assumptions.
//
// Viscous friction is not measured for any of them. It is taken so that the device loses passivity exactly where it
// is rated: with sampling period T and delay t of amplifier and bus a spring K takes b = K (T/2 + t) to stay passive
// [CS97], so b = stiffness (T/2 + lag + latency) at T = 1 ms.
#include <string.h>

#include "sinew/device.h"

enum { NO_BUTTON, ENABLE };

// clang-format off
// name, degrees of freedom in and out, buttons, gripper, enable button, | workspace m, peak N, continuous N, peak Nm,
// continuous Nm, thermal time s, | stiffness N/m, damping N s/m, turn stiffness Nm/rad, | dry friction N, mass kg,
// inertia kg m^2, | resolution m, turn resolution rad, | lag s, latency s, | speed limit m/s
#define PROFILES(X)                                                                                                    \
    X("touch",          6, 3, 2, 0, ENABLE,    .075,   3.3, .88,  0,    0,    20, 400,  4,  0,   .26, .045, 2e-5, 55e-6,   1e-3,   3e-4, 2e-4, 2) \
    X("omni",           6, 3, 2, 0, ENABLE,    .10,    3.3, .88,  0,    0,    20, 700,  5,  0,   .26, .045, 2e-5, 55e-6,   1e-3,   3e-4, 2e-4, 2) \
    X("touch_x",        6, 3, 2, 0, ENABLE,    .10,    7.9, 1.75, 0,    0,    20, 1000, 5,  0,   .06, .045, 2e-5, 23e-6,   1e-3,   3e-4, 2e-4, 2) \
    X("desktop",        6, 3, 1, 0, NO_BUTTON, .10,    7.9, 1.75, 0,    0,    20, 1000, 5,  0,   .06, .045, 2e-5, 23e-6,   1e-3,   3e-4, 2e-4, 2) \
    X("premium15_6dof", 6, 6, 1, 0, NO_BUTTON, .12,    8.5, 1.4,  .515, .188, 20, 800,  5,  .3,  .04, .075, 1e-4, 30e-6,   2e-4,   3e-4, 2e-4, 2) \
    X("premium30_6dof", 6, 6, 1, 0, NO_BUTTON, .25,    22,  3,    .515, .188, 20, 1000, 5,  .3,  .2,  .159, 1e-4, 20e-6,   2e-4,   3e-4, 2e-4, 3) \
    X("falcon",         3, 3, 4, 0, ENABLE,    .04,    8,   2.7,  0,    0,    20, 3000, 20, 0,   .5,  .10,  0,    63.5e-6, 0,      1e-4, 4e-4, 2) \
    X("omega3",         3, 3, 1, 0, NO_BUTTON, .075,   12,  12,   0,    0,    0,  5000, 30, 0,   .1,  .22,  0,    9e-6,    0,      1e-4, 1e-4, 2) \
    X("omega6",         6, 3, 1, 0, NO_BUTTON, .075,   12,  12,   0,    0,    0,  5000, 30, 0,   .1,  .25,  5e-5, 9e-6,    1.6e-3, 1e-4, 1e-4, 2) \
    X("omega7",         6, 3, 1, 1, NO_BUTTON, .075,   12,  12,   0,    0,    0,  5000, 30, 0,   .1,  .28,  5e-5, 9e-6,    1.6e-3, 1e-4, 1e-4, 2) \
    X("delta3",         3, 3, 1, 0, NO_BUTTON, .15,    20,  20,   0,    0,    0,  5000, 30, 0,   .2,  .40,  0,    20e-6,   0,      1e-4, 1e-4, 3) \
    X("sigma7",         6, 6, 1, 1, NO_BUTTON, .075,   12,  12,   .2,   .2,   0,  4000, 30, 1.0, .1,  .30,  2e-4, 1.5e-6,  2.3e-4, 1e-4, 1e-4, 2) \
    X("lambda7",        6, 6, 1, 1, NO_BUTTON, .1125,  12,  12,   .2,   .2,   0,  8000, 30, 1.0, .1,  .35,  2e-4, 1.5e-6,  2.3e-4, 1e-4, 1e-4, 2)
// clang-format on

static const double HALF_PERIOD = 0.5e-3;    // s, T/2 at which stiffness is rated
static const double PASSIVE_WRIST = 1e-4;    // Nm s/rad, of a gimbal without motors
static const double TURN_SPEED_LIMIT = 30.0; // rad/s

typedef struct row {
    const char* name;
    int inputs, outputs, buttons, gripper, enable;
    double workspace, peak_force, continuous_force, peak_torque, continuous_torque, thermal_time;
    double stiffness, damping, turn_stiffness, friction_dry, mass, inertia;
    double resolution, turn_resolution, lag, latency, speed_limit;
} row;

#define ROW(...) {__VA_ARGS__},
static const row rows[] = {PROFILES(ROW)};
#undef ROW
enum { ROWS = sizeof rows / sizeof rows[0] };

bool sn_device_profile_at(int i, sn_device_profile* profile) {
    if (i < 0 || i >= ROWS) return false;
    const row* r = &rows[i];
    double slowness = HALF_PERIOD + r->lag + r->latency;
    double wrist = r->inputs == 6 ? PASSIVE_WRIST : 0;
    *profile = (sn_device_profile){
        .inputs = r->inputs,
        .outputs = r->outputs,
        .buttons = r->buttons,
        .gripper = r->gripper != 0,
        .enable_button = r->enable == ENABLE,
        .workspace = r->workspace,
        .peak_force = r->peak_force,
        .continuous_force = r->continuous_force,
        .peak_torque = r->peak_torque,
        .continuous_torque = r->continuous_torque,
        .thermal_time = r->thermal_time,
        .stiffness = r->stiffness,
        .damping = r->damping,
        .turn_stiffness = r->turn_stiffness,
        .turn_damping = r->turn_stiffness * r->damping / r->stiffness,
        .friction_viscous = r->stiffness * slowness,
        .friction_dry = r->friction_dry,
        .turn_viscous = r->outputs == 6 ? r->turn_stiffness * slowness : wrist,
        .mass = r->mass,
        .inertia = r->inertia,
        .resolution = r->resolution,
        .turn_resolution = r->turn_resolution,
        .lag = r->lag,
        .latency = r->latency,
        .speed_limit = r->speed_limit,
        .turn_speed_limit = r->inputs == 6 ? TURN_SPEED_LIMIT : 0,
    };
    strncpy(profile->name, r->name, sizeof profile->name - 1);
    return true;
}

bool sn_device_profile_find(const char* name, sn_device_profile* profile) {
    sn_device_profile found;
    for (int i = 0; sn_device_profile_at(i, &found); i++) {
        if (strcmp(found.name, name) != 0) continue;
        *profile = found;
        return true;
    }
    return false;
}
