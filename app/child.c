// SPDX-License-Identifier: Apache-2.0
#define _POSIX_C_SOURCE 200809L
#include "child.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "memory.h"
#include "sinew/clock.h"

extern char** environ;

static const size_t LINE_MOST = (size_t)64 << 20; // bytes of an answer
static const double PATIENCE = 1;                 // s that it has to end by itself

// Both ends of one connection, closed in programs that are started.
static bool connect_pair(int ends[2]) {
    // A socket rather than a pipe: writing to a dead program is then an error, not a signal.
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0) return false;
    for (int i = 0; i < 2; i++) {
        if (fcntl(ends[i], F_SETFD, FD_CLOEXEC) == 0) continue;
        close(ends[0]);
        close(ends[1]);
        return false;
    }
    return true;
}

bool child_start(child* c, const char* path) {
    const char* words[] = {path, NULL};
    return child_start_with(c, words);
}

bool child_start_with(child* c, const char* const* words) {
    int ends[2];
    posix_spawn_file_actions_t actions;
    *c = (child){.fd = -1};
    if (!connect_pair(ends)) return false;
    int failed = posix_spawn_file_actions_init(&actions);
    failed |= posix_spawn_file_actions_adddup2(&actions, ends[1], STDIN_FILENO);
    failed |= posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
    failed |= posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    failed = failed ||
             posix_spawnp(&c->pid, words[0], &actions, NULL, (char* const*)words, environ) != 0;
    posix_spawn_file_actions_destroy(&actions);
    close(ends[1]);
    if (!failed) {
        c->fd = ends[0];
        return true;
    }
    close(ends[0]);
    *c = (child){.fd = -1};
    return false;
}

static bool send_all(int fd, const char* text, size_t length) {
    while (length > 0) {
        ssize_t sent = send(fd, text, length, MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR) continue;
        if (sent <= 0) return false;
        text += sent;
        length -= (size_t)sent;
    }
    return true;
}

static double now(void) {
    sn_clock clock = sn_clock_real();
    return 1e-9 * (double)clock.now_ns(clock.context);
}

// Waits for more to read; false when there is none before `until`.
static bool wait_for_more(int fd, double until) {
    for (;;) {
        double left = until - now();
        struct pollfd at = {.fd = fd, .events = POLLIN};
        int ready = poll(&at, 1, left > 0 ? (int)(1e3 * left) + 1 : 0);
        if (ready > 0) return true;
        if (ready < 0 && errno != EINTR) return false;
        if (left <= 0) return false;
    }
}

static child_result read_line(child* c, double until) {
    for (;;) {
        if (c->capacity - c->length < 4096) {
            if (c->capacity > LINE_MOST) return CHILD_CHATTY;
            c->capacity = c->capacity ? 2 * c->capacity : 1 << 16;
            c->text = memory_resize(c->text, c->capacity, 1);
        }
        if (!wait_for_more(c->fd, until)) return CHILD_SILENT;
        ssize_t got = read(c->fd, c->text + c->length, c->capacity - c->length - 1);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) return CHILD_ENDED;
        char* end = memchr(c->text + c->length, '\n', (size_t)got);
        c->length += (size_t)got;
        if (!end) continue;
        *end = '\0'; // whatever comes after the answer was not asked for
        return CHILD_ANSWERED;
    }
}

child_result child_ask(child* c, const char* line, double seconds, const char** answer) {
    char* whole = memory_text("%s\n", line);
    bool sent = send_all(c->fd, whole, strlen(whole));
    free(whole);
    c->length = 0;
    if (!sent) return CHILD_ENDED;
    child_result result = read_line(c, now() + seconds);
    *answer = c->text;
    return result;
}

static void describe(int status, char* how, size_t size) {
    if (WIFSIGNALED(status)) {
        snprintf(how, size, "signal %d (%s)", WTERMSIG(status), strsignal(WTERMSIG(status)));
    } else {
        snprintf(how, size, "exit status %d", WEXITSTATUS(status));
    }
}

void child_end(child* c, char* how, size_t size) {
    if (c->pid <= 0) return;
    int status = 0;
    close(c->fd);
    double until = now() + PATIENCE;
    pid_t ended = waitpid(c->pid, &status, WNOHANG);
    while (ended == 0 && now() < until) {
        nanosleep(&(struct timespec){0, 5000000}, NULL);
        ended = waitpid(c->pid, &status, WNOHANG);
    }
    if (ended == 0) {
        kill(c->pid, SIGKILL);
        ended = waitpid(c->pid, &status, 0);
    }
    if (ended == c->pid) {
        describe(status, how, size);
    } else {
        snprintf(how, size, "unknown");
    }
    free(c->text);
    *c = (child){.fd = -1};
}
