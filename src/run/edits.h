// SPDX-License-Identifier: Apache-2.0
/// The side of edits: the whole is made anew, given to the world, and what it replaced comes back.
#ifndef SN_RUN_EDITS_H
#define SN_RUN_EDITS_H

#include "run/sn_run.h"

/// Puts the scene's items in, in their order.
sn_status sni_add_scene_items(sn_simulation* sim, sn_error* error);
/// One model of all items.
sn_status sni_build_whole(const sn_simulation* sim, sn_model** whole, sn_error* error);
/// Tells slots where their bodies are in a whole of the items as they are.
void sni_number_bodies(sni_items* items);
/// How the items begin: nq, nv and body_count numbers of the whole.
void sni_begin_items(const sni_items* items, const sn_model* whole, double* q, double* v,
                     bool* locked);
/// Makes a whole of the items as they are now and gives it to the world, at once or at its next step. `fresh`:
/// nothing goes on, everything begins as its item says. On failure the world is as it was, but numbers of bodies
/// must be given anew.
sn_status sni_exchange_whole(sn_simulation* sim, bool fresh, sn_error* error);
/// Sends a command to the world, or applies it at once, by who edits.
sn_status sni_send(sn_simulation* sim, const sn_command* command, sn_error* error);
/// SN_ERR_ARGUMENT inside a step, where whatever edits is a controller that should not.
sn_status sni_check_between_steps(const sn_simulation* sim, sn_error* error);
/// Hands back what nobody looks at any more. Thread: sim. Realtime: yes.
void sni_return_retired(sn_simulation* sim);
/// Frees what was handed back.
void sni_free_returned(sn_simulation* sim);
/// The world and all its models.
void sni_free_whole(sn_simulation* sim);

#endif
