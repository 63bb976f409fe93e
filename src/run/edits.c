// SPDX-License-Identifier: Apache-2.0
// Items come, go and change: a new model of the whole (preparation.h) takes the place of the old one at a step boundary.
// The state of what stays goes on; what was replaced comes back to be freed.
#include "run/edits.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "run/preparation.h"

enum { OPTIONS = 4 }; // commands that a reset sends after the new whole

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

sn_status sni_put_in(sn_simulation* sim, sn_model* whole, sn_replacement* r, bool anew,
                     sn_error* error) {
    sn_command command = {.type = SN_COMMAND_REPLACE, .replacement = r};
    bool waits = sim->def.edits_come_from_host;
    if (anew && waits && sni_ring_room(&sim->world->commands) < 1 + OPTIONS) return too_many(error);
    if (!keep_model(sim, whole))
        return sni_fail(error, SN_ERR_MEMORY, sni_nowhere(), "not enough memory for the edit");
    sn_status status = sni_send(sim, &command, error);
    if (status)
        sim->model_count--; // it stays the caller's
    else
        sim->whole = whole;
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
    if (sim->preparing > 0) return; // what was replaced may still be read there
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

sn_status sn_simulation_add(sn_simulation* sim, const sn_item* item, sn_item_id* id,
                            sn_error* error) {
    if (!sim) return SN_ERR_ARGUMENT;
    return sni_change_items(sim, &(sni_change){.type = SN_EDIT_ADD, .item = item}, id, error);
}

sn_status sn_simulation_remove(sn_simulation* sim, sn_item_id item, sn_error* error) {
    if (!sim) return SN_ERR_ARGUMENT;
    return sni_change_items(sim, &(sni_change){.type = SN_EDIT_REMOVE, .id = item}, NULL, error);
}

sn_status sn_simulation_set_surface(sn_simulation* sim, sn_item_id item,
                                    const sn_material* material, sn_error* error) {
    if (!sim || !material) return SN_ERR_ARGUMENT;
    sni_change change = {.type = SN_EDIT_SURFACE, .id = item, .material = *material};
    return sni_change_items(sim, &change, NULL, error);
}

sn_status sni_add_scene_items(const sn_scene* scene, sni_items* items, sn_error* error) {
    sn_status status = SN_OK;
    for (int i = 0; i < sn_scene_item_count(scene) && !status; i++)
        status = sni_items_add(items, sn_scene_item(scene, i), i, NULL, error);
    return status;
}

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

void sni_begin_anew(sn_simulation* sim) {
    sni_free_holds(sim);
    send_options(sim);
    if (!sim->def.edits_come_from_host) { // else nobody could have changed targets
        sni_reset_targets(sim);
        sni_movers_reset(sim);
        sni_sensors_forget(sim);
    }
    sim->next_edit = 0;
    sim->script_start = (double)sni_shown_value(&sim->step) * sn_world_step_size(sim->world);
}

sn_status sn_simulation_reset(sn_simulation* sim, sn_error* error) {
    if (!sim) return SN_ERR_ARGUMENT;
    return sni_change_items(sim, &(sni_change){.type = SN_EDIT_RESET}, NULL, error);
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
