// SPDX-License-Identifier: Apache-2.0
// Constraints that hold two bodies together for a while, such as a grasp: known by ids, gone with their bodies.
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "run/edits.h"

static sni_hold* hold_at(const sn_simulation* sim, sn_hold_id id) {
    if (id.i < 0 || id.i >= sim->hold_count) return NULL;
    sni_hold* hold = &sim->holds[id.i];
    return hold->name && hold->generation == id.generation ? hold : NULL;
}

sn_hold_id sn_simulation_find_hold(const sn_simulation* sim, const char* name) {
    for (int i = 0; i < sim->hold_count; i++)
        if (sim->holds[i].name && strcmp(sim->holds[i].name, name) == 0)
            return (sn_hold_id){i, sim->holds[i].generation};
    return (sn_hold_id){-1, 0};
}

/// A free place; NULL: no memory.
static sni_hold* take_place(sn_simulation* sim) {
    for (int i = 0; i < sim->hold_count; i++)
        if (!sim->holds[i].name) return &sim->holds[i];
    sni_hold* holds = realloc(sim->holds, ((size_t)sim->hold_count + 1) * sizeof *holds);
    if (!holds) return NULL;
    sim->holds = holds;
    holds[sim->hold_count] = (sni_hold){0};
    return &holds[sim->hold_count++];
}

/// Everything that the world would refuse is refused here, so that edits which wait for the next step hear of it, too.
static sn_status check_hold(const sn_simulation* sim, const char* name, const sn_constraint* c,
                            sn_error* error) {
    int most = sim->world_def.contact.constraints, count = 0;
    for (int i = 0; i < sim->hold_count; i++) count += sim->holds[i].name != NULL;
    if (sn_simulation_find_hold(sim, name).generation)
        return sni_fail(error, SN_ERR_ARGUMENT, sni_nowhere(),
                        "there is a hold '%s' already; release it first", name);
    if (!sim->world_def.contact.on)
        return sni_fail(error, SN_ERR_ARGUMENT, sni_nowhere(),
                        "'%s': holds are part of contact, which is off", name);
    if (count >= most)
        return sni_fail(error, SN_ERR_CAPACITY, sni_nowhere(),
                        "'%s': there are %d holds, as many as fit; release one, or say more of "
                        "'constraints' in 'contact'",
                        name, count);
    return sni_constraint_check(sim->whole, c, error);
}

sn_status sn_simulation_hold(sn_simulation* sim, const char* name, const sn_constraint* constraint,
                             bool frames_given, sn_hold_id* id, sn_error* error) {
    if (!sim || !name || !constraint) return SN_ERR_ARGUMENT;
    sn_command command = {
        .type = SN_COMMAND_CONSTRAIN, .constraint = *constraint, .here = !frames_given};
    if (!frames_given)
        command.constraint.X_ac = command.constraint.X_bc = sn_pose_identity(); // not known yet
    sn_status status = check_hold(sim, name, &command.constraint, error);
    if (status) return status;
    sni_hold* hold = take_place(sim);
    char* copy = strdup(name);
    if (!hold || !copy) {
        free(copy);
        return sni_fail(error, SN_ERR_MEMORY, sni_nowhere(), "not enough memory");
    }
    command.constraint.id = ++sim->constraint_ids;
    status = sni_send(sim, &command, error);
    if (status) {
        free(copy);
        return status;
    }
    hold->name = copy;
    hold->generation++;
    hold->constraint_id = command.constraint.id;
    hold->a = sni_items_of_body(&sim->items, constraint->a.i);
    hold->b = sni_items_of_body(&sim->items, constraint->b.i);
    if (id) *id = (sn_hold_id){(int32_t)(hold - sim->holds), hold->generation};
    return SN_OK;
}

static void forget(sni_hold* hold) {
    free(hold->name);
    hold->name = NULL;
}

sn_status sn_simulation_release(sn_simulation* sim, sn_hold_id id, sn_error* error) {
    sni_hold* hold = sim ? hold_at(sim, id) : NULL;
    if (!hold) return sni_fail(error, SN_ERR_ARGUMENT, sni_nowhere(), "this hold is gone");
    sn_command command = {.type = SN_COMMAND_RELEASE, .constraint.id = hold->constraint_id};
    sn_status status = sni_send(sim, &command, error);
    if (!status) forget(hold);
    return status;
}

static bool same(sn_item_id a, sn_item_id b) { return a.i == b.i && a.generation == b.generation; }

void sni_forget_holds(sn_simulation* sim, sn_item_id item) {
    for (int i = 0; i < sim->hold_count; i++) {
        sni_hold* hold = &sim->holds[i];
        if (hold->name && (same(hold->a, item) || same(hold->b, item))) forget(hold);
    }
}

void sni_free_holds(sn_simulation* sim) {
    for (int i = 0; i < sim->hold_count; i++) forget(&sim->holds[i]);
}
