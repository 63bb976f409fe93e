// SPDX-License-Identifier: Apache-2.0
/// From the text of a large scene to a simulation that can step.
#include <stdlib.h>
#include <string.h>

#include "bench_contender.h"
#include "bench_world.h"
#include "memory.h"
#include "scene_argument.h"

enum { BODIES = 100000 };

// Seconds to read the text, and to bring it to life; false: row.trouble says why.
static bool load_once(const char* text, bench_row* row, double* reading, double* making) {
    sn_error error = {0};
    sn_scene* scene = NULL;
    sn_simulation* sim = NULL;
    sn_simulation_def def = sn_simulation_def_default();
    def.load = scene_argument_def();
    double start = bench_now();
    error.status = sn_scene_load_memory(text, strlen(text), "bench", &def.load, &scene, &error);
    double read = bench_now();
    if (!error.status) error.status = sn_simulation_create(scene, &def, &sim, &error);
    double made = bench_now();
    *reading = read - start;
    *making = made - read;
    if (error.status) bench_trouble(row, "%.150s", error.text);
    if (sim) row->dof = sn_model_nv(sn_world_model(sn_simulation_world(sim)));
    sn_simulation_free(sim);
    return !error.status;
}

void bench_world_load(bench_rows* rows, long reps) {
    char* text = bench_world_boxes(BODIES);
    bench_row row = bench_row_on("load-1e5", BODIES, 0);
    row.part = "Loading a scene file, each body written out";
    snprintf(row.engine, sizeof row.engine, "sinew");
    double* us = memory_take((size_t)reps, sizeof *us);
    double* parse = memory_take((size_t)reps, sizeof *parse);
    bool good = true;
    for (long r = 0; r < reps && good; r++) {
        double reading, making;
        good = load_once(text, &row, &reading, &making);
        us[r] = 1e6 * (reading + making);
        parse[r] = reading;
    }
    if (good) {
        bench_row read = row;
        bench_world_times(&read, parse, reps);
        bench_world_times(&row, us, reps);
        bench_note_add(&row, "seconds", 1e-6 * row.median_us);
        bench_note_add(&row, "reading_s", read.median_us);
        bench_note_add(&row, "megabytes_of_text", 1e-6 * (double)strlen(text));
    }
    bench_rows_add(rows, &row);
    free(us);
    free(parse);
    free(text);
}
