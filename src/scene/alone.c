// SPDX-License-Identifier: Apache-2.0
// A model alone is a scene: it stands on a floor.
#include "scene/read.h"

sn_status sni_scene_of_model(sn_scene* scene, sn_model* model, sn_error* error) {
    sn_item item = {.prefix = "", .model = model, .pose = sn_pose_identity()};
    sn_floor_def floor = sn_floor_def_default();
    floor.item = 0;
    sn_status status = sn_scene_add(scene, &item, error);
    if (status)
        sn_model_free(model);
    else
        status = sn_scene_add_floor(scene, &floor, NULL, error);
    return status;
}
