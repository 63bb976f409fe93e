// SPDX-License-Identifier: Apache-2.0
/// Something that steps scenes with contact: our world, or another engine in a helper program
/// (bench/peers/step.h).
#ifndef SINEW_APP_STEP_ENGINE_H
#define SINEW_APP_STEP_ENGINE_H

#include "step_track.h"

typedef struct step_engine step_engine;

typedef struct step_kind {
    /// Sets it up at the start of a scene; model and text are the scene as step_scene_write_model and
    /// step_scene_write have it, NULL when nobody needs them.
    bool (*open)(step_engine* e, const step_scene* scene, FILE* model, FILE* text);
    /// `count` more steps, with looks where scene->every divides them, added to the track.
    bool (*advance)(step_engine* e, int count, step_track* track);
    void (*close)(step_engine* e); ///< after a scene
    void (*end)(step_engine* e);
} step_kind;

struct step_engine {
    const step_kind* kind;
    void* self;
    char name[48]; ///< "sinew:nsgs", "bullet-3.24:10"
    bool peer;
    char trouble[160]; ///< why open or advance was false
};

/// Our world, with contact solved as `solver` does it, on one core; nothing falls asleep.
void step_engine_world(step_engine* e, const char* solver);

/// Runs a scene to its end, or until `seconds` of wall time are over. False, with the trouble told, when it stops by
/// itself; what it did until then is in the track.
bool step_engine_run(step_engine* e, const step_scene* scene, double seconds, step_track* track);

/// All engines. Start from {0}; end with step_engines_end.
typedef struct step_engines {
    step_engine* at;
    int count;
} step_engines;

step_engine* step_engines_add(step_engines* engines);
/// The helper programs of `folder` (NULL: "peers" beside this program), each in all its variants. That there are
/// none is a note; false, with the reason said, when the folder was given and is not there.
bool step_engines_add_peers(step_engines* engines, const char* folder, double timeout);
void step_engines_end(step_engines* engines);

#endif
