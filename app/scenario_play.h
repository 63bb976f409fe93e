// SPDX-License-Identifier: Apache-2.0
/// Scenes that are played from beginning to end, by themselves or with a simulated hand that follows the script beside the
/// scene (NAME_hand.txt), and numbers of sensors over that time.
#ifndef SINEW_APP_SCENARIO_PLAY_H
#define SINEW_APP_SCENARIO_PLAY_H

#include "scenario.h"
#include "sinew/session.h"

/// A number of a sensor over time.
typedef struct scenario_trace {
    const char* sensor;
    int number;
    double *t, *value; ///< of the result
    int count;
} scenario_trace;

/// Looked at with each sample of a played scene; hand NULL: it has none.
typedef struct scenario_watch {
    void (*see)(void* context, sn_simulation* sim, const sn_hand_report* hand);
    void* context;
} scenario_watch;

/// How a scene is played.
typedef struct scenario_part {
    const char* name;
    bool by_hand;        ///< its first hand follows its script, on an omega3 held firmly
    const char* command; ///< an edit before it begins, NULL: none
    scenario_watch watch;
} scenario_part;

/// As long as the scene says; false, with the reason said, when it cannot be.
bool scenario_play(scenario_result* result, const scenario_part* part, scenario_trace* traces,
                   int count);

double scenario_lowest(const scenario_trace* a);
double scenario_highest(const scenario_trace* a);
/// From a time on: highest less lowest.
double scenario_range(const scenario_trace* a, double from);
double scenario_value_at(const scenario_trace* a, double time);

#endif
