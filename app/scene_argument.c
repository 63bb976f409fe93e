// SPDX-License-Identifier: Apache-2.0
#include "scene_argument.h"

#ifndef SN_SOURCE_MODELS_DIR
#define SN_SOURCE_MODELS_DIR "models"
#endif
#ifndef SN_INSTALL_MODELS_DIR
#define SN_INSTALL_MODELS_DIR "/usr/local/share/sinew/models"
#endif
#ifndef SN_SOURCE_SCENES_DIR
#define SN_SOURCE_SCENES_DIR "scenes"
#endif
#ifndef SN_INSTALL_SCENES_DIR
#define SN_INSTALL_SCENES_DIR "/usr/local/share/sinew/scenes"
#endif

static const char* model_folders[] = {SN_SOURCE_MODELS_DIR, SN_INSTALL_MODELS_DIR, NULL};
static const char* scene_folders[] = {SN_SOURCE_SCENES_DIR, SN_INSTALL_SCENES_DIR, NULL};

sn_scene_load_def scene_argument_def(void) {
    sn_scene_load_def def = sn_scene_load_def_default();
    def.model_paths = model_folders;
    def.scene_paths = scene_folders;
    return def;
}
