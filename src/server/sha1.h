// SPDX-License-Identifier: Apache-2.0
/// SHA-1, which the handshake of WebSockets asks for; it protects nothing here.   [RFC3174]
#ifndef SN_SERVER_SHA1_H
#define SN_SERVER_SHA1_H

#include <stddef.h>

enum { SN_SHA1_SIZE = 20 };

/// Of a short text: at most 2^29 bytes.
void sni_sha1(const void* bytes, size_t count, unsigned char digest[SN_SHA1_SIZE]);

#endif
