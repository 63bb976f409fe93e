// SPDX-License-Identifier: Apache-2.0
/// Warnings about one file, gathered while it is read: each kind is said once, with its first place and how
/// often it happened, in the order of the file.
#ifndef SN_BASE_WARNINGS_H
#define SN_BASE_WARNINGS_H

#include <stdarg.h>

#include "base/error.h"

/// Different kinds of warning that are kept apart; further kinds are only counted.
enum { SN_WARNINGS_MOST = 64 };

typedef struct sni_warning {
    char key[64];
    char text[384];
    sn_place place;
    int count;
} sni_warning;

typedef struct sni_warnings {
    sn_log log;
    int count, dropped;
    sni_warning items[SN_WARNINGS_MOST];
} sni_warnings;

/// Notes a warning. Those with the same key become one; the text of the first is kept. The text
/// says what the user gets because of it.
void sni_warnings_note(sni_warnings* warnings, const char* key, sn_place place, const char* format,
                       ...) SN_PRINTF(4, 5);
void sni_warnings_note_list(sni_warnings* warnings, const char* key, sn_place place,
                            const char* format, va_list arguments);
/// Hands the warnings to the log, in order of their first place, and forgets them.
void sni_warnings_flush(sni_warnings* warnings, const char* file);

#endif
