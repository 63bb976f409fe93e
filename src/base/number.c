// SPDX-License-Identifier: Apache-2.0
#define _XOPEN_SOURCE 700 // newlocale, uselocale
#include "base/number.h"

#include <locale.h>
#include <math.h>
#include <stdlib.h>

bool sni_number_scope_begin(sni_number_scope* scope) {
    locale_t point = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    if (point == (locale_t)0) return false;
    scope->point = point;
    scope->before = uselocale(point);
    return true;
}

void sni_number_scope_end(sni_number_scope* scope) {
    uselocale((locale_t)scope->before);
    freelocale((locale_t)scope->point);
}

static size_t skip_digits(const char* text, size_t at, size_t length) {
    while (at < length && text[at] >= '0' && text[at] <= '9') at++;
    return at;
}

static size_t skip_sign(const char* text, size_t at, size_t length) {
    return at < length && (text[at] == '+' || text[at] == '-') ? at + 1 : at;
}

static bool is_decimal(const char* text, size_t length) {
    size_t start = skip_sign(text, 0, length);
    size_t at = skip_digits(text, start, length);
    size_t digits = at - start;
    if (at < length && text[at] == '.') {
        size_t end = skip_digits(text, at + 1, length);
        digits += end - (at + 1);
        at = end;
    }
    if (digits == 0) return false;
    if (at < length && (text[at] == 'e' || text[at] == 'E')) {
        size_t exponent = skip_sign(text, at + 1, length);
        at = skip_digits(text, exponent, length);
        if (at == exponent) return false;
    }
    return at == length;
}

sni_number_result sni_number_read(const char* text, size_t length, double* value) {
    if (!is_decimal(text, length)) return SN_NUMBER_NONE;
    double read = strtod(text, NULL);
    if (!isfinite(read)) return SN_NUMBER_TOO_BIG;
    *value = read;
    return SN_NUMBER_OK;
}
