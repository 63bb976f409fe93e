// SPDX-License-Identifier: Apache-2.0
#include "load/scan.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"

enum { SHOWN_MOST = 24 }; // characters of a word that a message shows

static bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\v' || c == '\f';
}

bool sni_scan_next(sni_scan* scan, sni_word* word) {
    while (scan->at < scan->length) {
        char c = scan->text[scan->at];
        if (scan->comments && c == '#') {
            sni_scan_skip_line(scan);
            continue;
        }
        if (!is_blank(c)) break;
        scan->line += c == '\n';
        scan->at += 1;
    }
    size_t start = scan->at;
    while (scan->at < scan->length && !is_blank(scan->text[scan->at])) scan->at += 1;
    *word = (sni_word){scan->text + start, scan->at - start};
    return word->length > 0;
}

int64_t sni_scan_left(const sni_scan* scan) {
    sni_scan ahead = *scan;
    sni_word word;
    int64_t count = 0;
    while (sni_scan_next(&ahead, &word)) count += 1;
    return count;
}

void sni_scan_skip_line(sni_scan* scan) {
    while (scan->at < scan->length && scan->text[scan->at] != '\n') scan->at += 1;
}

sn_status sni_scan_fail(const sni_scan* scan, const char* format, ...) {
    char text[sizeof scan->error->text];
    sn_place place = {scan->file, scan->line, 0};
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    return sni_fail(scan->error, SN_ERR_FORMAT, place, "%s", text);
}

/// Fails because of a word, or because there is none.
static sn_status fail_word(const sni_scan* scan, const char* name, int64_t index,
                           const char* expected, sni_word word) {
    char place[32] = "", found[SHOWN_MOST + 8] = "the end of the file";
    if (index >= 0) snprintf(place, sizeof place, "[%lld]", (long long)index);
    if (word.length > 0) {
        size_t shown = word.length < SHOWN_MOST ? word.length : SHOWN_MOST;
        char copy[SHOWN_MOST];
        for (size_t i = 0; i < shown; i++) {
            unsigned char c = (unsigned char)word.text[i];
            copy[i] = (char)(c < 0x20 || c > 0x7e ? '?' : c);
        }
        snprintf(found, sizeof found, "'%.*s%s'", (int)shown, copy,
                 shown < word.length ? "..." : "");
    }
    return sni_scan_fail(scan, "%s%s: expected %s, found %s", name, place, expected, found);
}

sn_status sni_scan_number(sni_scan* scan, const char* name, int64_t index, double* value) {
    sni_word word;
    if (!sni_scan_next(scan, &word)) return fail_word(scan, name, index, "a number", word);
    switch (sni_number_read(word.text, word.length, value)) {
    case SN_NUMBER_OK: return SN_OK;
    case SN_NUMBER_TOO_BIG:
        return fail_word(scan, name, index, "a number that fits a double", word);
    case SN_NUMBER_NONE: break;
    }
    return fail_word(scan, name, index, "a finite number", word);
}

sn_status sni_scan_numbers(sni_scan* scan, const char* name, int64_t count, double* values) {
    sn_status status = SN_OK;
    for (int64_t i = 0; i < count && !status; i++)
        status = sni_scan_number(scan, name, i, &values[i]);
    return status;
}

/// Digits, perhaps with a minus. False: something else, or more than an int64_t surely holds.
static bool read_whole(sni_word word, int64_t* value) {
    size_t at = 0, most = 18;
    bool minus = word.length > 0 && word.text[0] == '-';
    if (minus) at = 1;
    if (at == word.length || word.length - at > most) return false;
    *value = 0;
    for (; at < word.length; at++) {
        char c = word.text[at];
        if (c < '0' || c > '9') return false;
        *value = 10 * *value + (c - '0');
    }
    if (minus) *value = -*value;
    return true;
}

sn_status sni_scan_whole(sni_scan* scan, const char* name, int32_t least, int32_t most,
                         int32_t* value) {
    sni_word word, digits;
    int64_t number;
    bool any = sni_scan_next(scan, &word);
    digits = word;
    if (any && word.text[word.length - 1] == ',') digits.length -= 1;
    if (any && read_whole(digits, &number) && number >= least && number <= most) {
        *value = (int32_t)number;
        return SN_OK;
    }
    char expected[80];
    if (least == most)
        snprintf(expected, sizeof expected, "%d", (int)least);
    else
        snprintf(expected, sizeof expected, "a whole number from %d to %d", (int)least, (int)most);
    return fail_word(scan, name, -1, expected, word);
}

sn_status sni_scan_word(sni_scan* scan, const char* expected) {
    sni_word word;
    if (sni_scan_next(scan, &word) && word.length == strlen(expected) &&
        memcmp(word.text, expected, word.length) == 0)
        return SN_OK;
    char quoted[48];
    snprintf(quoted, sizeof quoted, "'%s'", expected);
    return fail_word(scan, "sparse matrix", -1, quoted, word);
}

sn_status sni_scan_room(const sni_scan* scan, const char* name, int64_t count) {
    // A number takes a digit and a blank; the last one may lack the blank, the first share one.
    int64_t most = ((int64_t)(scan->length - scan->at) + 1) / 2;
    if (count <= most) return SN_OK;
    return sni_scan_fail(scan,
                         "%s: expected %lld numbers, found room for at most %lld before the end of "
                         "the file",
                         name, (long long)count, (long long)most);
}
