// SPDX-License-Identifier: Apache-2.0
// The order of the simulation is this table and nothing else. docs/step.md says what each stage does.
#include <string.h>

#include "sim/sn_sim.h"

// clang-format off
static const sni_stage stages[] = {
    //  name        function             with a simulator
    //              reads                                                           writes
    {"input",     sni_stage_input,     sni_stage_input,
                    BLK_INPUT | BLK_STATE,                                          BLK_STATE},
    {"control",   sni_stage_control,   sni_stage_control,
                    BLK_STATE,                                                      BLK_STATE | BLK_TAU},
    {"free",      sni_stage_free,      NULL,
                    BLK_STATE | BLK_TAU,                                            BLK_STATE | BLK_TAU | BLK_FREE},
    {"collide",   sni_stage_collide,   NULL,
                    BLK_STATE,                                                      BLK_STATE | BLK_CONTACTS},
    {"group",     sni_stage_group,     NULL,
                    BLK_STATE | BLK_CONTACTS,                                       BLK_STATE | BLK_GROUPS},
    {"delassus",  sni_stage_delassus,  NULL,
                    BLK_STATE | BLK_FREE | BLK_CONTACTS,                            BLK_STATE | BLK_PROBLEM},
    {"solve",     sni_stage_solve,     NULL,
                    BLK_STATE | BLK_PROBLEM,                                        BLK_STATE | BLK_IMPULSE},
    {"integrate", sni_stage_integrate, sni_stage_simulate,
                    BLK_STATE | BLK_TAU | BLK_FREE | BLK_PROBLEM | BLK_IMPULSE,     BLK_STATE | BLK_TAU | BLK_IMPULSE},
    {"publish",   sni_stage_publish,   sni_stage_publish,
                    BLK_STATE,                                                      BLK_SNAPSHOT},
};
// clang-format on
enum { STAGE_COUNT = sizeof stages / sizeof stages[0] };

const char* sn_world_stage_name(int i) { return i >= 0 && i < STAGE_COUNT ? stages[i].name : NULL; }

const sni_stage* sni_stage_at(int i) { return i >= 0 && i < STAGE_COUNT ? &stages[i] : NULL; }

#ifndef NDEBUG
/// Numbers of joints that are awake.
static void spoil(const sn_world* world, double* numbers) {
    const sn_dynamics* dynamics = world->dynamics;
    for (int32_t i = 0; i < dynamics->awake_count; i++) {
        const sni_joint* joint = &world->model->joint[dynamics->awake[i]];
        for (int32_t k = joint->iv; k < joint->iv + joint->nv; k++) numbers[k] = NAN;
    }
}

/// Groups of what sleeps are remembered, those of the others are found in each step.
static void spoil_groups(sni_rest* rest) {
    for (int32_t t = 0; t < rest->tree_count; t++)
        if (!rest->asleep[t]) rest->leader[t] = INT32_MIN;
}
#endif

/// In debug builds the blocks of a step hold what no stage can work with until the stage that writes them has run.
static void poison(sn_world* world) {
#ifndef NDEBUG
    sni_work* work = &world->work;
    spoil(world, work->tau);
    spoil(world, work->qdd);
    spoil(world, work->v);
    if (!sni_has_contact(world) || sni_is_simulated(world)) return;
    world->contacts.count = -1;
    world->contacts.list = NULL;
    spoil_groups(&world->state.rest);
    sni_contact_set_spoil(world->contacts.set);
    spoil(world, work->v_free);
    spoil(world, work->v_plus);
    spoil(world, work->w);
#else
    (void)world; // nothing to do in release builds
#endif
}

sn_status sn_world_step(sn_world* world, sn_step_report* report) {
    if (!world) return SN_ERR_ARGUMENT;
    sn_step_report unseen;
    if (!report) report = &unseen;
    memset(report, 0, sizeof *report);
    if (world->state.fault) {
        report->step = world->state.step;
        report->time = sn_world_time(world);
        report->events = SN_EVENT_NOT_FINITE;
        return SN_ERR_FAULT;
    }
    poison(world);
    world->fault[0] = '\0';
    bool simulated = sni_is_simulated(world);
    sn_status status = SN_OK;
    int64_t start = world->clock.now_ns(world->clock.context);
    for (int i = 0; i < STAGE_COUNT; i++) {
        // after a fault only publish runs, so that everybody learns of it
        if (status && stages[i].writes != BLK_SNAPSHOT) continue;
        sn_status (*run)(sn_world*, sn_step_report*) =
            simulated ? stages[i].simulated : stages[i].run;
        sn_status stage_status = run ? run(world, report) : SN_OK;
        if (i == 0) poison(world); // input may have exchanged everything
        if (stage_status && !status) {
            status = stage_status;
            sni_latch(world, stages[i].name, status);
            report->events |= SN_EVENT_NOT_FINITE;
        }
        int64_t end = world->clock.now_ns(world->clock.context);
        report->stage_ns[i] = end - start;
        start = end;
    }
    report->stage_count = STAGE_COUNT;
    report->step = world->state.step;
    report->time = sn_world_time(world);
    return status;
}
