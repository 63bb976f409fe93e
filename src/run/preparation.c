// SPDX-License-Identifier: Apache-2.0
#include "run/preparation.h"

#include <stdlib.h>
#include <string.h>

#include "run/edits.h"
#include "run/whole.h"

static sn_status no_memory(sn_error* error) {
    return sni_fail(error, SN_ERR_MEMORY, sni_nowhere(), "not enough memory for the edit");
}

// ---- which items there will be --------------------------------------------------------------------------------------

/// Why it cannot be; NULL: it can.
static const char* trouble_of(const sn_preparation* p) {
    const sni_change* change = &p->change;
    const sn_item* item = change->item;
    switch (change->type) {
    case SN_EDIT_ADD:
        return item && item->name && item->model ? NULL : "an item needs a name and a model";
    case SN_EDIT_SURFACE: return sn_material_trouble(&change->material);
    default: return NULL;
    }
}

static sn_status begin_change(sn_preparation* p, sn_error* error) {
    const sni_items* now = &p->sim->items;
    const sni_change* change = &p->change;
    const sn_item* item = change->item;
    bool adds = change->type == SN_EDIT_ADD;
    if (adds && sni_items_find(now, item->name).generation)
        return sni_fail(error, SN_ERR_ARGUMENT, item->place,
                        "there is an item '%s' already; give this one another name", item->name);
    if (!adds && !sni_items_at(now, change->id))
        return sni_fail(error, SN_ERR_ARGUMENT, sni_nowhere(), "this item is gone");
    if (!sni_items_copy(now, &p->items)) return no_memory(error);
    if (change->type == SN_EDIT_REMOVE) sni_items_leave_out(&p->items, change->id);
    if (change->type != SN_EDIT_SURFACE) return SN_OK;
    sni_slot* slot = sni_items_at(&p->items, change->id);
    slot->has_surface = true;
    slot->surface = change->material;
    return SN_OK;
}

static sn_status begin_reset(sn_preparation* p, sn_error* error) {
    sn_status status = sni_add_scene_items(p->sim->scene, &p->items, error);
    if (!status) sni_items_outlive(&p->sim->items, &p->items);
    return status;
}

static sn_status begin(sn_preparation* p, sn_error* error) {
    const char* trouble = trouble_of(p);
    if (trouble) return sni_fail(error, SN_ERR_ARGUMENT, sni_nowhere(), "%s", trouble);
    p->before = p->sim->whole;
    return p->change.type == SN_EDIT_RESET ? begin_reset(p, error) : begin_change(p, error);
}

sn_status sni_preparation_of(sn_simulation* sim, const sn_edit* edit, sn_preparation** out,
                             sn_error* error) {
    *out = calloc(1, sizeof **out);
    if (!*out) return no_memory(error);
    **out = (sn_preparation){.sim = sim, .edit = edit};
    sim->preparing++;
    return SN_OK;
}

sn_status sni_preparation_create(sn_simulation* sim, const sni_change* change, sn_preparation** out,
                                 sn_error* error) {
    sn_preparation* p = NULL;
    *out = NULL;
    sn_status status = sni_check_between_steps(sim, error);
    if (!status) status = sni_preparation_of(sim, NULL, &p, error);
    if (status) return status;
    p->change = *change;
    status = begin(p, error);
    if (status) {
        sn_preparation_free(p);
        return status;
    }
    *out = p;
    return SN_OK;
}

// ---- the new whole --------------------------------------------------------------------------------------------------

/// State and locks of what is new in a replacement.
static sn_status begin_new(const sn_preparation* p, const sn_body_id* from) {
    const sn_model* whole = p->whole;
    double* q = malloc(((size_t)sn_model_nq(whole) + 1) * sizeof *q);
    double* v = malloc(((size_t)sn_model_nv(whole) + 1) * sizeof *v);
    bool* locked = calloc((size_t)sn_model_body_count(whole) + 1, sizeof *locked);
    sn_status status = q && v && locked ? SN_OK : SN_ERR_MEMORY;
    if (!status) sni_begin_items(&p->items, whole, q, v, locked);
    if (!status) status = sn_replacement_set_state(p->replacement, q, v);
    for (int32_t i = 0; !status && i < sn_model_body_count(whole); i++)
        if (locked[i] && from[i].i < 0) status = sn_replacement_lock(p->replacement, sn_body(i));
    free(q);
    free(v);
    free(locked);
    return status;
}

