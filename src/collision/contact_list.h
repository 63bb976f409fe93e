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
    bool heaped;                ///< it is full, and more came
    int32_t* heap;              // [most] largest gap first, then
    int64_t* number;            // [most] in the order they came, then
    int64_t next;
} sni_contact_list;

void sni_contact_list_layout(sni_contact_list* list, sni_arena* arena, int32_t most);
void sni_contact_list_clear(sni_contact_list* list);
/// Room for one more contact, of that gap, in a list that is full: that of one which is farther. NULL: there is none.
sn_contact* sni_contact_list_replace(sni_contact_list* list, double gap, sni_contact_shapes shapes);
/// Room for one more contact, of that gap; NULL: it is dropped.
static inline sn_contact* sni_contact_list_add(sni_contact_list* list, double gap,
                                               sni_contact_shapes shapes) {
    if (list->count == list->most) return sni_contact_list_replace(list, gap, shapes);
    list->shapes[list->count] = shapes;
    return &list->contact[list->count++];
}
/// Puts what is left into the order it came in. Call once, when all are added.
void sni_contact_list_finish(sni_contact_list* list);

#endif
