// SPDX-License-Identifier: Apache-2.0
/// A word of --object: WHAT[@X,Y[,Z]][:KEY=VALUE,...].
///   WHAT  sphere:R, box:XxYxZ, cylinder:RxLENGTH, capsule:RxLENGTH (of the cylindrical part) in m, or a MODEL
///   @     where its origin is; without Z it stands on the floor; without @ at 0,0
///   KEY   mass (kg), mu, e (restitution), roll (against rolling and spinning, m), v and w (velocity and spin,
///         m/s and rad/s, X/Y/Z), turn (rotation vector, rad or 30deg)
#ifndef SINEW_APP_SCENE_OBJECT_H
#define SINEW_APP_SCENE_OBJECT_H

#include <stdbool.h>

#include "model_argument.h"
#include "sinew/scene.h"

typedef struct scene_object {
    char* name;      ///< "box_1"
    int item;        ///< of the scene
    sn_model* model; ///< until it is the scene's
    bool is_solid;
    bool moves;   ///< v or w was given
    sn_vec3 v, w; ///< world axes
} scene_object;

/// Adds number `index` of the objects to the scene. False, with the reason said, when the word cannot be made into
/// one. Free either way.
bool scene_object_add(const char* word, int index, model_base base, sn_scene* scene,
                      scene_object* object);
/// Sets it moving, when everything is in its place. False, with the reason said, when the world holds it.
bool scene_object_start(const scene_object* object, sn_scene* scene);
void scene_object_free(scene_object* object);

#endif
