// SPDX-License-Identifier: Apache-2.0
#include "record/block.h"

#include <string.h>

#include "base/hash.h"

static const char MAGIC[8] = {'S', 'I', 'N', 'E', 'W', 'R', 'E', 'C'};
static const uint32_t ORDER = 0x01020304;        // 04 03 02 01 in the file
static const uint32_t MARKER = 0x4b4c4253;       // "SBLK"
static const uint64_t SEED = 0x7265636f72646564; // so that zeros are no block

enum { FILE_SUMMED = SN_FILE_HEADER - 8, BLOCK_SUMMED = SN_BLOCK_HEADER - 8 };

uint64_t sni_block_sum(const void* payload, size_t length) {
    return sni_hash(SEED, payload, length);
}

static void put(unsigned char** at, const void* from, size_t size) {
    memcpy(*at, from, size);
    *at += size;
}

static void get(const unsigned char** at, void* to, size_t size) {
    memcpy(to, *at, size);
    *at += size;
}

void sni_file_header_write(unsigned char bytes[SN_FILE_HEADER], const char* build) {
    uint32_t version = SN_RECORD_VERSION;
    memset(bytes, 0, SN_FILE_HEADER);
    unsigned char* at = bytes;
    put(&at, MAGIC, sizeof MAGIC);
    put(&at, &version, sizeof version);
    put(&at, &ORDER, sizeof ORDER);
    size_t length = strlen(build);
    put(&at, build, length < SN_BUILD_TEXT ? length : SN_BUILD_TEXT);
    uint64_t sum = sni_block_sum(bytes, FILE_SUMMED);
    memcpy(bytes + FILE_SUMMED, &sum, sizeof sum);
}

sni_header_state sni_file_header_read(const unsigned char bytes[SN_FILE_HEADER],
                                      char build[SN_BUILD_TEXT + 1]) {
    uint32_t version, order;
    uint64_t sum;
    const unsigned char* at = bytes + sizeof MAGIC;
    if (memcmp(bytes, MAGIC, sizeof MAGIC) != 0) return SN_HEADER_FOREIGN;
    get(&at, &version, sizeof version);
    get(&at, &order, sizeof order);
    if (order != ORDER) return order == 0x04030201 ? SN_HEADER_ORDER : SN_HEADER_DAMAGED;
    get(&at, build, SN_BUILD_TEXT);
    build[SN_BUILD_TEXT] = 0;
    get(&at, &sum, sizeof sum);
    if (sum != sni_block_sum(bytes, FILE_SUMMED)) return SN_HEADER_DAMAGED;
    return version == SN_RECORD_VERSION ? SN_HEADER_GOOD : SN_HEADER_VERSION;
}

void sni_block_write(unsigned char bytes[SN_BLOCK_HEADER], const sni_block* block) {
    unsigned char* at = bytes;
    put(&at, &MARKER, sizeof MARKER);
    put(&at, &block->type, sizeof block->type);
    put(&at, &block->length, sizeof block->length);
    put(&at, &block->number, sizeof block->number);
    put(&at, &block->step, sizeof block->step);
    put(&at, &block->sum, sizeof block->sum);
    uint64_t sum = sni_block_sum(bytes, BLOCK_SUMMED);
    put(&at, &sum, sizeof sum);
}

bool sni_block_read(const unsigned char bytes[SN_BLOCK_HEADER], sni_block* block) {
    uint32_t marker;
    uint64_t sum;
    const unsigned char* at = bytes;
    get(&at, &marker, sizeof marker);
    get(&at, &block->type, sizeof block->type);
    get(&at, &block->length, sizeof block->length);
    get(&at, &block->number, sizeof block->number);
    get(&at, &block->step, sizeof block->step);
    get(&at, &block->sum, sizeof block->sum);
    get(&at, &sum, sizeof sum);
    return marker == MARKER && block->type > 0 && sum == sni_block_sum(bytes, BLOCK_SUMMED);
}
