// SPDX-License-Identifier: Apache-2.0
/// A whole file in memory.
#ifndef SN_LOAD_FILE_H
#define SN_LOAD_FILE_H

#include "base/error.h"

// Larger than any robot and any contact problem; a larger file is a mistake, and reading it could take
// all memory.
#define SN_FILE_LIMIT ((size_t)256 << 20)

/// What is wrong with a file above the limit.
extern const char SN_FILE_TOO_LARGE[];

/// Reads a regular file of at most SN_FILE_LIMIT bytes; the text is NULL or to be freed with free, also
/// after an error.
sn_status sni_file_read(const char* path, char** text, size_t* length, sn_error* error);

#endif
