// SPDX-License-Identifier: Apache-2.0
#define _POSIX_C_SOURCE 200809L
#include "model_argument.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "memory.h"
#include "sinew/generate.h"
#include "suggest.h"

#ifndef SN_SOURCE_MODELS_DIR
#define SN_SOURCE_MODELS_DIR "models"
#endif
#ifndef SN_INSTALL_MODELS_DIR
#define SN_INSTALL_MODELS_DIR "/usr/local/share/sinew/models"
#endif

const char* model_folders[] = {SN_SOURCE_MODELS_DIR, SN_INSTALL_MODELS_DIR, NULL};
static const char* const ENDINGS[] = {".urdf", ".json"};
enum { ENDING_COUNT = 2, NAMES_MOST = 64, WARNINGS_MOST = 5 };

static const size_t STDIN_MOST = (size_t)256 << 20; // bytes; files have the same limit

// A generated model or scene.
typedef struct generated {
    bool is_scene;
    sn_generate_def model;
    sn_pile_def scene;
} generated;

static bool is_file(const char* path) {
    struct stat there;
    return stat(path, &there) == 0 && !S_ISDIR(there.st_mode);
}

// Path of the shipped model with that name, or NULL.
static char* find_shipped(const char* name) {
    if (strchr(name, '/')) return NULL;
    for (int f = 0; model_folders[f]; f++) {
        for (int e = 0; e < ENDING_COUNT; e++) {
            char* path = memory_text("%s/%s%s", model_folders[f], name, ENDINGS[e]);
            if (is_file(path)) return path;
            free(path);
        }
    }
    return NULL;
}

// Names of the models in a folder, each to be freed; how many.
static int list_shipped(const char* folder, char** names) {
    int count = 0;
    DIR* dir = opendir(folder);
    if (!dir) return 0;
    for (struct dirent* entry = readdir(dir); entry && count < NAMES_MOST; entry = readdir(dir)) {
        for (int e = 0; e < ENDING_COUNT; e++) {
            size_t length = strlen(entry->d_name), tail = strlen(ENDINGS[e]);
            if (length <= tail || strcmp(entry->d_name + length - tail, ENDINGS[e]) != 0) continue;
            names[count++] = memory_text("%.*s", (int)(length - tail), entry->d_name);
            break;
        }
    }
    closedir(dir);
    return count;
}

// Says that there is no such model; names the one that was probably meant.
static void say_not_found(const char* text) {
    static const char* const shapes[] = {
#define NAME(code, name, text) name,
        SN_GENERATE_LIST(NAME) SN_PILE_LIST(NAME)
#undef NAME
    };
    enum { SHAPE_COUNT = sizeof shapes / sizeof shapes[0] };
    if (strchr(text, '/') || strchr(text, '.')) {
        message_error("%s: there is no such file; check the path", text);
        return;
    }
    char* names[NAMES_MOST];
    int count = 0;
    for (int f = 0; model_folders[f] && count == 0; f++)
        count = list_shipped(model_folders[f], names);
    const char* near = suggest_name(text, (const char* const*)names, count);
    const char* colon = strchr(text, ':');
    char* shape = memory_text("%.*s", colon ? (int)(colon - text) : (int)strlen(text), text);
    const char* near_shape = suggest_name(shape, shapes, SHAPE_COUNT);
    if (near) {
        message_error("%s: there is no such file or model; did you mean '%s'?", text, near);
    } else if (colon || near_shape) {
        message_error(
            "%s: not a model; a generated one is SHAPE:COUNT[:SEED], such as %s:10, with SHAPE "
            "chain, tree, star, caterpillar, random, pendulum or cable, or, on a floor, stack, "
            "apart, pyramid, wall, dominoes, cards or heap",
            text, near_shape ? near_shape : "chain");
    } else {
        message_error(
            "%s: there is no such file, and no model that comes with sinew has that name; "
            "check the path",
            text);
    }
    for (int i = 0; i < count; i++) free(names[i]);
    free(shape);
}

