// SPDX-License-Identifier: Apache-2.0
/// Scenarios with avatars: a scene of scenes/papers run without a person, what was measured as facts beside what the
/// paper prints, and a picture. All are told in the same way: as text, JSON, SVG and as part of an HTML report.
#ifndef SINEW_APP_SCENARIO_H
#define SINEW_APP_SCENARIO_H

#include <stdbool.h>
#include <stdio.h>

#include "reproduce.h"
#include "sinew/simulation.h"
#include "svg_plot.h"

enum { SCENARIO_FACTS_MOST = 64, SCENARIO_ARRAYS_MOST = 256 };

/// Something that was measured.
typedef struct scenario_fact {
    const char* key;   ///< in JSON
    const char* what;  ///< for people, with its unit
    const char* paper; ///< what the paper prints, NULL: nothing
    double ours;
    const char* wanted; ///< what it was judged by, NULL: by nothing
    bool holds;
} scenario_fact;

typedef struct scenario_result {
    scenario_fact fact[SCENARIO_FACTS_MOST];
    int fact_count;
    plot plot;                         ///< panel_count 0: there is none, or `picture` draws it
    void* array[SCENARIO_ARRAYS_MOST]; ///< that the plot and the picture point to; freed with it
    int array_count;
    void (*picture)(const struct scenario_result* result, FILE* out);
    void* picture_of; ///< one of the arrays
} scenario_result;

typedef struct scenario {
    const char* name;
    const char* title;
    const char* about; ///< what the paper did and what is done here: sentences
    /// False, with the reason said, when it cannot be measured.
    bool (*run)(scenario_result* result, bool quick);
} scenario;

/// Runs and tells it; the exit status.
int scenario_reproduce(const scenario* s, const reproduce_options* options);

// ---- for those that run: results ----------------------------------------------------------------------

/// A fact that nothing is asked of; returns it.
scenario_fact* scenario_add(scenario_result* result, const char* key, const char* what,
                            double ours);
/// A fact that is to be within a range; `wanted` says which.
void scenario_judge(scenario_result* result, const char* key, const char* what, double ours,
                    double least, double most, const char* wanted);
/// Zeroed numbers that live as long as the result.
double* scenario_numbers(scenario_result* result, size_t count);
/// Something else that was taken from memory and is freed with it.
void* scenario_keep(scenario_result* result, void* array);
bool scenario_holds(const scenario_result* result);

// ---- for those that run: scenes -----------------------------------------------------------------------

/// A scene that comes with sinew; NULL, with the reason said, when it cannot be read.
sn_scene* scenario_scene(const char* name);
/// A simulation of it, which takes the scene; NULL, with the reason said.
sn_simulation* scenario_start(sn_scene* scene);
/// A number of seconds; false, with the reason said, when a step fails.
bool scenario_step(sn_simulation* sim, double seconds);
/// Numbers of a sensor by its name, which is there.
const double* scenario_sensor(const sn_simulation* sim, const char* name);
/// One command, which succeeds, or the reason is said.
bool scenario_command(sn_simulation* sim, const char* format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
