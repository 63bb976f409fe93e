// SPDX-License-Identifier: Apache-2.0
/// The scene that was asked for: of a file, or a model; with a floor under it and objects around it.
#ifndef SINEW_APP_SCENE_H
#define SINEW_APP_SCENE_H

#include "contact_options.h"
#include "model_argument.h"
#include "options.h"
#include "scene_argument.h"
#include "scene_object.h"
#include "sinew/simulation.h"

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

/// What is asked of a scene.
typedef struct scene_request {
    const char* text; ///< the SCENE word
    model_base base;  ///< of models
    const scene_options* options;
    const contact_options* contact;
    const text_list* q0;      ///< words of --q0; they count for where a model touches the floor
    const text_list* plugins; ///< FILE or FILE:OPTIONS, NULL: none
    bool hold;                ///< lock every joint that is not free
    bool pin;                 ///< lock every free root
    bool on_floor;            ///< a model stands on a floor, also when none was asked for
    bool is_shown;            ///< somebody looks: meshes for the eye are read
} scene_request;

typedef struct opened_scene {
    sn_scene* scene; ///< NULL once a simulation has it
    bool is_file;    ///< it has options of its own
    double lifted;   ///< m: the model
    double floor;    ///< z of the floor that was added; NAN: none
    scene_object* objects;
    int object_count;
    bool has_plugins; ///< names of modules may be theirs
} opened_scene;

/// Loads it and puts everything in. False, with the reason said, when that fails. Says by how much a model was
/// lifted. Free either way.
bool scene_open(const scene_request* request, opened_scene* made);
void scene_free(opened_scene* made);

/// Options of its world with what the command line changes. Contact of a model's scene is on where there is
/// something to touch: a floor or an object was asked for, or (`ground_counts`) the model has some.
sn_world_def scene_world(const opened_scene* made, const scene_request* request,
                         bool ground_counts);
/// Brings it to life in a world of these options. NULL, with the reason said, when that fails; log: warnings.
sn_simulation* scene_start(opened_scene* made, const sn_world_def* world,
                           const sn_simulation_def* def);

#endif
