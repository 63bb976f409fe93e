// SPDX-License-Identifier: Apache-2.0
#include "server/json_text.h"

#include <math.h>
#include <stdio.h>

size_t sni_utf8_character(const unsigned char* s, size_t left) {
    unsigned first = s[0];
    size_t length = first < 0x80   ? 1
                    : first < 0xc2 ? 0
                    : first < 0xe0 ? 2
                    : first < 0xf0 ? 3
                    : first < 0xf5 ? 4
                                   : 0;
    if (length == 0 || length > left || first == 0) return 0;
    for (size_t k = 1; k < length; k++)
        if ((s[k] & 0xc0) != 0x80) return 0;
    if ((first == 0xe0 && s[1] < 0xa0) || (first == 0xed && s[1] > 0x9f) ||
        (first == 0xf0 && s[1] < 0x90) || (first == 0xf4 && s[1] > 0x8f))
        return 0; // longer than needed, half of a pair, beyond the last
    return length;
}

void sni_write_raw(sni_bytes* out, const char* text) { sni_put(out, text, strlen(text)); }

/// Most numbers of a scene are whole and small.
static void put_whole(sni_bytes* out, long x) {
    char digits[24], *at = digits + sizeof digits;
    unsigned long left = x < 0 ? 0ul - (unsigned long)x : (unsigned long)x;
    do *--at = (char)('0' + left % 10);
    while ((left /= 10) > 0);
    if (x < 0) *--at = '-';
    sni_put(out, at, (size_t)(digits + sizeof digits - at));
}

void sni_write_number(sni_bytes* out, double x) {
    static const double WHOLE_MOST = 1e9;
    char digits[32];
    if (!isfinite(x)) {
        sni_write_raw(out, "null");
    } else if (fabs(x) < WHOLE_MOST && x == (double)(long)x) {
        put_whole(out, (long)x);
    } else {
        int length = snprintf(digits, sizeof digits, "%.9g", x);
        sni_put(out, digits, (size_t)length);
    }
}

void sni_write_numbers(sni_bytes* out, const double* x, int count) {
    for (int k = 0; k < count; k++) {
        sni_write_raw(out, k == 0 ? "[" : ",");
        sni_write_number(out, x[k]);
    }
    sni_write_raw(out, count > 0 ? "]" : "[]");
}

static bool is_utf8(const char* text, size_t length) {
    for (size_t at = 0, step; at < length; at += step) {
        step = sni_utf8_character((const unsigned char*)text + at, length - at);
        if (step == 0) return false;
    }
    return true;
}

void sni_write_text(sni_bytes* out, const char* text) {
    size_t length = strlen(text);
    sni_write_raw(out, "\"");
    if (!is_utf8(text, length)) length = 0;
    for (size_t k = 0; k < length; k++) {
        char c = text[k], code[8];
        if (c == '"' || c == '\\') {
            sni_put(out, "\\", 1);
            sni_put(out, &c, 1);
        } else if ((unsigned char)c < ' ') {
            sni_put(out, code, (size_t)snprintf(code, sizeof code, "\\u%04x", (unsigned)c));
        } else {
            sni_put(out, &c, 1);
        }
    }
    sni_write_raw(out, "\"");
}
