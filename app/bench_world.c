// SPDX-License-Identifier: Apache-2.0
#include "bench_world.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "median.h"
#include "memory.h"
#include "message.h"
#include "scene_argument.h"

enum { REPS = 21, QUICK_REPS = 3, LOADS = 5, STEPS = 2000, QUICK_STEPS = 200 };

char* bench_world_robot(bool busy) {
    return memory_text("version: 1\n"
                       "name: robot\n"
                       "floor: true\n"
                       "models: [{name: robot, model: hrp2, stand: true}]\n"
                       "controllers: [{item: robot, frequency: 4}]\n"
                       "%s",
                       busy ? "sensors:\n"
                              "  - {name: knee, type: position, item: robot, joint: l_knee}\n"
                              "  - {name: hand, type: pose, item: robot, body: l_finger}\n"
                              "  - {name: centre, type: centre, item: robot}\n"
                              "script: [{at: 1e6, reset: true}]\n"
                            : "");
}

char* bench_world_boxes(int count) {
    enum { LINE = 80, ROW = 100 };
    static const char HEAD[] = "version: 1\nname: boxes\nfloor: true\nobjects:\n";
    size_t room = sizeof HEAD + (size_t)count * LINE, length = sizeof HEAD - 1;
    char* text = memory_take(room, 1);
    memcpy(text, HEAD, sizeof HEAD);
    for (int i = 0; i < count; i++) {
        double x = 0.3 * (i % ROW), y = 0.3 * (i / ROW % ROW), z = 0.1 + 0.3 * (i / ROW / ROW);
        length += (size_t)snprintf(text + length, room - length,
                                   "  - {box: [0.2, 0.2, 0.2], at: [%.1f, %.1f, %.1f]}\n", x, y, z);
    }
    return text;
}

sn_simulation* bench_world_start(const char* text, bench_row* row) {
    sn_error error = {0};
    sn_scene* scene = NULL;
    sn_simulation* sim = NULL;
    sn_simulation_def def = sn_simulation_def_default();
    def.load = scene_argument_def();
    error.status = sn_scene_load_memory(text, strlen(text), "bench", &def.load, &scene, &error);
    if (!error.status) error.status = sn_simulation_create(scene, &def, &sim, &error);
    if (error.status) bench_trouble(row, "%.150s", error.text);
    return sim;
}

bench_row bench_world_row(const char* name, const sn_simulation* sim, const char* engine) {
    const sn_model* model = sim ? sn_world_model(sn_simulation_world((sn_simulation*)sim)) : NULL;
    bench_row row =
        bench_row_on(name, model ? sn_model_body_count(model) : 0, model ? sn_model_nv(model) : 0);
    snprintf(row.engine, sizeof row.engine, "%s", engine);
    return row;
}

void bench_world_times(bench_row* row, double* us, long count) {
    row->median_us = median_of(us, (int)count);
    row->min_us = us[0];
    row->reps = count;
}

int bench_world(const bench_options* o) {
    if (!bench_account_possible(o)) return STATUS_USAGE;
    bench_account* account = memory_take(1, sizeof *account);
    long reps = o->reps ? o->reps : o->quick ? QUICK_REPS : REPS;
    long loads = o->reps ? o->reps : o->quick ? 1 : LOADS;
    int steps = o->quick ? QUICK_STEPS : STEPS;
    bench_progress("what is around the stages");
    bench_world_overhead(&account->rows, reps, steps);
    bench_progress("loading 10^5 bodies");
    bench_world_load(&account->rows, loads);
    bench_progress("recording");
    bench_world_record(&account->rows, reps, steps);
    bench_progress("steps from Python");
    bench_world_python(&account->rows, reps, steps);
    bench_progress_end();
    bench_world_account(account);
    int status = bench_account_show(account, o);
    free(account->rows.at);
    free(account);
    return status;
}