static sn_status make_replacement(sn_preparation* p, sn_error* error) {
    const sn_simulation* sim = p->sim;
    bool fresh = p->change.type == SN_EDIT_RESET;
    sn_body_id* from = sni_list_origins(&p->items, p->whole, fresh);
    if (!from) return no_memory(error);
    sn_status status =
        sn_world_prepare(sim->world, p->before, p->whole, from, &p->replacement, error);
    if (!status) {
        status = begin_new(p, from);
        if (status)
            (void)sni_fail(error, status, sni_nowhere(), "an item cannot begin like this: %s",
                           sn_status_text(status));
    }
    free(from);
    return status;
}

static sn_status make(sn_preparation* p, sn_error* error) {
    const sn_simulation* sim = p->sim;
    sni_change* change = &p->change;
    sn_status status = SN_OK;
    if (change->type == SN_EDIT_ADD)
        status = sni_items_add(&p->items, change->item, -1, &change->id, error);
    if (!status) status = sni_build_whole(sn_scene_name(sim->scene), &p->items, &p->whole, error);
    if (!status) status = make_replacement(p, error);
    if (status) return status;
    sni_number_bodies(&p->items);
    p->replacement->companion = sni_plan_create(sim->scene, &p->items, p->whole);
    return p->replacement->companion ? SN_OK : no_memory(error);
}

bool sn_preparation_is_long(const sn_preparation* p) { return p && !p->edit && !p->replacement; }

/// Worlds are made one at a time: parts of them may be a user's.
sn_status sn_preparation_make(sn_preparation* p, sn_error* error) {
    enum { GLANCE_NS = 100000 };
    if (!p) return SN_ERR_ARGUMENT;
    if (p->edit || p->replacement) return SN_OK;
    while (!sni_try_take(&p->sim->making)) sni_thread_rest(GLANCE_NS);
    sn_status status = make(p, error);
    sni_give(&p->sim->making);
    return status;
}

// ---- the exchange ---------------------------------------------------------------------------------------------------

/// What was made and not put in.
static void drop(sn_preparation* p) {
    if (p->replacement) sni_plan_free(p->replacement->companion);
    sn_replacement_free(p->replacement);
    sn_model_free(p->whole);
    sni_items_free(&p->items);
    p->replacement = NULL;
    p->whole = NULL;
}

/// Other edits came first: what was made does not fit any more.
static sn_status make_anew(sn_preparation* p, sn_error* error) {
    drop(p);
    sn_status status = begin(p, error);
    return status ? status : sn_preparation_make(p, error);
}

/// The items as they are now; what they leave behind goes with the preparation.
static void take_items(sn_preparation* p) {
    sni_items before = p->sim->items;
    sni_items_hand_over(&before, &p->items);
    p->sim->items = p->items;
    p->items = before;
}

/// What goes on beside the items.
static void follow(const sn_preparation* p) {
    if (p->change.type == SN_EDIT_REMOVE) sni_forget_holds(p->sim, p->change.id);
    if (p->change.type == SN_EDIT_RESET) sni_begin_anew(p->sim);
}

sn_status sn_simulation_finish(sn_simulation* sim, sn_preparation* p, sn_error* error) {
    if (!sim || !p || p->sim != sim) return SN_ERR_ARGUMENT;
    if (p->edit) return sn_simulation_apply(sim, p->edit, error);
    if (!p->replacement)
        return sni_fail(error, SN_ERR_ARGUMENT, sni_nowhere(), "the edit has not been made ready");
    sn_status status = p->before == sim->whole ? SN_OK : make_anew(p, error);
    if (!status)
        status = sni_put_in(sim, p->whole, p->replacement, p->change.type == SN_EDIT_RESET, error);
    if (status) return status;
    p->whole = NULL;
    p->replacement = NULL;
    take_items(p);
    follow(p);
    return SN_OK;
}

/// Others may be made of what this one has left behind: all go when the last one does.
void sn_preparation_free(sn_preparation* p) {
    if (!p) return;
    sn_simulation* sim = p->sim;
    p->next = sim->prepared;
    sim->prepared = p;
    if (--sim->preparing > 0) return;
    while (sim->prepared) {
        sn_preparation* first = sim->prepared;
        sim->prepared = first->next;
        drop(first);
        free(first);
    }
}

sn_status sni_change_items(sn_simulation* sim, const sni_change* change, sn_item_id* id,
                           sn_error* error) {
    sn_preparation* p = NULL;
    sn_status status = sni_preparation_create(sim, change, &p, error);
    if (!status) status = sn_preparation_make(p, error);
    if (!status) status = sn_simulation_finish(sim, p, error);
    if (!status && id) *id = p->change.id;
    sn_preparation_free(p);
    return status;
}
