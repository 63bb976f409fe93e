// SPDX-License-Identifier: Apache-2.0
#include "load/text.h"

#include <jansson.h>
#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool reserve(sni_text* text, size_t more) {
    size_t needed = text->length + more + 1;
    if (needed <= text->capacity) return true;
    size_t capacity = text->capacity ? text->capacity : 4096;
    while (capacity < needed) capacity *= 2;
    char* larger = realloc(text->bytes, capacity);
    if (!larger) {
        text->failed = SN_ERR_MEMORY;
        return false;
    }
    text->bytes = larger;
    text->capacity = capacity;
    return true;
}

static void put(sni_text* text, const char* bytes, size_t length) {
    if (text->failed || !reserve(text, length)) return;
    memcpy(text->bytes + text->length, bytes, length + 1);
    text->length += length;
}

void sni_text_add(sni_text* text, const char* format, ...) {
    if (text->failed || !reserve(text, 256)) return;
    va_list arguments, again;
    va_start(arguments, format);
    va_copy(again, arguments);
    size_t room = text->capacity - text->length;
    int length = vsnprintf(text->bytes + text->length, room, format, arguments);
    va_end(arguments);
    if (length >= 0 && (size_t)length >= room && reserve(text, (size_t)length))
        vsnprintf(text->bytes + text->length, (size_t)length + 1, format, again);
    va_end(again);
    if (length >= 0 && !text->failed) text->length += (size_t)length;
}

void sni_text_number(sni_text* text, double value) {
    char digits[40] = "null";
    if (value == 0) { // the sign of zero means nothing here
        put(text, "0", 1);
        return;
    }
    for (int precision = 15; precision <= 17 && isfinite(value); precision++) {
        snprintf(digits, sizeof digits, "%.*g", precision, value);
        if (strtod(digits, NULL) == value) break;
    }
    put(text, digits, strlen(digits));
}

void sni_text_numbers(sni_text* text, const double* values, int count) {
    put(text, "[", 1);
    for (int k = 0; k < count; k++) {
        if (k) put(text, ", ", 2);
        sni_text_number(text, values[k]);
    }
    put(text, "]", 1);
}

void sni_text_string(sni_text* text, const char* string) {
    if (text->failed) return;
    json_t* value = json_string(string);
    char* quoted = value ? json_dumps(value, JSON_ENCODE_ANY) : NULL;
    if (quoted)
        put(text, quoted, strlen(quoted));
    else
        text->failed = SN_ERR_MODEL;
    free(quoted);
    json_decref(value);
}
