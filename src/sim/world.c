// SPDX-License-Identifier: Apache-2.0
// Creating a world, its state between steps, and what is sent to it.
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/hash.h"
#include "sim/modules.h"

static const char* const integrator_names[] = {
#define NAME(code, name, text) name,
    SN_INTEGRATOR_LIST(NAME)
#undef NAME
};

const char* sn_integrator_name(sn_integrator integrator) {
    return (unsigned)integrator < SN_INTEGRATOR_COUNT ? integrator_names[integrator] : "unknown";
}

bool sn_integrator_find(const char* name, sn_integrator* integrator) {
    for (int i = 0; i < SN_INTEGRATOR_COUNT; i++) {
        if (strcmp(name, integrator_names[i]) != 0) continue;
        *integrator = (sn_integrator)i;
        return true;
    }
    return false;
}

sn_world_def sn_world_def_default(void) {
    sn_world_def def = {
        .step = 1e-3,
        .gravity = {0, 0, -9.81},
        .dynamics = "aba",
        .adaptivity = sn_adaptivity_default(),
        .integrator = SN_INTEGRATE_EULER,
        .relaxation = {.evaluations = 12, .tolerance = 1e-3},
        .contact = sn_world_contact_default(),
        .command_capacity = 256,
        .clock = sn_clock_real(),
    };
    return def;
}

static void layout(sn_world* world, sni_arena* arena) {
    const sn_model* model = world->model;
    world->state.q = SN_ARENA_ARRAY(arena, double, model->nq);
    world->state.v = SN_ARENA_ARRAY(arena, double, model->nv);
    world->state.force = SN_ARENA_ARRAY(arena, double, model->nv);
    world->state.control = SN_ARENA_ARRAY(arena, double, model->nv);
    world->state.drive = SN_ARENA_ARRAY(arena, double, 3 * (size_t)model->nv);
    world->work.control = SN_ARENA_ARRAY(arena, double, 4 * (size_t)model->nv);
    world->work.pull = SN_ARENA_ARRAY(arena, double, model->nv);
    world->work.applied = SN_ARENA_ARRAY(arena, double, model->nv);
    world->work.reached = SN_ARENA_ARRAY(arena, double, model->nv);
    world->work.load = SN_ARENA_ARRAY(arena, double, model->nv);
    world->work.servo = SN_ARENA_ARRAY(arena, sni_servo, world->contacts.servos);
    world->work.tau = SN_ARENA_ARRAY(arena, double, model->nv);
    world->work.springs = SN_ARENA_ARRAY(arena, double, model->nv);
    world->work.extra = SN_ARENA_ARRAY(arena, double, model->nv);
    world->work.qdd = SN_ARENA_ARRAY(arena, double, model->nv);
    world->work.q = SN_ARENA_ARRAY(arena, double, model->nq);
    world->work.v = SN_ARENA_ARRAY(arena, double, model->nv);
    world->work.was_awake = SN_ARENA_ARRAY(arena, int32_t, model->body_count);
    if (world->def.field) world->work.field = SN_ARENA_ARRAY(arena, sn_wrench, model->body_count);
    sni_integrator_layout(&world->work.integrator, arena, model);
    if (sni_is_quasistatic(world)) {
        sni_relax_layout(&world->work.relax, arena, model);
        world->state.spring = SN_ARENA_ARRAY(arena, sn_spring, SN_SPRINGS_MOST);
    }
    sni_rest_layout(&world->state.rest, arena, model);
    int32_t contacts = 0;
    if (sni_has_contact(world)) {
        contacts = world->def.contact.collider.contacts;
        world->work.v_free = SN_ARENA_ARRAY(arena, double, model->nv);
        world->work.v_plus = SN_ARENA_ARRAY(arena, double, model->nv);
        world->work.w = SN_ARENA_ARRAY(arena, double, model->nv);
        world->work.s =
            SN_ARENA_ARRAY(arena, double, sn_contact_set_capacity(world->contacts.set).rows);
        world->work.wrench = SN_ARENA_ARRAY(arena, sn_body_wrench, model->body_count);
        world->work.joint_impulse = SN_ARENA_ARRAY(arena, double, model->nv);
        world->work.kept = SN_ARENA_ARRAY(arena, sni_kept_wrench, model->body_count);
    }
    sni_groups_layout(&world->groups, arena, model);
    for (int s = 0; s < SN_MAILBOX_SLOTS; s++) {
        sn_snapshot* shot = &world->snapshot[s];
        shot->model = model;
        shot->contact = SN_ARENA_ARRAY(arena, sn_contact_view, contacts);
        shot->resting = SN_ARENA_ARRAY(arena, bool, model->body_count);
        shot->sleeps = sni_may_sleep(world->dynamics);
        if (shot->sleeps) {
            sni_shape_layout(&shot->shape, arena, world->dynamics);
            continue;
        }
        sni_groups_layout(&shot->groups, arena, model);
        shot->group_pose = SN_ARENA_ARRAY(arena, sn_pose, model->body_count);
        shot->q = SN_ARENA_ARRAY(arena, double, model->nq);
        shot->v = SN_ARENA_ARRAY(arena, double, model->nv);
    }
}

