// SPDX-License-Identifier: Apache-2.0
// Stage 3: the force field, and forward dynamics without contact. Where joints sleep, which of them do is decided first, as
// the forces of the step are known by now.
#include <string.h>

#include "sim/sn_sim.h"

static void step_forces(void* context, const int32_t* joints, int32_t count) {
    sni_step_forces(context, joints, count);
}

/// Contact sees no velocity at joints that fell asleep; of those that are awake it is written in every step.
static void stop_in_contact(sn_world* world, int32_t before) {
    for (int32_t i = 0; sni_has_contact(world) && i < before; i++) {
        const sni_joint* joint = &world->model->joint[world->work.was_awake[i]];
        memset(world->work.v_free + joint->iv, 0, joint->nv * sizeof *world->work.v_free);
    }
}

/// Decides which joints are awake. What falls asleep leaves the sum of hashes, what wakes enters it.
static sn_status update_awake(sn_world* world) {
    sn_dynamics* dynamics = world->dynamics;
    int32_t before = dynamics->awake_count;
    memcpy(world->work.was_awake, dynamics->awake, (size_t)before * sizeof *dynamics->awake);
    sni_forces forces = {step_forces, world};
    sni_press(world);
    sn_status status = sni_update_awake(dynamics, world->work.tau, world->state.v, &forces);
    sni_release(world);
    if (status) return status;
    stop_in_contact(world, before);
    sni_hash_out(world, world->work.was_awake, before);
    sni_hash_in(world, dynamics->awake, dynamics->awake_count);
    world->region_step = world->state.step;
    world->region_due = false;
    return SN_OK;
}

void sni_update_motion(sn_world* world) {
    if (world->motion_is_current) return;
    world->motion_is_current = true;
    if (!world->state_is_new) {
        sni_move(world->dynamics, world->state.q, world->state.v);
        return;
    }
    world->state_is_new = false;
    sni_forget_field(world);
    sni_kinematics(world->dynamics, world->state.q, world->state.v);
    world->sleeping_hash = 0;
    if (!sni_may_sleep(world->dynamics)) return;
    world->is_thought_of = true;
    sni_step_forces(world, NULL, world->model->body_count);
    sn_status status = sni_ask_field(world); // what acts decides what is awake
    if (!status) status = update_awake(world);
    if (status) sni_latch(world, "free", status); // more joints move than may be active
}

void sni_rethink(sn_world* world) {
    world->region_due = true;
    if (!world->is_thought_of) return;
    world->is_thought_of = world->motion_is_current = false;
    world->state_is_new = true;
}

static bool update_is_due(const sn_world* world) {
    uint64_t since = world->state.step - world->region_step;
    return world->region_due || since >= (uint64_t)world->region_period;
}

/// What sleeps is looked at some times between two choices: looking costs about as much as a step.
static bool look_is_due(const sn_world* world) {
    enum { LOOKS = 4 };
    uint64_t every = (uint64_t)(world->region_period / LOOKS) + 1;
    return (world->state.step - world->region_step) % every == 0;
}

sn_status sni_stage_free(sn_world* world, sn_step_report* report) {
    sni_update_motion(world);
    world->is_thought_of = false;
    sn_dynamics* dynamics = world->dynamics;
    sn_status status = sni_ask_field(world);
    if (status) return status;
    if (sni_may_sleep(dynamics) && update_is_due(world)) {
        status = update_awake(world);
        if (status) return status;
        sni_step_forces(world, dynamics->awake, dynamics->awake_count); // others are awake now
        report->events |= SN_EVENT_REGION;
    }
    int32_t moving;
    (void)sni_moving(world, &moving); // only whether there is anything
    if (moving == 0) return SN_OK;
    report->sweeps = 1;
    status = sni_forward(dynamics, world->work.tau, world->work.qdd);
    if (!status) status = sni_drive_bound(world, &report->sweeps);
    // without contact forces, which are not known yet, what lies on a floor seems to fall
    if (!status && !world->contacts.solved && look_is_due(world) && sni_is_restless(dynamics))
        world->region_due = true;
    return status;
}
