// SPDX-License-Identifier: Apache-2.0
#include <math.h>
#include <stdlib.h>

#include "memory.h"
#include "sim.h"

enum { SAMPLES_MOST = 500 };

static void take_sample(sim_activity* a, const sn_world* world, sn_region_report region) {
    int at = a->count++;
    a->time[at] = sn_world_time(world);
    a->active[at] = region.active;
    a->error[at] = region.error;
    a->total[at] = region.total;
}

void sim_activity_start(sim_activity* a, const sn_world* world, const sn_world_def* def,
                        uint64_t steps) {
    *a = (sim_activity){.on = algorithm_is_adaptive(def->dynamics)};
    if (!a->on) return;
    a->metric = def->adaptivity.metric;
    a->threshold = def->adaptivity.threshold;
    a->stride = steps / SAMPLES_MOST + 1;
    a->time = memory_take(SAMPLES_MOST + 2, sizeof *a->time);
    a->active = memory_take(SAMPLES_MOST + 2, sizeof *a->active);
    a->error = memory_take(SAMPLES_MOST + 2, sizeof *a->error);
    a->total = memory_take(SAMPLES_MOST + 2, sizeof *a->total);
    a->least = sn_model_body_count(sn_world_model(world));
}

void sim_activity_step(sim_activity* a, const sn_world* world, const sn_step_report* report) {
    if (!a->on) return;
    if (report->active < a->least) a->least = report->active;
    if (report->active > a->most) a->most = report->active;
    a->sum += report->active;
    a->steps += 1;
    a->error_most = fmax(a->error_most, report->region_error);
    bool due = (report->step - 1) % a->stride == 0; // from the first step on
    if (due && a->count <= SAMPLES_MOST) take_sample(a, world, sn_world_region(world));
}

void sim_activity_end(sim_activity* a, const sn_world* world) {
    if (!a->on) return;
    a->end = sn_world_region(world);
    if (a->steps == 0) a->least = a->most = a->end.active;
    bool kept = a->count > 0 && a->time[a->count - 1] == sn_world_time(world);
    if (!kept) take_sample(a, world, a->end);
}

void sim_activity_free(sim_activity* a) {
    free(a->time);
    free(a->active);
    free(a->error);
    free(a->total);
    *a = (sim_activity){0};
}
