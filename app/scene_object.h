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

typedef struct scene_object {
    char* name;   ///< "box_1"
    char* prefix; ///< of the names of its bodies: "" or "hrp2_1/"
    sn_model* model;
    sn_pose pose;                 ///< of its world in the scene
    double mu, restitution, roll; ///< negative: as the model has them
    bool moves;                   ///< v or w was given
    sn_vec3 v, w;                 ///< world axes
} scene_object;

/// Number `index` of the objects. False, with the reason said, when the word cannot be made into one.
bool scene_object_read(const char* word, int index, model_base base, scene_object* object);
void scene_object_free(scene_object* object);

#endif
