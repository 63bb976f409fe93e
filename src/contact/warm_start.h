// SPDX-License-Identifier: Apache-2.0
/// Impulses of the last solve by contact id: lists in the order of the contacts, and a table of open
/// addressing that finds a place in them. Contacts mostly come as they were: then all impulses are taken at
/// once. If not, a contact is looked for behind the one before it first.
#ifndef SN_CONTACT_WARM_START_H
#define SN_CONTACT_WARM_START_H

#include "contact/sn_contact.h"

typedef struct sni_warm_start {
    int32_t count, contacts; ///< how many, and at most
    int32_t rows;            ///< of all of them, at most
    uint64_t* id;            // [count] of [contacts]
    int32_t* first;          // [count + 1] of [contacts + 1] first impulse
    double* r;               // [first[count]] of [rows]
    size_t* slot;            // [count] of [contacts] where the table has it
    int32_t* place;          // [slots] in the lists plus one, 0: empty
    size_t slots;            ///< power of two, at least twice as many as contacts
} sni_warm_start;

void sni_warm_start_layout(sni_warm_start* memory, const sn_contact_capacity* capacity,
                           sni_arena* arena);
/// Place of the id in the lists, `guess` if it is there; -1: it is not known.
int32_t sni_warm_start_find(const sni_warm_start* memory, uint64_t id, int32_t guess);
/// How many impulses the contact at a place has.
static inline int32_t sni_warm_start_rows(const sni_warm_start* memory, int32_t at) {
    return memory->first[at + 1] - memory->first[at];
}

#endif
