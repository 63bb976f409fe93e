// SPDX-License-Identifier: Apache-2.0
/// Ratios, sentences, chart and method of `sinew bench haptics`.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench_haptics.h"
#include "memory.h"
#include "svg_plot.h"

static double mean_of(const bench_rows* rows, const char* line) {
    for (int i = 0; i < rows->count; i++)
        if (strcmp(rows->at[i].line, line) == 0) return bench_note_find(&rows->at[i], "mean_us");
    return NAN;
}

static void find_ratios(bench_account* a) {
    double small = mean_of(&a->rows, "tick-40");
    bench_account_ratio(a, "tick_857_over_40", mean_of(&a->rows, "tick-857") / small);
    bench_account_ratio(a, "tick_1e5_over_40", mean_of(&a->rows, "tick-1e5") / small);
    bench_account_ratio(a, "tick_1e6_over_40", mean_of(&a->rows, "tick-1e6") / small);
}

static void say_all(bench_account* a) {
    const bench_rows* rows = &a->rows;
    double million = mean_of(rows, "tick-1e6");
    bench_sentences_add(&a->sentences,
                        "A whole haptic tick takes %.2f us on average with a body of 40 joints in "
                        "the hand, %.2f us with one of 857, %.2f us with one of 10^5.",
                        mean_of(rows, "tick-40"), mean_of(rows, "tick-857"),
                        mean_of(rows, "tick-1e5"));
    if (isfinite(million))
        bench_sentences_add(&a->sentences, "With 10^6 joints it takes %.2f us.", million);
    bench_sentences_add(&a->sentences,
                        "The simulated device takes %.2f us of that, the safety chain %.2f us "
                        "(%.2f and %.2f us when nothing turns).",
                        mean_of(rows, "device-6"), mean_of(rows, "safety-6"),
                        mean_of(rows, "device-3"), mean_of(rows, "safety-3"));
    bench_sentences_add(&a->sentences,
                        "Making a new law ready takes the coupling loop %.2f us, with contact "
                        "%.2f us.",
                        mean_of(rows, "coupling-857"), mean_of(rows, "coupling-contact"));
}

static bool draw_ticks(const bench_rows* rows, bool inside, FILE* out) {
    static const char* const LINES[] = {"tick-40", "tick-857", "tick-1e5", "tick-1e6"};
    static const double JOINTS[] = {40, 857, 1e5, 1e6};
    plot* p = memory_take(1, sizeof *p);
    bench_curve ticks = {0}, device = {0};
    *p = (plot){.title = "A haptic tick", .inside = inside, .panel_count = 1};
    p->subtitle = "mean processor time; the number of joints on a logarithmic axis";
    p->panels[0] = (plot_panel){.title = "A hand on a chain",
                                .x_label = "joints of what is held",
                                .y_label = "time [us]",
                                .x_log = true};
    for (int i = 0; i < 4; i++) {
        double mean = mean_of(rows, LINES[i]);
        bench_curve_add(&ticks, JOINTS[i], mean);
        if (isfinite(mean)) bench_curve_add(&device, JOINTS[i], mean_of(rows, "device-6"));
    }
    plot_add_series(&p->panels[0], "whole tick", ticks.x, ticks.y, ticks.count, true);
    plot_add_series(&p->panels[0], "of that, the simulated device", device.x, device.y,
                    device.count, true);
    bool any = ticks.count > 0;
    if (any) svg_plot_write(p, out);
    free(p);
    return any;
}

static const char* const METHOD[] = {
    "tick-N: the whole tick of the haptic loop while a hand of the preset firm on the simulated "
    "device touch (the default: six degrees of freedom in, three out) moves the body in "
    "the middle of a chain of N joints to and fro: reading the device, the local model of what is "
    "held, the safety chain, writing the device, telling the other loops. Processor time of the "
    "thread, in blocks of 1000 ticks, with a new law before each block; 1e5 and 1e6 joints by "
    "adaptive dynamics with up to 100 active. mean_us is the mean over all blocks; median_us and "
    "min_us are of repetitions of five.",
    "device-3, device-6: reading and writing the simulated device alone, omega3 (which does not "
    "turn) and premium15_6dof; safety-3, safety-6: the safety chain alone, on samples of these.",
    "tick-857-fresh, tick-contact-fresh: a haptic tick right after a step of the simulation, with "
    "the law of it. coupling-857, coupling-contact: the tick of the coupling loop that makes this "
    "law ready, without contact and for a ball that is pressed on a floor. Each is timed by "
    "itself; reading the clock is in it.",
    "All rows take turns, another one first each time.",
    NULL,
};

void bench_haptics_account(bench_account* a) {
    a->name = "haptics";
    a->heading = "What the loops of an interaction take, whatever the size of what is held";
    a->method = METHOD;
    a->charts[a->chart_count++] = (bench_chart){
        "ticks.svg", "Processor time of a haptic tick over the joints of what is held.",
        draw_ticks};
    find_ratios(a);
    say_all(a);
}
