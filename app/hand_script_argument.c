// SPDX-License-Identifier: Apache-2.0
#include "hand_script_argument.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"
#include "message.h"

enum { SCRIPT_MOST = 1 << 26 };

// All of a file; NULL, with the reason said.
static char* read_text(const char* path, size_t* length) {
    bool is_stdin = strcmp(path, "-") == 0;
    FILE* in = is_stdin ? stdin : fopen(path, "rb");
    size_t capacity = 1 << 12;
    char* text = memory_take(capacity, 1);
    *length = in ? fread(text, 1, capacity, in) : 0;
    while (in && *length == capacity && capacity < SCRIPT_MOST) {
        text = memory_resize(text, capacity *= 2, 1);
        *length += fread(text + *length, 1, capacity - *length, in);
    }
    bool good = in && !ferror(in) && *length < capacity;
    if (in && !is_stdin) (void)fclose(in); // it was only read
    if (good) return text;
    message_error("--script: %s cannot be read%s", path,
                  *length == capacity ? ": it is too long" : "");
    free(text);
    return NULL;
}

sn_hand_script* hand_script_read(const char* path) {
    sn_error error = {0};
    size_t length;
    sn_hand_script* script = NULL;
    char* text = read_text(path, &length);
    if (!text) return NULL;
    const char* name = strcmp(path, "-") == 0 ? "<stdin>" : path;
    if (sn_hand_script_parse(text, length, name, &script, &error)) message_error_from(&error);
    free(text);
    return script;
}
