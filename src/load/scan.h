// SPDX-License-Identifier: Apache-2.0
/// Words of a text, one after the other, with their lines: for files of numbers. Every failure says what
/// was expected and what was found instead.
#ifndef SN_LOAD_SCAN_H
#define SN_LOAD_SCAN_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

/// Inside a number scope (base/number.h).
typedef struct sni_scan {
    const char* file;
    const char* text; ///< text[length] is readable and zero
    size_t length, at;
    int line;      ///< of the word taken last, 1-based
    bool comments; ///< from # to the end of its line nothing counts
    sn_error* error;
} sni_scan;

typedef struct sni_word {
    const char* text;
    size_t length;
} sni_word;

/// The next word; false at the end.
bool sni_scan_next(sni_scan* scan, sni_word* word);
/// Words that are left.
int64_t sni_scan_left(const sni_scan* scan);
/// Fails at the line of the word taken last.
sn_status sni_scan_fail(const sni_scan* scan, const char* format, ...) SN_PRINTF(2, 3);

/// A finite number. Named "q[4]" in messages; index < 0: "q".
sn_status sni_scan_number(sni_scan* scan, const char* name, int64_t index, double* value);
sn_status sni_scan_numbers(sni_scan* scan, const char* name, int64_t count, double* values);
/// A whole number between least and most. A comma behind it is not looked at.
sn_status sni_scan_whole(sni_scan* scan, const char* name, int32_t least, int32_t most,
                         int32_t* value);
/// This word and no other.
sn_status sni_scan_word(sni_scan* scan, const char* word);
/// Goes to the end of the line.
void sni_scan_skip_line(sni_scan* scan);

/// Fails when not even one-digit numbers would let `count` more of them fit into what is left: so memory
/// for them is asked for only when the file can fill it.
sn_status sni_scan_room(const sni_scan* scan, const char* name, int64_t count);

#endif
