// SPDX-License-Identifier: Apache-2.0
/// How Sinew reports trouble: a status from every call that can fail, an sn_error with the place
/// and the reason for a person to read, and an sn_log for what deserves a word but is not an error.
/// The library never prints and never exits; it hands text to the caller.
#ifndef SINEW_STATUS_H
#define SINEW_STATUS_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Every status code with its text: SN_STATUS_LIST(X) expands X(code, text) for each.
#define SN_STATUS_LIST(X)                                                                          \
    X(SN_OK, "done")                                                                               \
    X(SN_ERR_ARGUMENT, "bad argument")                                                             \
    X(SN_ERR_MEMORY, "out of memory")                                                              \
    X(SN_ERR_FILE, "file cannot be read or written")                                               \
    X(SN_ERR_FORMAT, "file is not in the expected format")                                         \
    X(SN_ERR_MODEL, "model is not valid")                                                          \
    X(SN_ERR_CAPACITY, "a fixed capacity is exhausted")                                            \
    X(SN_ERR_NUMERIC, "numbers are not finite or a matrix is singular")                            \
    X(SN_ERR_FAULT, "latched after a fault; reset first")

#define SN_STATUS_ENUM(code, text) code,
typedef enum sn_status { SN_STATUS_LIST(SN_STATUS_ENUM) } sn_status;
#undef SN_STATUS_ENUM

/// The text of a status code; "unknown status" for a number that is none.
const char* sn_status_text(sn_status status);

/// A place in a file. `file` may be empty and `line`, `column` zero when not known.
typedef struct sn_place {
    const char* file;
    int line;
    int column;
} sn_place;

/// Why a call failed, for a person to read. Callers pass one they own, or NULL.
typedef struct sn_error {
    sn_status status;
    char file[256]; ///< file the reason lies in, or ""
    int line;       ///< 1-based, 0 when not known
    int column;     ///< 1-based, 0 when not known
    char text[512]; ///< "what is wrong; what to do"
} sn_error;

/// Writes "FILE:LINE:COLUMN: text" (parts that are not known are left out) into `out`.
void sn_error_format(const sn_error* error, char* out, size_t size);

typedef enum sn_log_level { SN_LOG_NOTE, SN_LOG_WARNING } sn_log_level;

/// Receives notes and warnings. `write` may be NULL: then nothing is said.
typedef struct sn_log {
    void (*write)(void* context, sn_log_level level, sn_place place, const char* text);
    void* context;
} sn_log;

#ifdef __cplusplus
}
#endif
#endif
