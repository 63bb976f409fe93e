// SPDX-License-Identifier: Apache-2.0
/// Guests: tables of functions that a user filled (sinew/modules.h). What is the same for every kind of
/// them: saying what a table lacks, and why a guest did not come.
#ifndef SN_BASE_GUEST_H
#define SN_BASE_GUEST_H

#include <stdbool.h>

#include "base/error.h"

/// A function that the table must have.
typedef struct sni_guest_function {
    const char* name;
    bool there;
} sni_guest_function;

/// SN_ERR_ARGUMENT with the reason when the table has no name or lacks a function; `kind` as in "solver".
sn_status sni_guest_check(const char* kind, const char* name, const sni_guest_function* functions,
                          int count, sn_error* error);
/// Why `create` of the table failed: what it said itself, or its status. Returns the status.
sn_status sni_guest_refused(const char* kind, const char* name, sn_status status,
                            const sn_error* said, sn_error* error);

#endif
