// SPDX-License-Identifier: Apache-2.0
/// Simulations of scenes that tests write.
///
///     sn_simulation* sim = running("version: 1\nfloor: true\n");
///     running_step(sim, 100);
///     running_command(sim, "gravity: [0, 0, -1]");
///     sn_simulation_free(sim);
#ifndef SINEW_TESTS_RUNNING_H
#define SINEW_TESTS_RUNNING_H

#include "sinew/plugin.h"
#include "sinew/simulation.h"
#include "support/check.h"

/// What a log was told, all of it.
typedef struct running_log {
    int count;
    char text[8192];
} running_log;

sn_log running_log_into(running_log* log);

/// A simulation of a scene file's text; the test fails when it cannot be. def NULL: defaults.
sn_simulation* running(const char* scene);
sn_simulation* running_with(const char* scene, const sn_simulation_def* def);
/// The same, with what went wrong; SN_OK leaves no simulation behind.
sn_status running_try(const char* scene, const sn_simulation_def* def, sn_error* error);

/// Every step succeeds.
void running_step(sn_simulation* sim, int steps);
/// A command that succeeds, or fails with words that contain `why`.
void running_command(sn_simulation* sim, const char* text);
void running_refuse(sn_simulation* sim, const char* text, sn_status status, const char* why);

/// Item by name, which is there.
sn_item_id running_item(const sn_simulation* sim, const char* name);
/// First body of an item, in the world's model.
sn_body_info running_body(sn_simulation* sim, const char* item);
/// Numbers of an item in the world's q and v.
const double* running_q(sn_simulation* sim, const char* item);
const double* running_v(sn_simulation* sim, const char* item);
/// Numbers of a sensor, which is there.
const double* running_sensor(const sn_simulation* sim, const char* name);
/// Pose of a body of the whole by its name.
sn_pose running_pose(sn_simulation* sim, const char* body);

/// Prints both when the text does not contain the words.
void running_says(const char* text, const char* words);

#endif