static sn_status check_def(const sn_model* model, const sn_world_def* def, sn_error* error) {
    const char* trouble = NULL;
    if (!model)
        trouble = "no model given";
    else if (!(def->step > 0 && isfinite(def->step)))
        trouble = "the step must be a positive time";
    else if (!isfinite(def->gravity.x + def->gravity.y + def->gravity.z))
        trouble = "gravity is not finite";
    else if ((unsigned)def->integrator >= SN_INTEGRATOR_COUNT)
        trouble = "unknown integrator";
    else if (def->integrator == SN_INTEGRATE_QUASISTATIC &&
             (def->relaxation.evaluations < 1 || !(def->relaxation.tolerance >= 0)))
        trouble = "a quasi-static step needs at least one evaluation and a tolerance";
    else if (def->command_capacity < 1)
        trouble = "command_capacity must be at least 1";
    else if (!def->clock.now_ns)
        trouble = "no clock given";
    if (trouble) return sni_fail(error, SN_ERR_ARGUMENT, sni_nowhere(), "%s", trouble);
    return SN_OK;
}

/// Commands have memory of their own: they outlive a model that is replaced.
static bool allocate_commands(sn_world* world, const sn_world_def* def) {
    size_t capacity = (size_t)def->command_capacity;
    sni_ring_layout(&world->commands, &world->command_arena, capacity, sizeof(sn_command));
    if (!sni_arena_allocate(&world->command_arena)) return false;
    sni_ring_layout(&world->commands, &world->command_arena, capacity, sizeof(sn_command));
    return true;
}

/// False: no memory.
static bool begin(sn_world* world) {
    sni_drive_start(world);
    sn_model_neutral(world->model, world->state.q);
    world->state_is_new = true;
    sni_rest_start(&world->state.rest, world->model);
    sni_mailbox_init(&world->mailbox);
    sn_world_publish(world);
    if (!sni_has_contact(world)) return true;
    sni_contact_set_resting(world->contacts.set, world->state.rest.resting);
    sni_contacts_move(world);
    return !world->def.contact.skip_overlapping ||
           sn_collider_skip_overlapping(world->contacts.collider) >= 0;
}

static sn_status set_options(sn_dynamics* dynamics, const sn_world_def* def, sn_error* error) {
    sn_dynamics_set_gravity(dynamics, def->gravity);
    if (!sni_may_sleep(dynamics)) return SN_OK;
    sn_status status = sn_dynamics_set_adaptivity(dynamics, &def->adaptivity);
    if (!status) return SN_OK;
    return sni_fail(
        error, status, sni_nowhere(),
        "adaptivity: the threshold must not be negative, settling time and period must be "
        "positive");
}

/// Dynamics, contact and simulator, as the def names them.
static sn_status create_parts(sn_world* world, sn_error* error) {
    const sn_world_def* def = &world->def;
    sn_status status = sni_make_dynamics(def, world->model, &world->dynamics, error);
    if (!status) status = set_options(world->dynamics, def, error);
    if (!status) status = sni_contacts_create(world, error);
    if (!status) status = sni_make_simulator(def, world->model, &world->simulator, error);
    if (status || !sni_is_simulated(world) || !sni_may_sleep(world->dynamics)) return status;
    return sni_fail(
        error, SN_ERR_ARGUMENT, sni_nowhere(),
        "simulator '%s' needs dynamics whose joints do not sleep; take another than '%s'",
        def->simulator, sn_dynamics_name(world->dynamics));
}

