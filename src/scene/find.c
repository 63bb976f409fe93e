// SPDX-License-Identifier: Apache-2.0
// Models and scenes by name: files in folders, and what is generated from a word.
#define _POSIX_C_SOURCE 200809L
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/nearest.h"
#include "scene/read.h"
#include "sinew/generate.h"

const char* const sni_model_endings[] = {".urdf", ".json", NULL};
const char* const sni_scene_endings[] = {".yaml", NULL};

bool sni_find_file(const char* const* folders, const char* const* endings, const char* name,
                   char* path, size_t size) {
    if (strchr(name, '/')) return false;
    for (; folders && *folders; folders++) {
        for (const char* const* ending = endings; *ending; ending++) {
            struct stat info;
            int length = snprintf(path, size, "%s/%s%s", *folders, name, *ending);
            if (length < 0 || (size_t)length >= size) continue;
            if (stat(path, &info) == 0 && S_ISREG(info.st_mode)) return true;
        }
    }
    return false;
}

/// Offers a file name without its ending; keeps the nearest in best.
static void offer(sni_nearest* near, const char* entry, const char* const* endings, char* best,
                  size_t size) {
    char name[256];
    for (; *endings; endings++) {
        size_t length = strlen(entry), tail = strlen(*endings);
        if (length <= tail || strcmp(entry + length - tail, *endings) != 0) continue;
        snprintf(name, sizeof name, "%.*s", (int)(length - tail), entry);
        const char* before = near->best;
        sni_nearest_offer(near, name);
        if (near->best == before) continue;
        snprintf(best, size, "%s", name);
        near->best = best;
    }
}

const char* sni_nearest_file(const char* const* folders, const char* const* endings,
                             const char* name, char* best, size_t size) {
    sni_nearest near = {.wanted = name};
    for (; folders && *folders; folders++) {
        DIR* folder = opendir(*folders);
        if (!folder) continue;
        for (struct dirent* entry = readdir(folder); entry; entry = readdir(folder))
            offer(&near, entry->d_name, endings, best, size);
        closedir(folder);
    }
    return near.best;
}

/// Bodies that a pile will have, about: rows count twice where a row has several.
static double pile_bodies(const sn_pile_def* def) {
    double rows = def->count, columns = def->columns > 0 ? def->columns : rows;
    switch (def->kind) {
    case SN_PILE_WALL: return rows * columns;
    case SN_PILE_PYRAMID:
    case SN_PILE_CARDS: return 2 * rows * rows;
    default: return rows;
    }
}

sn_status sni_generate_model(const char* word, bool free_base, bool floor, int most_bodies,
                             sn_model** model, sn_error* error) {
    sn_pile_def pile = sn_pile_def_default();
    sn_generate_def tree = sn_generate_def_default();
    bool is_pile = sn_pile_parse(word, &pile);
    if (!is_pile && !sn_generate_parse(word, &tree)) return SN_ERR_FORMAT;
    pile.floor = floor;
    tree.free_base = free_base;
    if ((is_pile ? pile_bodies(&pile) : tree.count) > most_bodies)
        return sni_fail(error, SN_ERR_CAPACITY, sni_nowhere(), "%.60s: more than %d bodies", word,
                        most_bodies);
    sn_model_builder* builder = sn_model_builder_create(word);
    sn_status status = !builder  ? SN_ERR_MEMORY
                       : is_pile ? sn_generate_pile(&pile, builder)
                                 : sn_generate(&tree, builder);
    if (status)
        sni_fail(error, status, sni_nowhere(), "%.60s cannot be made: %s", word,
                 sn_status_text(status));
    else
        status = sn_model_builder_compile(builder, NULL, model, error);
    sn_model_builder_free(builder);
    return status;
}
