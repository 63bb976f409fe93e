// SPDX-License-Identifier: Apache-2.0
#include "run/plan.h"

#include <stdlib.h>

sni_plan* sni_plan_create(const sn_scene* scene, const sni_items* items, const sn_model* model) {
    size_t count = (size_t)sn_scene_item_count(scene), nv = (size_t)sn_model_nv(model);
    sni_plan* plan = calloc(1, sizeof *plan);
    if (!plan) return NULL;
    plan->model = model;
    plan->first_body = calloc(count + 1, sizeof *plan->first_body);
    plan->tau = calloc(nv + 1, sizeof *plan->tau);
    plan->reach = calloc(nv + 1, sizeof *plan->reach);
    if (!plan->first_body || !plan->tau || !plan->reach) {
        sni_plan_free(plan);
        return NULL;
    }
    for (size_t i = 0; i < count; i++) plan->first_body[i] = -1;
    for (int32_t k = 0; k < items->count; k++) {
        const sni_slot* slot = &items->slot[items->order[k]];
        if (slot->scene_item >= 0) plan->first_body[slot->scene_item] = slot->first_body;
    }
    return plan;
}

void sni_plan_free(sni_plan* plan) {
    if (!plan) return;
    free(plan->first_body);
    free(plan->tau);
    free(plan->reach);
    free(plan);
}
