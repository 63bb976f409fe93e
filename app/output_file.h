// SPDX-License-Identifier: Apache-2.0
/// A file that appears whole or not at all: written beside its place as NAME.tmp and renamed at the
/// end, so that an old result stays until the new one is complete. Whether it can be written is
/// known before the work begins.
#ifndef SINEW_APP_OUTPUT_FILE_H
#define SINEW_APP_OUTPUT_FILE_H

#include <stdbool.h>
#include <stdio.h>

typedef struct output_file {
    FILE* stream;
    char* path;
    char* temporary;
} output_file;

/// False, with the reason said, when the file cannot be written.
bool output_open(output_file* file, const char* path);
/// Closes and moves the file to its place; false, with the reason said, when not all was written
/// (the disk is full): then what was there before stays.
bool output_commit(output_file* file);
/// Drops what was written. Does nothing on a file that is not open.
void output_discard(output_file* file);

#endif
