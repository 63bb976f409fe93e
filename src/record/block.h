// SPDX-License-Identifier: Apache-2.0
/// What a recording is made of: a file header, then blocks, each with its length, its number and checksums of its
/// header and of what follows it. docs/recording.md has every byte.
#ifndef SN_RECORD_BLOCK_H
#define SN_RECORD_BLOCK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    SN_RECORD_VERSION = 3,
    SN_FILE_HEADER = 64, ///< bytes
    SN_BLOCK_HEADER = 48,
    SN_BUILD_TEXT = 40
};

typedef enum sni_block_type {
    SN_BLOCK_SCENE = 1, ///< text
    SN_BLOCK_OPTIONS,   ///< what is sampled; the world's options
    SN_BLOCK_MODEL,
    SN_BLOCK_START,   ///< commands that bring a new world to where the recording begins
    SN_BLOCK_STEPS,   ///< inputs and hash of each
    SN_BLOCK_SAMPLES, ///< states
    SN_BLOCK_REPLACE, ///< a model that takes the place of the one before
    SN_BLOCK_GAP,     ///< steps are missing here
    SN_BLOCK_END,     ///< the writer came to the end
    SN_BLOCK_METERS,  ///< of the loops of a session
    SN_BLOCK_MOLECULE ///< one whose forces act
} sni_block_type;

typedef struct sni_block {
    uint32_t type;
    uint64_t length; ///< bytes after the header
    uint64_t number; ///< 0, 1, 2 ...
    uint64_t step;   ///< steps that the world had done before what is in it
    uint64_t sum;    ///< of the bytes after the header
} sni_block;

typedef enum sni_header_state {
    SN_HEADER_GOOD,
    SN_HEADER_FOREIGN, ///< not ours
    SN_HEADER_VERSION, ///< of another version
    SN_HEADER_ORDER,   ///< of a machine with another order of bytes
    SN_HEADER_DAMAGED
} sni_header_state;

void sni_file_header_write(unsigned char bytes[SN_FILE_HEADER], const char* build);
sni_header_state sni_file_header_read(const unsigned char bytes[SN_FILE_HEADER],
                                      char build[SN_BUILD_TEXT + 1]);
void sni_block_write(unsigned char bytes[SN_BLOCK_HEADER], const sni_block* block);
/// False: damaged. A type that is not known is none: such a block is passed over.
bool sni_block_read(const unsigned char bytes[SN_BLOCK_HEADER], sni_block* block);
uint64_t sni_block_sum(const void* payload, size_t length);

#endif
