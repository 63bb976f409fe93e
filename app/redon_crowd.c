// SPDX-License-Identifier: Apache-2.0
#include "redon_crowd.h"

#include <math.h>
#include <stdlib.h>

#include "memory.h"
#include "progress.h"

redon_crowd_def redon_crowd_def_default(bool quick) {
    redon_crowd_def def = {.rows = 10,
                           .columns = 20,
                           .spacing = 1,
                           .step = 2e-3,
                           .block = 10,
                           .blocks = 160,
                           .speed = 8,
                           .reach = 1.5,
                           .force = 450,
                           .settling_time = 0.02,
                           .choices = {{"budget", 250, 0}, {"budget and threshold", 250, 50}}};
    if (!quick) return def;
    def.rows = 4, def.columns = 3, def.blocks = 20;
    for (int c = 0; c < REDON_CHOICES; c++) def.choices[c].max_active = 60;
    return def;
}

// How the force on a human is shared out.
static const double SHARES[CROWD_PART_COUNT] = {0.5, 0.4, 0.1}; // pelvis, chest, head

typedef struct crowd_run {
    const sn_model* crowd;
    const redon_crowd_def* def;
    sn_world* full;
    sn_world* few[REDON_CHOICES];
    sn_vec3* start; ///< of each body, world
    bool* pushed;   ///< each human, in the block before
    sn_body_id (*parts)[CROWD_PART_COUNT];
} crowd_run;

static sn_status create_world(const sn_model* crowd, const redon_crowd_def* d, const char* dynamics,
                              const redon_choice* choice, sn_world** world, sn_error* error) {
    sn_world_def def = sn_world_def_default();
    def.step = d->step;
    def.gravity = sn_vec3_zero(); // nothing to stand on yet
    def.dynamics = dynamics;
    if (choice) {
        def.adaptivity.max_active = choice->max_active;
        def.adaptivity.threshold = choice->threshold;
        def.adaptivity.settling_time = d->settling_time;
        def.adaptivity.period = d->block;
    }
    return sn_world_create(crowd, &def, world, error);
}

static sn_status start_run(crowd_run* r, sn_error* error) {
    int humans = r->def->rows * r->def->columns, bodies = sn_model_body_count(r->crowd);
    sn_status status = create_world(r->crowd, r->def, "aba", NULL, &r->full, error);
    for (int c = 0; c < REDON_CHOICES && !status; c++) {
        status = create_world(r->crowd, r->def, "adaptive", &r->def->choices[c], &r->few[c], error);
    }
    if (status) return status;
    r->pushed = memory_take((size_t)humans, sizeof *r->pushed);
    r->parts = memory_take((size_t)humans, sizeof *r->parts);
    for (int h = 0; h < humans; h++) {
        for (int k = 0; k < CROWD_PART_COUNT; k++) {
            r->parts[h][k] = crowd_body(r->crowd, h, (crowd_part)k);
        }
    }
    r->start = memory_take((size_t)bodies, sizeof *r->start);
    for (int i = 0; i < bodies; i++) {
        r->start[i] = sn_snapshot_pose(sn_world_snapshot(r->full), sn_body(i)).p;
    }
    return SN_OK;
}

static void free_run(crowd_run* r) {
    sn_world_free(r->full);
    for (int c = 0; c < REDON_CHOICES; c++) sn_world_free(r->few[c]);
    free(r->start);
    free(r->pushed);
    free(r->parts);
}

// Away from the push, which comes from half its reach behind the crowd. By where people stood at the
// start, so that all worlds feel the same.
static sn_vec3 force_on(const redon_crowd_def* d, double time, int human) {
    sn_vec3 place = crowd_place(d->rows, d->columns, d->spacing, human);
    sn_vec3 away = sn_vec3_sub(place, sn_vec3_make(d->speed * time - 0.5 * d->reach, 0, 0));
    double distance = sn_vec3_norm(away);
    if (!(distance > 0 && distance < d->reach)) return sn_vec3_zero();
    return sn_vec3_scale(d->force * (1 - distance / d->reach) / distance, away);
}

static sn_status set_wrenches(const crowd_run* r, sn_body_id body, sn_vec3 force) {
    sn_wrench wrench = {sn_vec3_zero(), force};
    sn_status status = sn_world_set_wrench(r->full, body, SN_AXES_WORLD, wrench);
    for (int c = 0; c < REDON_CHOICES && !status; c++) {
        status = sn_world_set_wrench(r->few[c], body, SN_AXES_WORLD, wrench);
    }
    return status;
}