sn_status sn_world_create(const sn_model* model, const sn_world_def* def, sn_world** out,
                          sn_error* error) {
    if (!out) return SN_ERR_ARGUMENT;
    *out = NULL;
    sn_world_def defaults = sn_world_def_default();
    if (!def) def = &defaults;
    sn_status status = check_def(model, def, error);
    if (status) return status;
    sn_world* world = aligned_alloc(SN_CACHE_LINE, sizeof *world);
    if (!world) return sni_fail(error, SN_ERR_MEMORY, sni_nowhere(), "not enough memory");
    memset(world, 0, sizeof *world);
    world->def = *def;
    world->model = model;
    world->first_shapes = sni_count_moving_shapes(model);
    world->h = def->step;
    world->integrator = def->integrator;
    world->clock = def->clock;
    world->settings = (sni_settings){def->gravity, def->adaptivity, def->contact.solve.tolerance,
                                     def->contact.solve.iterations};
    status = create_parts(world, error);
    if (status) {
        sn_world_free(world);
        return status;
    }
    world->region_period = def->adaptivity.period;
    layout(world, &world->arena);
    bool memory = allocate_commands(world, def) && sni_arena_allocate(&world->arena);
    if (memory) {
        layout(world, &world->arena);
        memory = begin(world);
    }
    if (!memory) {
        sn_world_free(world);
        return sni_fail(error, SN_ERR_MEMORY, sni_nowhere(),
                        "not enough memory for a world of %d bodies", model->body_count);
    }
    world->def.log = NULL; // of creation only
    *out = world;
    return SN_OK;
}

void sn_world_free(sn_world* world) {
    if (!world) return;
    sn_command waiting;
    while (world->commands.records && sni_ring_take(&world->commands, &waiting))
        if (waiting.type == SN_COMMAND_REPLACE) sn_replacement_free(waiting.replacement);
    sni_free_retired(world);
    sni_simulator_free(&world->simulator);
    sni_contacts_free(&world->contacts);
    sn_dynamics_free(world->dynamics);
    sni_arena_free(&world->command_arena);
    sni_arena_free(&world->arena);
    free(world);
}

// ---- state ------------------------------------------------------------------------------------------

const sn_model* sn_world_model(const sn_world* world) { return world->model; }
sn_dynamics* sn_world_dynamics(sn_world* world) {
    sni_update_motion(world);
    if (!sni_may_sleep(world->dynamics)) world->motion_is_current = false; // it may be moved
    return world->dynamics;
}
const char* sn_world_advice(const sn_world* world) { return sn_dynamics_advice(world->dynamics); }
double sn_world_time(const sn_world* world) { return (double)world->state.step * world->h; }
uint64_t sn_world_step_count(const sn_world* world) { return world->state.step; }
const double* sn_world_q(const sn_world* world) { return world->state.q; }
const double* sn_world_v(const sn_world* world) { return world->state.v; }
const double* sn_world_force(const sn_world* world) { return world->state.force; }

static bool all_finite(const double* x, int32_t count) {
    for (int32_t k = 0; k < count; k++)
        if (!isfinite(x[k])) return false;
    return true;
}

sn_status sn_world_set_state(sn_world* world, const double* q, const double* v) {
    if (!world) return SN_ERR_ARGUMENT;
    const sn_model* model = world->model;
    if (q && !sn_model_check_q(model, q, NULL)) return SN_ERR_NUMERIC;
    if (v && !all_finite(v, model->nv)) return SN_ERR_NUMERIC;
    if (q) {
        memcpy(world->state.q, q, (size_t)model->nq * sizeof *q);
        sni_make_unit(model, world->state.q);
    }
    if (v) memcpy(world->state.v, v, (size_t)model->nv * sizeof *v);
    world->state.fault = false;
    world->fault[0] = '\0';
    world->motion_is_current = false;
    world->state_is_new = true;
    world->groups_are_current = false;
    sni_rest_wake_all(&world->state.rest);
    world->contacts.solved = false;
    sn_world_publish(world);
    sni_tell(world, &(sn_command){.type = SN_COMMAND_STATE, .q = q, .v = v});
    return SN_OK;
}

/// Wakes the groups of joints whose force changes.
static void wake_pushed(sn_world* world, const double* tau) {
    const sni_rest* rest = &world->state.rest;
    for (int32_t i = 0; rest->resting_count > 0 && i < world->model->body_count; i++) {
        const sni_joint* joint = &world->model->joint[i];
        if (rest->resting[i] &&
            memcmp(world->state.force + joint->iv, tau + joint->iv, joint->nv * sizeof *tau) != 0)
            sni_wake(world, i);
    }
}

