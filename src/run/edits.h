// SPDX-License-Identifier: Apache-2.0
/// The side of edits: the whole is made anew, given to the world, and what it replaced comes back.
#ifndef SN_RUN_EDITS_H
#define SN_RUN_EDITS_H

#include "run/sn_run.h"

/// Puts the scene's items into a list, in their order.
sn_status sni_add_scene_items(const sn_scene* scene, sni_items* items, sn_error* error);
/// Gives a whole to the world, at once or at its next step; `anew`: as part of a reset. On failure nothing has changed.
sn_status sni_put_in(sn_simulation* sim, sn_model* whole, sn_replacement* r, bool anew,
                     sn_error* error);
/// After a reset: all but the items is as in the beginning, too.
void sni_begin_anew(sn_simulation* sim);
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
