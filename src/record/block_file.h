// SPDX-License-Identifier: Apache-2.0
/// A file that blocks are appended to. When it cannot be written any more, it is cut after the last whole block.
#ifndef SN_RECORD_BLOCK_FILE_H
#define SN_RECORD_BLOCK_FILE_H

#include "record/block.h"
#include "record/coder.h"
#include "sinew/status.h"

typedef struct sni_block_file {
    int file;        ///< -1: none
    uint64_t bytes;  ///< up to the end of the last whole block
    uint64_t number; ///< of the next block
    bool stopped;    ///< nothing is written any more
    char text[256];  ///< why, for a person
    const char* path;
} sni_block_file;

/// Makes the file, or takes the place of what is there, and writes its header. The path is borrowed.
sn_status sni_block_file_open(sni_block_file* file, const char* path, sn_error* error);
/// Begins a block: `payload` gets room for its header, and is to be filled after it.
void sni_block_begin(sni_bytes* payload);
/// Appends the block, and clears the payload. Returns its number. Does nothing when the file has stopped.
uint64_t sni_block_append(sni_block_file* file, sni_block_type type, uint64_t step,
                          sni_bytes* payload);
void sni_block_file_close(sni_block_file* file);

#endif
