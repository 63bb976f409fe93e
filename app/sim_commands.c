// SPDX-License-Identifier: Apache-2.0
/// A stream of edits, one a line: "0.5: gravity: [0, 0, -1.6]", or without a time.
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "memory.h"
#include "message.h"
#include "sim.h"

// An edit that waits for its time.
typedef struct line {
    double time; ///< s
    char* text;
    int number; ///< in the stream
    int indent; ///< bytes before the text
} line;

struct sim_commands {
    const char* name; ///< of the stream, for messages
    int fd;           ///< -1: read to its end
    bool live;
    char* text; ///< read and not yet cut into lines
    size_t length, capacity;
    line* lines; ///< by time
    int count, next;
    int read;         ///< lines so far
    double last_time; ///< of the line read last
    int done, failed;
};

// ---- lines -----------------------------------------------------------------------------------------

static void fail_line(sim_commands* c, int number, const char* text) {
    message_error("%s:%d: %s", c->name, number, text);
    c->failed += 1;
}

// In the order of time; of the same time in the order of the stream.
static void put_line(sim_commands* c, line l) {
    c->lines = memory_resize(c->lines, (size_t)c->count + 1, sizeof *c->lines);
    int at = c->count++;
    for (; at > c->next && c->lines[at - 1].time > l.time; at--) c->lines[at] = c->lines[at - 1];
    c->lines[at] = l;
}

// "TIME:" at the beginning; where the rest begins.
static const char* read_time(sim_commands* c, const char* text, bool* good) {
    char* end;
    double time = strtod(text, &end);
    *good = true;
    if (end == text || *end != ':') return text;
    *good = isfinite(time) && time >= 0;
    c->last_time = time;
    return end + 1;
}

static void read_line(sim_commands* c, const char* text, double now) {
    bool good;
    int number = ++c->read;
    const char* start = text + strspn(text, " \t\r");
    if (*start == '\0' || *start == '#') return;
    if (c->live) c->last_time = now;
    const char* edit = read_time(c, start, &good);
    edit += strspn(edit, " \t");
    if (good) {
        put_line(c, (line){c->last_time, memory_copy(edit), number, (int)(edit - text)});
    } else {
        fail_line(c, number, "a time is a number of seconds of at least 0, such as 0.5: reset");
    }
}

// Cuts what was read; at the end of the stream the last line may have no end.
static void cut_lines(sim_commands* c, double now) {
    size_t start = 0;
    for (size_t i = 0; i < c->length; i++) {
        if (c->text[i] != '\n') continue;
        c->text[i] = '\0';
        read_line(c, c->text + start, now);
        start = i + 1;
    }
    c->length -= start;
    memmove(c->text, c->text + start, c->length);
    if (c->fd >= 0 || c->length == 0) return;
    c->text[c->length] = '\0';
    read_line(c, c->text, now);
    c->length = 0;
}

// ---- the stream ------------------------------------------------------------------------------------

static void close_stream(sim_commands* c) {
    if (c->fd > STDIN_FILENO) close(c->fd);
    c->fd = -1;
}

// One read, which may wait unless something is there.
static void read_some(sim_commands* c) {
    enum { PIECE = 1 << 14 };
    if (c->capacity - c->length <= PIECE) {
        c->capacity = 2 * c->capacity + 2 * PIECE;
        c->text = memory_resize(c->text, c->capacity, 1);
    }
    ssize_t got = read(c->fd, c->text + c->length, PIECE);
    if (got > 0) {
        c->length += (size_t)got;
    } else if (got == 0 || errno != EINTR) {
        if (got < 0) message_error("%s: %s", c->name, strerror(errno));
        close_stream(c);
    }
}

static bool has_something(const sim_commands* c) {
    struct pollfd ready = {.fd = c->fd, .events = POLLIN};
    return c->fd >= 0 && poll(&ready, 1, 0) > 0;
}

sim_commands* sim_commands_open(const char* path, bool live) {
    struct stat info;
    bool standard = strcmp(path, "-") == 0;
    sim_commands* c = memory_take(1, sizeof *c);
    c->name = standard ? "<stdin>" : path;
    c->fd = standard ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
    if (c->fd < 0 || fstat(c->fd, &info) != 0 || S_ISDIR(info.st_mode)) {
        message_error("--commands: %s cannot be read: %s", path,
                      c->fd < 0 ? strerror(errno) : "it is a directory");
        sim_commands_free(c);
        return NULL;
    }
    c->live = live && !S_ISREG(info.st_mode);
    while (c->fd >= 0 && !c->live) read_some(c);
    if (!c->live) cut_lines(c, 0);
    return c;
}

void sim_commands_free(sim_commands* c) {
    if (!c) return;
    close_stream(c);
    for (int i = 0; i < c->count; i++) free(c->lines[i].text);
    free(c->lines);
    free(c->text);
    free(c);
}

// ---- applying --------------------------------------------------------------------------------------

static void apply(sim_commands* c, const line* l, sn_simulation* sim) {
    char answer[512];
    sn_error error = {0};
    error.status = sn_simulation_command(sim, l->text, answer, sizeof answer, &error);
    if (error.status) {
        snprintf(error.file, sizeof error.file, "%s", c->name);
        error.line = l->number;
        if (error.column > 0) error.column += l->indent;
        message_error_from(&error);
        c->failed += 1;
        return;
    }
    c->done += 1;
    if (answer[0]) message_note("%s:%d: %s", c->name, l->number, answer);
}

void sim_commands_apply(sim_commands* c, sn_simulation* sim) {
    if (!c) return;
    const sn_world* world = sn_simulation_world(sim);
    // as with a script: what is due half a step before or after is due now
    double due = sn_world_time(world) + 0.5 * sn_world_step_size(world);
    while (c->live && has_something(c)) {
        read_some(c);
        cut_lines(c, sn_world_time(world));
    }
    while (c->next < c->count && c->lines[c->next].time <= due) {
        apply(c, &c->lines[c->next++], sim);
    }
}

int sim_commands_done(const sim_commands* c) { return c->done; }
int sim_commands_failed(const sim_commands* c) { return c->failed; }
int sim_commands_left(const sim_commands* c) { return c->count - c->next; }
