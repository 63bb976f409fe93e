// SPDX-License-Identifier: Apache-2.0
/// Where the items of the scene are in one model of the whole, for the side that steps.
#ifndef SN_RUN_PLAN_H
#define SN_RUN_PLAN_H

#include "run/items.h"

typedef struct sni_plan {
    const sn_model* model;
    int32_t* first_body; // [items of the scene] -1: it is gone
    double* tau;         // [nv] scratch: forces of one controller
    double* reach;       // [nv] scratch, zero between uses: limits of controllers
} sni_plan;

/// NULL: no memory.
sni_plan* sni_plan_create(const sn_scene* scene, const sni_items* items, const sn_model* model);
void sni_plan_free(sni_plan* plan);

#endif
