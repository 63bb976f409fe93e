// SPDX-License-Identifier: Apache-2.0
#include <stdarg.h>

#include "load/context.h"

void sni_warn(sni_load* load, const char* key, sn_place place, const char* format, ...) {
    load->warnings.log = load->def.log;
    va_list arguments;
    va_start(arguments, format);
    sni_warnings_note_list(&load->warnings, key, place, format, arguments);
    va_end(arguments);
}

void sni_warn_flush(sni_load* load) { sni_warnings_flush(&load->warnings, load->file); }
