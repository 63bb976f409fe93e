// SPDX-License-Identifier: Apache-2.0
/// The problems of `sinew bench solve`.
#define _POSIX_C_SOURCE 200809L
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "bench_solve.h"
#include "memory.h"
#include "message.h"
#include "sinew/contact_file.h"

static bench_problem* add(bench_problems* problems, const char* name) {
    problems->at = memory_resize(problems->at, (size_t)problems->count + 1, sizeof *problems->at);
    bench_problem* p = &problems->at[problems->count++];
    *p = (bench_problem){.name = ""};
    snprintf(p->name, sizeof p->name, "%s", name);
    return p;
}

static bool add_scene(bench_problems* problems, const char* name, contact_scene* scene) {
    if (!scene) return false;
    bench_problem* p = add(problems, name);
    p->scene = scene;
    p->problem = &scene->problem;
    return true;
}

static bool add_scenes(bench_problems* problems, bool quick) {
    bool good = add_scene(problems, "tower-10", contact_scene_tower(10)) &&
                add_scene(problems, "wall-6x6", contact_scene_wall(6, 6)) &&
                add_scene(problems, "object-25", contact_scene_object(25)) &&
                add_scene(problems, "humanoid-32", contact_scene_humanoid(32)) &&
                add_scene(problems, "capsules-100", contact_scene_capsules(100, 8));
    if (!good || quick) return good;
    return add_scene(problems, "tower-30", contact_scene_tower(30)) &&
           add_scene(problems, "wall-15x16", contact_scene_wall(15, 16)) &&
           add_scene(problems, "object-125", contact_scene_object(125)) &&
           add_scene(problems, "humanoid-125", contact_scene_humanoid(125)) &&
           add_scene(problems, "capsules-500", contact_scene_capsules(500, 16));
}

// The name of a file without its folder and its ending.
static void plain_name(const char* path, char* name, size_t size) {
    const char* slash = strrchr(path, '/');
    snprintf(name, size, "%s", slash ? slash + 1 : path);
    char* dot = strrchr(name, '.');
    if (dot && dot != name) *dot = '\0';
}

static bool add_file(bench_problems* problems, const char* path) {
    sn_contact_problem* loaded;
    sn_error error = {0};
    char name[256];
    if (sn_contact_problem_load(path, &loaded, &error) != SN_OK) {
        message_error_from(&error);
        return false;
    }
    plain_name(path, name, sizeof name);
    bench_problem* p = add(problems, name);
    p->loaded = loaded;
    p->problem = loaded;
    return true;
}

static int is_problem(const struct dirent* entry) {
    const char* dot = strrchr(entry->d_name, '.');
    return dot && (strcmp(dot, ".fc3d") == 0 || strcmp(dot, ".dat") == 0);
}

static bool add_folder(bench_problems* problems, const char* path) {
    struct dirent** entries = NULL;
    int count = scandir(path, &entries, is_problem, alphasort);
    bool good = count > 0;
    if (!good) message_error("--files %s: holds no .fc3d and no .dat files", path);
    for (int i = 0; i < count; i++) {
        char* file = memory_text("%s/%s", path, entries[i]->d_name);
        good = good && add_file(problems, file);
        free(file);
        free(entries[i]);
    }
    free(entries);
    return good;
}

bool bench_problems_make(bench_problems* problems, const bench_options* options) {
    bool good = add_scenes(problems, options->quick);
    for (int i = 0; i < options->files.count && good; i++) {
        const char* path = options->files.items[i];
        struct stat there;
        bool folder = stat(path, &there) == 0 && S_ISDIR(there.st_mode);
        good = folder ? add_folder(problems, path) : add_file(problems, path);
    }
    return good;
}

void bench_problems_free(bench_problems* problems) {
    for (int i = 0; i < problems->count; i++) {
        contact_scene_free(problems->at[i].scene);
        sn_contact_problem_free(problems->at[i].loaded);
    }
    free(problems->at);
    *problems = (bench_problems){0};
}
