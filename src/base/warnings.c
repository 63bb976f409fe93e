// SPDX-License-Identifier: Apache-2.0
#include "base/warnings.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static sni_warning* find(sni_warnings* warnings, const char* key) {
    for (int i = 0; i < warnings->count; i++)
        if (strncmp(warnings->items[i].key, key, sizeof warnings->items[i].key - 1) == 0)
            return &warnings->items[i];
    return NULL;
}

void sni_warnings_note_list(sni_warnings* warnings, const char* key, sn_place place,
                            const char* format, va_list arguments) {
    if (!warnings->log.write) return;
    sni_warning* warning = find(warnings, key);
    if (warning) {
        warning->count += 1;
        return;
    }
    if (warnings->count == SN_WARNINGS_MOST) {
        warnings->dropped += 1;
        return;
    }
    warning = &warnings->items[warnings->count++];
    snprintf(warning->key, sizeof warning->key, "%s", key);
    warning->place = place;
    warning->count = 1;
    vsnprintf(warning->text, sizeof warning->text, format, arguments);
}

void sni_warnings_note(sni_warnings* warnings, const char* key, sn_place place, const char* format,
                       ...) {
    va_list arguments;
    va_start(arguments, format);
    sni_warnings_note_list(warnings, key, place, format, arguments);
    va_end(arguments);
}

static int by_place(const void* a, const void* b) {
    const sn_place *x = &((const sni_warning*)a)->place, *y = &((const sni_warning*)b)->place;
    if (x->line != y->line) return x->line < y->line ? -1 : 1;
    return (x->column > y->column) - (x->column < y->column);
}

void sni_warnings_flush(sni_warnings* warnings, const char* file) {
    qsort(warnings->items, (size_t)warnings->count, sizeof warnings->items[0], by_place);
    const sn_log* log = &warnings->log;
    for (int i = 0; i < warnings->count; i++) {
        const sni_warning* warning = &warnings->items[i];
        if (warning->count == 1)
            sni_say(log, SN_LOG_WARNING, warning->place, "%s", warning->text);
        else
            sni_say(log, SN_LOG_WARNING, warning->place, "%s (%d times, the first here)",
                    warning->text, warning->count);
    }
    if (warnings->dropped > 0) {
        sn_place place = {file, 0, 0};
        sni_say(log, SN_LOG_WARNING, place,
                "%d further warnings are left out; is this file meant for Sinew?",
                warnings->dropped);
    }
    warnings->count = 0;
    warnings->dropped = 0;
}
