// SPDX-License-Identifier: Apache-2.0
/// What the texts of generated models and scenes have in common.
#ifndef SN_MODEL_GENERATE_H
#define SN_MODEL_GENERATE_H

#include <stdbool.h>
#include <stdint.h>

enum { SN_GENERATE_MOST = 10000000 }; ///< bodies

/// Reads a whole number up to `max` and moves on; false when there is none.
bool sni_generate_number(const char** text, uint64_t max, uint64_t* value);

#endif
