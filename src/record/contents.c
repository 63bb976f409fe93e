// SPDX-License-Identifier: Apache-2.0
#include "record/contents.h"

#include <stdlib.h>
#include <string.h>

#include "record/model_code.h"
#include "sim/sn_sim.h"

void sni_code_sampled(sni_coder* coder, sni_sampled* sampled) {
    enum { SENSOR_LEAST = 9 };
    sni_code_u32(coder, &sampled->every);
    sni_code_count(coder, &sampled->sensors, SENSOR_LEAST);
    if (sampled->every == 0) coder->failed = true;
}

void sni_code_sensor(sni_coder* coder, const char** name, uint32_t* numbers) {
    enum { NUMBERS_MOST = 1 << 20 };
    sni_code_text(coder, name, false);
    sni_code_u32(coder, numbers);
    if (*numbers == 0 || *numbers > NUMBERS_MOST) coder->failed = true;
}

sn_world_def sni_options_now(const sn_world* world, const sn_world_def* def) {
    sn_world_def now = *def;
    now.gravity = world->settings.gravity;
    now.adaptivity = world->settings.adaptivity;
    now.contact.solve.tolerance = world->settings.tolerance;
    now.contact.solve.iterations = world->settings.iterations;
    return now;
}

// ---- where it begins ----------------------------------------------------------------------------------------------

typedef struct start {
    sni_coder* coder;
    sni_command_memory* memory;
    const sn_world* world;
    uint32_t count; ///< commands written
} start;

static void give(start* s, sn_command command) {
    uint64_t none = 0;
    sni_code_command(s->coder, s->memory, &command, s->world->model->nq, s->world->model->nv,
                     &none);
    s->count++;
}

static bool is_some(const double* forces, int32_t count) {
    for (int32_t k = 0; k < count; k++)
        if (forces[k] != 0) return true;
    return false;
}

/// Locks before the state: a lock stops what moves.
static void give_state(start* s) {
    const sn_world* world = s->world;
    const sn_dynamics* dynamics = world->dynamics;
    for (int32_t b = 0; b < world->model->body_count; b++)
        if (dynamics->locked[b]) give(s, (sn_command){.type = SN_COMMAND_LOCK, .body = {b}});
    give(s, (sn_command){.type = SN_COMMAND_STATE, .q = world->state.q, .v = world->state.v});
    if (is_some(world->state.force, world->model->nv))
        give(s, (sn_command){.type = SN_COMMAND_FORCES, .v = world->state.force});
    if (is_some(world->state.control, world->model->nv))
        give(s, (sn_command){.type = SN_COMMAND_CONTROL, .v = world->state.control});
    if (world->is_controlled)
        give(s, (sn_command){.type = SN_COMMAND_DRIVE, .v = world->state.drive});
}

static void give_rest(start* s) {
    const sn_world* world = s->world;
    const sni_wrench_set* wrenches = &world->dynamics->wrenches;
    for (int32_t k = 0; k < wrenches->count; k++)
        give(s, (sn_command){.type = SN_COMMAND_WRENCH,
                             .body = {wrenches->body[k]},
                             .axes = wrenches->axes[k],
                             .wrench = wrenches->wrench[k]});
    for (int32_t k = 0; k < wrenches->count; k++)
        give(s, (sn_command){.type = SN_COMMAND_PULL,
                             .body = {wrenches->body[k]},
                             .wrench = wrenches->pull[k]});
    for (int32_t k = 0; k < world->state.spring_count; k++)
        give(s, (sn_command){
                    .type = SN_COMMAND_SPRING, .number = k, .spring = world->state.spring[k]});
    for (int32_t b = 0; b < world->model->body_count; b++)
        if (sni_is_kept_active(world->dynamics, b))
            give(s, (sn_command){.type = SN_COMMAND_KEEP_ACTIVE, .body = {b}});
    if (!sni_has_contact(world)) return;
    int32_t count;
    const sn_constraint* list = sni_contact_set_constraints(world->contacts.set, &count);
    for (int32_t k = 0; k < count; k++)
        give(s, (sn_command){.type = SN_COMMAND_CONSTRAIN, .constraint = list[k]});
}

void sni_forget_thoughts(sn_world* world) {
    sni_forget_field(world);
    if (world->state.step > 0) return;
    world->motion_is_current = false;
    world->state_is_new = true;
    world->groups_are_current = false;
    world->region_due = true;
}

void sni_write_start(sni_coder* coder, sni_command_memory* memory, const sn_world* world) {
    // what contact and adaptive dynamics remember of steps before cannot be told
    bool exact =
        world->state.step == 0 || (!sni_has_contact(world) && !sni_may_sleep(world->dynamics));
    uint64_t step = world->state.step;
    sni_code_u64(coder, &step);
    sni_code_bool(coder, &exact);
    size_t place = coder->out->count;
    start s = {coder, memory, world, 0};
    sni_code_u32(coder, &s.count);
    sni_command_memory_begin(memory);
    give_state(&s);
    give_rest(&s);
    if (!coder->out->failed) memcpy(coder->out->at + place, &s.count, sizeof s.count);
}

// ---- replacements -------------------------------------------------------------------------------------------------

void sni_code_replacement_parts(sni_coder* coder, const sn_model* model,
                                sni_replacement_parts* parts) {
    size_t bodies = (size_t)sn_model_body_count(model);
    const void *from = parts->from, *q = parts->q, *v = parts->v, *locked = parts->locked;
    sni_code_array(coder, &from, bodies, sizeof *parts->from);
    sni_code_array(coder, &q, (size_t)sn_model_nq(model), sizeof *parts->q);
    sni_code_array(coder, &v, (size_t)sn_model_nv(model), sizeof *parts->v);
    sni_code_array(coder, &locked, bodies, 1);
    *parts = (sni_replacement_parts){from, q, v, locked};
}

void sni_write_replacement(sni_coder* coder, const sn_replacement* r) {
    const sn_model* model = sn_replacement_model(r);
    size_t bodies = (size_t)sn_model_body_count(model);
    sni_write_model(coder, model);
    int32_t* from = calloc(bodies + 1, sizeof *from);
    unsigned char* locked = calloc(bodies + 1, 1);
    if (from && locked) {
        for (int32_t b = 0; b < (int32_t)bodies; b++) {
            from[b] = sn_replacement_from(r, sn_body(b)).i;
            locked[b] = sn_replacement_is_locked(r, sn_body(b));
        }
        sni_replacement_parts parts = {from, sn_replacement_q(r), sn_replacement_v(r), locked};
        sni_code_replacement_parts(coder, model, &parts);
    } else {
        coder->out->failed = true;
    }
    free(from);
    free(locked);
}
