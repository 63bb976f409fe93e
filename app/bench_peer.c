// SPDX-License-Identifier: Apache-2.0
#define _POSIX_C_SOURCE 200809L
#include "bench_peer.h"

#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "coordinates.h"
#include "memory.h"
#include "message.h"

static const char PREFIX[] = "sinew-peer-";
static const char CONTACT[] = "sinew-peer-siconos"; // knows contact problems, no models
enum { FAILURES_MOST = 2 };                         // then it is left out for good

// ---- asking --------------------------------------------------------------------------------------

// A program that broke its word is ended; the line goes without it.
// `what` NULL: it ended by itself.
static void give_up(bench_contender* c, bench_peer* peer, const char* what) {
    char how[80];
    child_end(&peer->program, how, sizeof how);
    bench_trouble(&c->row, "its program %s%s", what ? what : "ended: ", what ? "" : how);
    peer->failures += 1;
    message_warning("%s: %s: %s; %s", c->line->spec->name, peer->name, c->row.trouble,
                    peer->failures < FAILURES_MOST ? "it is started again for the next line"
                                                   : "left out from here on");
}

// What follows `word` in the answer to a command; NULL when there is no such answer.
static const char* ask(bench_contender* c, const char* command, const char* word) {
    bench_peer* peer = c->self;
    const char* answer = NULL;
    size_t length = strlen(word);
    if (peer->program.pid <= 0) return NULL;
    switch (child_ask(&peer->program, command, peer->timeout, &answer)) {
    case CHILD_ENDED: give_up(c, peer, NULL); return NULL;
    case CHILD_SILENT: give_up(c, peer, "gave no answer in time"); return NULL;
    case CHILD_CHATTY: give_up(c, peer, "gave an answer without end"); return NULL;
    case CHILD_ANSWERED: break;
    }
    if (strncmp(answer, word, length) == 0 && (answer[length] == ' ' || answer[length] == '\0')) {
        return answer + length;
    }
    if (strncmp(answer, "error ", 6) == 0) {
        bench_trouble(&c->row, "%.150s", answer + 6);
    } else {
        give_up(c, peer, "gave an answer that is none");
    }
    return NULL;
}

static bool compute(bench_contender* c, double* qdd) {
    const char* text = ask(c, "qdd", "qdd");
    if (!text) return false;
    int count = 0;
    int* order = coordinates_v_order(c->line->model);
    for (char* end; count < c->line->dof; text = end) {
        double number = strtod(text, &end);
        if (end == text) break;
        qdd[order[count++]] = number; // files order some joints differently
    }
    free(order);
    if (count == c->line->dof && strspn(text, " ") == strlen(text)) return true;
    bench_trouble(&c->row, "its qdd does not have %d numbers", c->line->dof);
    return false;
}

static double time_count(bench_contender* c, long count) {
    char command[40];
    snprintf(command, sizeof command, "time %ld", count);
    const char* text = ask(c, command, "time");
    if (!text) return -1;
    double taken = strtod(text, NULL);
    if (taken >= 0 && isfinite(taken)) return taken;
    bench_trouble(&c->row, "its time is not a number");
    return -1;
}

static void let_go(bench_contender* c) { (void)c; } // the program stays for the next line

static const bench_kind KIND = {compute, time_count, let_go};

// ---- starting and ending -------------------------------------------------------------------------

char* bench_peers_folder(const char* given) {
    char path[4096];
    if (given) return memory_copy(given);
    ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
    if (length <= 0) return memory_copy("peers");
    path[length] = '\0';
    char* slash = strrchr(path, '/');
    if (slash) *slash = '\0';
    return memory_text("%s/peers", path);
}

static int compare_peers(const void* a, const void* b) {
    return strcmp(((const bench_peer*)a)->name, ((const bench_peer*)b)->name);
}

