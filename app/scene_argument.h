// SPDX-License-Identifier: Apache-2.0
/// The SCENE word of the command line: a scene file, a model, or the name of one that comes with sinew.
#ifndef SINEW_APP_SCENE_ARGUMENT_H
#define SINEW_APP_SCENE_ARGUMENT_H

#include "sinew/scene.h"

/// What --help says of SCENE.
#define SCENE_ARGUMENT_HELP                                                                        \
    "SCENE is a scene file (YAML, docs/scenes.md), a scene that comes with sinew (pendulum, "      \
    "chain,\n"                                                                                     \
    "cable, snake, humanoid, table, box_pile, stairs, seesaw, four_bar), or a MODEL, which "       \
    "stands\n"                                                                                     \
    "on a floor: a URDF or JSON file, the name of one, or SHAPE:COUNT such as chain:10 or "        \
    "stack:5.\n"

/// Folders of the models and scenes that come with sinew; no log.
sn_scene_load_def scene_argument_def(void);
/// By its ending.
bool scene_argument_is_file(const char* text);
/// Path of the scene of that name that comes with sinew, to be freed; NULL: there is none.
char* scene_argument_shipped(const char* name);

#endif
