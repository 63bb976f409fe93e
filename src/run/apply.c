// SPDX-License-Identifier: Apache-2.0
// Edits by name, as scripts and command streams have them.
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/nearest.h"
#include "run/edits.h"
#include "run/preparation.h"

// ---- names ------------------------------------------------------------------------------------------------

static sn_status no_such(sn_place place, const char* what, const sni_nearest* nearest,
                         sn_error* error) {
    if (nearest->best)
        return sni_fail(error, SN_ERR_ARGUMENT, place, "there is no %s '%s'; did you mean '%s'?",
                        what, nearest->wanted, nearest->best);
    return sni_fail(error, SN_ERR_ARGUMENT, place, "there is no %s '%s'", what, nearest->wanted);
}

static sn_status find_item(const sn_simulation* sim, const sn_edit* edit, sn_item_id* id,
                           sn_error* error) {
    *id = sn_simulation_find_item(sim, edit->name);
    if (id->generation) return SN_OK;
    sni_nearest nearest = {.wanted = edit->name};
    for (int i = 0; i < sim->items.count; i++)
        sni_nearest_offer(&nearest, sim->items.slot[sim->items.order[i]].item.name);
    return no_such(edit->place, "item", &nearest, error);
}

static bool is_world(const char* name) { return name[0] == '\0' || strcmp(name, "world") == 0; }

/// A body or joint of the whole by its name.
static sn_status find_body(const sn_simulation* sim, const sn_edit* edit, const char* name,
                           sn_body_id* body, sn_error* error) {
    const sn_model* whole = sim->whole;
    *body = sn_model_find_body(whole, name);
    if (body->i < 0) *body = sn_model_find_joint(whole, name);
    if (body->i >= 0) return SN_OK;
    sni_nearest nearest = {.wanted = name};
    for (int i = 0; i < sn_model_body_count(whole); i++) {
        sn_body_info info = sn_model_body(whole, sn_body(i));
        sni_nearest_offer(&nearest, info.name);
        sni_nearest_offer(&nearest, info.joint_name);
    }
    return no_such(edit->place, "body or joint", &nearest, error);
}

// ---- one edit -----------------------------------------------------------------------------------------------

static sn_status apply_hold(sn_simulation* sim, const sn_edit* edit, sn_error* error) {
    sn_constraint constraint = edit->constraint;
    constraint.a = constraint.b = sn_body_world();
    sn_status status = SN_OK;
    if (!is_world(edit->body)) status = find_body(sim, edit, edit->body, &constraint.a, error);
    if (!status && !is_world(edit->other))
        status = find_body(sim, edit, edit->other, &constraint.b, error);
    if (status) return status;
    return sn_simulation_hold(sim, edit->name, &constraint, edit->frames_given, NULL, error);
}

static sn_status apply_release(sn_simulation* sim, const sn_edit* edit, sn_error* error) {
    sn_hold_id id = sn_simulation_find_hold(sim, edit->name);
    if (id.generation) return sn_simulation_release(sim, id, error);
    sni_nearest nearest = {.wanted = edit->name};
    for (int i = 0; i < sim->hold_count; i++)
        if (sim->holds[i].name) sni_nearest_offer(&nearest, sim->holds[i].name);
    return no_such(edit->place, "hold", &nearest, error);
}

static sn_status numbers_fit(const sn_edit* edit, const char* what, int wanted, sn_error* error) {
    if (edit->number_count == wanted) return SN_OK;
    return sni_fail(error, SN_ERR_ARGUMENT, edit->place, "%s: '%s' takes %d numbers, not %d", what,
                    edit->body, wanted, edit->number_count);
}

static sn_status needs_stepping_thread(const sn_simulation* sim, const sn_edit* edit,
                                       sn_error* error) {
    if (!sim->def.edits_come_from_host) return SN_OK;
    return sni_fail(error, SN_ERR_ARGUMENT, edit->place,
                    "this edit is for the thread that steps, and edits come from another");
}

/// Moves one joint, at rest there.
static sn_status apply_move(sn_simulation* sim, const sn_edit* edit, sn_error* error) {
    sn_body_id joint;
    sn_status status = needs_stepping_thread(sim, edit, error);
    if (!status) status = sni_check_between_steps(sim, error);
    if (!status) status = find_body(sim, edit, edit->body, &joint, error);
    if (status) return status;
    sn_world* world = sim->world;
    sn_body_info info = sn_model_body(sim->whole, joint);
    status = numbers_fit(edit, "move", info.nq, error);
    if (status) return status;
    // the state's own memory is only written when the whole of it is good
    double* q = world->work.q;
    double* v = world->work.v;
    memcpy(q, sn_world_q(world), (size_t)sn_model_nq(sim->whole) * sizeof *q);
    memcpy(v, sn_world_v(world), (size_t)sn_model_nv(sim->whole) * sizeof *v);
    memcpy(q + info.iq, edit->number, (size_t)info.nq * sizeof *q);
    memset(v + info.iv, 0, (size_t)info.nv * sizeof *v);
    status = sn_world_set_state(world, q, v);
    if (!status) return SN_OK;
    return sni_fail(error, status, edit->place, "move: '%s' cannot be there: %s", edit->body,
                    sn_status_text(status));
}

