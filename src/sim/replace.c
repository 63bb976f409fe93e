// SPDX-License-Identifier: Apache-2.0
// Bodies come and go: a world made for the new model gives its insides to the old one between two steps.
// Snapshots that somebody may be looking at keep the old insides until they are written again.
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "sim/sn_sim.h"

static sn_status check_body(const sn_model* before, const sn_model* model, int32_t i,
                            sn_body_id from, sn_error* error) {
    if (from.i < 0) return SN_OK;
    const char* name = sn_model_body(model, sn_body(i)).name;
    if (from.i >= before->body_count)
        return sni_fail(error, SN_ERR_ARGUMENT, sni_nowhere(),
                        "body '%s' goes on from body %d, but there are %d", name, from.i,
                        before->body_count);
    if (before->joint[from.i].type != model->joint[i].type)
        return sni_fail(error, SN_ERR_ARGUMENT, sni_nowhere(),
                        "body '%s' goes on from '%s', whose joint is of another type", name,
                        sn_model_body(before, from).name);
    return SN_OK;
}

static bool allocate(sn_replacement* r, const sn_model* model) {
    size_t bodies = (size_t)model->body_count;
    r->from = calloc(bodies + 1, sizeof *r->from);
    r->q = calloc((size_t)model->nq + 1, sizeof *r->q);
    r->v = calloc((size_t)model->nv + 1, sizeof *r->v);
    r->locked = calloc(bodies + 1, sizeof *r->locked);
    return r->from && r->q && r->v && r->locked;
}

int32_t sni_count_moving_shapes(const sn_model* model) {
    int32_t count = 0;
    for (int s = 0; s < sn_model_shape_count(model); s++) {
        sn_shape_info shape = sn_model_shape(model, s);
        count += shape.body.i >= 0 && (shape.use & SN_SHAPE_COLLISION);
    }
    return count;
}

/// The world's options, with room for the contacts of a model that has more to touch: for each of its shapes as much
/// as the world had room for at first, at most 16.
static sn_world_def options_for(const sn_world* world, const sn_model* model) {
    enum { EACH_MOST = 16 };
    sn_world_def def = world->def;
    int32_t* room = &def.contact.collider.contacts;
    int32_t each = *room / (world->first_shapes > 0 ? world->first_shapes : 1) + 1;
    int64_t wanted =
        (int64_t)(each < EACH_MOST ? each : EACH_MOST) * sni_count_moving_shapes(model);
    if (wanted > *room) *room = wanted < INT32_MAX ? (int32_t)wanted : INT32_MAX;
    return def;
}

sn_status sn_world_prepare(const sn_world* world, const sn_model* before, const sn_model* model,
                           const sn_body_id* from, sn_replacement** out, sn_error* error) {
    if (!out) return SN_ERR_ARGUMENT;
    *out = NULL;
    if (!world || !before || !model || !from) return SN_ERR_ARGUMENT;
    for (int32_t i = 0; i < model->body_count; i++) {
        sn_status status = check_body(before, model, i, from[i], error);
        if (status) return status;
    }
    sn_replacement* r = calloc(1, sizeof *r);
    sn_status status = SN_ERR_MEMORY;
    sn_world_def def = options_for(world, model);
    if (r && allocate(r, model)) status = sn_world_create(model, &def, &r->other, error);
    if (status) {
        sn_replacement_free(r);
        return status == SN_ERR_MEMORY
                   ? sni_fail(error, status, sni_nowhere(), "not enough memory for the new model")
                   : status;
    }
    for (int32_t i = 0; i < model->body_count; i++) r->from[i] = from[i].i;
    sn_model_neutral(model, r->q);
    r->before = before;
    r->model = model;
    *out = r;
    return SN_OK;
}

void sn_replacement_free(sn_replacement* r) {
    if (!r) return;
    sn_world_free(r->other);
    free(r->from);
    free(r->q);
    free(r->v);
    free(r->locked);
    free(r);
}

sn_status sn_replacement_set_state(sn_replacement* r, const double* q, const double* v) {
    if (!r) return SN_ERR_ARGUMENT;
    sn_status status = sn_world_set_state(r->other, q, v);
    if (status) return status;
    memcpy(r->q, r->other->state.q, (size_t)r->model->nq * sizeof *r->q);
    memcpy(r->v, r->other->state.v, (size_t)r->model->nv * sizeof *r->v);
    return SN_OK;
}

sn_status sn_replacement_lock(sn_replacement* r, sn_body_id joint) {
    if (!r) return SN_ERR_ARGUMENT;
    sn_status status = sn_dynamics_lock(r->other->dynamics, joint, true);
    if (!status) r->locked[joint.i] = true;
    return status;
}

const sn_model* sn_replacement_model(const sn_replacement* r) { return r->model; }
sn_body_id sn_replacement_from(const sn_replacement* r, sn_body_id body) {
    return sn_body(r->from[body.i]);
}
const double* sn_replacement_q(const sn_replacement* r) { return r->q; }
const double* sn_replacement_v(const sn_replacement* r) { return r->v; }
bool sn_replacement_is_locked(const sn_replacement* r, sn_body_id joint) {
    return r->locked[joint.i];
}

