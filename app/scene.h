// SPDX-License-Identifier: Apache-2.0
/// A model with a floor under it and objects around it: one model again, made from what was asked for.
#ifndef SINEW_APP_SCENE_H
#define SINEW_APP_SCENE_H

#include "model_argument.h"
#include "options.h"
#include "scene_object.h"
#include "sinew/world.h"

/// As options.h fills it; start from scene_options_none().
typedef struct scene_options {
    maybe_number floor; ///< its friction
    double drop;        ///< m between the model and the floor
    text_list objects;
    double mu, restitution; ///< of everything; negative: as the models have them
} scene_options;

#define OBJECT_FORM "WHAT[@X,Y,Z][:KEY=VALUE,...]"
#define SCENE_OPTIONS(s)                                                                           \
    {"floor", "[=MU]",                                                                             \
     "a floor at z = 0, with friction MU, 0.5 if not given; the model is lifted until its lowest " \
     "point touches it",                                                                           \
     OPTION_MAYBE, &(s).floor},                                                                    \
        {"drop", "H", "with --floor: start H metres above it", OPTION_LEAST, &(s).drop},           \
        {"object", OBJECT_FORM "...",                                                              \
         "something else in the scene: box:0.2x0.3x0.1, sphere:0.1, cylinder:0.1x0.3, "            \
         "capsule:0.1x0.3 or a MODEL; see below",                                                  \
         OPTION_LIST, &(s).objects},                                                               \
        {"mu", "X", "friction of all surfaces", OPTION_LEAST, &(s).mu}, {                          \
        "restitution", "E", "of all surfaces: 0 nothing bounces, 1 everything does", OPTION_LEAST, \
            &(s).restitution                                                                       \
    }

/// What --help says about objects.
#define SCENE_HELP                                                                                 \
    "An object is WHAT[@X,Y,Z][:KEY=VALUE,...], such as "                                          \
    "box:0.2x0.3x0.1@0,0,1.5:mass=2,mu=0.4,v=3/0/0.\n"                                             \
    "@X,Y stands on the floor. Keys: mass in kg, mu, e (restitution), roll (friction against\n"    \
    "rolling and spinning, m), v and w (velocity in m/s, spin in rad/s, as X/Y/Z), turn "          \
    "(rotation\n"                                                                                  \
    "vector).\n"                                                                                   \
    "Friction between two surfaces is the geometric mean of theirs, restitution the larger.\n"

scene_options scene_options_none(void);
void scene_options_free(scene_options* options);
/// False, with the reason said, when an option makes no sense.
bool scene_options_fit(const scene_options* options);

typedef struct scene {
    sn_model* model;
    int own_bodies; ///< of the model that was asked for; they come first
    double lifted;  ///< m
    double* v;      ///< [nv] velocities to begin with
    scene_object* objects;
    int object_count;
    double floor; ///< z of the floor that was added; NAN: none
} scene;

/// Puts it together; q0: words of --q0, which count for where the model touches the floor. False, with the
/// reason said, when that fails. Says by how much the model was lifted. Free either way.
bool scene_make(const scene_options* options, const sn_model* model, model_base base,
                const text_list* q0, scene* made);
void scene_free(scene* made);

/// Sets a world of the scene to its start: --q0, velocities of objects, --hold (joints that are not free are
/// locked). False, with the reason said, when q0 does not fit.
bool scene_start(const scene* made, const text_list* q0, bool hold, sn_world* world);

/// A shape to collide with is fixed to the world, and another one is not.
bool scene_has_ground(const sn_model* model);

#endif
