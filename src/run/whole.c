// SPDX-License-Identifier: Apache-2.0
// One model of all items: where their bodies are in it, where they come from, and how they begin.
#include "run/whole.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"

static void set_surface(sn_model_builder* builder, int first, sn_material material) {
    for (int s = first; s < sn_model_builder_shape_count(builder); s++)
        sn_model_builder_set_material(builder, s, material);
}

sn_status sni_build_whole(const char* name, const sni_items* items, sn_model** whole,
                          sn_error* error) {
    sn_model_builder* builder = sn_model_builder_create(name);
    sn_status status = builder ? SN_OK : SN_ERR_MEMORY;
    for (int32_t k = 0; k < items->count && !status; k++) {
        const sni_slot* slot = &items->slot[items->order[k]];
        const sn_item* item = &slot->item;
        int first = sn_model_builder_shape_count(builder);
        status = sn_model_builder_add_model(builder, item->model, item->prefix, item->pose);
        if (slot->has_surface) set_surface(builder, first, slot->surface);
    }
    if (!status)
        status = sn_model_builder_compile(builder, NULL, whole, error);
    else
        (void)sni_fail(error, status, sni_nowhere(), "%s", sn_status_text(status));
    sn_model_builder_free(builder);
    return status;
}

void sni_number_bodies(sni_items* items) {
    int32_t next = 0;
    for (int32_t k = 0; k < items->count; k++) {
        sni_slot* slot = &items->slot[items->order[k]];
        slot->first_body = next;
        next += sn_model_body_count(slot->item.model);
    }
}

sn_body_id* sni_list_origins(const sni_items* items, const sn_model* whole, bool fresh) {
    sn_body_id* from = malloc(((size_t)sn_model_body_count(whole) + 1) * sizeof *from);
    int32_t b = 0;
    for (int32_t k = 0; from && k < items->count; k++) {
        const sni_slot* slot = &items->slot[items->order[k]];
        bool is_new = fresh || slot->first_body < 0;
        for (int32_t j = 0; j < sn_model_body_count(slot->item.model); j++)
            from[b++] = sn_body(is_new ? -1 : slot->first_body + j);
    }
    return from;
}

void sni_begin_items(const sni_items* items, const sn_model* whole, double* q, double* v,
                     bool* locked) {
    sn_model_neutral(whole, q);
    memset(v, 0, (size_t)sn_model_nv(whole) * sizeof *v);
    int32_t b = 0;
    for (int32_t k = 0; k < items->count; k++) {
        const sn_item* item = &items->slot[items->order[k]].item;
        int32_t count = sn_model_body_count(item->model);
        if (count == 0) continue;
        sn_body_info first = sn_model_body(whole, sn_body(b));
        if (item->q) memcpy(q + first.iq, item->q, (size_t)sn_model_nq(item->model) * sizeof *q);
        if (item->v) memcpy(v + first.iv, item->v, (size_t)sn_model_nv(item->model) * sizeof *v);
        for (int32_t j = 0; j < count; j++) locked[b + j] = item->locked && item->locked[j];
        b += count;
    }
}