sn_status sn_world_set_force(sn_world* world, const double* tau) {
    if (!world || !tau) return SN_ERR_ARGUMENT;
    if (!all_finite(tau, world->model->nv)) return SN_ERR_NUMERIC;
    wake_pushed(world, tau);
    memcpy(world->state.force, tau, (size_t)world->model->nv * sizeof *tau);
    for (int32_t i = 0; sni_may_sleep(world->dynamics) && i < world->model->body_count; i++)
        sni_wake_for_force(world, i);
    sni_tell(world, &(sn_command){.type = SN_COMMAND_FORCES, .v = tau});
    return SN_OK;
}

void sni_wake_for_force(sn_world* world, int32_t joint) {
    if (!sni_may_sleep(world->dynamics)) return;
    sni_step_forces(world, &joint, 1);
    sni_force_changed(world->dynamics, joint, world->work.tau + world->model->joint[joint].iv);
    sni_rethink(world);
}

sn_status sn_world_set_wrench(sn_world* world, sn_body_id body, sn_axes axes, sn_wrench wrench) {
    if (!world) return SN_ERR_ARGUMENT;
    sn_status status = sn_dynamics_set_wrench(world->dynamics, body, axes, wrench);
    if (status) return status;
    sni_rethink(world);
    sni_wake(world, body.i);
    sni_tell(world, &(sn_command){
                        .type = SN_COMMAND_WRENCH, .body = body, .axes = axes, .wrench = wrench});
    return SN_OK;
}

sn_status sn_world_set_pull(sn_world* world, sn_body_id body, sn_wrench wrench) {
    if (!world) return SN_ERR_ARGUMENT;
    sn_status status = sn_dynamics_set_pull(world->dynamics, body, wrench);
    if (status) return status;
    sni_rethink(world);
    sni_wake(world, body.i);
    sni_tell(world, &(sn_command){.type = SN_COMMAND_PULL, .body = body, .wrench = wrench});
    return SN_OK;
}

sn_status sn_world_lock(sn_world* world, sn_body_id joint, bool locked) {
    if (!world) return SN_ERR_ARGUMENT;
    bool was_locked = sn_dynamics_is_locked(world->dynamics, joint);
    sni_wake(world, joint.i);
    sn_status status = sn_dynamics_lock(world->dynamics, joint, locked);
    if (status) return status;
    world->groups_are_current = false;
    sni_rethink(world);
    sni_tell_body(world, locked ? SN_COMMAND_LOCK : SN_COMMAND_UNLOCK, joint);
    if (!locked || was_locked) return SN_OK;
    sni_update_motion(world);
    status = sni_stop_locked(world->dynamics, world->state.q, world->state.v, world->work.extra,
                             world->work.v);
    world->motion_is_current = false;
    if (status) return status;
    const sn_dynamics* dynamics = world->dynamics;
    for (int32_t i = 0; i < dynamics->awake_count; i++) {
        const sni_joint* at = &world->model->joint[dynamics->awake[i]];
        memcpy(world->state.v + at->iv, world->work.v + at->iv, at->nv * sizeof *world->work.v);
    }
    return SN_OK;
}

sn_status sn_world_set_adaptivity(sn_world* world, const sn_adaptivity* options) {
    if (!world || !options) return SN_ERR_ARGUMENT;
    sni_update_motion(world);
    sn_status status = sn_dynamics_set_adaptivity(world->dynamics, options);
    if (status) return status;
    world->settings.adaptivity = *options;
    world->region_period = options->period;
    sni_rethink(world);
    sni_tell(world, &(sn_command){.type = SN_COMMAND_ADAPTIVITY, .adaptivity = *options});
    return SN_OK;
}

sn_status sn_world_keep_active(sn_world* world, sn_body_id body, bool active) {
    if (!world) return SN_ERR_ARGUMENT;
    sn_status status = sn_dynamics_keep_active(world->dynamics, body, active);
    if (status) return status;
    sni_rethink(world);
    sni_tell_body(world, active ? SN_COMMAND_KEEP_ACTIVE : SN_COMMAND_LET_SLEEP, body);
    return SN_OK;
}

double sn_world_step_size(const sn_world* world) { return world->h; }
sn_integrator sn_world_integrator(const sn_world* world) { return world->integrator; }
sn_unit_system sn_world_units(const sn_world* world) { return world->def.units; }
sn_vec3 sn_world_gravity(const sn_world* world) { return world->settings.gravity; }

