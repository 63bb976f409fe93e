// SPDX-License-Identifier: Apache-2.0
// Items come, go and change: a new model of the whole is made of those that are there, and takes the place of the old one
// at a step boundary. The state of what stays goes on.
#include "run/edits.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"

// ---- the whole --------------------------------------------------------------------------------------------

static void set_surface(sn_model_builder* builder, int first, sn_material material) {
    for (int s = first; s < sn_model_builder_shape_count(builder); s++)
        sn_model_builder_set_material(builder, s, material);
}

sn_status sni_build_whole(const sn_simulation* sim, sn_model** whole, sn_error* error) {
    const sni_items* items = &sim->items;
    sn_model_builder* builder = sn_model_builder_create(sn_scene_name(sim->scene));
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

/// Where each body of the items, in their order, comes from; -1: it is new.
static sn_body_id* list_origins(const sn_simulation* sim, const sn_model* whole, bool fresh) {
    const sni_items* items = &sim->items;
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

/// State and locks of what is new in a replacement.
static sn_status begin_new(const sn_simulation* sim, const sn_model* whole, const sn_body_id* from,
                           sn_replacement* r) {
    double* q = malloc(((size_t)sn_model_nq(whole) + 1) * sizeof *q);
    double* v = malloc(((size_t)sn_model_nv(whole) + 1) * sizeof *v);
    bool* locked = calloc((size_t)sn_model_body_count(whole) + 1, sizeof *locked);
    sn_status status = q && v && locked ? SN_OK : SN_ERR_MEMORY;
    if (!status) sni_begin_items(&sim->items, whole, q, v, locked);
    if (!status) status = sn_replacement_set_state(r, q, v);
    for (int32_t i = 0; !status && i < sn_model_body_count(whole); i++)
        if (locked[i] && from[i].i < 0) status = sn_replacement_lock(r, sn_body(i));
    free(q);
    free(v);
    free(locked);
    return status;
}

// ---- the exchange -------------------------------------------------------------------------------------------

sn_status sni_check_between_steps(const sn_simulation* sim, sn_error* error) {
    if (sim->def.edits_come_from_host || !sim->in_control) return SN_OK;
    return sni_fail(error, SN_ERR_ARGUMENT, sni_nowhere(),
                    "nothing can be edited inside a step; a plugin's step and command can");
}

static sn_status too_many(sn_error* error) {
    return sni_fail(error, SN_ERR_CAPACITY, sni_nowhere(),
                    "too many edits wait for the next step; try again after it");
}

sn_status sni_send(sn_simulation* sim, const sn_command* command, sn_error* error) {
    if (sim->def.edits_come_from_host)
        return sn_world_post(sim->world, command) ? too_many(error) : SN_OK;
    sn_status status = sni_check_between_steps(sim, error);
    if (status) return status;
    status = sn_world_apply(sim->world, command);
    if (!status) return SN_OK;
    return sni_fail(error, status, sni_nowhere(), "the world refuses it: %s",
                    sn_status_text(status));
}

static sn_status prepare(sn_simulation* sim, const sn_model* whole, bool fresh, sn_replacement** r,
                         sn_error* error) {
    sn_body_id* from = list_origins(sim, whole, fresh);
    sn_status status = from ? sn_world_prepare(sim->world, sim->whole, whole, from, r, error)
                            : sni_fail(error, SN_ERR_MEMORY, sni_nowhere(), "not enough memory");
    if (!status) {
        status = begin_new(sim, whole, from, *r);
        if (status)
            (void)sni_fail(error, status, sni_nowhere(), "an item cannot begin like this: %s",
                           sn_status_text(status));
    }
    free(from);
    return status;
}

static bool keep_model(sn_simulation* sim, sn_model* model) {
    size_t size = ((size_t)sim->model_count + 1) * sizeof *sim->models;
    sn_model** models = realloc(sim->models, size);
    if (!models) return false;
    sim->models = models;
    models[sim->model_count++] = model;
    return true;
}

static void drop_model(sn_simulation* sim, const sn_model* model) {
    for (int i = 0; i < sim->model_count; i++) {
        if (sim->models[i] != model) continue;
        sn_model_free(sim->models[i]);
        sim->models[i] = sim->models[--sim->model_count];
        return;
    }
}

/// Gives what was prepared to the world.
static sn_status put_in(sn_simulation* sim, sn_model* whole, sn_replacement* r, sn_error* error) {
    sn_command command = {.type = SN_COMMAND_REPLACE, .replacement = r};
    sni_number_bodies(&sim->items);
    r->companion = sni_plan_create(sim->scene, &sim->items, whole);
    sn_status status = r->companion && keep_model(sim, whole) ? SN_OK : SN_ERR_MEMORY;
    if (status) return sni_fail(error, status, sni_nowhere(), "not enough memory for the edit");
    status = sni_send(sim, &command, error);
    if (status) sim->model_count--; // the caller frees it
    return status;
}

sn_status sni_exchange_whole(sn_simulation* sim, bool fresh, sn_error* error) {
    sn_model* whole = NULL;
    sn_replacement* r = NULL;
    sn_status status = sni_build_whole(sim, &whole, error);
    if (!status) status = prepare(sim, whole, fresh, &r, error);
    if (!status) status = put_in(sim, whole, r, error);
    if (!status) {
        sim->whole = whole;
        return SN_OK;
    }
    if (r) sni_plan_free(r->companion);
    sn_replacement_free(r);
    sn_model_free(whole);
    return status;
}

void sni_return_retired(sn_simulation* sim) {
    if (sim->recorder && !sn_recorder_is_idle(sim->recorder)) return; // it may still read them
    while (sim->returning || (sim->returning = sn_world_take_retired(sim->world))) {
        if (!sni_ring_put(&sim->retired, &sim->returning)) return; // next time
        sim->returning = NULL;
    }
}

static void free_retired(sn_simulation* sim, sn_replacement* r) {
    const sn_model* before = sn_replacement_before(r);
    sni_plan_free(r->companion);
    sn_replacement_free(r);
    drop_model(sim, before);
}

void sni_free_returned(sn_simulation* sim) {
    sn_replacement* r;
    while (sni_ring_take(&sim->retired, &r)) free_retired(sim, r);
}

/// Edits that no step took any more.
static void free_waiting(sn_simulation* sim) {
    sn_command waiting;
    while (sim->world && sni_ring_take(&sim->world->commands, &waiting)) {
        if (waiting.type != SN_COMMAND_REPLACE) continue;
        sni_plan_free(waiting.replacement->companion);
        sn_replacement_free(waiting.replacement);
    }
}

void sni_free_whole(sn_simulation* sim) {
    sni_free_returned(sim);
    if (sim->returning) free_retired(sim, sim->returning);
    free_waiting(sim);
    for (sn_replacement* r = sim->world ? sim->world->retired : NULL; r; r = r->next)
        sni_plan_free(r->companion);
    if (sim->world) sni_plan_free(sim->world->companion);
    sn_world_free(sim->world);
    for (int i = 0; i < sim->model_count; i++) sn_model_free(sim->models[i]);
    free(sim->models);
}

// ---- items --------------------------------------------------------------------------------------------------

static sn_status gone(sn_error* error) {
    return sni_fail(error, SN_ERR_ARGUMENT, sni_nowhere(), "this item is gone");
}

sn_status sn_simulation_add(sn_simulation* sim, const sn_item* item, sn_item_id* id,
                            sn_error* error) {
    sn_item_id added;
    if (!sim || !item || !item->name || !item->model)
        return sni_fail(error, SN_ERR_ARGUMENT, sni_nowhere(), "an item needs a name and a model");
    if (sni_items_find(&sim->items, item->name).generation)
        return sni_fail(error, SN_ERR_ARGUMENT, item->place,
                        "there is an item '%s' already; give this one another name", item->name);
    sn_status status = sni_items_add(&sim->items, item, -1, &added, error);
    if (status) return status;
    status = sni_exchange_whole(sim, false, error);
    if (status) {
        sni_items_remove(&sim->items, added);
        sni_number_bodies(&sim->items);
        return status;
    }
    if (id) *id = added;
    return SN_OK;
}

/// The order without one slot, or with it at the place it had.
static void leave_out(sni_items* items, int32_t place) {
    items->count--;
    memmove(items->order + place, items->order + place + 1,
            (size_t)(items->count - place) * sizeof *items->order);
}

static void put_back(sni_items* items, int32_t place, int32_t slot) {
    memmove(items->order + place + 1, items->order + place,
            (size_t)(items->count - place) * sizeof *items->order);
    items->order[place] = slot;
    items->count++;
    sni_number_bodies(items);
}

sn_status sn_simulation_remove(sn_simulation* sim, sn_item_id item, sn_error* error) {
    if (!sim || !sni_items_at(&sim->items, item)) return gone(error);
    int32_t place = 0;
    while (sim->items.order[place] != item.i) place++;
    leave_out(&sim->items, place);
    sn_status status = sni_exchange_whole(sim, false, error);
    put_back(&sim->items, place, item.i);
    if (status) return status;
    sni_forget_holds(sim, item);
    sni_items_remove(&sim->items, item);
    sni_number_bodies(&sim->items);
    return SN_OK;
}

sn_status sn_simulation_set_surface(sn_simulation* sim, sn_item_id item,
                                    const sn_material* material, sn_error* error) {
    sni_slot* slot = sim ? sni_items_at(&sim->items, item) : NULL;
    if (!slot || !material) return gone(error);
    const char* trouble = sn_material_trouble(material);
    if (trouble) return sni_fail(error, SN_ERR_ARGUMENT, sni_nowhere(), "%s", trouble);
    sni_slot before = *slot;
    slot->has_surface = true;
    slot->surface = *material;
    sn_status status = sni_exchange_whole(sim, false, error);
    if (status) {
        slot->has_surface = before.has_surface;
        slot->surface = before.surface;
        sni_number_bodies(&sim->items);
    }
    return status;
}

sn_status sni_add_scene_items(sn_simulation* sim, sn_error* error) {
    sn_status status = SN_OK;
    for (int i = 0; i < sn_scene_item_count(sim->scene) && !status; i++)
        status = sni_items_add(&sim->items, sn_scene_item(sim->scene, i), i, NULL, error);
    return status;
}

enum { OPTIONS = 4 };

/// Options as the scene has them; a fault is forgotten. All are valid: the world began with them.
static void send_options(sn_simulation* sim) {
    const sn_world_def* def = &sim->world_def;
    sn_command options[OPTIONS] = {
        {.type = SN_COMMAND_GRAVITY, .vector = def->gravity},
        {.type = SN_COMMAND_SOLVE,
         .tolerance = def->contact.solve.tolerance,
         .iterations = {def->contact.solve.iterations}},
        {.type = SN_COMMAND_STATE},
        {.type = SN_COMMAND_ADAPTIVITY, .adaptivity = def->adaptivity},
    };
    for (int i = 0; i < OPTIONS - !sni_is_adaptive(sim); i++)
        (void)sni_send(sim, &options[i], NULL);
}

sn_status sn_simulation_reset(sn_simulation* sim, sn_error* error) {
    if (!sim) return SN_ERR_ARGUMENT;
    if (sim->def.edits_come_from_host && sni_ring_room(&sim->world->commands) < 1 + OPTIONS)
        return too_many(error);
    sni_items before = sim->items;
    sim->items = (sni_items){0};
    sn_status status = sni_add_scene_items(sim, error);
    if (!status) status = sni_exchange_whole(sim, true, error);
    if (status) {
        sni_items_free(&sim->items);
        sim->items = before;
        return status;
    }
    sni_items_outlive(&before, &sim->items);
    sni_items_free(&before);
    sni_free_holds(sim);
    send_options(sim);
    if (!sim->def.edits_come_from_host) { // else nobody could have changed targets
        sni_reset_targets(sim);
        sni_movers_reset(sim);
        sni_sensors_forget(sim);
    }
    sim->next_edit = 0;
    sim->script_start = (double)sni_shown_value(&sim->step) * sn_world_step_size(sim->world);
    return SN_OK;
}

// ---- questions ------------------------------------------------------------------------------------------------

int sn_simulation_item_count(const sn_simulation* sim) { return sim->items.count; }

sn_item_id sn_simulation_item_at(const sn_simulation* sim, int i) {
    return i >= 0 && i < sim->items.count ? sni_items_id(&sim->items, i) : (sn_item_id){-1, 0};
}

sn_item_id sn_simulation_find_item(const sn_simulation* sim, const char* name) {
    return sni_items_find(&sim->items, name);
}

const sn_item* sn_simulation_item(const sn_simulation* sim, sn_item_id item) {
    const sni_slot* slot = sni_items_at(&sim->items, item);
    return slot ? &slot->item : NULL;
}

int32_t sn_simulation_first_body(const sn_simulation* sim, sn_item_id item) {
    const sni_slot* slot = sni_items_at(&sim->items, item);
    return slot ? slot->first_body : -1;
}
