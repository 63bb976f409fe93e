// SPDX-License-Identifier: Apache-2.0
/// One model of all items. Pure functions of a list of items.
#ifndef SN_RUN_WHOLE_H
#define SN_RUN_WHOLE_H

#include "run/items.h"

/// One model of all items.
sn_status sni_build_whole(const char* name, const sni_items* items, sn_model** whole,
                          sn_error* error);
/// Tells slots where their bodies are in a whole of the items as they are.
void sni_number_bodies(sni_items* items);
/// Where each body of a new whole comes from, by the numbers that slots have from the one before; -1: it is new, as all
/// are when `fresh`. The caller frees it; NULL: no memory.
sn_body_id* sni_list_origins(const sni_items* items, const sn_model* whole, bool fresh);
/// How the items begin: nq, nv and body_count numbers of the whole.
void sni_begin_items(const sni_items* items, const sn_model* whole, double* q, double* v,
                     bool* locked);

#endif
