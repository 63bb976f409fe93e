// SPDX-License-Identifier: Apache-2.0
/// Ratios, sentences and chart of `sinew bench adaptive`.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench_adaptive.h"
#include "memory.h"
#include "svg_plot.h"

static const char* const NAMES[] = {"chain", "tree"};
enum { SHAPES = 2, LARGE = 100 }; // DCA against ABA from 100 joints on
static const char* const SIZES[] = {"1e3", "1e4", "1e5", "1e6"};
enum { SIZE_COUNT = 4 };

static double time_of(const bench_rows* rows, const char* line, const char* engine) {
    const bench_row* row = bench_rows_find(rows, line, engine);
    return row ? row->median_us : NAN;
}

// Time of an adaptive step of a shape and size.
static double step_of(const bench_rows* rows, const char* shape, const char* size) {
    char line[24];
    snprintf(line, sizeof line, "%s%s", shape, size);
    return time_of(rows, line, "sinew:adaptive");
}

static double with_active(const bench_rows* rows, const char* shape, int active) {
    char line[24];
    snprintf(line, sizeof line, "%s1e5-active%d", shape, active);
    return active == BENCH_ACTIVE ? step_of(rows, shape, "1e5")
                                  : time_of(rows, line, "sinew:adaptive");
}

// ---- ratios -----------------------------------------------------------------------------------------

// How many times longer a full step is, at 10^5 joints.
static double against(const bench_rows* rows, const char* shape, const char* engine) {
    char line[24];
    snprintf(line, sizeof line, "%s1e5", shape);
    return time_of(rows, line, engine) / step_of(rows, shape, "1e5");
}

static double flatness(const bench_rows* rows, const char* shape) {
    double low = INFINITY, high = 0;
    for (int i = 0; i < SIZE_COUNT; i++) {
        double t = step_of(rows, shape, SIZES[i]);
        if (isnan(t)) return NAN;
        low = fmin(low, t);
        high = fmax(high, t);
    }
    return high / low;
}

static double proportional(const bench_rows* rows, const char* shape) {
    return with_active(rows, shape, 1250) / with_active(rows, shape, BENCH_ACTIVE) /
           (1250.0 / BENCH_ACTIVE);
}

// The DCA row that is slowest beside ABA.
static const bench_row* worst_dca(const bench_rows* rows) {
    const bench_row* worst = NULL;
    for (int i = 0; i < rows->count; i++) {
        const bench_row* row = &rows->at[i];
        double ratio = bench_note_find(row, "over_aba");
        if (isnan(ratio) || row->n < LARGE || row->disagrees) continue;
        if (!worst || ratio > bench_note_find(worst, "over_aba")) worst = row;
    }
    return worst;
}

// The larger, or the smaller, of chain and tree; NAN when one of them is.
static double larger(double a, double b) { return isnan(a) || isnan(b) ? NAN : fmax(a, b); }
static double smaller(double a, double b) { return isnan(a) || isnan(b) ? NAN : fmin(a, b); }

static void find_ratios(bench_account* a) {
    const bench_rows* rows = &a->rows;
    const bench_row* dca = worst_dca(rows);
    bench_account_ratio(
        a, "vs_aba",
        smaller(against(rows, NAMES[0], "sinew:aba"), against(rows, NAMES[1], "sinew:aba")));
    bench_account_ratio(
        a, "vs_dca",
        smaller(against(rows, NAMES[0], "sinew:dca"), against(rows, NAMES[1], "sinew:dca")));
    bench_account_ratio(a, "flatness", larger(flatness(rows, NAMES[0]), flatness(rows, NAMES[1])));
    bench_account_ratio(a, "proportional",
                        larger(proportional(rows, NAMES[0]), proportional(rows, NAMES[1])));
    bench_account_ratio(a, "dca_over_aba", dca ? bench_note_find(dca, "over_aba") : NAN);
}

// ---- sentences --------------------------------------------------------------------------------------

static void say_steps(bench_account* a) {
    for (int i = 0; i < SHAPES; i++) {
        double step = step_of(&a->rows, NAMES[i], "1e5");
        double aba = against(&a->rows, NAMES[i], "sinew:aba");
        double dca = against(&a->rows, NAMES[i], "sinew:dca");
        if (isnan(step) || isnan(aba) || isnan(dca)) continue;
        bench_sentences_add(
            &a->sentences,
            "A whole step of a %s of 10^5 joints with %d active takes %.1f us: %.0f "
            "times less than one with ABA, %.0f times less than one with DCA.",
            i == 0 ? "chain" : "random tree", BENCH_ACTIVE, step, aba, dca);
    }
}

static void say_growth(bench_account* a) {
    double flat[SHAPES], share[SHAPES];
    for (int i = 0; i < SHAPES; i++) {
        flat[i] = flatness(&a->rows, NAMES[i]);
        share[i] = proportional(&a->rows, NAMES[i]);
    }
    if (isfinite(flat[0]) && isfinite(flat[1])) {
        bench_sentences_add(&a->sentences,
                            "From 10^3 to 10^6 joints the longest step is %.2f times the shortest "
                            "on chains and %.2f times on random trees.",
                            flat[0], flat[1]);
    }
    if (isfinite(share[0]) && isfinite(share[1])) {
        bench_sentences_add(&a->sentences,
                            "25 times as many active joints, 1250 for %d, take %.1f times as long "
                            "on a chain and %.1f times on a random tree.",
                            BENCH_ACTIVE, 25 * share[0], 25 * share[1]);
    }
}