/// Options that were changed since the world was created.
static void carry_settings(const sn_world* from, sn_world* to) {
    sn_dynamics_set_gravity(to->dynamics, from->settings.gravity);
    if (sni_may_sleep(to->dynamics)) // valid before
        (void)sn_dynamics_set_adaptivity(to->dynamics, &from->settings.adaptivity);
}

/// The body of the new model that goes on from an old one; -1: none does.
static int32_t heir_of(const sn_world* to, const int32_t* from_body, int32_t old) {
    for (int32_t i = 0; i < to->model->body_count; i++)
        if (from_body[i] == old) return i;
    return -1;
}

/// Constraints whose bodies are still there.
static void carry_constraints(const sn_world* from, sn_world* to, const int32_t* from_body) {
    if (!sni_has_contact(from)) return;
    int32_t count;
    const sn_constraint* list = sni_contact_set_constraints(from->contacts.set, &count);
    for (int32_t k = 0; k < count; k++) {
        sn_constraint moved = list[k];
        if (moved.a.i >= 0) moved.a.i = heir_of(to, from_body, list[k].a.i);
        if (moved.b.i >= 0) moved.b.i = heir_of(to, from_body, list[k].b.i);
        bool lost = (list[k].a.i >= 0 && moved.a.i < 0) || (list[k].b.i >= 0 && moved.b.i < 0);
        if (!lost) // as many fit as before
            (void)sn_contact_set_add_constraint(to->contacts.set, &moved, NULL);
    }
}

/// What control does to a joint. Its armature follows when the next step begins.
static void carry_drive(const sn_world* from, const sni_joint* old, sn_world* to,
                        const sni_joint* joint) {
    size_t size = joint->nv * sizeof(double);
    for (int part = 0; part < 3; part++)
        memcpy(to->state.drive + (ptrdiff_t)part * to->model->nv + joint->iv,
               from->state.drive + (ptrdiff_t)part * from->model->nv + old->iv, size);
    memcpy(to->work.pull + joint->iv, from->work.pull + old->iv, size);
    memcpy(to->work.applied + joint->iv, from->work.applied + old->iv, size);
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
        memcpy(to->state.control + joint->iv, from->state.control + old->iv,
               joint->nv * sizeof(double));
        carry_drive(from, old, to, joint);
        int32_t slot = before->wrenches.slot[b] - 1;
        if (slot >= 0) // it was valid before
            (void)sn_dynamics_set_wrench(to->dynamics, sn_body(i), before->wrenches.axes[slot],
                                         before->wrenches.wrench[slot]);
        if (slot >= 0)
            (void)sn_dynamics_set_pull(to->dynamics, sn_body(i), before->wrenches.pull[slot]);
        (void)sn_dynamics_lock(to->dynamics, sn_body(i), before->locked[b]);
        if (sni_is_kept_active(before, b))
            (void)sn_dynamics_keep_active(to->dynamics, sn_body(i), true);
    }
    to->work.drives = from->work.drives;
    carry_settings(from, to);
    carry_constraints(from, to, from_body);
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
    EXCHANGE(sni_simulator, a->simulator, b->simulator);
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
    EXCHANGE(void*, world->companion, r->companion);
    for (int s = 0; s < SN_MAILBOX_SLOTS; s++) {
        world->next_snapshot[s] = r->other->snapshot[s];
        world->slot_is_due[s] = true;
    }
    world->region_due = true;
    world->replaced = true;
    r->next = world->retired;
    world->retired = r;
    sni_tell(world, &(sn_command){.type = SN_COMMAND_REPLACE, .replacement = r});
    return SN_OK;
}

void sni_free_retired(sn_world* world) {
    while (world->retired) {
        sn_replacement* r = world->retired;
        world->retired = r->next;
        sn_replacement_free(r);
    }
}

const sn_model* sn_replacement_before(const sn_replacement* r) { return r->before; }

/// A slot that was not written since shows the model that was there then. Where nobody looks, one of them never is.
static bool is_shown(const sn_world* world, const sn_replacement* r) {
    for (int s = 0; s < SN_MAILBOX_SLOTS; s++)
        if (world->slot_is_due[s] && world->snapshot[s].model == r->before) return true;
    return false;
}

sn_replacement* sn_world_take_retired(sn_world* world) {
    sn_replacement** link = world ? &world->retired : NULL;
    while (link && *link && is_shown(world, *link)) link = &(*link)->next;
    if (!link || !*link) return NULL;
    sn_replacement* r = *link;
    *link = r->next;
    return r;
}

int sn_world_collect(sn_world* world) {
    if (!world) return 0;
    sn_replacement* r;
    while ((r = sn_world_take_retired(world))) sn_replacement_free(r);
    int count = 0;
    for (r = world->retired; r; r = r->next) count++;
    return count;
}
