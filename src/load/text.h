// SPDX-License-Identifier: Apache-2.0
/// Text that grows as it is written. After a failure nothing more is added.
#ifndef SN_LOAD_TEXT_H
#define SN_LOAD_TEXT_H

#include "base/error.h"

typedef struct sni_text {
    char* bytes; ///< ends with a NUL; the owner frees it with free
    size_t length, capacity;
    sn_status failed; ///< SN_ERR_MEMORY, or SN_ERR_MODEL for a string that is not UTF-8
} sni_text;

void sni_text_add(sni_text* text, const char* format, ...) SN_PRINTF(2, 3);
/// As few digits as read back to the same double, at most 17; null when it is infinite. Inside a
/// number scope.
void sni_text_number(sni_text* text, double value);
/// [1, 2, 3]
void sni_text_numbers(sni_text* text, const double* values, int count);
/// In quotes, escaped as JSON.
void sni_text_string(sni_text* text, const char* string);

#endif
