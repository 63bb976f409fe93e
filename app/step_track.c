// SPDX-License-Identifier: Apache-2.0
#include "step_track.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "median.h"
#include "memory.h"
#include "sinew/collision.h"

enum { BLOCK = 50, CONTACTS_OF_BODY = 32 };

step_track step_track_start(const step_scene* scene) { return (step_track){.scene = scene}; }

void step_track_free(step_track* t) {
    free(t->us);
    free(t->looks);
    free(t->roots);
    *t = (step_track){0};
}

void step_track_step(step_track* t, double us) {
    if (t->steps == t->step_capacity) {
        t->step_capacity = t->step_capacity ? 2 * t->step_capacity : 1024;
        t->us = memory_resize(t->us, (size_t)t->step_capacity, sizeof *t->us);
    }
    t->us[t->steps++] = us;
}

step_root* step_track_look(step_track* t, int contacts, double depth, double residual) {
    size_t width = (size_t)t->scene->root_count;
    if (t->look_count == t->look_capacity) {
        t->look_capacity = t->look_capacity ? 2 * t->look_capacity : 64;
        t->looks = memory_resize(t->looks, (size_t)t->look_capacity, sizeof *t->looks);
        t->roots = memory_resize(t->roots, width * (size_t)t->look_capacity, sizeof *t->roots);
    }
    step_root* roots = t->roots + width * (size_t)t->look_count;
    t->looks[t->look_count++] = (step_look){t->steps * t->scene->step, contacts, depth, residual};
    memset(roots, 0, width * sizeof *roots);
    return roots;
}

const step_root* step_track_roots(const step_track* t, int look) {
    return t->roots + (size_t)t->scene->root_count * (size_t)look;
}

int step_track_find(const step_track* t, double time) {
    int i = 0;
    const double slack = 0.5 * t->scene->step;
    while (i < t->look_count && t->looks[i].time < time - slack) i++;
    return i;
}

bool step_track_complete(const step_track* t) {
    return t->steps >= lround(t->scene->duration / t->scene->step);
}

// ---- after it has settled -----------------------------------------------------------------------------

static double median_block(const double* us, long count) {
    long blocks = count / BLOCK > 0 ? count / BLOCK : 1;
    double* means = memory_take((size_t)blocks, sizeof *means);
    for (long b = 0; b < blocks; b++) {
        long first = b * BLOCK, last = b + 1 < blocks ? first + BLOCK : count;
        for (long i = first; i < last; i++) means[b] += us[i] / (double)(last - first);
    }
    double middle = median_of(means, (int)blocks);
    free(means);
    return middle;
}

step_times step_track_times(const step_track* t) {
    step_times times = {NAN, NAN, NAN, 0};
    long first = lround(t->scene->settle / t->scene->step);
    if (first >= t->steps) return times; // what landing takes is another question
    times.count = t->steps - first;
    double* sorted = memory_take((size_t)times.count, sizeof *sorted);
    memcpy(sorted, t->us + first, (size_t)times.count * sizeof *sorted);
    times.block_us = median_block(sorted, times.count);
    times.median_us = median_of(sorted, (int)times.count);
    times.min_us = sorted[0];
    free(sorted);
    return times;
}

// The deepest overlap at a look, by a collider of the scene's model.
static double measure_depth(const step_track* t, int look, sn_collider* collider) {
    const step_root* roots = step_track_roots(t, look);
    const sn_contact* contacts;
    sn_collision_report report = {0};
    const sn_twist still = {sn_vec3_zero(), sn_vec3_zero()};
    for (int i = 0; i < t->scene->root_count; i++) {
        sn_pose X = sn_pose_make(sn_quat_matrix(roots[i].rotation), roots[i].position);
        sn_collider_move(collider, sn_body(t->scene->root_body[i]), X, still);
    }
    sn_collider_collide(collider, t->scene->step, &contacts, &report);
    return report.deepest;
}

double step_track_depth(const step_track* t) {
    const sn_model* model = t->scene->model;
    sn_collider_def def = sn_collider_def_default();
    sn_collider* collider = NULL;
    double deepest = NAN;
    def.contacts = CONTACTS_OF_BODY * sn_model_body_count(model);
    if (t->scene->root_count == sn_model_body_count(model) &&
        sn_collider_create(model, &def, NULL, &collider, NULL) != SN_OK) {
        return NAN;
    }
    for (int i = step_track_find(t, t->scene->settle); i < t->look_count; i++) {
        deepest = fmax(deepest, collider ? measure_depth(t, i, collider) : t->looks[i].depth);
    }
    sn_collider_free(collider);
    return deepest;
}

double step_track_residual(const step_track* t) {
    double largest = NAN;
    for (int i = step_track_find(t, t->scene->settle); i < t->look_count; i++) {
        largest = fmax(largest, t->looks[i].residual);
    }
    return largest;
}

double step_track_contacts(const step_track* t) {
    int first = step_track_find(t, t->scene->settle), count = t->look_count - first;
    if (count <= 0) return NAN;
    double* sorted = memory_take((size_t)count, sizeof *sorted);
    for (int i = 0; i < count; i++) sorted[i] = t->looks[first + i].contacts;
    double middle = median_of(sorted, count);
    free(sorted);
    return middle;
}
