// SPDX-License-Identifier: Apache-2.0
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "eval_case.h"
#include "memory.h"
#include "message.h"
#include "suggest.h"

static const long long SIZE_MOST = 1LL << 30; // bytes of a case file; parsed it takes far more

// Keys that mean something in a case: what is read, what is compared, what is there for people.
static const char* const KEYS[] = {
    "case",
    "model",
    "nq",
    "nv",
    "gravity",
    "q",
    "v",
    "tau",
    "fext",
    "grab",
    "qdd",
    "nle",
    "gravity_torque",
    "body_pose",
    "body_vel",
    "body_acc",
    "M",
    "Lambda",
    "a0",
    "K",
    "f0",
    "weight",
    "f_feed",
    "active_joints",
    "active",
    "remaining_error",
    "total_metric",
    "kinetic_energy",
    "potential_energy",
    "com",
    "accuracy",
    "description",
    "error",
    "centroidal_momentum",
    "delassus_local",
    "delassus_world_aligned",
};
enum { KEY_COUNT = sizeof KEYS / sizeof KEYS[0] };

static void warn_of_unknown_keys(const char* path, const char* name, json_t* object) {
    const char* key;
    json_t* value;
    json_object_foreach(object, key, value) {
        bool known = key[0] == '_'; // free for notes
        for (int k = 0; k < KEY_COUNT && !known; k++) known = strcmp(key, KEYS[k]) == 0;
        if (known) continue;
        const char* near = suggest_name(key, KEYS, KEY_COUNT);
        if (near) {
            message_warning("%s: case \"%s\": %s is not used; did you mean %s?", path, name, key,
                            near);
        } else {
            message_warning("%s: case \"%s\": %s is not used", path, name, key);
        }
    }
}

// Name of a file without folder and ending.
static char* stem(const char* path) {
    const char* slash = strrchr(path, '/');
    const char* base = slash ? slash + 1 : path;
    const char* dot = strrchr(base, '.');
    return memory_text("%.*s", dot && dot > base ? (int)(dot - base) : (int)strlen(base), base);
}

static bool add_case(eval_files* files, const char* path, json_t* object, int index) {
    if (!json_is_object(object)) {
        message_error(
            "%s: case %d is not an object; a case is {\"q\": [...], ...}, see docs/eval.md", path,
            index);
        return false;
    }
    if (files->count == files->capacity) {
        files->capacity = files->capacity ? 2 * files->capacity : 16;
        files->cases = memory_resize(files->cases, (size_t)files->capacity, sizeof *files->cases);
    }
    eval_case* c = &files->cases[files->count++];
    *c = (eval_case){.file = path, .object = object};
    const char* name = json_string_value(json_object_get(object, "case"));
    c->name = name ? memory_copy(name) : stem(path);
    warn_of_unknown_keys(path, c->name, object);
    return true;
}

static json_t* read_json(const char* path) {
    struct stat there;
    json_error_t error;
    if (stat(path, &there) != 0) {
        message_error("%s: cannot be read (%s); check the path", path, strerror(errno));
        return NULL;
    }
    if (S_ISDIR(there.st_mode)) {
        message_error("%s: is a directory; give the case files in it", path);
        return NULL;
    }
    if ((long long)there.st_size > SIZE_MOST) {
        message_error("%s: is larger than 1 GiB; split it into several files", path);
        return NULL;
    }
    json_t* root = json_load_file(path, JSON_REJECT_DUPLICATES | JSON_DECODE_INT_AS_REAL, &error);
    if (root) return root;
    if (error.line > 0) {
        message_error("%s:%d:%d: %s; a case file is JSON, see docs/eval.md", path, error.line,
                      error.column, error.text);
    } else {
        message_error("%s: %s; a case file is JSON, see docs/eval.md", path, error.text);
    }
    return NULL;
}

bool eval_files_read(const text_list* paths, eval_files* files) {
    *files = (eval_files){0};
    files->roots = memory_take((size_t)paths->count, sizeof *files->roots);
    for (int i = 0; i < paths->count; i++) {
        const char* path = paths->items[i];
        json_t* root = read_json(path);
        if (!root) return false;
        files->roots[files->root_count++] = root;
        if (!json_is_array(root)) {
            if (!add_case(files, path, root, 0)) return false;
            continue;
        }
        for (size_t k = 0; k < json_array_size(root); k++) {
            if (!add_case(files, path, json_array_get(root, k), (int)k)) return false;
        }
    }
    if (files->count > 0) return true;
    message_error("%s: holds no case; an empty list has nothing to evaluate", paths->items[0]);
    return false;
}

void eval_files_free(eval_files* files) {
    for (int i = 0; i < files->count; i++) {
        eval_case* c = &files->cases[i];
        free(c->name);
        free(c->q);
        free(c->v);
        free(c->tau);
        free(c->fext);
        free(c->grab);
        free(c->local.at);
        free(c->world.at);
    }
    for (int i = 0; i < files->root_count; i++) json_decref(files->roots[i]);
    free(files->roots);
    free(files->cases);
    *files = (eval_files){0};
}