static void start_one(bench_peers* peers, const char* folder, const char* file, double timeout) {
    bench_peer peer = {.timeout = timeout, .path = memory_text("%s/%s", folder, file)};
    snprintf(peer.name, sizeof peer.name, "%.47s", file + strlen(PREFIX));
    if (child_start(&peer.program, peer.path)) {
        peers->at = memory_resize(peers->at, (size_t)peers->count + 1, sizeof *peers->at);
        peers->at[peers->count++] = peer;
        return;
    }
    message_warning("%s: cannot be started; left out", peer.path);
    free(peer.path);
}

bool bench_peers_start(bench_peers* peers, const char* folder, double timeout) {
    char* where = bench_peers_folder(folder);
    DIR* dir = opendir(where);
    if (!dir && folder) {
        message_error("--peers %s: cannot be read (%s); `make peers` builds build/peers", folder,
                      strerror(errno));
        free(where);
        return false;
    }
    for (struct dirent* entry = dir ? readdir(dir) : NULL; entry; entry = readdir(dir)) {
        if (strncmp(entry->d_name, PREFIX, strlen(PREFIX)) == 0 &&
            strcmp(entry->d_name, CONTACT) != 0) {
            start_one(peers, where, entry->d_name, timeout);
        }
    }
    if (dir) closedir(dir);
    if (peers->count == 0) {
        message_note("no other engines in %s; run `make peers` to compare with them", where);
    } else {
        qsort(peers->at, (size_t)peers->count, sizeof *peers->at, compare_peers);
    }
    free(where);
    return true;
}

static void close_files(bench_peers* peers) {
    if (peers->model) fclose(peers->model);
    if (peers->state) fclose(peers->state);
    peers->model = peers->state = NULL;
}

bool bench_peers_give(bench_peers* peers, const bench_line* line) {
    if (peers->count == 0) return true;
    close_files(peers);
    peers->model = tmpfile();
    peers->state = tmpfile();
    if (peers->model && peers->state && bench_line_write_model(line, peers->model) &&
        bench_line_write_state(line, peers->state)) {
        return true;
    }
    message_error("no temporary file can be written (%s); free some space", strerror(errno));
    return false;
}

// Gives it a file to read, by the name under which the system shows our open files; what follows "ok"
// in its answer, or NULL.
static const char* give(bench_contender* c, const char* what, FILE* file) {
    char command[80];
    snprintf(command, sizeof command, "%s /proc/%ld/fd/%d", what, (long)getpid(), fileno(file));
    return ask(c, command, "ok");
}

bool bench_open_peer(bench_contender* c, const bench_line* line, bench_peers* peers, int i) {
    bench_peer* peer = &peers->at[i];
    char engine[24], version[20];
    int dof = 0;
    if (peer->failures >= FAILURES_MOST) return false;
    if (peer->program.pid <= 0 && !child_start(&peer->program, peer->path)) return false;
    *c = (bench_contender){.kind = &KIND, .self = peer, .line = line, .states = 1};
    c->row = bench_row_on(line->spec->name, line->joints, line->dof);
    c->row.peer = true;
    snprintf(c->row.engine, sizeof c->row.engine, "%s", peer->name);
    const char* answer = give(c, "model", peers->model);
    if (!answer) return true;
    if (sscanf(answer, "%23s %19s %d", engine, version, &dof) != 3 || dof != line->dof) {
        give_up(c, peer, "read another model than it was given");
        return true;
    }
    snprintf(peer->name, sizeof peer->name, "%s-%s", engine, version);
    snprintf(c->row.engine, sizeof c->row.engine, "%s", peer->name);
    give(c, "state", peers->state); // if not, the row says why
    return true;
}

void bench_peers_end(bench_peers* peers) {
    char how[80];
    for (int i = 0; i < peers->count; i++) {
        child_end(&peers->at[i].program, how, sizeof how);
        free(peers->at[i].path);
    }
    close_files(peers);
    free(peers->at);
    *peers = (bench_peers){0};
}
