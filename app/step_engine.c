// SPDX-License-Identifier: Apache-2.0
#include "step_engine.h"

#include <math.h>
#include <stdlib.h>

#include "bench_contender.h"
#include "memory.h"

static const double TURN = 0.05; // s of simulated time between two looks at the clock

bool step_engine_run(step_engine* e, const step_scene* scene, double seconds, step_track* track) {
    double start = bench_now();
    int turn = (int)fmax(1, TURN / scene->step);
    int left = (int)lround(scene->duration / scene->step);
    *track = step_track_start(scene);
    bool good = e->kind->open(e, scene, NULL, NULL);
    while (good && left > 0 && bench_now() - start < seconds) {
        good = e->kind->advance(e, turn < left ? turn : left, track);
        left -= turn;
    }
    e->kind->close(e);
    return good;
}

step_engine* step_engines_add(step_engines* engines) {
    engines->at = memory_resize(engines->at, (size_t)engines->count + 1, sizeof *engines->at);
    engines->at[engines->count] = (step_engine){0};
    return &engines->at[engines->count++];
}

void step_engines_end(step_engines* engines) {
    for (int i = 0; i < engines->count; i++) engines->at[i].kind->end(&engines->at[i]);
    free(engines->at);
    *engines = (step_engines){0};
}
