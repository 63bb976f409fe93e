// SPDX-License-Identifier: Apache-2.0
/// What an engine did in a scene: the time of each step, and looks at it every few steps.
#ifndef SINEW_APP_STEP_TRACK_H
#define SINEW_APP_STEP_TRACK_H

#include "step_scene.h"

typedef struct step_look {
    double time; ///< s, simulated
    int contacts;
    double depth;    ///< m: deepest overlap, as the engine counts it
    double residual; ///< of the contact problem; NAN: not known
} step_look;

/// Start from step_track_start; end with step_track_free.
struct step_track {
    const step_scene* scene;
    double* us; ///< of each step
    int steps, step_capacity;
    step_look* looks;
    step_root* roots; ///< root_count a look
    int look_count, look_capacity;
};

step_track step_track_start(const step_scene* scene);
void step_track_free(step_track* track);
void step_track_step(step_track* track, double us);
/// Adds a look after the last step; its roots are the caller's to fill.
step_root* step_track_look(step_track* track, int contacts, double depth, double residual);
const step_root* step_track_roots(const step_track* track, int look);
/// First look at or after a time; look_count when there is none.
int step_track_find(const step_track* track, double time);
bool step_track_complete(const step_track* track);

/// Of the steps after the scene has settled; NAN when there is none.
typedef struct step_times {
    double median_us, min_us;
    double block_us; ///< mean of 50 steps, the median of all such; see docs/benchmarks.md
    long count;
} step_times;
step_times step_track_times(const step_track* track);
/// Deepest overlap of the looks after the scene has settled, m; NAN when there is none. As our collider measures
/// it when all bodies are roots, otherwise as the engine does.
double step_track_depth(const step_track* track);
/// Largest of the same looks.
double step_track_residual(const step_track* track);
/// Contacts of the median look after it has settled.
double step_track_contacts(const step_track* track);

#endif
