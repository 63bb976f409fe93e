// SPDX-License-Identifier: Apache-2.0
/// What the program says beside its results, always on stderr:
///   sinew: FILE:LINE:COLUMN: what is wrong; what to do
///   sinew: warning: FILE:LINE: ...
///   sinew: note: ...
/// Coloured only on a terminal without NO_COLOR. Warnings of the library are collected in a
/// message_log, the same text once, and printed together.
#ifndef SINEW_APP_MESSAGE_H
#define SINEW_APP_MESSAGE_H

#include "sinew/status.h"

void message_error(const char* format, ...) __attribute__((format(printf, 1, 2)));
void message_error_from(const sn_error* error);
void message_warning(const char* format, ...) __attribute__((format(printf, 1, 2)));
void message_note(const char* format, ...) __attribute__((format(printf, 1, 2)));

typedef struct message_entry {
    sn_log_level level;
    char* place; ///< "FILE:LINE:COLUMN", parts that are known, or ""
    char* text;
    int count; ///< how often the text came
} message_entry;

/// Start from {0}; free with message_log_clear.
typedef struct message_log {
    message_entry* entries;
    int count, capacity;
    int dropped; ///< texts beyond the most that are kept
} message_log;

/// A sink for the library that collects into log.
sn_log message_log_sink(message_log* log);
/// Prints up to `most` entries (0: all), then how many were left out and how to see them.
void message_log_print(const message_log* log, int most);
/// Warnings collected, repeated ones counted as often as they came.
int message_log_warnings(const message_log* log);
void message_log_clear(message_log* log);

#endif
