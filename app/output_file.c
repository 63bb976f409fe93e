// SPDX-License-Identifier: Apache-2.0
#define _POSIX_C_SOURCE 200809L
#include "output_file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "memory.h"
#include "message.h"

static void forget(output_file* file) {
    free(file->path);
    free(file->temporary);
    *file = (output_file){0};
}

bool output_open(output_file* file, const char* path) {
    struct stat there;
    *file = (output_file){0};
    bool exists = stat(path, &there) == 0;
    if (exists && S_ISDIR(there.st_mode)) {
        message_error("%s: is a directory; give the name of a file in it", path);
        return false;
    }
    file->path = memory_copy(path);
    // A device such as /dev/stdout or a pipe is written in place: it cannot be renamed over.
    bool direct = exists && !S_ISREG(there.st_mode);
    file->temporary = direct ? memory_copy(path) : memory_text("%s.tmp", path);
    file->stream = fopen(file->temporary, "w");
    if (file->stream) return true;
    const char* advice =
        errno == ENOENT ? "create the directory first" : "choose a place you may write to";
    message_error("%s: cannot be written (%s); %s", path, strerror(errno), advice);
    forget(file);
    return false;
}

bool output_commit(output_file* file) {
    if (!file->stream) return false;
    bool direct = strcmp(file->path, file->temporary) == 0;
    errno = 0;
    bool bad = ferror(file->stream) != 0;
    int reason = errno;
    if (fclose(file->stream) != 0) {
        bad = true;
        reason = errno;
    }
    if (!bad && !direct && rename(file->temporary, file->path) != 0) {
        bad = true;
        reason = errno;
    }
    if (bad) {
        message_error("%s: not everything could be written (%s); free some space and run again",
                      file->path, reason ? strerror(reason) : "write error");
        if (!direct) remove(file->temporary);
    }
    forget(file);
    return !bad;
}

void output_discard(output_file* file) {
    if (!file->stream) return;
    fclose(file->stream);
    if (strcmp(file->path, file->temporary) != 0) remove(file->temporary);
    forget(file);
}