static sn_status push(crowd_run* r, double time, int* count) {
    sn_status status = SN_OK;
    *count = 0;
    for (int h = 0; h < r->def->rows * r->def->columns; h++) {
        sn_vec3 force = force_on(r->def, time, h);
        bool now = sn_vec3_norm(force) > 0;
        for (int k = 0; k < CROWD_PART_COUNT && (now || r->pushed[h]) && !status; k++) {
            status = set_wrenches(r, r->parts[h][k], sn_vec3_scale(SHARES[k], force));
        }
        r->pushed[h] = now;
        *count += now;
    }
    return status;
}

// Mean time of a step of a block.
static sn_status run_block(sn_world* world, int steps, sn_step_report* report, double* seconds) {
    sn_clock clock = sn_clock_real();
    int64_t began = clock.now_ns(clock.context);
    sn_status status = SN_OK;
    for (int i = 0; i < steps && !status; i++) status = sn_world_step(world, report);
    *seconds = 1e-9 * (double)(clock.now_ns(clock.context) - began) / steps;
    return status;
}

static double moved_by(const crowd_run* r) {
    const sn_snapshot* all = sn_world_snapshot(r->full);
    int bodies = sn_model_body_count(r->crowd);
    double sum = 0;
    for (int i = 0; i < bodies; i++) {
        double far = sn_vec3_norm(sn_vec3_sub(sn_snapshot_pose(all, sn_body(i)).p, r->start[i]));
        sum += far * far;
    }
    return sqrt(sum / bodies);
}

static void compare(const crowd_run* r, sn_world* world, redon_few* few) {
    const sn_snapshot* all = sn_world_snapshot(r->full);
    const sn_snapshot* here = sn_world_snapshot(world);
    int bodies = sn_model_body_count(r->crowd);
    double sum = 0;
    for (int i = 0; i < bodies; i++) {
        sn_vec3 p = sn_snapshot_pose(here, sn_body(i)).p;
        double off = sn_vec3_norm(sn_vec3_sub(p, sn_snapshot_pose(all, sn_body(i)).p));
        sum += off * off;
        if (!(off <= few->off_most)) few->off_most = off;
    }
    few->off = sqrt(sum / bodies);
}

static sn_status run_few(const crowd_run* r, sn_world* world, redon_few* few) {
    sn_step_report report = {0};
    sn_status status = run_block(world, r->def->block, &report, &few->seconds);
    few->active = report.active;
    few->remaining = report.region_error;
    few->total = sn_world_region(world).total;
    compare(r, world, few);
    return status;
}

sn_status redon_crowd_run(const sn_model* crowd, const redon_crowd_def* def,
                          redon_crowd_sample* samples, sn_error* error) {
    crowd_run r = {.crowd = crowd, .def = def};
    sn_status status = start_run(&r, error);
    progress shown =
        progress_start(def->blocks * def->block * def->step, sn_units_of(SN_UNITS_SI), true);
    for (int b = 0; b < def->blocks && !status; b++) {
        redon_crowd_sample* sample = &samples[b];
        sn_step_report report;
        *sample = (redon_crowd_sample){0};
        status = push(&r, sn_world_time(r.full), &sample->pushed);
        if (!status) status = run_block(r.full, def->block, &report, &sample->seconds);
        sample->time = sn_world_time(r.full);
        sample->moved = moved_by(&r);
        for (int c = 0; c < REDON_CHOICES && !status; c++) {
            status = run_few(&r, r.few[c], &sample->few[c]);
        }
        progress_update(&shown, sample->time);
    }
    progress_finish(&shown);
    free_run(&r);
    return status;
}

sn_status redon_crowd_time(const sn_model* crowd, const redon_crowd_def* def, const char* dynamics,
                           int steps, double* seconds) {
    sn_world* world = NULL;
    sn_step_report report;
    sn_status status = create_world(crowd, def, dynamics, NULL, &world, NULL);
    if (!status) status = run_block(world, 1, &report, seconds); // the first is slower
    if (!status) status = run_block(world, steps, &report, seconds);
    sn_world_free(world);
    return status;
}
