// SPDX-License-Identifier: Apache-2.0
/// From bodies that name their parents to an order in which parents come first.
#ifndef SN_MODEL_ORDER_H
#define SN_MODEL_ORDER_H

#include "model/builder.h"

typedef struct sni_order {
    int32_t* parent; ///< [count] definition index of each definition's parent, -1: world
    int32_t* at;     ///< [count] definition indices, parents first
} sni_order;

/// Finds parents by name and an order; refuses duplicate names, missing parents and cycles.
/// Free with sni_order_free, also after failure.
sn_status sni_order_find(const sn_model_builder* builder, sni_order* order, sn_error* error);
void sni_order_free(sni_order* order);

#endif