static void say_rest(bench_account* a) {
    const bench_row *dca = worst_dca(&a->rows),
                    *build = bench_rows_find(&a->rows, "build-1e6", "sinew:adaptive");
    if (dca) {
        bench_sentences_add(&a->sentences,
                            "With every joint active, DCA takes at most %.2f times as long as ABA "
                            "(%s).",
                            bench_note_find(dca, "over_aba"), dca->line);
    }
    if (build) {
        bench_sentences_add(&a->sentences,
                            "A chain of 10^6 joints becomes a model in %.1f s and a world in %.1f "
                            "s; at most %.0f MB are held.",
                            bench_note_find(build, "model_seconds"),
                            bench_note_find(build, "world_seconds"),
                            bench_note_find(build, "megabytes"));
    }
}

// ---- chart ------------------------------------------------------------------------------------------

// Steps of a shape by an engine, over the number of joints.
static void add_sizes(plot_panel* panel, bench_curve* c, const bench_rows* rows, const char* shape,
                      const char* engine, const char* name) {
    for (int i = 0; i < SIZE_COUNT; i++) {
        char line[24];
        snprintf(line, sizeof line, "%s%s", shape, SIZES[i]);
        bench_curve_add(c, atof(SIZES[i]), time_of(rows, line, engine));
    }
    plot_add_series(panel, name, c->x, c->y, c->count, true);
}

static void add_actives(plot_panel* panel, bench_curve* c, const bench_rows* rows,
                        const char* shape, const char* name) {
    static const int ACTIVE[] = {10, BENCH_ACTIVE, 250, 1250};
    for (int i = 0; i < 4; i++) bench_curve_add(c, ACTIVE[i], with_active(rows, shape, ACTIVE[i]));
    plot_add_series(panel, name, c->x, c->y, c->count, true);
}

static bool draw_steps(const bench_rows* rows, bool inside, FILE* out) {
    bench_curve* c = memory_take(8, sizeof *c);
    plot p = {.title = "Whole steps with few joints active", .inside = inside, .panel_count = 2};
    p.subtitle = "snapshot, hash and choice of the active joints included; medians, log scales";
    plot_panel *size = &p.panels[0], *active = &p.panels[1];
    *size = (plot_panel){.title = "50 joints active, and all", .x_log = true, .y_log = true};
    *active = (plot_panel){.title = "10^5 joints", .x_log = true, .y_log = true};
    size->x_label = "joints";
    active->x_label = "active joints";
    size->y_label = active->y_label = "time of a step [us]";
    add_sizes(size, &c[0], rows, "chain", "sinew:adaptive", "chain, 50 active");
    add_sizes(size, &c[1], rows, "tree", "sinew:adaptive", "random tree, 50 active");
    add_sizes(size, &c[2], rows, "chain", "sinew:aba", "chain, ABA");
    add_sizes(size, &c[3], rows, "tree", "sinew:aba", "random tree, ABA");
    add_sizes(size, &c[4], rows, "chain", "sinew:dca", "chain, DCA");
    add_sizes(size, &c[5], rows, "tree", "sinew:dca", "random tree, DCA");
    add_actives(active, &c[6], rows, "chain", "chain");
    add_actives(active, &c[7], rows, "tree", "random tree");
    bool any = c[0].count > 0;
    if (any) svg_plot_write(&p, out);
    free(c);
    return any;
}

static const char* const METHOD[] = {
    "A step (0.2 ms) is sn_world_step, which publishes a snapshot, and sn_world_hash of the new "
    "state. Gravity acts from a bent configuration at rest; every 100 steps (20 ms) a hand takes "
    "hold of "
    "another body, which keeps it active, and pulls with 20 N, and a reader takes the newest "
    "snapshot.",
    "Adaptive worlds choose their active joints every ten steps: times are means over a multiple "
    "of ten "
    "steps, each ten with one choice. `changed` is how many active joints are others after a "
    "choice, on "
    "average; `left_out` the metric of the accelerations that are left out over that of all.",
    "Worlds with every joint active (sinew:aba, sinew:dca) take the same steps from the same "
    "configuration.",
    "Worlds of a shape take turns, another one first each time; the median over the repetitions "
    "counts.",
    "forward-*: (q, v, tau) to qdd as in `sinew bench dynamics`; `agree` is the largest difference "
    "of "
    "qdd from ABA's over the largest acceleration.",
    "build-*: time to make the model and the world, and the most memory that the process has held "
    "by "
    "the time that the world has made 300 steps.",
    NULL,
};

void bench_adaptive_account(bench_account* a) {
    a->name = "adaptive";
    a->heading = "Whole steps of worlds with few of many joints active";
    a->method = METHOD;
    a->charts[a->chart_count++] = (bench_chart){
        "steps.svg",
        "Time of a whole step over the number of joints, with 50 of them active and with all; and "
        "over the number of active joints. A flat line costs nothing for what sleeps.",
        draw_steps};
    find_ratios(a);
    say_steps(a);
    say_growth(a);
    say_rest(a);
}
