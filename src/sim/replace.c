// SPDX-License-Identifier: Apache-2.0
// Bodies come and go: a world made for the new model gives its insides to the old one between two steps.
// Snapshots that somebody may be looking at keep the old insides until they are written again.
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "sim/sn_sim.h"

static sn_status check_body(const sn_world* world, const sn_model* model, int32_t i,
                            sn_body_id from, sn_error* error) {
    if (from.i < 0) return SN_OK;
    const char* name = sn_model_body(model, sn_body(i)).name;
    if (from.i >= world->model->body_count)
        return sni_fail(error, SN_ERR_ARGUMENT, sni_nowhere(),
                        "body '%s' goes on from body %d, but there are %d", name, from.i,
                        world->model->body_count);
    if (world->model->joint[from.i].type != model->joint[i].type)
        return sni_fail(error, SN_ERR_ARGUMENT, sni_nowhere(),
                        "body '%s' goes on from '%s', whose joint is of another type", name,
                        sn_model_body(world->model, from).name);
    return SN_OK;
}

sn_status sn_world_prepare(const sn_world* world, const sn_model* model, const sn_body_id* from,
                           sn_replacement** out, sn_error* error) {
    if (!out) return SN_ERR_ARGUMENT;
    *out = NULL;
    if (!world || !model || !from) return SN_ERR_ARGUMENT;
    for (int32_t i = 0; i < model->body_count; i++) {
        sn_status status = check_body(world, model, i, from[i], error);
        if (status) return status;
    }
    sn_replacement* r = calloc(1, sizeof *r);
    int32_t* copy = calloc((size_t)model->body_count + 1, sizeof *copy);
    sn_status status = SN_ERR_MEMORY;
    if (r && copy) status = sn_world_create(model, &world->def, &r->other, error);
    if (status) {
        free(r);
        free(copy);
        return status == SN_ERR_MEMORY
                   ? sni_fail(error, status, sni_nowhere(), "not enough memory for the new model")
                   : status;
    }
    for (int32_t i = 0; i < model->body_count; i++) copy[i] = from[i].i;
    r->from = copy;
    r->before = world->model;
    *out = r;
    return SN_OK;
}

void sn_replacement_free(sn_replacement* r) {
    if (!r) return;
    sn_world_free(r->other);
    free(r->from);
    free(r);
}

/// State, wrenches and locks of what goes on.
static void carry_over(const sn_world* from, sn_world* to, const int32_t* from_body) {
    const sn_dynamics* before = from->dynamics;
    for (int32_t i = 0; i < to->model->body_count; i++) {
        int32_t b = from_body[i];
        if (b < 0) continue;
        const sni_joint *old = &from->model->joint[b], *joint = &to->model->joint[i];
        memcpy(to->state.q + joint->iq, from->state.q + old->iq, joint->nq * sizeof(double));
        memcpy(to->state.v + joint->iv, from->state.v + old->iv, joint->nv * sizeof(double));
        memcpy(to->state.force + joint->iv, from->state.force + old->iv,
               joint->nv * sizeof(double));
        int32_t slot = before->wrenches.slot[b] - 1;
        if (slot >= 0) // it was valid before
            (void)sn_dynamics_set_wrench(to->dynamics, sn_body(i), before->wrenches.axes[slot],
                                         before->wrenches.wrench[slot]);
        (void)sn_dynamics_lock(to->dynamics, sn_body(i), before->locked[b]);
        if (sni_is_kept_active(before, b))
            (void)sn_dynamics_keep_active(to->dynamics, sn_body(i), true);
    }
    to->state.step = from->state.step;
    to->state.fault = from->state.fault;
    to->motion_is_current = to->groups_are_current = false;
    to->state_is_new = true;
}

#define EXCHANGE(type, a, b)                                                                       \
    do {                                                                                           \
        type held = a;                                                                             \
        a = b;                                                                                     \
        b = held;                                                                                  \
    } while (0)

/// Everything that depends on the model, but the snapshots.
static void exchange(sn_world* a, sn_world* b) {
    EXCHANGE(const sn_model*, a->model, b->model);
    EXCHANGE(sni_arena, a->arena, b->arena);
    EXCHANGE(sn_dynamics*, a->dynamics, b->dynamics);
    EXCHANGE(sni_contacts, a->contacts, b->contacts);
    EXCHANGE(sni_state, a->state, b->state);
    EXCHANGE(sni_work, a->work, b->work);
    EXCHANGE(sni_groups, a->groups, b->groups);
    EXCHANGE(bool, a->motion_is_current, b->motion_is_current);
    EXCHANGE(bool, a->groups_are_current, b->groups_are_current);
    EXCHANGE(bool, a->state_is_new, b->state_is_new);
    EXCHANGE(uint64_t, a->sleeping_hash, b->sleeping_hash);
}

sn_status sn_world_replace(sn_world* world, sn_replacement* r) {
    if (!world || !r || r->before != world->model) return SN_ERR_ARGUMENT;
    carry_over(world, r->other, r->from);
    exchange(world, r->other);
    for (int s = 0; s < SN_MAILBOX_SLOTS; s++) {
        world->next_snapshot[s] = r->other->snapshot[s];
        world->slot_is_due[s] = true;
    }
    world->region_due = true;
    world->replaced = true;
    r->next = world->retired;
    world->retired = r;
    return SN_OK;
}

void sni_free_retired(sn_world* world) {
    while (world->retired) {
        sn_replacement* r = world->retired;
        world->retired = r->next;
        sn_replacement_free(r);
    }
}

/// The insides of a retired model may be freed when no slot shows it. A slot that was due at the time is
/// written anew when its turn comes, so those of all but the newest are free as soon as none is due.
int sn_world_collect(sn_world* world) {
    if (!world) return 0;
    for (int s = 0; s < SN_MAILBOX_SLOTS; s++) {
        if (!world->slot_is_due[s]) continue;
        int count = 0;
        for (const sn_replacement* r = world->retired; r; r = r->next) count++;
        return count;
    }
    sni_free_retired(world);
    return 0;
}
