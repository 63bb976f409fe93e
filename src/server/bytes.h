// SPDX-License-Identifier: Apache-2.0
/// Bytes that grow, and numbers in them, little endian, as the protocol of the viewer has them (docs/protocol.md).
///
/// When memory runs out the bytes are marked as failed and take no more: whoever sends them looks once, at the end.
#ifndef SN_SERVER_BYTES_H
#define SN_SERVER_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "numbers of the viewer's protocol are written as they are in memory: little endian"
#endif

typedef struct sni_bytes {
    unsigned char* at;
    size_t count, room;
    bool failed;
} sni_bytes;

static inline void sni_bytes_free(sni_bytes* b) {
    free(b->at);
    *b = (sni_bytes){0};
}

static inline void sni_bytes_clear(sni_bytes* b) {
    b->count = 0;
    b->failed = false;
}

/// Room for `more` bytes (above 0) at the end, which count from now on; NULL: no memory.
static inline void* sni_bytes_grow(sni_bytes* b, size_t more) {
    if (b->failed) return NULL;
    if (more > b->room - b->count) {
        size_t room = b->room ? b->room : 256;
        while (room - b->count < more && room <= SIZE_MAX / 4) room *= 2;
        unsigned char* at = room - b->count < more ? NULL : realloc(b->at, room);
        if (!at) {
            b->failed = true;
            return NULL;
        }
        b->at = at;
        b->room = room;
    }
    b->count += more;
    return b->at + b->count - more;
}

/// The last bytes count no more.
static inline void sni_bytes_drop(sni_bytes* b, size_t count) {
    if (!b->failed) b->count -= count;
}

static inline void sni_put(sni_bytes* b, const void* from, size_t count) {
    void* to = count > 0 ? sni_bytes_grow(b, count) : NULL;
    if (to) memcpy(to, from, count);
}

static inline void sni_put_u16(sni_bytes* b, uint16_t value) { sni_put(b, &value, sizeof value); }
static inline void sni_put_u32(sni_bytes* b, uint32_t value) { sni_put(b, &value, sizeof value); }
static inline void sni_put_u64(sni_bytes* b, uint64_t value) { sni_put(b, &value, sizeof value); }
static inline void sni_put_f64(sni_bytes* b, double value) { sni_put(b, &value, sizeof value); }
static inline void sni_put_f32(sni_bytes* b, double value) {
    float narrow = (float)value;
    sni_put(b, &narrow, sizeof narrow);
}

/// Writes over a number that is there already.
static inline void sni_set_u32(sni_bytes* b, size_t place, uint32_t value) {
    if (!b->failed) memcpy(b->at + place, &value, sizeof value);
}

/// Zeros up to a multiple of 8.
static inline void sni_put_padding(sni_bytes* b) {
    static const char zero[8];
    sni_put(b, zero, (8 - b->count % 8) % 8);
}

#endif
