// SPDX-License-Identifier: Apache-2.0
/// JSON written as text at once, for lists of a scene that may have 10^5 elements.
#ifndef SN_SERVER_JSON_TEXT_H
#define SN_SERVER_JSON_TEXT_H

#include "server/bytes.h"

/// Length of the character that begins here; 0: it is no UTF-8, or a zero.   [RFC3629]
size_t sni_utf8_character(const unsigned char* s, size_t left);

/// As it is: punctuation and keys.
void sni_write_raw(sni_bytes* out, const char* text);
/// With nine digits, which keep every float; null where it is not finite.
void sni_write_number(sni_bytes* out, double x);
void sni_write_numbers(sni_bytes* out, const double* x, int count);
/// "" where it is no UTF-8: names come from files.
void sni_write_text(sni_bytes* out, const char* text);

#endif