sn_status sn_world_set_gravity(sn_world* world, sn_vec3 g_w) {
    if (!world) return SN_ERR_ARGUMENT;
    if (!isfinite(g_w.x + g_w.y + g_w.z)) return SN_ERR_NUMERIC;
    world->settings.gravity = g_w;
    sn_dynamics_set_gravity(world->dynamics, g_w);
    world->motion_is_current = false;
    sni_rethink(world);
    sni_rest_wake_all(&world->state.rest);
    sni_tell(world, &(sn_command){.type = SN_COMMAND_GRAVITY, .vector = g_w});
    return SN_OK;
}

sn_status sn_world_set_solve(sn_world* world, double tolerance, int64_t iterations) {
    if (!world || !(tolerance >= 0 && isfinite(tolerance)) || iterations < 0)
        return SN_ERR_ARGUMENT;
    world->settings.tolerance = tolerance;
    world->settings.iterations = iterations;
    sni_tell(world, &(sn_command){.type = SN_COMMAND_SOLVE,
                                  .tolerance = tolerance,
                                  .iterations = {iterations}});
    return SN_OK;
}

sn_region_report sn_world_region(const sn_world* world) {
    return sn_dynamics_region(world->dynamics);
}

bool sn_world_is_active(const sn_world* world, sn_body_id joint) {
    return sn_dynamics_is_active(world->dynamics, joint);
}

int sn_world_active(const sn_world* world, sn_body_id* joints, int most) {
    const sn_dynamics* dynamics = world->dynamics;
    for (int32_t k = 0; k < dynamics->awake_count && k < most; k++)
        joints[k] = sn_body(dynamics->awake[k]);
    return dynamics->awake_count;
}

sn_energy sn_world_energy(sn_world* world) {
    const sn_field* field = &world->field;
    sni_update_motion(world);
    sn_energy energy = sn_dynamics_energy(world->dynamics);
    if (field->energy) energy.potential += field->energy(field->context, world->dynamics);
    return energy;
}

sn_momentum sn_world_momentum(sn_world* world) {
    sni_update_motion(world);
    return sn_dynamics_momentum(world->dynamics);
}

// The hash of the state is the hash of a sum over its numbers, so that what sleeps need not be looked at, and numbers
// need not wait for each other.

/// All bits of a number and its place in all bits of the result.
static uint64_t mix(double number, uint64_t place) {
    uint64_t bits;
    memcpy(&bits, &number, sizeof bits);
    bits ^= (place + 1) * 0x9e3779b97f4a7c15u;
    bits = (bits ^ bits >> 32) * 0xff51afd7ed558ccdu;
    bits = (bits ^ bits >> 29) * 0xc4ceb9fe1a85ec53u;
    return bits ^ bits >> 32;
}

static uint64_t hash_numbers(const double* numbers, int32_t count, int32_t place) {
    uint64_t sum = 0;
    for (int32_t k = 0; k < count; k++) sum += mix(numbers[k], (uint64_t)(place + k));
    return sum;
}

static uint64_t hash_state(const sn_world* world, int32_t iq, int32_t nq, int32_t iv, int32_t nv) {
    return hash_numbers(world->state.q + iq, nq, iq) +
           hash_numbers(world->state.v + iv, nv, world->model->nq + iv);
}

static uint64_t hash_joint(const sn_world* world, int32_t i) {
    const sni_joint* joint = &world->model->joint[i];
    return hash_state(world, joint->iq, joint->nq, joint->iv, joint->nv);
}

void sni_hash_out(sn_world* world, const int32_t* joints, int32_t count) {
    for (int32_t k = 0; k < count; k++) world->sleeping_hash += hash_joint(world, joints[k]);
}

void sni_hash_in(sn_world* world, const int32_t* joints, int32_t count) {
    for (int32_t k = 0; k < count; k++) world->sleeping_hash -= hash_joint(world, joints[k]);
}

uint64_t sn_world_hash(const sn_world* world) {
    const sn_dynamics* dynamics = world->dynamics;
    const sn_model* model = world->model;
    uint64_t sum = world->sleeping_hash;
    if (dynamics->awake_count == model->body_count)
        sum += hash_state(world, 0, model->nq, 0, model->nv);
    else
        for (int32_t k = 0; k < dynamics->awake_count; k++)
            sum += hash_joint(world, dynamics->awake[k]);
    uint64_t hash = sni_hash(0, &world->state.step, sizeof world->state.step);
    return sni_hash(hash, &sum, sizeof sum);
}
