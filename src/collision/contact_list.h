// SPDX-License-Identifier: Apache-2.0
/// Contacts of a step in a list of fixed length that keeps the deepest when there are more.
#ifndef SN_COLLISION_CONTACT_LIST_H
#define SN_COLLISION_CONTACT_LIST_H

#include "base/arena.h"
#include "sinew/contact_point.h"

/// The shapes a contact is between, as places in the collider.
typedef struct sni_contact_shapes {
    int32_t a, b;
} sni_contact_shapes;

typedef struct sni_contact_list {
    int32_t most, count, dropped;
    sn_contact* contact;        // [count] of [most]
    sni_contact_shapes* shapes; // [count] of [most]
    int64_t* number;            // [count] of [most] in the order they came
    int32_t* heap;              // [most] largest gap first, once the list is full
    int64_t next;
    bool heaped;
} sni_contact_list;

void sni_contact_list_layout(sni_contact_list* list, sni_arena* arena, int32_t most);
void sni_contact_list_clear(sni_contact_list* list);
void sni_contact_list_add(sni_contact_list* list, const sn_contact* contact,
                          sni_contact_shapes shapes);
/// Puts what is left into the order it came in. Call once, when all are added.
void sni_contact_list_finish(sni_contact_list* list);

#endif
