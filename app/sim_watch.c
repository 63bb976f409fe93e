// SPDX-License-Identifier: Apache-2.0
#include <math.h>
#include <stdlib.h>

#include "coordinates.h"
#include "memory.h"
#include "sim.h"

// Limits of a joint's coordinates; joints with quaternions have none on single coordinates.
static void add_joint(sim_watch* watch, const sn_body_info* b, int joint) {
    int before = watch->limit_count;
    for (int k = 0; b->nq == b->nv && k < b->nv; k++) {
        if (!isfinite(b->lower[k]) && !isfinite(b->upper[k])) continue;
        watch->limits[watch->limit_count++] =
            (sim_limit){b->iq + k, joint, b->lower[k], b->upper[k]};
    }
    watch->joints[joint] = (sim_joint){b->iv, b->nv, before, watch->limit_count - before};
    watch->limited_count += watch->limit_count > before;
}

void sim_watch_start(sim_watch* watch, sn_world* world) {
    static const double SLACK = 1e-3; // rad or m: contact holds limits, as it holds bodies apart
    const sn_model* model = sn_world_model(world);
    size_t count = (size_t)sn_model_body_count(model), nv = (size_t)sn_model_nv(model);
    *watch = (sim_watch){.model = model, .angular.joint = -1, .linear.joint = -1};
    watch->slack = sn_world_collider(world) ? SLACK : 0;
    watch->beyond = memory_take(count, sizeof *watch->beyond);
    watch->joints = memory_take(count, sizeof *watch->joints);
    watch->moving = memory_take(count, sizeof *watch->moving);
    watch->turns = memory_take(nv, sizeof *watch->turns);
    watch->limits = memory_take(nv, sizeof *watch->limits);
    for (int i = 0; i < (int)count; i++) {
        sn_body_info b = sn_model_body(model, sn_body(i));
        for (int k = 0; k < b.nv; k++) {
            watch->turns[b.iv + k] = coordinates_v_is_angular(b.type, k);
            watch->friction = watch->friction || b.friction[k] > 0;
            watch->damping = watch->damping || b.damping[k] > 0;
        }
        add_joint(watch, &b, i);
    }
    watch->energy_start = sn_world_energy(world);
    watch->momentum_start = sn_world_momentum(world);
}

static void watch_joint(sim_watch* watch, int i, const double* q, const double* v, double time) {
    const sim_joint* joint = &watch->joints[i];
    for (int k = joint->iv; k < joint->iv + joint->nv; k++) {
        sim_extreme* most = watch->turns[k] ? &watch->angular : &watch->linear;
        if (most->joint >= 0 && !(fabs(v[k]) > most->value)) continue;
        *most = (sim_extreme){fabs(v[k]), time, i};
    }
    for (int k = joint->limit; k < joint->limit + joint->limit_count; k++) {
        const sim_limit* limit = &watch->limits[k];
        double at = q[limit->iq];
        bool within = at >= limit->lower - watch->slack && at <= limit->upper + watch->slack;
        if (within || watch->beyond[i]) continue;
        watch->beyond[i] = true;
        watch->beyond_count += 1;
    }
}

// Joints that sleep are at rest and where they were: only those that are active are looked at.
void sim_watch_step(sim_watch* watch, const sn_world* world, const sn_step_report* report) {
    const double* q = sn_world_q(world);
    const double* v = sn_world_v(world);
    int count = sn_world_active(world, watch->moving, sn_model_body_count(watch->model));
    for (int k = 0; k < count; k++) watch_joint(watch, watch->moving[k].i, q, v, report->time);
    watch->events |= report->events;
    watch->no_converge += (report->events & SN_EVENT_NO_CONVERGE) != 0;
    watch->sweeps += report->sweeps;
    watch->stage_count = report->stage_count;
    for (int s = 0; s < report->stage_count; s++) watch->stage_ns[s] += report->stage_ns[s];
}

void sim_watch_end(sim_watch* watch, sn_world* world) {
    watch->energy_end = sn_world_energy(world);
    watch->momentum_end = sn_world_momentum(world);
}

void sim_watch_free(sim_watch* watch) {
    free(watch->beyond);
    free(watch->joints);
    free(watch->moving);
    free(watch->turns);
    free(watch->limits);
    *watch = (sim_watch){0};
}
