// SPDX-License-Identifier: Apache-2.0
/// The bodies between some bodies and the roots: all that a question about those bodies depends on.
#ifndef SN_DYNAMICS_BRANCHES_H
#define SN_DYNAMICS_BRANCHES_H

#include "model/sn_model.h"

typedef struct sni_branches {
    int32_t count;
    int32_t* body;  // [count] of [body_count], parents before their children
    int32_t* place; // [body_count] place in the list, of bodies that are in it
    uint32_t* mark; // [body_count] equal to `stamp`: in the list
    uint32_t stamp;
} sni_branches;

void sni_branches_layout(sni_branches* branches, sni_arena* arena, const sn_model* model);
/// Starts an empty list.
void sni_branches_clear(sni_branches* branches, const sn_model* model);
/// Adds a body and all that carry it.
void sni_branches_add(sni_branches* branches, const sn_model* model, int32_t body);

#endif
