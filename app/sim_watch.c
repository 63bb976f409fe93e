// SPDX-License-Identifier: Apache-2.0
#include <math.h>
#include <stdlib.h>
#include <string.h>

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

static bool is_named(const sim_watch* watch, const char* joint) {
    for (int i = 0; i < watch->beyond_count; i++) {
        if (strcmp(watch->beyond_names[i], joint) == 0) return true;
    }
    return false;
}

static void free_tables(sim_watch* watch) {
    free(watch->beyond);
    free(watch->joints);
    free(watch->moving);
    free(watch->turns);
    free(watch->limits);
}

// Tables of the joints that there are now.
static void lay_out(sim_watch* watch, const sn_model* model) {
    size_t count = (size_t)sn_model_body_count(model), nv = (size_t)sn_model_nv(model);
    watch->model = model;
    watch->limit_count = 0;
    watch->beyond = memory_take(count, sizeof *watch->beyond);
    watch->joints = memory_take(count, sizeof *watch->joints);
    watch->moving = memory_take(count, sizeof *watch->moving);
    watch->turns = memory_take(nv, sizeof *watch->turns);
    watch->limits = memory_take(nv, sizeof *watch->limits);
    int limited = watch->limited_count;
    watch->limited_count = 0;
    for (int i = 0; i < (int)count; i++) {
        sn_body_info b = sn_model_body(model, sn_body(i));
        for (int k = 0; k < b.nv; k++) {
            watch->turns[b.iv + k] = coordinates_v_is_angular(b.type, k);
            watch->friction = watch->friction || b.friction[k] > 0;
            watch->damping = watch->damping || b.damping[k] > 0;
        }
        add_joint(watch, &b, i);
        if (watch->beyond_count > 0) watch->beyond[i] = is_named(watch, b.joint_name);
    }
    if (limited > watch->limited_count) watch->limited_count = limited;
}

void sim_watch_start(sim_watch* watch, sn_world* world) {
    static const double SLACK = 1e-3; // rad or m: contact holds limits, as it holds bodies apart
    *watch = (sim_watch){.angular.joint = -1, .linear.joint = -1};
    watch->slack = sn_world_collider(world) ? SLACK : 0;
    lay_out(watch, sn_world_model(world));
    watch->energy_start = sn_world_energy(world);
    watch->momentum_start = sn_world_momentum(world);
}

static void add_name(sim_watch* watch, const char* joint) {
    size_t count = (size_t)watch->beyond_count + 1;
    watch->beyond_names = memory_resize(watch->beyond_names, count, sizeof *watch->beyond_names);
    watch->beyond_names[watch->beyond_count++] = memory_copy(joint);
}

static void keep_name(const sim_watch* watch, sim_extreme* most) {
    if (most->joint < 0 || most->name) return;
    most->name = memory_copy(sn_model_body(watch->model, sn_body(most->joint)).joint_name);
}

// Bodies came or went: joints are known by their names from one model to the next.
static void follow(sim_watch* watch, const sn_model* model) {
    keep_name(watch, &watch->angular);
    keep_name(watch, &watch->linear);
    watch->edited = true;
    free_tables(watch);
    lay_out(watch, model);
}

static void watch_joint(sim_watch* watch, int i, const double* q, const double* v, double time) {
    const sim_joint* joint = &watch->joints[i];
    for (int k = joint->iv; k < joint->iv + joint->nv; k++) {
        sim_extreme* most = watch->turns[k] ? &watch->angular : &watch->linear;
        if (most->joint >= 0 && !(fabs(v[k]) > most->value)) continue;
        free(most->name);
        *most = (sim_extreme){fabs(v[k]), time, i, NULL};
    }
    for (int k = joint->limit; k < joint->limit + joint->limit_count; k++) {
        const sim_limit* limit = &watch->limits[k];
        double at = q[limit->iq];
        bool within = at >= limit->lower - watch->slack && at <= limit->upper + watch->slack;
        if (within || watch->beyond[i]) continue;
        watch->beyond[i] = true;
        add_name(watch, sn_model_body(watch->model, sn_body(i)).joint_name);
    }
}

// Joints that sleep are at rest and where they were: only those that are active are looked at.
void sim_watch_step(sim_watch* watch, const sn_world* world, const sn_step_report* report) {
    if (sn_world_model(world) != watch->model) follow(watch, sn_world_model(world));
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
    keep_name(watch, &watch->angular);
    keep_name(watch, &watch->linear);
}

void sim_watch_free(sim_watch* watch) {
    free_tables(watch);
    for (int i = 0; i < watch->beyond_count; i++) free(watch->beyond_names[i]);
    free(watch->beyond_names);
    free(watch->angular.name);
    free(watch->linear.name);
    *watch = (sim_watch){0};
}
