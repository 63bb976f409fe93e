// SPDX-License-Identifier: Apache-2.0
#include "message.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"
#include "terminal.h"

enum { KEPT_MOST = 1000 }; // different texts a log keeps

#define BOLD "\033[1m"
#define RED "\033[1;31m"
#define YELLOW "\033[1;33m"
#define BLUE "\033[1;34m"
#define PLAIN "\033[0m"

// One message: "sinew: ", a kind such as "warning: " in its colour, the text. An error has no kind:
// then the program's name takes the colour.
static void say(const char* colour, const char* kind, const char* text) {
    if (!terminal_colours(stderr)) {
        fprintf(stderr, "sinew: %s%s\n", kind, text);
    } else if (kind[0]) {
        fprintf(stderr, BOLD "sinew: " PLAIN "%s%s" PLAIN "%s\n", colour, kind, text);
    } else {
        fprintf(stderr, "%ssinew: " PLAIN "%s\n", colour, text);
    }
}

static void say_list(const char* colour, const char* kind, const char* format, va_list list) {
    char text[2048];
    vsnprintf(text, sizeof text, format, list);
    say(colour, kind, text);
}

void message_error(const char* format, ...) {
    va_list list;
    va_start(list, format);
    say_list(RED, "", format, list);
    va_end(list);
}

void message_error_from(const sn_error* error) {
    char text[sizeof error->file + sizeof error->text + 64];
    sn_error_format(error, text, sizeof text);
    if (text[0] == '\0') snprintf(text, sizeof text, "%s", sn_status_text(error->status));
    say(RED, "", text);
}

void message_warning(const char* format, ...) {
    va_list list;
    va_start(list, format);
    say_list(YELLOW, "warning: ", format, list);
    va_end(list);
}

void message_note(const char* format, ...) {
    va_list list;
    va_start(list, format);
    say_list(BLUE, "note: ", format, list);
    va_end(list);
}

static char* format_place(sn_place place) {
    if (!place.file || !place.file[0]) {
        return place.line > 0 ? memory_text("line %d", place.line) : memory_copy("");
    }
    if (place.line <= 0) return memory_copy(place.file);
    if (place.column <= 0) return memory_text("%s:%d", place.file, place.line);
    return memory_text("%s:%d:%d", place.file, place.line, place.column);
}

static void log_write(void* context, sn_log_level level, sn_place place, const char* text) {
    message_log* log = context;
    for (int i = 0; i < log->count; i++) {
        message_entry* entry = &log->entries[i];
        if (entry->level == level && strcmp(entry->text, text) == 0) {
            entry->count += 1;
            return;
        }
    }
    if (log->count == KEPT_MOST) {
        log->dropped += 1;
        return;
    }
    if (log->count == log->capacity) {
        log->capacity = log->capacity ? 2 * log->capacity : 16;
        log->entries = memory_resize(log->entries, (size_t)log->capacity, sizeof *log->entries);
    }
    log->entries[log->count++] = (message_entry){level, format_place(place), memory_copy(text), 1};
}

sn_log message_log_sink(message_log* log) { return (sn_log){log_write, log}; }

void message_log_print(const message_log* log, int most) {
    int shown = most > 0 && most < log->count ? most : log->count;
    for (int i = 0; i < shown; i++) {
        const message_entry* entry = &log->entries[i];
        const char* separator = entry->place[0] ? ": " : "";
        char more[48] = "";
        if (entry->count > 1) {
            snprintf(more, sizeof more, " (and %d more like it)", entry->count - 1);
        }
        if (entry->level == SN_LOG_WARNING) {
            message_warning("%s%s%s%s", entry->place, separator, entry->text, more);
        } else {
            message_note("%s%s%s%s", entry->place, separator, entry->text, more);
        }
    }
    int left = log->count - shown + log->dropped;
    if (left > 0) message_note("%d more warnings; `sinew info MODEL --all` shows them", left);
}

int message_log_warnings(const message_log* log) {
    int count = log->dropped;
    for (int i = 0; i < log->count; i++) {
        if (log->entries[i].level == SN_LOG_WARNING) count += log->entries[i].count;
    }
    return count;
}

void message_log_clear(message_log* log) {
    for (int i = 0; i < log->count; i++) {
        free(log->entries[i].place);
        free(log->entries[i].text);
    }
    free(log->entries);
    *log = (message_log){0};
}
