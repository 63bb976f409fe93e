// SPDX-License-Identifier: Apache-2.0
#include <math.h>
#include <stdlib.h>

#include "coordinates.h"
#include "memory.h"
#include "sim.h"

// Limits of a joint's coordinates; joints with quaternions have none on single coordinates.
static void add_limits(sim_watch* watch, const sn_body_info* b, int joint) {
    int before = watch->limit_count;
    for (int k = 0; b->nq == b->nv && k < b->nv; k++) {
        if (!isfinite(b->lower[k]) && !isfinite(b->upper[k])) continue;
        watch->limits[watch->limit_count++] =
            (sim_limit){b->iq + k, joint, b->lower[k], b->upper[k]};
    }
    watch->limited_count += watch->limit_count > before;
}

void sim_watch_start(sim_watch* watch, sn_world* world) {
    const sn_model* model = sn_world_model(world);
    size_t count = (size_t)sn_model_body_count(model), nv = (size_t)sn_model_nv(model);
    *watch = (sim_watch){.model = model, .nv = (int)nv, .angular.joint = -1, .linear.joint = -1};
    watch->beyond = memory_take(count, sizeof *watch->beyond);
    watch->joint_of = memory_take(nv, sizeof *watch->joint_of);
    watch->turns = memory_take(nv, sizeof *watch->turns);
    watch->limits = memory_take(nv, sizeof *watch->limits);
    for (int i = 0; i < (int)count; i++) {
        sn_body_info b = sn_model_body(model, sn_body(i));
        for (int k = 0; k < b.nv; k++) {
            watch->joint_of[b.iv + k] = i;
            watch->turns[b.iv + k] = coordinates_v_is_angular(b.type, k);
            watch->friction = watch->friction || b.friction[k] > 0;
            watch->damping = watch->damping || b.damping[k] > 0;
        }
        add_limits(watch, &b, i);
    }
    watch->energy_start = sn_world_energy(world);
    watch->momentum_start = sn_world_momentum(world);
}

void sim_watch_step(sim_watch* watch, const sn_world* world, const sn_step_report* report) {
    const double* q = sn_world_q(world);
    const double* v = sn_world_v(world);
    for (int k = 0; k < watch->nv; k++) {
        sim_extreme* most = watch->turns[k] ? &watch->angular : &watch->linear;
        if (most->joint >= 0 && !(fabs(v[k]) > most->value)) continue;
        *most = (sim_extreme){fabs(v[k]), report->time, watch->joint_of[k]};
    }
    for (int k = 0; k < watch->limit_count; k++) {
        const sim_limit* limit = &watch->limits[k];
        double at = q[limit->iq];
        if ((at >= limit->lower && at <= limit->upper) || watch->beyond[limit->joint]) continue;
        watch->beyond[limit->joint] = true;
        watch->beyond_count += 1;
    }
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
    free(watch->joint_of);
    free(watch->turns);
    free(watch->limits);
    *watch = (sim_watch){0};
}
