// SPDX-License-Identifier: Apache-2.0
/// What recording every step costs the thread that steps: the same run with and without, by turns.
#define _POSIX_C_SOURCE 200809L
#include <stdlib.h>
#include <time.h>

#include "bench_world.h"
#include "memory.h"
#include "temporary_file.h"

// us that this thread was running: what others do is theirs.
static double thread_us(void) {
    struct timespec now;
    if (clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now) != 0) return 0;
    return 1e6 * (double)now.tv_sec + 1e-3 * (double)now.tv_nsec;
}

// us a step; negative: it cannot go on.
static double step_us(sn_simulation* sim, int steps) {
    double start = thread_us();
    for (int i = 0; i < steps; i++) {
        if (sn_simulation_step(sim, NULL)) return -1;
    }
    return (thread_us() - start) / steps;
}

// The two by turns; what recording adds, us and percent of a step.
static void compare(sn_simulation* both[2], bench_row* row, long reps, int steps) {
    double* added = memory_take((size_t)reps, sizeof *added);
    double* percent = memory_take((size_t)reps, sizeof *percent);
    double* plain = memory_take((size_t)reps, sizeof *plain);
    for (long r = -1; r < reps; r++) { // the first is to warm up
        double us[2];
        for (int i = 0; i < 2; i++) {
            int k = (int)((i + r + 2) % 2);
            us[k] = step_us(both[k], steps);
        }
        if (us[0] < 0 || us[1] < 0) bench_trouble(row, "the state is no longer finite");
        long at = r < 0 ? 0 : r;
        plain[at] = us[0];
        added[at] = us[1] - us[0];
        percent[at] = 100 * (us[1] / us[0] - 1);
    }
    if (!row->trouble[0]) {
        bench_row other = *row;
        bench_world_times(row, added, reps);
        bench_world_times(&other, percent, reps);
        bench_note_add(row, "percent", other.median_us);
        bench_world_times(&other, plain, reps);
        bench_note_add(row, "step_us", other.median_us);
    }
    free(added);
    free(percent);
    free(plain);
}

void bench_world_record(bench_rows* rows, long reps, int steps) {
    sn_error error = {0};
    char* text = bench_world_robot(true);
    char* path = temporary_file_make("", "");
    bench_row row = bench_world_row("record-cost", NULL, "sinew");
    sn_simulation* both[2] = {bench_world_start(text, &row), bench_world_start(text, &row)};
    if (both[0] && both[1] && path) {
        bench_row named = bench_world_row("record-cost", both[1], "sinew");
        row.n = named.n;
        row.dof = named.dof;
        if (sn_simulation_record(both[1], path, 1, false, &error))
            bench_trouble(&row, "%.150s", error.text);
    } else if (!row.trouble[0]) {
        bench_trouble(&row, "no file for the recording can be made");
    }
    row.part = "Recording every step";
    if (!row.trouble[0]) {
        sn_recorder_status status;
        compare(both, &row, reps, steps);
        sn_simulation_end_recording(both[1], &status);
        bench_note_add(&row, "lost_steps", (double)status.lost);
        bench_note_add(&row, "bytes_a_step", (double)status.bytes / (double)status.steps);
    }
    bench_rows_add(rows, &row);
    for (int i = 0; i < 2; i++) sn_simulation_free(both[i]);
    temporary_file_remove(path);
    free(text);
}
