// SPDX-License-Identifier: Apache-2.0
#include "record/coder.h"

#include <stdlib.h>
#include <string.h>

void* sni_bytes_grow(sni_bytes* bytes, size_t size) {
    if (bytes->failed) return NULL;
    if (size > bytes->capacity - bytes->count) {
        size_t wanted = bytes->capacity ? bytes->capacity : 256;
        while (wanted - bytes->count < size && wanted <= SIZE_MAX / 2) wanted *= 2;
        unsigned char* larger = wanted - bytes->count < size ? NULL : realloc(bytes->at, wanted);
        if (!larger) {
            bytes->failed = true;
            return NULL;
        }
        bytes->at = larger;
        bytes->capacity = wanted;
    }
    void* end = bytes->at + bytes->count;
    bytes->count += size;
    return end;
}

void sni_bytes_add(sni_bytes* bytes, const void* from, size_t size) {
    if (size == 0) return;
    void* to = sni_bytes_grow(bytes, size);
    if (to) memcpy(to, from, size);
}

void sni_bytes_clear(sni_bytes* bytes) { bytes->count = 0; }

void sni_bytes_free(sni_bytes* bytes) {
    free(bytes->at);
    *bytes = (sni_bytes){0};
}

sni_coder sni_writer(sni_bytes* out) { return (sni_coder){.out = out}; }

sni_coder sni_reader(const void* bytes, size_t size) {
    return (sni_coder){.in = bytes, .size = size};
}

/// The next `size` bytes; NULL, failed, when there are fewer.
static const void* take(sni_coder* coder, size_t size) {
    if (coder->failed || size > sni_left(coder)) {
        coder->failed = true;
        return NULL;
    }
    const void* at = coder->in + coder->place;
    coder->place += size;
    return at;
}

void sni_code(sni_coder* coder, void* field, size_t size) {
    if (!sni_reads(coder)) {
        sni_bytes_add(coder->out, field, size);
        return;
    }
    const void* from = size > 0 ? take(coder, size) : NULL;
    if (from)
        memcpy(field, from, size);
    else if (size > 0)
        memset(field, 0, size);
}

void sni_code_u32(sni_coder* coder, uint32_t* value) { sni_code(coder, value, sizeof *value); }
void sni_code_i32(sni_coder* coder, int32_t* value) { sni_code(coder, value, sizeof *value); }
void sni_code_u64(sni_coder* coder, uint64_t* value) { sni_code(coder, value, sizeof *value); }
void sni_code_f64(sni_coder* coder, double* value) { sni_code(coder, value, sizeof *value); }

void sni_code_choice(sni_coder* coder, int* value, int count) {
    uint8_t byte = (uint8_t)*value;
    sni_code(coder, &byte, sizeof byte);
    if (!sni_reads(coder)) return;
    if (byte >= count) coder->failed = true;
    *value = coder->failed ? 0 : byte;
}

void sni_code_bool(sni_coder* coder, bool* value) {
    int choice = *value ? 1 : 0;
    sni_code_choice(coder, &choice, 2);
    *value = choice == 1;
}

void sni_code_vec3(sni_coder* coder, sn_vec3* value) {
    sni_code_f64(coder, &value->x);
    sni_code_f64(coder, &value->y);
    sni_code_f64(coder, &value->z);
}

void sni_code_pose(sni_coder* coder, sn_pose* value) {
    for (int row = 0; row < 3; row++)
        for (int column = 0; column < 3; column++) sni_code_f64(coder, &value->R.m[row][column]);
    sni_code_vec3(coder, &value->p);
}

void sni_code_count(sni_coder* coder, uint32_t* count, size_t least) {
    sni_code_u32(coder, count);
    if (!sni_reads(coder)) return;
    if (*count > sni_left(coder) / least) coder->failed = true;
    if (coder->failed) *count = 0;
}

static const char* read_text(sni_coder* coder) {
    uint32_t length = 0;
    sni_code_u32(coder, &length);
    const char* text = take(coder, (size_t)length + 1);
    if (text && memchr(text, 0, (size_t)length + 1) != text + length) coder->failed = true;
    return coder->failed ? "" : text;
}

void sni_code_text(sni_coder* coder, const char** text, bool maybe) {
    if (maybe) {
        bool given = *text != NULL;
        sni_code_bool(coder, &given);
        if (!given) *text = NULL;
        if (!given) return;
    }
    if (sni_reads(coder)) {
        *text = read_text(coder);
        return;
    }
    const char* given = *text ? *text : "";
    uint32_t length = (uint32_t)strlen(given);
    sni_code_u32(coder, &length);
    sni_bytes_add(coder->out, given, (size_t)length + 1);
}

void sni_code_array(sni_coder* coder, const void** array, size_t count, size_t size) {
    static const unsigned char zeros[8];
    size_t place = sni_reads(coder) ? coder->place : coder->out->count;
    size_t padding = (8 - place % 8) % 8;
    if (!sni_reads(coder)) {
        sni_bytes_add(coder->out, zeros, padding);
        sni_bytes_add(coder->out, *array, count * size);
        return;
    }
    take(coder, padding);
    *array = NULL;
    if (count == 0) return;
    if (size > 0 && count > sni_left(coder) / size) coder->failed = true;
    *array = take(coder, count * size);
}
