// SPDX-License-Identifier: Apache-2.0
#define _DEFAULT_SOURCE
#include "gallery.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"
#include "model_argument.h"
#include "scene_argument.h"

static const char SCENES[] = "Scenes", MOLECULES[] = "Molecules", PAPERS[] = "Scenes of the papers",
                  MODELS[] = "Models";

// Models that are fun to pull at, as `sinew run` puts them on a floor.
static const sn_gallery_entry models[] = {
    {"bacteriorhodopsin", "The whole chain as one long helix: 248 residues, 857 torsions.",
     MOLECULES, true},
    {"hrp2", "A humanoid robot of 30 joints, left to itself.", MODELS, true},
    {"human", "A man of 1.77 m, limp.", MODELS, true},
    {"human_female", "A woman of 1.65 m, limp.", MODELS, true},
    {"chain:30", "Thirty links that hang from a hinge.", MODELS, true},
    {"stack:6", "Six boxes on each other.", MODELS, true},
    {"wall:6x8", "A wall of bricks.", MODELS, true},
    {"dominoes:20", "Dominoes, waiting for the first push.", MODELS, true},
    {"heap:40", "Forty solids on a heap.", MODELS, true},
};

static void add(gallery* g, const char* name, const char* about, const char* group, bool is_model,
                char* word) {
    g->entries = memory_resize(g->entries, (size_t)g->count + 1, sizeof *g->entries);
    g->words = memory_resize(g->words, (size_t)g->count + 1, sizeof *g->words);
    g->entries[g->count] =
        (sn_gallery_entry){memory_copy(name), memory_copy(about), group, is_model};
    g->words[g->count++] = word;
}

static const char* group_of(const sn_scene* scene, const char* folder) {
    const char* last = strrchr(folder, '/');
    if (sn_scene_molecule_count(scene) > 0) return MOLECULES;
    return last && strcmp(last, "/papers") == 0 ? PAPERS : SCENES;
}

static void add_scene(gallery* g, const char* folder, const char* file) {
    size_t length = strlen(file) - strlen(".yaml");
    char* name = memory_text("%.*s", (int)length, file);
    char* path = scene_argument_shipped(name);
    sn_scene_load_def def = scene_argument_def();
    sn_scene* scene = NULL;
    if (path && !gallery_word(g, name) && !sn_scene_load(path, &def, &scene, NULL)) {
        add(g, name, sn_scene_about(scene), group_of(scene, folder), false, path);
        path = NULL;
    }
    sn_scene_free(scene);
    free(path);
    free(name);
}

static int is_scene_file(const struct dirent* entry) {
    return scene_argument_is_file(entry->d_name) && strlen(entry->d_name) > strlen(".yaml");
}

gallery gallery_read(void) {
    gallery g = {0};
    for (const char* const* folder = scene_argument_def().scene_paths; *folder; folder++) {
        struct dirent** files = NULL;
        int count = scandir(*folder, &files, is_scene_file, alphasort);
        for (int i = 0; i < count; i++) {
            add_scene(&g, *folder, files[i]->d_name);
            free(files[i]);
        }
        free(files);
    }
    for (size_t i = 0; i < sizeof models / sizeof models[0]; i++) {
        const sn_gallery_entry* m = &models[i];
        bool known = m->group == MOLECULES || model_argument_is_known(m->name);
        if (known && !gallery_word(&g, m->name))
            add(&g, m->name, m->about, m->group, true, memory_copy(m->name));
    }
    return g;
}

void gallery_free(gallery* g) {
    for (int i = 0; i < g->count; i++) {
        free((char*)g->entries[i].name);
        free((char*)g->entries[i].about);
        free(g->words[i]);
    }
    free(g->entries);
    free(g->words);
    *g = (gallery){0};
}

const char* gallery_word(const gallery* g, const char* name) {
    for (int i = 0; i < g->count; i++)
        if (strcmp(g->entries[i].name, name) == 0) return g->words[i];
    return NULL;
}
