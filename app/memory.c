// SPDX-License-Identifier: Apache-2.0
#include "memory.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"

static void* checked(void* got) {
    if (got) return got;
    fputs("sinew: out of memory; try a smaller model or fewer samples\n", stderr);
    exit(STATUS_FAILED);
}

void* memory_take(size_t count, size_t size) {
    if (count == 0 || size == 0) count = size = 1;
    return checked(calloc(count, size));
}

void* memory_resize(void* old, size_t count, size_t size) {
    if (count == 0 || size == 0) count = size = 1;
    if (count > SIZE_MAX / size) return checked(NULL);
    return checked(realloc(old, count * size));
}

char* memory_copy(const char* text) {
    size_t size = strlen(text) + 1;
    char* copy = memory_take(size, 1);
    memcpy(copy, text, size);
    return copy;
}

char* memory_text(const char* format, ...) {
    va_list list, again;
    va_start(list, format);
    va_copy(again, list);
    int length = vsnprintf(NULL, 0, format, list);
    va_end(list);
    char* text = memory_take((size_t)(length < 0 ? 0 : length) + 1, 1);
    if (length >= 0) vsnprintf(text, (size_t)length + 1, format, again);
    va_end(again);
    return text;
}