static sn_status apply_signal(sn_simulation* sim, const sn_edit* edit, sn_error* error) {
    sn_status status = needs_stepping_thread(sim, edit, error);
    return status ? status : sni_set_signal(sim, edit, error);
}

static sn_status apply_target(sn_simulation* sim, const sn_edit* edit, sn_error* error) {
    sn_status status = needs_stepping_thread(sim, edit, error);
    return status ? status : sni_set_target(sim, edit, error);
}

static sn_status apply_plugin(sn_simulation* sim, const sn_edit* edit, char* answer, size_t room,
                              sn_error* error) {
    sn_status status = needs_stepping_thread(sim, edit, error);
    if (status) return status;
    const sni_plugin* plugin = sni_plugins_find(&sim->plugins, edit->name);
    char unheard[256];
    if (!plugin || !plugin->table->command) {
        sni_nearest nearest = {.wanted = edit->name};
        for (int i = 0; i < sim->plugins.count; i++)
            sni_nearest_offer(&nearest, sim->plugins.at[i].table->name);
        return no_such(edit->place, "plugin that runs and takes commands,", &nearest, error);
    }
    if (!answer || room == 0) {
        answer = unheard;
        room = sizeof unheard;
    }
    answer[0] = '\0';
    status = plugin->table->command(plugin->memory, sim, edit->words, answer, room);
    if (!status) return SN_OK;
    return sni_fail(error, status, edit->place, "plugin '%s' refuses '%s': %s", edit->name,
                    edit->words, answer[0] ? answer : sn_status_text(status));
}

static bool is_finite3(sn_vec3 a) { return isfinite(a.x) && isfinite(a.y) && isfinite(a.z); }

/// What the world would refuse; edits that wait for the next step hear of it, too.
static sn_status check_numbers(const sn_simulation* sim, const sn_edit* edit, sn_error* error) {
    bool finite =
        is_finite3(edit->vector) && is_finite3(edit->wrench.n) && is_finite3(edit->wrench.f);
    for (int k = 0; k < edit->number_count && k < SN_JOINT_MAX_NQ; k++)
        finite = finite && isfinite(edit->number[k]);
    if (!finite)
        return sni_fail(error, SN_ERR_NUMERIC, edit->place, "a number of it is not finite");
    if (edit->type == SN_EDIT_ACTIVE && !sni_is_adaptive(sim))
        return sni_fail(error, SN_ERR_ARGUMENT, edit->place,
                        "'active' has no meaning here: dynamics is '%s', not 'adaptive'",
                        sim->world_def.dynamics);
    return SN_OK;
}

/// Edits that are one command to the world, about a body, a joint or nothing.
static sn_status apply_command(sn_simulation* sim, const sn_edit* edit, sn_error* error) {
    sn_command command = {.adaptivity = edit->adaptivity,
                          .vector = edit->vector,
                          .axes = SN_AXES_WORLD,
                          .wrench = edit->wrench};
    sn_status status = SN_OK;
    bool of_body = edit->type != SN_EDIT_GRAVITY && edit->type != SN_EDIT_ACTIVE;
    if (of_body) status = find_body(sim, edit, edit->body, &command.body, error);
    if (status) return status;
    switch (edit->type) {
    case SN_EDIT_PUSH: command.type = SN_COMMAND_WRENCH; break;
    case SN_EDIT_LOCK: command.type = SN_COMMAND_LOCK; break;
    case SN_EDIT_UNLOCK: command.type = SN_COMMAND_UNLOCK; break;
    case SN_EDIT_GRAVITY: command.type = SN_COMMAND_GRAVITY; break;
    case SN_EDIT_ACTIVE: command.type = SN_COMMAND_ADAPTIVITY; break;
    default:
        command.type = SN_COMMAND_FORCE;
        status = numbers_fit(edit, "force", sn_model_body(sim->whole, command.body).nv, error);
        if (status) return status;
        memcpy(command.force, edit->number, (size_t)edit->number_count * sizeof *edit->number);
    }
    status = check_numbers(sim, edit, error);
    return status ? status : sni_send(sim, &command, error);
}

