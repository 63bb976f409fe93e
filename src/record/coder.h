// SPDX-License-Identifier: Apache-2.0
/// Numbers to bytes and back, by the same call: a coder either appends what a field holds or fills the field from
/// bytes, so that the two can never differ. Numbers are as the machine has them, little-endian (block.h refuses
/// files of others); doubles keep every bit.
#ifndef SN_RECORD_CODER_H
#define SN_RECORD_CODER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sinew/math.h"

/// Bytes that grow. Start from {0}, free with sni_bytes_free. Without memory it stays as it is and `failed`.
typedef struct sni_bytes {
    unsigned char* at;
    size_t count, capacity;
    bool failed;
} sni_bytes;

/// Room for `size` more at the end, which the caller fills; NULL: no memory.
void* sni_bytes_grow(sni_bytes* bytes, size_t size);
void sni_bytes_add(sni_bytes* bytes, const void* from, size_t size);
void sni_bytes_clear(sni_bytes* bytes);
void sni_bytes_free(sni_bytes* bytes);

typedef struct sni_coder {
    sni_bytes* out;          ///< NULL: it reads
    const unsigned char* in; ///< first byte, aligned as memory of malloc is
    size_t size, place;      ///< bytes of in, bytes read
    bool failed;             ///< it wanted more than there is, or what is there makes no sense
} sni_coder;

sni_coder sni_writer(sni_bytes* out);
sni_coder sni_reader(const void* bytes, size_t size);
static inline bool sni_reads(const sni_coder* coder) { return !coder->out; }
static inline size_t sni_left(const sni_coder* coder) { return coder->size - coder->place; }

/// Reading from a coder that failed gives zeros.
void sni_code(sni_coder* coder, void* field, size_t size);
void sni_code_u32(sni_coder* coder, uint32_t* value);
void sni_code_i32(sni_coder* coder, int32_t* value);
void sni_code_u64(sni_coder* coder, uint64_t* value);
void sni_code_f64(sni_coder* coder, double* value);
void sni_code_bool(sni_coder* coder, bool* value);
/// One byte, below `count`.
void sni_code_choice(sni_coder* coder, int* value, int count);
void sni_code_vec3(sni_coder* coder, sn_vec3* value);
void sni_code_pose(sni_coder* coder, sn_pose* value);
/// A number of things of which each takes at least `least` bytes, so that it cannot be more than are there.
void sni_code_count(sni_coder* coder, uint32_t* count, size_t least);
/// Length, bytes and a zero. Read: points into the bytes. NULL stays NULL where `maybe`, else is "".
void sni_code_text(sni_coder* coder, const char** text, bool maybe);
/// `count` things of `size` bytes, begun at a multiple of 8. Read: points into the bytes.
void sni_code_array(sni_coder* coder, const void** array, size_t count, size_t size);

#endif