// What text says, SHAPE:COUNT of a model or of a scene; false when it is neither.
static bool parse_generated(const char* text, generated* what) {
    what->model = sn_generate_def_default();
    what->scene = sn_pile_def_default();
    what->is_scene = sn_pile_parse(text, &what->scene);
    return what->is_scene || sn_generate_parse(text, &what->model);
}

static bool generate(const generated* what, const char* text, model_source* source) {
    sn_error error = {0};
    sn_log log = message_log_sink(&source->log);
    sn_model_builder* builder = sn_model_builder_create(text);
    sn_status status = !builder         ? SN_ERR_MEMORY
                       : what->is_scene ? sn_generate_pile(&what->scene, builder)
                                        : sn_generate(&what->model, builder);
    if (status == SN_OK) {
        status = sn_model_builder_compile(builder, &log, &source->model, &error);
    } else {
        error.status = status;
        snprintf(error.text, sizeof error.text, "%s: cannot be made: %s", text,
                 sn_status_text(status));
    }
    sn_model_builder_free(builder);
    if (status == SN_OK) return true;
    message_error_from(&error);
    return false;
}

// All of standard input, with its length; NULL, with the reason said, when it is too long.
static char* read_stdin(size_t* length) {
    size_t capacity = 1 << 16;
    char* text = memory_take(capacity, 1);
    *length = 0;
    for (;;) {
        *length += fread(text + *length, 1, capacity - *length, stdin);
        if (*length < capacity) return text;
        if (capacity > STDIN_MOST) break;
        capacity *= 2;
        text = memory_resize(text, capacity, 1);
    }
    message_error("standard input is longer than a model can be; check what is piped into sinew");
    free(text);
    return NULL;
}

static sn_status load_stdin(const sn_load_def* def, sn_model** model, sn_error* error) {
    size_t length;
    char* text = read_stdin(&length);
    if (!text) return SN_ERR_CAPACITY;
    sn_status status = sn_model_load_memory(text, length, "<stdin>", def, model, error);
    free(text);
    return status;
}

static bool load_file(const model_request* request, const model_extras* extras,
                      model_source* source) {
    sn_error error = {0};
    sn_load_def def = sn_load_def_default();
    def.base = request->base == MODEL_BASE_FREE ? SN_BASE_FREE : SN_BASE_AS_FILE;
    def.check_meshes = request->check_meshes;
    def.package_paths = request->package_paths;
    def.meshes = extras->meshes;
    def.visual_meshes = extras->visual_meshes;
    def.srdf = extras->srdf;
    def.log = message_log_sink(&source->log);
    sn_status status = strcmp(source->path, "-") == 0
                           ? load_stdin(&def, &source->model, &error)
                           : sn_model_load(source->path, &def, &source->model, &error);
    if (status == SN_OK) return true;
    message_log_print(&source->log, WARNINGS_MOST);
    if (error.text[0]) message_error_from(&error);
    return false;
}

bool model_argument_is_known(const char* text) {
    generated unused;
    if (strcmp(text, "-") == 0 || is_file(text) || parse_generated(text, &unused)) return true;
    char* path = find_shipped(text);
    free(path);
    return path != NULL;
}

bool model_source_load(const model_request* request, model_source* source) {
    return model_source_load_with(request, NULL, source);
}

bool model_source_load_with(const model_request* request, const model_extras* extras,
                            model_source* source) {
    static const model_extras none = {.meshes = SN_MESH_SKIP};
    const char* text = request->text;
    generated what;
    *source = (model_source){0};
    bool loaded = false;
    if (strcmp(text, "-") == 0) {
        source->path = memory_copy("-");
    } else if (is_file(text)) {
        source->path = memory_copy(text);
    } else if (!parse_generated(text, &what)) {
        source->path = find_shipped(text);
        if (!source->path) say_not_found(text);
    } else {
        what.model.free_base = request->base == MODEL_BASE_FREE;
        loaded = generate(&what, text, source);
    }
    if (source->path) loaded = load_file(request, extras ? extras : &none, source);
    if (!loaded) model_source_free(source);
    return loaded;
}

void model_source_free(model_source* source) {
    sn_model_free(source->model);
    free(source->path);
    message_log_clear(&source->log);
    *source = (model_source){0};
}
