// SPDX-License-Identifier: Apache-2.0
/// Impulses of the last solve by contact id: a table of open addressing, sized once.
#ifndef SN_CONTACT_WARM_START_H
#define SN_CONTACT_WARM_START_H

#include "contact/sn_contact.h"

typedef struct sni_remembered {
    uint64_t id; ///< 0: empty
    int32_t rows;
    double r[SN_CONTACT_ROWS_MAX];
} sni_remembered;

typedef struct sni_warm_start {
    sni_remembered* slot; // [slots]
    size_t slots;         ///< power of two, at least twice the capacity
    int32_t capacity;
} sni_warm_start;

void sni_warm_start_layout(sni_warm_start* memory, int32_t contacts, sni_arena* arena);

#endif
