// SPDX-License-Identifier: Apache-2.0
#include "run/items.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"

static sn_status no_memory(sn_error* error) {
    return sni_fail(error, SN_ERR_MEMORY, sni_nowhere(), "not enough memory for another item");
}

// ---- copies -------------------------------------------------------------------------------------------

/// A copy of `count` bytes; NULL stays NULL. *failed is set when there is no memory.
static void* copy_bytes(const void* from, size_t count, bool* failed) {
    if (!from) return NULL;
    void* copy = malloc(count ? count : 1);
    if (!copy)
        *failed = true;
    else
        memcpy(copy, from, count);
    return copy;
}

static char* copy_text(const char* text, bool* failed) {
    return copy_bytes(text, strlen(text) + 1, failed);
}

static char* join(const char* a, const char* b, bool* failed) {
    size_t size = strlen(a) + strlen(b) + 1;
    char* text = malloc(size);
    if (!text)
        *failed = true;
    else
        (void)snprintf(text, size, "%s%s", a, b);
    return text;
}

static sn_status copy_model(const sn_model* model, sn_model** copy, sn_error* error) {
    sn_model_builder* builder = sn_model_builder_create(sn_model_name(model));
    sn_status status = builder
                           ? sn_model_builder_add_model(builder, model, NULL, sn_pose_identity())
                           : SN_ERR_MEMORY;
    if (!status) status = sn_model_builder_compile(builder, NULL, copy, error);
    sn_model_builder_free(builder);
    return status == SN_ERR_MEMORY ? no_memory(error) : status;
}

static void free_item(sn_item* item) {
    free((void*)item->name);
    free((void*)item->prefix);
    free((void*)item->q);
    free((void*)item->v);
    free((void*)item->locked);
    sn_model_free((sn_model*)item->model);
}

static sn_status copy_item(const sn_item* from, sn_item* to, sn_error* error) {
    const sn_model* model = from->model;
    bool failed = false;
    sn_model* own = NULL;
    sn_status status = copy_model(model, &own, error);
    if (status) return status;
    *to = *from;
    to->model = own;
    to->name = copy_text(from->name, &failed);
    to->prefix = from->prefix ? copy_text(from->prefix, &failed) : join(from->name, "/", &failed);
    to->q = copy_bytes(from->q, (size_t)sn_model_nq(model) * sizeof *from->q, &failed);
    to->v = copy_bytes(from->v, (size_t)sn_model_nv(model) * sizeof *from->v, &failed);
    to->locked = copy_bytes(from->locked, (size_t)sn_model_body_count(model) * sizeof *from->locked,
                            &failed);
    to->place = sni_nowhere();
    if (!failed) return SN_OK;
    free_item(to);
    return no_memory(error);
}

// ---- slots ----------------------------------------------------------------------------------------------

/// A free slot, the first there is; -1: no memory.
static int32_t take_slot(sni_items* items) {
    // without holes the first free one is right behind those in use
    int32_t s = items->count;
    if (s < items->slots && !items->slot[s].there) return s;
    for (s = 0; s < items->slots; s++)
        if (!items->slot[s].there) return s;
    int32_t slots = items->slots ? 2 * items->slots : 16;
    sni_slot* slot = realloc(items->slot, (size_t)slots * sizeof *slot);
    if (slot) items->slot = slot;
    int32_t* order = realloc(items->order, (size_t)slots * sizeof *order);
    if (order) items->order = order;
    if (!slot || !order) return -1;
    for (int32_t k = items->slots; k < slots; k++)
        slot[k] = (sni_slot){.generation = items->newest};
    items->slots = slots;
    return s;
}

sn_status sni_items_add(sni_items* items, const sn_item* item, int scene_item, sn_item_id* id,
                        sn_error* error) {
    int32_t s = take_slot(items);
    if (s < 0) return no_memory(error);
    sni_slot* slot = &items->slot[s];
    sn_item own = *item;
    sn_status status = scene_item < 0 ? copy_item(item, &own, error) : SN_OK;
    if (status) return status;
    *slot = (sni_slot){.there = true,
                       .generation = slot->generation + 1,
                       .item = own,
                       .scene_item = scene_item,
                       .owns = scene_item < 0,
                       .first_body = -1};
    items->order[items->count++] = s;
    if (id) *id = (sn_item_id){s, slot->generation};
    return SN_OK;
}

sni_slot* sni_items_at(const sni_items* items, sn_item_id id) {
    if (id.i < 0 || id.i >= items->slots) return NULL;
    sni_slot* slot = &items->slot[id.i];
    return slot->there && slot->generation == id.generation ? slot : NULL;
}

sn_item_id sni_items_id(const sni_items* items, int32_t k) {
    int32_t s = items->order[k];
    return (sn_item_id){s, items->slot[s].generation};
}

sn_item_id sni_items_find(const sni_items* items, const char* name) {
    for (int32_t k = 0; k < items->count; k++)
        if (strcmp(items->slot[items->order[k]].item.name, name) == 0)
            return sni_items_id(items, k);
    return (sn_item_id){-1, 0};
}

sn_item_id sni_items_of_body(const sni_items* items, int32_t body) {
    for (int32_t k = 0; k < items->count && body >= 0; k++) {
        const sni_slot* slot = &items->slot[items->order[k]];
        int32_t count = sn_model_body_count(slot->item.model);
        if (body >= slot->first_body && body < slot->first_body + count)
            return sni_items_id(items, k);
    }
    return (sn_item_id){-1, 0};
}

void sni_items_leave_out(sni_items* items, sn_item_id id) {
    if (!sni_items_at(items, id)) return;
    int32_t kept = 0;
    for (int32_t k = 0; k < items->count; k++)
        if (items->order[k] != id.i) items->order[kept++] = items->order[k];
    items->count = kept;
    items->slot[id.i].there = false;
}

bool sni_items_copy(const sni_items* items, sni_items* copy) {
    size_t slots = (size_t)items->slots;
    *copy = *items;
    copy->slot = malloc((slots + 1) * sizeof *copy->slot);
    copy->order = malloc((slots + 1) * sizeof *copy->order);
    if (!copy->slot || !copy->order) {
        free(copy->slot);
        free(copy->order);
        *copy = (sni_items){0};
        return false;
    }
    if (slots > 0) {
        memcpy(copy->slot, items->slot, slots * sizeof *copy->slot);
        memcpy(copy->order, items->order, slots * sizeof *copy->order);
    }
    for (size_t s = 0; s < slots; s++) copy->slot[s].owns = false;
    return true;
}

void sni_items_hand_over(sni_items* items, sni_items* other) {
    for (int32_t k = 0; k < other->count; k++) {
        sni_slot* slot = sni_items_at(items, sni_items_id(other, k));
        if (!slot || !slot->owns) continue;
        slot->owns = false;
        other->slot[other->order[k]].owns = true;
    }
}

void sni_items_outlive(const sni_items* older, sni_items* items) {
    uint32_t newest = older->newest;
    for (int32_t s = 0; s < older->slots; s++)
        if (older->slot[s].generation > newest) newest = older->slot[s].generation;
    for (int32_t s = 0; s < items->slots; s++) items->slot[s].generation += newest;
    items->newest = newest;
}

void sni_items_free(sni_items* items) {
    for (int32_t s = 0; s < items->slots; s++)
        if (items->slot[s].owns) free_item(&items->slot[s].item);
    free(items->slot);
    free(items->order);
    *items = (sni_items){0};
}
