// SPDX-License-Identifier: Apache-2.0
#define _POSIX_C_SOURCE 200809L
#include "terminal.h"

#include <langinfo.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum { WIDTH_DEFAULT = 80, WIDTH_LEAST = 40 };

bool terminal_is(FILE* stream) {
    const char* kind = getenv("TERM");
    return isatty(fileno(stream)) && !(kind && strcmp(kind, "dumb") == 0);
}

bool terminal_colours(FILE* stream) {
    const char* refused = getenv("NO_COLOR");
    return !(refused && refused[0]) && terminal_is(stream);
}

int terminal_width(FILE* stream) {
    struct winsize size = {0};
    if (!isatty(fileno(stream)) || ioctl(fileno(stream), TIOCGWINSZ, &size) != 0) {
        return WIDTH_DEFAULT;
    }
    if (size.ws_col == 0) return WIDTH_DEFAULT;
    return size.ws_col < WIDTH_LEAST ? WIDTH_LEAST : size.ws_col;
}

bool terminal_utf8(void) { return strcmp(nl_langinfo(CODESET), "UTF-8") == 0; }

int terminal_columns(const char* text) {
    int columns = 0;
    for (; *text; text++) columns += ((unsigned char)*text & 0xC0) != 0x80;
    return columns;
}
