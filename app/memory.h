// SPDX-License-Identifier: Apache-2.0
/// Memory for a program that has nothing left to do when there is none: these never return NULL,
/// they say so and exit with status 1. Free with free().
#ifndef SINEW_APP_MEMORY_H
#define SINEW_APP_MEMORY_H

#include <stddef.h>

/// count elements of size bytes, zeroed; count may be 0.
void* memory_take(size_t count, size_t size);
/// Resizes what memory_take gave; new bytes are not set.
void* memory_resize(void* old, size_t count, size_t size);
/// A copy of text.
char* memory_copy(const char* text);
/// Text as printf would print it.
char* memory_text(const char* format, ...) __attribute__((format(printf, 1, 2)));

#endif
