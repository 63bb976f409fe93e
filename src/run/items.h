// SPDX-License-Identifier: Apache-2.0
/// The items that are there, in slots that are used again: an id is a slot and the generation it had.
#ifndef SN_RUN_ITEMS_H
#define SN_RUN_ITEMS_H

#include "sinew/simulation.h"

typedef struct sni_slot {
    bool there;
    uint32_t generation;
    sn_item item;
    int scene_item; ///< of the scene, whose strings, numbers and model it shows; -1: none
    bool owns;      ///< strings, numbers and model are freed with this list
    bool has_surface;
    sn_material surface; ///< of all its shapes
    int32_t first_body;  ///< in the newest whole; -1: not in it yet
} sni_slot;

typedef struct sni_items {
    sni_slot* slot; // [slots]
    int32_t slots;
    int32_t* order; // [count] of [slots] slots in the order of their bodies
    int32_t count;
    uint32_t newest; ///< generation that slots begin with: no id of those before has a newer one
} sni_items;

/// The item at the end of the order: item number scene_item of the scene, or (-1) a copy, its model included.
sn_status sni_items_add(sni_items* items, const sn_item* item, int scene_item, sn_item_id* id,
                        sn_error* error);
/// NULL: it is gone.
sni_slot* sni_items_at(const sni_items* items, sn_item_id id);
/// Of the k-th in the order.
sn_item_id sni_items_id(const sni_items* items, int32_t k);
/// Generation 0: there is none.
sn_item_id sni_items_find(const sni_items* items, const char* name);
/// The item that a body of the newest whole belongs to; generation 0: the world.
sn_item_id sni_items_of_body(const sni_items* items, int32_t body);
/// It is not there any more; who owns it frees it with its list.
void sni_items_leave_out(sni_items* items, sn_item_id id);
/// A list of the same items, which owns none of them. False: no memory.
bool sni_items_copy(const sni_items* items, sni_items* copy);
/// What a list owns and another one has, too, is the other one's from now on.
void sni_items_hand_over(sni_items* items, sni_items* other);
/// Ids of `items` are newer than all that `older` ever gave.
void sni_items_outlive(const sni_items* older, sni_items* items);
void sni_items_free(sni_items* items);

#endif
