// SPDX-License-Identifier: Apache-2.0
/// Numbers in files: decimal, finite, with a point whatever the user's language.
#ifndef SN_BASE_NUMBER_H
#define SN_BASE_NUMBER_H

#include <stdbool.h>
#include <stddef.h>

/// The calling thread is in the C locale between begin and end, and nothing of the caller is run.
typedef struct sni_number_scope {
    void *point, *before; ///< locale_t, which not every includer wants to see
} sni_number_scope;

/// False without memory: then end must not be called.
bool sni_number_scope_begin(sni_number_scope* scope);
void sni_number_scope_end(sni_number_scope* scope);

typedef enum sni_number_result {
    SN_NUMBER_OK,
    SN_NUMBER_NONE,   ///< the text is not a number
    SN_NUMBER_TOO_BIG ///< it does not fit a double
} sni_number_result;

/// Reads the whole of text[0..length) as one number: [+-] digits [. digits] [e [+-] digits].
/// No hexadecimal, no nan, no inf, no blanks. Inside a number scope. text[length] must be readable
/// and no digit, as at the end of a string or of a word.
sni_number_result sni_number_read(const char* text, size_t length, double* value);

#endif
