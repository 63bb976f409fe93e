// SPDX-License-Identifier: Apache-2.0
/// Ratios, sentences and method of `sinew bench world`.
#include <math.h>
#include <string.h>

#include "bench_world.h"

static const bench_row* find(const bench_rows* rows, const char* line) {
    for (int i = 0; i < rows->count; i++) {
        const bench_row* row = &rows->at[i];
        if (strcmp(row->line, line) == 0 && isfinite(row->median_us)) return row;
    }
    return NULL;
}

static double time_of(const bench_rows* rows, const char* line) {
    const bench_row* row = find(rows, line);
    return row ? row->median_us : NAN;
}

static double note_of(const bench_rows* rows, const char* line, const char* note) {
    const bench_row* row = find(rows, line);
    return row ? bench_note_find(row, note) : NAN;
}

static void find_ratios(bench_account* a) {
    const bench_rows* rows = &a->rows;
    bench_account_ratio(a, "overhead_us", time_of(rows, "overhead-30"));
    bench_account_ratio(a, "overhead_busy_us", time_of(rows, "overhead-30-busy"));
    bench_account_ratio(a, "load_1e5_s", note_of(rows, "load-1e5", "seconds"));
    bench_account_ratio(a, "record_percent", note_of(rows, "record-cost", "percent"));
    bench_account_ratio(a, "python_step_us", time_of(rows, "python-step"));
}

static void say_all(bench_account* a) {
    const bench_rows* rows = &a->rows;
    const bench_row* plain = find(rows, "overhead-30");
    if (plain) {
        bench_sentences_add(&a->sentences,
                            "Around its stages a step of a robot of %d bodies takes %.2f us, %.2f "
                            "us of them for reading the clock; with sensors, a script and a plugin "
                            "%.2f us. The stages take %.1f us.",
                            plain->n, plain->median_us, bench_note_find(plain, "clock_us"),
                            time_of(rows, "overhead-30-busy"), bench_note_find(plain, "stages_us"));
    }
    if (find(rows, "load-1e5")) {
        bench_sentences_add(&a->sentences,
                            "A scene of 10^5 bodies, %.1f MB of text, is ready to step after %.2f "
                            "s; reading it takes %.2f s of these.",
                            note_of(rows, "load-1e5", "megabytes_of_text"),
                            note_of(rows, "load-1e5", "seconds"),
                            note_of(rows, "load-1e5", "reading_s"));
    }
    if (find(rows, "record-cost")) {
        bench_sentences_add(
            &a->sentences,
            "Recording every step adds %.2f us to the %.1f us that a step takes the "
            "simulating thread, %.2f %%.",
            time_of(rows, "record-cost"), note_of(rows, "record-cost", "step_us"),
            note_of(rows, "record-cost", "percent"));
    }
    if (find(rows, "python-step")) {
        bench_sentences_add(&a->sentences, "A step that Python asks for costs %.2f us more.",
                            time_of(rows, "python-step"));
    }
}

static const char* const METHOD[] = {
    "overhead-30: a humanoid of 33 bodies stands on a floor, its joints driven to a posture. The "
    "time of sn_simulation_step, many at once, less what the report says of its stages; and ten "
    "readings of the clock, one before the stages and one after each, which the stages' times "
    "contain. overhead-30-busy: with three sensors, a script that waits and a plugin that does "
    "nothing.",
    "load-1e5: a scene file in memory with 10^5 boxes on a floor, each in a line of its own, until "
    "there is a simulation that can step; `reading_s` is the part until there is a scene.",
    "record-cost: the robot of overhead-30-busy twice, the same motion, one recorded in every step "
    "to a file; the time of the thread that steps, the two by turns. `percent` is the median of "
    "the quotients of neighbours. Steps that the recording lost would be cheap: `lost_steps`.",
    "python-step: a Python steps one free body, one call a step and all steps in one call, by "
    "turns; the difference is what a call costs.",
    "Repetitions by turns, another one first each time; medians count.",
    NULL,
};

void bench_world_account(bench_account* a) {
    a->name = "world";
    a->heading = "What a running scene costs besides the work of its stages";
    a->count_of = "bodies";
    a->method = METHOD;
    find_ratios(a);
    say_all(a);
}
