// SPDX-License-Identifier: Apache-2.0
/// The viewer of `sinew run` and `sinew replay`: a server, its gallery, and the page in a browser.
#ifndef SINEW_APP_VIEWER_H
#define SINEW_APP_VIEWER_H

#include "gallery.h"

typedef struct viewer_options {
    long port;         ///< negative: one that is free, 8570 first
    const char* token; ///< NULL: random
    bool no_open;
} viewer_options;

#define VIEWER_OPTIONS(v)                                                                          \
    {"port", "N", "of the viewer's page on 127.0.0.1; 8570 or the next free one if not given",     \
     OPTION_WHOLE, &(v).port},                                                                     \
        {"token", "WORD",                                                                          \
         "of the address, 32 letters and digits: pages find a program that was "                   \
         "started anew; random if not given",                                                      \
         OPTION_TEXT, &(v).token},                                                                 \
    {                                                                                              \
        "no-open", NULL, "print the address of the page, and open no browser", OPTION_FLAG,        \
            &(v).no_open                                                                           \
    }

/// What --help says about it.
#define VIEWER_HELP                                                                                \
    "The page is served to this machine only; its address has a token, without which nobody "      \
    "gets in.\nIt opens by itself where there is a display. From another machine: ssh -L "         \
    "8570:127.0.0.1:8570 HOST,\nand open the printed address there. Ctrl-C ends it.\n"

typedef struct viewer {
    gallery shown;
    sn_server* server;
} viewer;

/// Begins to serve. False, with the reason said.
bool viewer_begin(viewer* v, const viewer_options* options);
/// Says where the page of `name` is, and opens it.
void viewer_announce(const viewer* v, const viewer_options* options, const char* name);
void viewer_end(viewer* v);

#endif
