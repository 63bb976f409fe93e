// SPDX-License-Identifier: Apache-2.0
#define _DEFAULT_SOURCE
#include "viewer.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "message.h"

enum { PORTS_TRIED = 20 };

bool viewer_begin(viewer* v, const viewer_options* options) {
    sn_error error = {0};
    sn_server_def def = sn_server_def_default();
    *v = (viewer){.shown = gallery_read()};
    def.gallery = v->shown.entries;
    def.gallery_count = v->shown.count;
    def.token = options->token;
    int first = options->port >= 0 ? (int)options->port : def.port;
    int tries = options->port >= 0 ? 1 : PORTS_TRIED;
    for (def.port = first; def.port < first + tries && !v->server; def.port++)
        error.status = sn_server_create(&def, &v->server, &error);
    if (!v->server)
        message_error("%s%s", error.text,
                      error.status == SN_ERR_FILE ? "; choose another with --port" : "");
    return v->server != NULL;
}

// A program of its own that outlives us and says nothing here.
static void open_browser(const char* address) {
    pid_t child = fork();
    if (child < 0) return;
    if (child > 0) {
        (void)waitpid(child, NULL, 0); // it ends at once, its child goes on
        return;
    }
    int nowhere = open("/dev/null", O_RDWR);
    if (setsid() >= 0 && nowhere >= 0 && fork() == 0) {
        for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++) (void)dup2(nowhere, fd); // quiet
        execlp("xdg-open", "xdg-open", address, (char*)NULL);
    }
    _exit(0);
}

void viewer_announce(const viewer* v, const viewer_options* options, const char* name) {
    const char *x = getenv("DISPLAY"), *wayland = getenv("WAYLAND_DISPLAY");
    bool display = (x && x[0]) || (wayland && wayland[0]);
    const char* address = sn_server_address(v->server);
    printf("%s: %s\n", name, address);
    fflush(stdout);
    if (!sn_server_has_page())
        message_note(
            "this program was built without its page: install nodejs and npm, then `make`");
    if (getenv("SSH_CONNECTION") && !display)
        message_note("on your own machine: ssh -L %d:127.0.0.1:%d ..., then open this address",
                     sn_server_port(v->server), sn_server_port(v->server));
    if (display && !options->no_open) open_browser(address);
}

void viewer_end(viewer* v) {
    sn_server_free(v->server);
    gallery_free(&v->shown);
    *v = (viewer){0};
}
