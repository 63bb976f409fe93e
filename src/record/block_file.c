// SPDX-License-Identifier: Apache-2.0
#define _POSIX_C_SOURCE 200809L
#include "record/block_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"

#ifndef SN_VERSION_STRING
#define SN_VERSION_STRING "unknown"
#endif

/// 0, or the errno of what went wrong.
static int write_all(int file, const unsigned char* bytes, size_t count) {
    while (count > 0) {
        ssize_t done = write(file, bytes, count);
        if (done < 0 && errno == EINTR) continue;
        if (done < 0) return errno;
        if (done == 0) return ENOSPC; // a device that takes nothing, and has no reason
        bytes += done;
        count -= (size_t)done;
    }
    return 0;
}

static const char* reason(int number, char* text, size_t size) {
    if (strerror_r(number, text, size) != 0) snprintf(text, size, "error %d", number);
    return text;
}

sn_status sni_block_file_open(sni_block_file* file, const char* path, sn_error* error) {
    *file = (sni_block_file){.path = path};
    unsigned char header[SN_FILE_HEADER];
    sni_file_header_write(header, "sinew " SN_VERSION_STRING);
    file->file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    int trouble = file->file < 0 ? errno : write_all(file->file, header, sizeof header);
    if (!trouble) {
        file->bytes = sizeof header;
        return SN_OK;
    }
    sni_block_file_close(file);
    char text[128];
    sn_place place = {path, 0, 0};
    return sni_fail(error, SN_ERR_FILE, place, "the recording cannot be written: %s",
                    reason(trouble, text, sizeof text));
}

void sni_block_begin(sni_bytes* payload) {
    sni_bytes_clear(payload);
    sni_bytes_grow(payload, SN_BLOCK_HEADER);
}

static void stop(sni_block_file* file, int trouble) {
    char text[64];
    snprintf(file->text, sizeof file->text, "%.100s: %s; %s", file->path,
             reason(trouble, text, sizeof text),
             trouble == ENOSPC || trouble == EFBIG || trouble == EDQUOT
                 ? "make room and record anew; what was written is readable"
                 : "what was written is readable");
    file->stopped = true;
    if (file->file >= 0 && ftruncate(file->file, (off_t)file->bytes) != 0)
        return; // a device cannot be cut, and need not be
}

uint64_t sni_block_append(sni_block_file* file, sni_block_type type, uint64_t step,
                          sni_bytes* payload) {
    sni_block block = {.type = type, .number = file->number, .step = step};
    int trouble = payload->failed ? ENOMEM : 0;
    if (!trouble && !file->stopped) {
        block.length = payload->count - SN_BLOCK_HEADER;
        block.sum = sni_block_sum(payload->at + SN_BLOCK_HEADER, block.length);
        sni_block_write(payload->at, &block);
        trouble = write_all(file->file, payload->at, payload->count);
        if (!trouble) file->bytes += payload->count;
    }
    if (trouble && !file->stopped) stop(file, trouble);
    sni_bytes_clear(payload);
    return file->number++;
}

void sni_block_file_close(sni_block_file* file) {
    if (file->file >= 0 && close(file->file) != 0 && errno != EINTR && !file->stopped) {
        file->file = -1;
        stop(file, errno); // some file systems tell only now
    }
    file->file = -1;
}
