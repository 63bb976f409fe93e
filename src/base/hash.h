// SPDX-License-Identifier: Apache-2.0
/// 64-bit hash of bytes: for state hashes and name tables, not for cryptography.
#ifndef SN_BASE_HASH_H
#define SN_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/// Continues `hash` over the bytes; start from 0. Same bytes, same hash on any little-endian
/// machine.
static inline uint64_t sni_hash(uint64_t hash, const void* bytes, size_t count) {
    const unsigned char* at = bytes;
    hash = ((hash ^ 0x9e3779b97f4a7c15u) + count) * 0xc4ceb9fe1a85ec53u;
    hash ^= hash >> 33;
    uint64_t word = 0;
    for (; count >= sizeof word; count -= sizeof word, at += sizeof word) {
        memcpy(&word, at, sizeof word);
        hash = (hash ^ word) * 0xff51afd7ed558ccdu;
        hash ^= hash >> 32;
    }
    if (count == 0) return hash;
    word = 0;
    memcpy(&word, at, count);
    hash = (hash ^ word) * 0xff51afd7ed558ccdu;
    return hash ^ (hash >> 32);
}

#endif
