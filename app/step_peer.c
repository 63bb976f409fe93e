// SPDX-License-Identifier: Apache-2.0
/// Other engines in helper programs sinew-step-*: one program for each variant, so that they can take turns.
#define _POSIX_C_SOURCE 200809L
#include <dirent.h>
#include <errno.h>
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench_peer.h"
#include "child.h"
#include "memory.h"
#include "message.h"
#include "step_engine.h"

static const char PREFIX[] = "sinew-step-";
enum { VARIANTS_MOST = 4 };

typedef struct peer {
    child program;
    char* path;
    char variant[24];
    double timeout; ///< s it has for an answer
} peer;

// ---- asking -------------------------------------------------------------------------------------------

static void complain(step_engine* e, const char* what) {
    snprintf(e->trouble, sizeof e->trouble, "%.150s", what);
}

// The answer to a command; NULL, with the trouble told, when there is none.
static const char* ask(step_engine* e, const char* command) {
    peer* p = e->self;
    const char* answer = NULL;
    char how[80], text[120];
    child_result result = child_ask(&p->program, command, p->timeout, &answer);
    if (result == CHILD_ANSWERED && strncmp(answer, "error ", 6) == 0) {
        complain(e, answer + 6);
        return NULL;
    }
    if (result == CHILD_ANSWERED) return answer;
    child_end(&p->program, how, sizeof how);
    snprintf(text, sizeof text, "its program %s%s",
             result == CHILD_SILENT ? "gave no answer in time" : "ended: ",
             result == CHILD_SILENT ? "" : how);
    complain(e, text);
    return NULL;
}

static bool open_peer(step_engine* e, const step_scene* scene, FILE* model, FILE* text) {
    peer* p = e->self;
    char command[160], engine[24], version[20];
    (void)scene; // it is in the files
    e->trouble[0] = '\0';
    if (p->program.pid <= 0 && !child_start(&p->program, p->path)) {
        complain(e, "its program cannot be started");
        return false;
    }
    // Files without a name, by the name under which the system shows them while they are open.
    snprintf(command, sizeof command, "scene %s /proc/%ld/fd/%d /proc/%ld/fd/%d", p->variant,
             (long)getpid(), fileno(model), (long)getpid(), fileno(text));
    const char* answer = ask(e, command);
    if (!answer) return false;
    if (sscanf(answer, "ok %23s %19s", engine, version) != 2) {
        complain(e, "its answer is none");
        return false;
    }
    bool only = strcmp(p->variant, "default") == 0;
    snprintf(e->name, sizeof e->name, "%.15s-%.12s%s%.15s", engine, version, only ? "" : ":",
             only ? "" : p->variant);
    return true;
}

static double number_at(const json_t* list, size_t i) {
    const json_t* value = json_array_get(list, i);
    return json_is_number(value) ? json_number_value(value) : (double)NAN;
}

static step_root read_root(const json_t* list, size_t first) {
    double x[STEP_ROOT];
    for (size_t k = 0; k < STEP_ROOT; k++) x[k] = number_at(list, first + k);
    return (step_root){.position = {x[0], x[1], x[2]},
                       .rotation = {x[6], x[3], x[4], x[5]},
                       .velocity = {x[7], x[8], x[9]},
                       .omega = {x[10], x[11], x[12]}};
}

static void add_look(const json_t* look, step_track* track) {
    const json_t* numbers = json_object_get(look, "roots");
    const json_t* depth = json_object_get(look, "depth");
    step_root* roots =
        step_track_look(track, (int)json_integer_value(json_object_get(look, "contacts")),
                        json_is_number(depth) ? json_number_value(depth) : (double)NAN, NAN);
    for (int i = 0; i < track->scene->root_count; i++) {
        roots[i] = read_root(numbers, (size_t)i * STEP_ROOT);
    }
}

static bool advance_peer(step_engine* e, int count, step_track* track) {
    char command[60];
    int every = track->scene->every;
    snprintf(command, sizeof command, "advance %d %d", count, every);
    const char* answer = ask(e, command);
    if (!answer) return false;
    json_t* object = json_loads(answer, 0, NULL);
    const json_t *us = json_object_get(object, "us"), *looks = json_object_get(object, "looks");
    bool good = json_array_size(us) == (size_t)count;
    size_t next = 0;
    for (int i = 0; i < count && good; i++) {
        step_track_step(track, number_at(us, (size_t)i));
        if (track->steps % every == 0) add_look(json_array_get(looks, next++), track);
    }
    if (!good) complain(e, "its answer is none");
    json_decref(object);
    return good;
}

static void close_peer(step_engine* e) { (void)e; } // the program stays for the next scene

static void end_peer(step_engine* e) {
    peer* p = e->self;
    char how[80];
    child_end(&p->program, how, sizeof how);
    free(p->path);
    free(p);
}

static const step_kind KIND = {open_peer, advance_peer, close_peer, end_peer};

// ---- starting -----------------------------------------------------------------------------------------

static peer* start(const char* path, const char* variant, double timeout) {
    peer* p = memory_take(1, sizeof *p);
    p->path = memory_copy(path);
    p->timeout = timeout;
    snprintf(p->variant, sizeof p->variant, "%.23s", variant);
    if (child_start(&p->program, path)) return p;
    free(p->path);
    free(p);
    return NULL;
}

// The program in all its variants; what it is asked first is what those are.
static void add_program(step_engines* engines, const char* path, const char* name, double timeout) {
    char variants[VARIANTS_MOST][24], how[80];
    const char* answer = NULL;
    child asked;
    if (!child_start(&asked, path) ||
        child_ask(&asked, "variants", timeout, &answer) != CHILD_ANSWERED) {
        message_warning("%s: cannot be started; left out", path);
        return;
    }
    int count = sscanf(answer, "variants %23s %23s %23s %23s", variants[0], variants[1],
                       variants[2], variants[3]);
    child_end(&asked, how, sizeof how);
    for (int i = 0; i < count; i++) {
        peer* p = start(path, variants[i], timeout);
        if (!p) continue;
        step_engine* e = step_engines_add(engines);
        *e = (step_engine){.kind = &KIND, .self = p, .peer = true};
        snprintf(e->name, sizeof e->name, "%.23s:%.15s", name, variants[i]);
    }
}

static int compare_names(const void* a, const void* b) {
    return strcmp(*(char* const*)a, *(char* const*)b);
}

bool step_engines_add_peers(step_engines* engines, const char* folder, double timeout) {
    char* where = bench_peers_folder(folder);
    char** names = NULL;
    size_t count = 0;
    DIR* dir = opendir(where);
    bool good = dir || !folder;
    if (!good) {
        message_error("--peers %s: cannot be read (%s); `make peers` builds build/peers", folder,
                      strerror(errno));
    }
    for (struct dirent* entry = dir ? readdir(dir) : NULL; entry; entry = readdir(dir)) {
        if (strncmp(entry->d_name, PREFIX, strlen(PREFIX)) != 0) continue;
        names = memory_resize(names, count + 1, sizeof *names);
        names[count++] = memory_copy(entry->d_name);
    }
    if (dir) closedir(dir);
    if (good && count == 0)
        message_note("no other engines in %s; run `make peers` to compare with them", where);
    if (count > 0) qsort(names, count, sizeof *names, compare_names);
    for (size_t i = 0; i < count; i++) {
        char* path = memory_text("%s/%s", where, names[i]);
        add_program(engines, path, names[i] + strlen(PREFIX), timeout);
        free(path);
        free(names[i]);
    }
    free(names);
    free(where);
    return good;
}
