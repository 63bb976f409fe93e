// SPDX-License-Identifier: Apache-2.0
/// What a step takes besides the work of its stages: what sn_simulation_step does around them, and the clock that is
/// read after each.
#include <stdlib.h>

#include "bench_contender.h"
#include "bench_world.h"
#include "memory.h"
#include "sinew/clock.h"

typedef struct contender {
    bench_row row;
    sn_simulation* sim;
    double *around, *stages; ///< us, per repetition
} contender;

static sn_status do_nothing(void* memory, sn_simulation* sim) {
    (void)memory;
    (void)sim;
    return SN_OK;
}

static sn_status begin_nothing(sn_simulation* sim, const char* options, void** memory,
                               sn_error* error) {
    (void)sim;
    (void)options;
    (void)memory;
    (void)error;
    return SN_OK;
}

static void end_nothing(void* memory) { (void)memory; }

// A plugin that is asked in every step.
static const sn_plugin IDLE = {SN_PLUGIN_HEAD, .name = "idle", .init = begin_nothing,
                               .step = do_nothing, .cleanup = end_nothing};

static void open(contender* c, const char* name, bool busy, long reps) {
    char* text = bench_world_robot(busy);
    bench_row row = bench_world_row(name, NULL, "sinew");
    c->sim = bench_world_start(text, &row);
    c->row = bench_world_row(name, c->sim, "sinew");
    c->row.part = "Around the stages of a step, a robot under control";
    if (!c->sim) bench_trouble(&c->row, "%s", row.trouble);
    if (c->sim && busy) (void)sn_simulation_add_plugin(c->sim, &IDLE, "", NULL);
    c->around = memory_take((size_t)reps, sizeof *c->around);
    c->stages = memory_take((size_t)reps, sizeof *c->stages);
    free(text);
}

// us that one step takes around its stages, and in them.
static void repeat(contender* c, int steps, long r) {
    int64_t in_stages = 0;
    sn_step_report report;
    double start = bench_now();
    for (int i = 0; i < steps; i++) {
        if (sn_simulation_step(c->sim, &report)) {
            bench_trouble(&c->row, "the state is no longer finite");
            return;
        }
        for (int s = 0; s < report.stage_count; s++) in_stages += report.stage_ns[s];
    }
    double taken = bench_now() - start;
    c->stages[r] = 1e-3 * (double)in_stages / steps;
    c->around[r] = 1e6 * taken / steps - c->stages[r];
}

// us that reading the clock of a world takes, once for each stage and before them.
static double clock_us(void) {
    enum { READINGS = 20000 };
    sn_clock clock = sn_clock_real();
    int stages = 0;
    while (sn_world_stage_name(stages)) stages += 1;
    int64_t start = clock.now_ns(clock.context), end = start;
    for (int i = 0; i < READINGS; i++) end = clock.now_ns(clock.context);
    return 1e-3 * (double)(end - start) / READINGS * (stages + 1);
}

static void close_row(contender* c, bench_rows* rows, double reading, long reps) {
    if (!c->row.trouble[0]) {
        bench_row in_stages = c->row;
        bench_world_times(&in_stages, c->stages, reps);
        for (long r = 0; r < reps; r++) c->around[r] += reading;
        bench_world_times(&c->row, c->around, reps);
        bench_note_add(&c->row, "clock_us", reading);
        bench_note_add(&c->row, "stages_us", in_stages.median_us);
    }
    bench_rows_add(rows, &c->row);
    sn_simulation_free(c->sim);
    free(c->around);
    free(c->stages);
}

void bench_world_overhead(bench_rows* rows, long reps, int steps) {
    enum { PLAIN, BUSY, COUNT };
    contender all[COUNT] = {0};
    open(&all[PLAIN], "overhead-30", false, reps);
    open(&all[BUSY], "overhead-30-busy", true, reps);
    double reading = clock_us();
    for (long r = -1; r < reps; r++) { // the first is to warm up
        for (int i = 0; i < COUNT; i++) {
            contender* c = &all[(i + r + COUNT) % COUNT];
            if (!c->row.trouble[0]) repeat(c, steps, r < 0 ? 0 : r);
        }
        double again = clock_us();
        if (again < reading) reading = again; // what else the machine does is no cost of ours
    }
    for (int i = 0; i < COUNT; i++) close_row(&all[i], rows, reading, reps);
}
