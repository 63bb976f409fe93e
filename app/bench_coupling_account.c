// SPDX-License-Identifier: Apache-2.0
/// Ratios, sentences and chart of `sinew bench coupling`.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench_coupling.h"
#include "memory.h"
#include "svg_plot.h"

// The row of a case, whatever dynamics it was measured with.
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

// ---- ratios and sentences ---------------------------------------------------------------------------

static void find_ratios(bench_account* a) {
    const bench_rows* rows = &a->rows;
    bench_account_ratio(a, "growth_1e6_over_1e3",
                        time_of(rows, "refresh-1e6") / time_of(rows, "refresh-1e3"));
    bench_account_ratio(a, "fresh_1e6_over_1e3",
                        time_of(rows, "refresh-1e6-fresh") / time_of(rows, "refresh-1e3-fresh"));
    bench_account_ratio(a, "tick_1e6_over_857",
                        time_of(rows, "tick-1e6") / time_of(rows, "tick-857"));
    bench_account_ratio(a, "two_pass_over_tick",
                        time_of(rows, "two-pass-857") / time_of(rows, "tick-857"));
}

static void say_sizes(bench_account* a) {
    const bench_rows* rows = &a->rows;
    const bench_row* million = find(rows, "refresh-1e6");
    bench_sentences_add(
        &a->sentences,
        "The law of one grabbed body takes %.2f us on a chain of 40 joints and %.2f "
        "us on a branched body of 857; right after forward dynamics, with other "
        "things in the caches, %.2f and %.2f us.",
        time_of(rows, "refresh-40"), time_of(rows, "refresh-857"),
        time_of(rows, "refresh-40-fresh"), time_of(rows, "refresh-857-fresh"));
    if (million) {
        bench_sentences_add(&a->sentences,
                            "On a chain of 10^6 joints (%s) it takes %.2f us, %.2f times what it "
                            "takes on one of 10^3; right after forward dynamics %.2f us.",
                            million->engine, million->median_us,
                            million->median_us / time_of(rows, "refresh-1e3"),
                            time_of(rows, "refresh-1e6-fresh"));
    }
    bench_sentences_add(&a->sentences,
                        "Evaluating the law takes %.1f ns on 857 joints, a tick of the local model "
                        "%.0f ns; the answer for one wrench without a law, by two passes, %.2f us.",
                        1e3 * time_of(rows, "tick-857"), 1e3 * time_of(rows, "local-857"),
                        time_of(rows, "two-pass-857"));
}

static void say_hands(bench_account* a) {
    const bench_row *one = find(&a->rows, "hands-1"), *eight = find(&a->rows, "hands-8");
    if (!one || !eight) return;
    bench_sentences_add(&a->sentences,
                        "On a chain of %d joints one hand visits %.0f nodes of the assembly tree, "
                        "eight %.0f: %.2f and %.2f times k log2(n/k).",
                        BENCH_HANDS_JOINTS, bench_note_find(one, "nodes"),
                        bench_note_find(eight, "nodes"), bench_note_find(one, "nodes_over_that"),
                        bench_note_find(eight, "nodes_over_that"));
}

// ---- chart ------------------------------------------------------------------------------------------

// A task over the number of joints; `format` names its rows.
static void add_sizes(plot_panel* panel, bench_curve* c, const bench_rows* rows, const char* before,
                      const char* after, const char* name) {
    static const char* const SIZES[] = {"40", "857", "1e3", "1e6"};
    for (int i = 0; i < 4; i++) {
        char line[24];
        snprintf(line, sizeof line, "%s%s%s", before, SIZES[i], after);
        bench_curve_add(c, atof(SIZES[i]), time_of(rows, line));
    }
    plot_add_series(panel, name, c->x, c->y, c->count, true);
}

static void add_hands(plot_panel* panel, bench_curve* nodes, bench_curve* law,
                      const bench_rows* rows) {
    for (int k = 1; k <= 8; k *= 2) {
        char line[24];
        snprintf(line, sizeof line, "hands-%d", k);
        const bench_row* row = find(rows, line);
        if (!row) continue;
        bench_curve_add(nodes, k, bench_note_find(row, "nodes"));
        bench_curve_add(law, k, bench_note_find(row, "k_log2_n_over_k"));
    }
    plot_add_series(panel, "visited", nodes->x, nodes->y, nodes->count, true);
    plot_add_series(panel, "k log2(n/k)", law->x, law->y, law->count, true);
}

static bool draw_coupling(const bench_rows* rows, bool inside, FILE* out) {
    bench_curve* c = memory_take(8, sizeof *c);
    plot p = {.title = "What a hand feels", .inside = inside, .panel_count = 2};
    p.subtitle = "medians; the axes of the first panel are logarithmic";
    plot_panel *size = &p.panels[0], *hands = &p.panels[1];
    *size = (plot_panel){.title = "One hand", .x_log = true, .y_log = true};
    *hands = (plot_panel){.title = "Several hands, k, on a chain of 2000 joints"};
    size->x_label = "joints";
    size->y_label = "time [us]";
    hands->x_label = "hands";
    hands->y_label = "nodes of the assembly tree";
    add_sizes(size, &c[0], rows, "refresh-", "", "making the law");
    add_sizes(size, &c[1], rows, "refresh-", "-fresh", "the same, right after forward dynamics");
    add_sizes(size, &c[2], rows, "two-pass-", "", "by two passes, one wrench");
    add_sizes(size, &c[3], rows, "tick-", "", "evaluating the law");
    add_sizes(size, &c[4], rows, "local-", "", "tick of the local model");
    add_hands(hands, &c[5], &c[6], rows);
    bool any = c[0].count > 0;
    if (any) svg_plot_write(&p, out);
    free(c);
    return any;
}

static const char* const METHOD[] = {
    "refresh-N: sn_dynamics_coupling for one hand on the body in the middle, after forward "
    "dynamics "
    "with every joint active (sinew:dca), many times in a row: 40 and 1e3 are chains, 857 is a "
    "backbone "
    "with side chains of up to four hinges, 1e6 a chain. Where the memory does not suffice, 10^6 "
    "joints "
    "are held by sinew:adaptive with 500 active, and the row says so.",
    "refresh-N-fresh: the same, each right after a forward dynamics of the whole body, whose time "
    "is not "
    "counted: what a simulation that refreshes once a step sees. Each is timed by itself; reading "
    "the "
    "clock is in it.",
    "two-pass-N: sn_dynamics_feel for a wrench that changes. tick-N: sn_coupling_tick, local-N: "
    "sn_local_model_tick, both timed 1000 at once, the time is of one. prepare-N: "
    "sn_local_model_prepare, once a law.",
    "hands-K: the law of K hands spread evenly over a chain of 2000 joints; `nodes` of the "
    "assembly tree "
    "were visited.",
    "All rows take turns, another one first each time; the median over the repetitions counts.",
    NULL,
};

void bench_coupling_account(bench_account* a) {
    a->name = "coupling";
    a->heading = "What a hand feels: making the law of a grabbed body, and evaluating it";
    a->method = METHOD;
    a->charts[a->chart_count++] = (bench_chart){
        "coupling.svg",
        "What it takes to make the law of a grabbed body and to evaluate it, over the number of "
        "joints; and the nodes of the assembly tree that are visited for several hands.",
        draw_coupling};
    find_ratios(a);
    say_sizes(a);
    say_hands(a);
}
