// SPDX-License-Identifier: Apache-2.0
#define _DEFAULT_SOURCE // mkstemps
#include "temporary_file.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "memory.h"

static bool write_all(int fd, const char* text, size_t left) {
    while (left > 0) {
        ssize_t done = write(fd, text, left);
        if (done <= 0) return false;
        text += done;
        left -= (size_t)done;
    }
    return true;
}

char* temporary_file_make(const char* ending, const char* text) {
    const char* folder = getenv("TMPDIR");
    char* path = memory_text("%s/sinew-XXXXXX%s", folder && *folder ? folder : "/tmp", ending);
    int fd = mkstemps(path, (int)strlen(ending));
    if (fd < 0) {
        free(path);
        return NULL;
    }
    bool good = write_all(fd, text, strlen(text));
    close(fd);
    if (good) return path;
    temporary_file_remove(path);
    return NULL;
}

void temporary_file_remove(char* path) {
    if (path) unlink(path);
    free(path);
}
