// SPDX-License-Identifier: Apache-2.0
#include "server/sha1.h"

#include <stdint.h>
#include <string.h>

enum { BLOCK = 64, ROUNDS = 80 };

static uint32_t turn(uint32_t x, int by) { return x << by | x >> (32 - by); }

/// [RFC3174 ch 6.1]
static void add_block(uint32_t h[5], const unsigned char* block) {
    uint32_t w[ROUNDS], a = h[0], b = h[1], c = h[2], d = h[3], e = h[4];
    for (int t = 0; t < 16; t++)
        w[t] = (uint32_t)block[4 * t] << 24 | (uint32_t)block[4 * t + 1] << 16 |
               (uint32_t)block[4 * t + 2] << 8 | block[4 * t + 3];
    for (int t = 16; t < ROUNDS; t++) w[t] = turn(w[t - 3] ^ w[t - 8] ^ w[t - 14] ^ w[t - 16], 1);
    for (int t = 0; t < ROUNDS; t++) {
        uint32_t f = t < 20   ? ((b & c) | (~b & d)) + 0x5A827999
                     : t < 40 ? (b ^ c ^ d) + 0x6ED9EBA1
                     : t < 60 ? ((b & c) | (b & d) | (c & d)) + 0x8F1BBCDC
                              : (b ^ c ^ d) + 0xCA62C1D6;
        uint32_t next = turn(a, 5) + f + e + w[t];
        e = d;
        d = c;
        c = turn(b, 30);
        b = a;
        a = next;
    }
    h[0] += a;
    h[1] += b;
    h[2] += c;
    h[3] += d;
    h[4] += e;
}

void sni_sha1(const void* bytes, size_t count, unsigned char digest[SN_SHA1_SIZE]) {
    uint32_t h[5] = {0x67452301, 0xEFCDAB89, 0x98BADCFE, 0x10325476, 0xC3D2E1F0};
    unsigned char last[2 * BLOCK] = {0};
    size_t whole = count / BLOCK * BLOCK, rest = count - whole;
    size_t end = rest < BLOCK - 8 ? BLOCK : 2 * BLOCK;
    for (size_t k = 0; k < whole; k += BLOCK) add_block(h, (const unsigned char*)bytes + k);
    if (rest > 0) memcpy(last, (const unsigned char*)bytes + whole, rest);
    last[rest] = 0x80;
    for (int k = 0; k < 4; k++) last[end - 1 - (size_t)k] = (unsigned char)(count * 8 >> 8 * k);
    for (size_t k = 0; k < end; k += BLOCK) add_block(h, last + k);
    for (int k = 0; k < SN_SHA1_SIZE; k++)
        digest[k] = (unsigned char)(h[k / 4] >> (24 - k % 4 * 8));
}
