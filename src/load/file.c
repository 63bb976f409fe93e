// SPDX-License-Identifier: Apache-2.0
#define _XOPEN_SOURCE 700 // open, fstat
#include "load/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

const char SN_FILE_TOO_LARGE[] =
    "larger than 256 MB; nothing read here needs that, is it the right file?";

static sn_status fail_file(const char* path, const char* what, sn_error* error) {
    sn_place place = {path, 0, 0};
    return sni_fail(error, SN_ERR_FILE, place, "%s", what);
}

/// Reads up to `size` bytes, fewer when the file became shorter meanwhile.
static bool read_all(int file, char* text, size_t size, size_t* length) {
    *length = 0;
    while (*length < size) {
        ssize_t got = read(file, text + *length, size - *length);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return false;
        if (got == 0) break;
        *length += (size_t)got;
    }
    return true;
}

static sn_status read_open_file(int file, const char* path, char** text, size_t* length,
                                sn_error* error) {
    struct stat info;
    if (fstat(file, &info) != 0) return fail_file(path, strerror(errno), error);
    if (S_ISDIR(info.st_mode)) return fail_file(path, "is a folder; give a file inside it", error);
    if (!S_ISREG(info.st_mode))
        return fail_file(path, "is not a regular file; save the text to one", error);
    if ((uintmax_t)info.st_size > SN_FILE_LIMIT) return fail_file(path, SN_FILE_TOO_LARGE, error);
    *text = malloc((size_t)info.st_size + 1);
    if (!*text) {
        sn_place place = {path, 0, 0};
        return sni_fail(error, SN_ERR_MEMORY, place, "not enough memory to read the file");
    }
    if (!read_all(file, *text, (size_t)info.st_size, length))
        return fail_file(path, strerror(errno), error);
    return SN_OK;
}

sn_status sni_file_read(const char* path, char** text, size_t* length, sn_error* error) {
    *text = NULL;
    *length = 0;
    // Without O_NONBLOCK, opening a pipe that nobody writes to would wait for ever.
    int file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (file < 0)
        return fail_file(path, errno == ENOENT ? "no such file; check the path" : strerror(errno),
                         error);
    sn_status status = read_open_file(file, path, text, length, error);
    close(file);
    return status;
}
