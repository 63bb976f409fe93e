// SPDX-License-Identifier: Apache-2.0
/// Scenes with contact of which it is known what must happen: what `sinew bench contact` gives to Sinew and
/// to other engines alike. Free bodies and humanoids over planes, one material for all, one step.
#ifndef SINEW_APP_STEP_SCENE_H
#define SINEW_APP_STEP_SCENE_H

#include <stdbool.h>
#include <stdio.h>

#include "sinew/model.h"

enum { STEP_ROOT = 13 }; // numbers of a root

/// A free body without a parent, in world axes; as an array in this order.
typedef struct step_root {
    sn_vec3 position;
    sn_quat rotation;
    sn_vec3 velocity, omega; ///< of its origin
} step_root;

typedef struct step_track step_track;

/// What is judged: a number under its name, with the unit at its end.
typedef struct step_fact {
    const char* name; ///< "creep_mm"
    double value;     ///< 0 where all is as it must be; NAN: not known
} step_fact;
enum { STEP_FACTS_MOST = 3 };

typedef struct step_scene {
    char name[40];
    const char* about; ///< what is judged: "creep down an incline that must hold [mm]"
    sn_model* model;
    int root_count;
    int* root_body;   ///< body of each root, ascending
    step_root* roots; ///< at the start; all other joints are at zero, at rest
    sn_vec3 gravity;
    double step, duration; ///< s
    double settle;         ///< s until which neither time nor overlap counts
    int every;             ///< steps between two looks
    double mu, restitution;
    double stiffness, damping; ///< of what holds the joints at zero; N m/rad, N m s/rad
    double angle;              ///< rad, of the plane about y
    double truth;              ///< what the judgement compares with
    /// Fills facts, how many.
    int (*judge)(const struct step_scene* scene, const step_track* track, step_fact* facts);
} step_scene;

/// Number i of the scenes; false past the last. `quick`: shorter. *scene is NULL, with the reason said, when its
/// model cannot be made.
bool step_scene_make(int i, bool quick, step_scene** scene);
/// A pyramid of cubes in a plane, `count` of them from the bottom up on a row of `base`.
step_scene* step_scene_pyramid(int base, int count);
/// A model that comes with sinew, standing on its soles on a plane, every joint held. With rows and columns not 0,
/// on that many points below each sole instead. NULL, with the reason said, when it cannot be made.
step_scene* step_scene_standing(const char* model, const char* name, int rows, int columns);
void step_scene_free(step_scene* scene);

/// Writes what the helper programs read (bench/peers/scene.h); false when that fails.
bool step_scene_write_model(const step_scene* scene, FILE* out);
bool step_scene_write(const step_scene* scene, FILE* out);

/// Numbers of the roots in q and v, or out of them; other numbers stay.
void step_roots_put(const step_scene* scene, const step_root* roots, double* q, double* v);
void step_roots_get(const step_scene* scene, const double* q, const double* v, step_root* roots);

#endif
