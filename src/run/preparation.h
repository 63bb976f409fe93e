// SPDX-License-Identifier: Apache-2.0
/// Edits that need a new model of the whole, in three parts: which items there will be (thread of edits), the new whole
/// and all that a world needs for it (any thread, while another one steps), and the exchange (thread of edits).
#ifndef SN_RUN_PREPARATION_H
#define SN_RUN_PREPARATION_H

#include "run/sn_run.h"

/// What becomes different of the items.
typedef struct sni_change {
    sn_edit_type type;    ///< ADD, REMOVE, SURFACE or RESET
    const sn_item* item;  ///< ADD: copied when it is made
    sn_item_id id;        ///< REMOVE, SURFACE; of what was added, once it is made
    sn_material material; ///< SURFACE
} sni_change;

struct sn_preparation {
    sn_simulation* sim;
    const sn_edit* edit; ///< one that needs no new whole; else NULL
    sni_change change;
    const sn_model* before; ///< the whole whose place it takes
    sni_items
        items; ///< as they will be, made of the simulation's; after the exchange those that were before
    sn_model* whole;
    sn_replacement* replacement; ///< NULL: it is not made, or it is put in
    sn_preparation* next;        ///< of those that wait to be freed
};

/// Says which items there will be. What `change` names stays until it is made.
sn_status sni_preparation_create(sn_simulation* sim, const sni_change* change, sn_preparation** out,
                                 sn_error* error);
/// For an edit that needs no new whole: nothing is to be made, it is applied in the end.
sn_status sni_preparation_of(sn_simulation* sim, const sn_edit* edit, sn_preparation** out,
                             sn_error* error);
/// All three parts at once; id (may be NULL): of what was added.
sn_status sni_change_items(sn_simulation* sim, const sni_change* change, sn_item_id* id,
                           sn_error* error);

#endif
