// SPDX-License-Identifier: Apache-2.0
/// Filling an sn_error and speaking through an sn_log, with printf formats.
#ifndef SN_BASE_ERROR_H
#define SN_BASE_ERROR_H

#include "sinew/status.h"

#if defined(__GNUC__)
#define SN_PRINTF(text, first) __attribute__((format(printf, text, first)))
#else
#define SN_PRINTF(text, first)
#endif

/// Fills *error (may be NULL) and returns status, so that callers can `return sni_fail(...)`.
sn_status sni_fail(sn_error* error, sn_status status, sn_place place, const char* format, ...)
    SN_PRINTF(4, 5);

/// Hands one line to the log; does nothing when log or its writer is NULL.
void sni_say(const sn_log* log, sn_log_level level, sn_place place, const char* format, ...)
    SN_PRINTF(4, 5);

static inline sn_place sni_nowhere(void) {
    sn_place place = {"", 0, 0};
    return place;
}

#endif
