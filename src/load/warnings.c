// SPDX-License-Identifier: Apache-2.0
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "load/context.h"

static sni_warning* find(sni_load* load, const char* key) {
    for (int i = 0; i < load->warning_count; i++)
        if (strncmp(load->warnings[i].key, key, sizeof load->warnings[i].key - 1) == 0)
            return &load->warnings[i];
    return NULL;
}

void sni_warn(sni_load* load, const char* key, sn_place place, const char* format, ...) {
    if (!load->def.log.write) return;
    sni_warning* warning = find(load, key);
    if (warning) {
        warning->count += 1;
        return;
    }
    if (load->warning_count == SN_LOAD_WARNINGS) {
        load->warnings_dropped += 1;
        return;
    }
    warning = &load->warnings[load->warning_count++];
    snprintf(warning->key, sizeof warning->key, "%s", key);
    warning->place = place;
    warning->count = 1;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(warning->text, sizeof warning->text, format, arguments);
    va_end(arguments);
}

static int by_place(const void* a, const void* b) {
    const sn_place *x = &((const sni_warning*)a)->place, *y = &((const sni_warning*)b)->place;
    if (x->line != y->line) return x->line < y->line ? -1 : 1;
    return (x->column > y->column) - (x->column < y->column);
}

void sni_warnings_flush(sni_load* load) {
    qsort(load->warnings, (size_t)load->warning_count, sizeof load->warnings[0], by_place);
    const sn_log* log = &load->def.log;
    for (int i = 0; i < load->warning_count; i++) {
        const sni_warning* warning = &load->warnings[i];
        if (warning->count == 1)
            sni_say(log, SN_LOG_WARNING, warning->place, "%s", warning->text);
        else
            sni_say(log, SN_LOG_WARNING, warning->place, "%s (%d times, the first here)",
                    warning->text, warning->count);
    }
    if (load->warnings_dropped > 0)
        sni_say(log, SN_LOG_WARNING, sni_load_place(load),
                "%d further warnings are left out; is this file meant for Sinew?",
                load->warnings_dropped);
    load->warning_count = 0;
    load->warnings_dropped = 0;
}
