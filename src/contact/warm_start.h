// SPDX-License-Identifier: Apache-2.0
/// Impulses of the last solve by contact id: a list in the order of the contacts, and a table of open
/// addressing that finds a place in it. Contacts mostly come in the order they had before, so a contact is
/// looked for behind the one before it first.
#ifndef SN_CONTACT_WARM_START_H
#define SN_CONTACT_WARM_START_H

#include "contact/sn_contact.h"

typedef struct sni_remembered {
    uint64_t id;
    int32_t* slot; ///< where the table has it
    int32_t rows;
    double r[SN_CONTACT_ROWS_MAX];
} sni_remembered;

typedef struct sni_warm_start {
    sni_remembered* list; // [count] of [capacity]
    int32_t count, capacity;
    int32_t* place; // [slots] in the list plus one, 0: empty
    size_t slots;   ///< power of two, at least twice the capacity
} sni_warm_start;

void sni_warm_start_layout(sni_warm_start* memory, int32_t contacts, sni_arena* arena);
/// Place of the id in the list, `guess` if it is there; -1: it is not known.
int32_t sni_warm_start_find(const sni_warm_start* memory, uint64_t id, int32_t guess);

#endif
