// SPDX-License-Identifier: Apache-2.0
/// Arrays that grow while a file is read.
#ifndef SN_MOLECULE_ARRAY_H
#define SN_MOLECULE_ARRAY_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

/// Room for one more behind `count`; false without memory, then the array is as it was.
static inline bool sni_array_grow(void** array, int32_t count, int32_t* room, size_t size) {
    if (count < *room) return true;
    if (*room > INT32_MAX / 2) return false;
    int32_t more = *room < 32 ? 64 : 2 * *room;
    void* moved = realloc(*array, (size_t)more * size);
    if (!moved) return false;
    *array = moved;
    *room = more;
    return true;
}
#define SN_GROW(array, count, room)                                                                \
    sni_array_grow((void**)&(array), count, &(room), sizeof *(array))

#endif