/// Texts that were not given are empty.
static sn_edit complete(const sn_edit* edit) {
    sn_edit whole = *edit;
    const char** texts[] = {&whole.name, &whole.body, &whole.other, &whole.words,
                            &whole.place.file};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (!*texts[i]) *texts[i] = "";
    return whole;
}

static bool changes_items(const sn_edit* edit) {
    return edit->type == SN_EDIT_ADD || edit->type == SN_EDIT_REMOVE ||
           edit->type == SN_EDIT_SURFACE || edit->type == SN_EDIT_RESET;
}

/// What an edit changes of the items.
static sn_status read_change(const sn_simulation* sim, const sn_edit* edit, sni_change* change,
                             sn_error* error) {
    bool by_name = edit->type == SN_EDIT_REMOVE || edit->type == SN_EDIT_SURFACE;
    *change = (sni_change){.type = edit->type, .item = edit->item, .material = edit->material};
    return by_name ? find_item(sim, edit, &change->id, error) : SN_OK;
}

static sn_status apply_change(sn_simulation* sim, const sn_edit* edit, sn_error* error) {
    sni_change change;
    sn_status status = read_change(sim, edit, &change, error);
    return status ? status : sni_change_items(sim, &change, NULL, error);
}

static sn_status apply(sn_simulation* sim, const sn_edit* given, char* answer, size_t room,
                       sn_error* error) {
    const sn_edit whole = complete(given), *edit = &whole;
    if (changes_items(edit)) return apply_change(sim, edit, error);
    switch (edit->type) {
    case SN_EDIT_HOLD: return apply_hold(sim, edit, error);
    case SN_EDIT_RELEASE: return apply_release(sim, edit, error);
    case SN_EDIT_MOVE: return apply_move(sim, edit, error);
    case SN_EDIT_TARGET: return apply_target(sim, edit, error);
    case SN_EDIT_SIGNAL: return apply_signal(sim, edit, error);
    case SN_EDIT_PLUGIN: return apply_plugin(sim, edit, answer, room, error);
    case SN_EDIT_PUSH:
    case SN_EDIT_FORCE:
    case SN_EDIT_LOCK:
    case SN_EDIT_UNLOCK:
    case SN_EDIT_GRAVITY:
    case SN_EDIT_ACTIVE: return apply_command(sim, edit, error);
    default: return sni_fail(error, SN_ERR_ARGUMENT, edit->place, "there is no such edit");
    }
}

sn_status sn_simulation_apply(sn_simulation* sim, const sn_edit* edit, sn_error* error) {
    if (!sim || !edit) return SN_ERR_ARGUMENT;
    return apply(sim, edit, NULL, 0, error);
}

sn_status sn_simulation_prepare(sn_simulation* sim, const sn_edit* given, sn_preparation** out,
                                sn_error* error) {
    if (out) *out = NULL;
    if (!sim || !given || !out) return SN_ERR_ARGUMENT;
    const sn_edit edit = complete(given);
    sni_change change = {0};
    if (!changes_items(&edit)) return sni_preparation_of(sim, given, out, error);
    sn_status status = read_change(sim, &edit, &change, error);
    return status ? status : sni_preparation_create(sim, &change, out, error);
}

sn_status sn_simulation_command(sn_simulation* sim, const char* text, char* answer, size_t room,
                                sn_error* error) {
    if (!sim || !text) return SN_ERR_ARGUMENT;
    sn_edit* edit = NULL;
    if (answer && room > 0) answer[0] = '\0';
    sn_status status = sn_edit_parse(text, strlen(text), "command", &sim->def.load, &edit, error);
    if (!status) status = apply(sim, edit, answer, room, error);
    sn_edit_free(edit);
    return status;
}

// ---- the script ---------------------------------------------------------------------------------------------

/// Time is counted in steps, so what is due half a step before or after is due now.
static bool is_due(const sn_simulation* sim, const sn_edit* edit) {
    double h = sn_world_step_size(sim->world);
    double now = (double)sni_shown_value(&sim->step) * h - sim->script_start;
    return edit->time <= now + h / 2;
}

// A script that begins with a reset would begin for ever; it does so once a step.
sn_status sni_follow_script(sn_simulation* sim, sn_error* error) {
    bool was_reset = false;
    while (sim->next_edit < sn_scene_edit_count(sim->scene)) {
        const sn_edit* edit = sn_scene_edit(sim->scene, sim->next_edit);
        if (!is_due(sim, edit) || (was_reset && edit->type == SN_EDIT_RESET)) return SN_OK;
        sim->next_edit++;
        was_reset = was_reset || edit->type == SN_EDIT_RESET;
        sn_status status = sn_simulation_apply(sim, edit, error);
        if (status) return status;
    }
    return SN_OK;
}
