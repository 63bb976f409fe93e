// SPDX-License-Identifier: Apache-2.0
#define _POSIX_C_SOURCE 200809L
#include "scene_argument.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "memory.h"
#include "model_argument.h"

#ifndef SN_SOURCE_SCENES_DIR
#define SN_SOURCE_SCENES_DIR "scenes"
#endif
#ifndef SN_INSTALL_SCENES_DIR
#define SN_INSTALL_SCENES_DIR "/usr/local/share/sinew/scenes"
#endif

static const char* scene_folders[] = {SN_SOURCE_SCENES_DIR, SN_INSTALL_SCENES_DIR,
                                      SN_SOURCE_SCENES_DIR "/papers",
                                      SN_INSTALL_SCENES_DIR "/papers", NULL};

sn_scene_load_def scene_argument_def(void) {
    sn_scene_load_def def = sn_scene_load_def_default();
    def.model_paths = model_folders;
    def.scene_paths = scene_folders;
    return def;
}

bool scene_argument_is_file(const char* text) {
    const char* dot = strrchr(text, '.');
    return dot && (strcmp(dot, ".yaml") == 0 || strcmp(dot, ".yml") == 0);
}

char* scene_argument_shipped(const char* name) {
    for (int f = 0; scene_folders[f] && !strchr(name, '/'); f++) {
        struct stat info;
        char* path = memory_text("%s/%s.yaml", scene_folders[f], name);
        if (stat(path, &info) == 0 && S_ISREG(info.st_mode)) return path;
        free(path);
    }
    return NULL;
}
