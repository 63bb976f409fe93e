// SPDX-License-Identifier: Apache-2.0
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"

const char* sn_status_text(sn_status status) {
    switch (status) {
#define CASE(code, text)                                                                           \
    case code: return text;
        SN_STATUS_LIST(CASE)
#undef CASE
    }
    return "unknown status";
}

void sn_error_format(const sn_error* error, char* out, size_t size) {
    const char* text = error->text[0] ? error->text : sn_status_text(error->status);
    const char* file = error->file;
    if (!file[0])
        snprintf(out, size, "%s", text);
    else if (error->line <= 0)
        snprintf(out, size, "%s: %s", file, text);
    else if (error->column <= 0)
        snprintf(out, size, "%s:%d: %s", file, error->line, text);
    else
        snprintf(out, size, "%s:%d:%d: %s", file, error->line, error->column, text);
}

sn_status sni_fail(sn_error* error, sn_status status, sn_place place, const char* format, ...) {
    if (!error) return status;
    memset(error, 0, sizeof *error);
    error->status = status;
    error->line = place.line;
    error->column = place.column;
    snprintf(error->file, sizeof error->file, "%s", place.file ? place.file : "");
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(error->text, sizeof error->text, format, arguments);
    va_end(arguments);
    return status;
}

void sni_say(const sn_log* log, sn_log_level level, sn_place place, const char* format, ...) {
    if (!log || !log->write) return;
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (!place.file) place.file = "";
    log->write(log->context, level, place, text);
}
