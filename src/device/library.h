// SPDX-License-Identifier: Apache-2.0
/// Finding and loading a vendor's library, and saying for a person why it did not work. A library that was loaded stays
/// until the program ends: those of vendors have threads, and fail when they are loaded a second time.
#ifndef SN_DEVICE_LIBRARY_H
#define SN_DEVICE_LIBRARY_H

#include <stdbool.h>

#include "base/error.h"

/// A function that is looked for.
typedef struct sni_symbol {
    const char* name;
    void* place; ///< of the pointer that gets it
    bool must;   ///< without it the library is of no use
} sni_symbol;

typedef struct sni_library {
    const char* name;     ///< "libHD.so", for messages
    const char* variable; ///< of the environment: where it is; nothing else is tried then
    const char* const*
        places;  ///< patterns of paths, and names for the loader; ~ and $X are expanded; NULL ends
    bool global; ///< its functions are seen by libraries that it loads itself
    const char* install; ///< what to install, and where it is from
} sni_library;

/// Fills the symbols. SN_ERR_FILE with the reason: nowhere to be found; found, but of another machine or no library;
/// found, but lacks a function. `path` gets where it is.
sn_status sni_library_load(const sni_library* library, const sni_symbol* symbols, int count,
                           char* path, size_t room, sn_error* error);

#endif
