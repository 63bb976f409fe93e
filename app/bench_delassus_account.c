// SPDX-License-Identifier: Apache-2.0
/// Ratios, sentences and charts of `sinew bench delassus`.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench_delassus.h"
#include "memory.h"
#include "svg_plot.h"

static const double PAPER = 6.5; // per point over per body [C12]
// Notes on other engines: Pinocchio 3.7, computeDelassusMatrix, talos_reduced with 2, 4 and 8 bodies, us; one
// core of the same kind of machine, not this run.
static const double PINOCCHIO[] = {9.8, 12.8, 17.6};

static const char* const METHODS[] = {"per-point", "per-body", "chang-khatib", "compressed",
                                      "tree"};
enum { METHOD_COUNT = sizeof METHODS / sizeof METHODS[0] };

static const bench_row* find(const bench_rows* rows, const char* line, const char* method) {
    char engine[48];
    snprintf(engine, sizeof engine, "sinew:%s", method);
    return bench_rows_find(rows, line, engine);
}

// The smallest time: these are microseconds without memory or system calls, and only a busy machine makes
// them longer.
static double time_of(const bench_rows* rows, const char* line, const char* method) {
    const bench_row* row = find(rows, line, method);
    return row ? row->min_us : NAN;
}

static double work_of(const bench_rows* rows, const char* line, const char* method) {
    const bench_row* row = find(rows, line, method);
    if (!row) return NAN;
    return bench_note_find(row, "multiplications_omega") +
           bench_note_find(row, "multiplications_projection");
}

/// The quickest method at 32 points.
static const char* best_method(const bench_rows* rows) {
    const char* best = METHODS[0];
    for (int m = 1; m < METHOD_COUNT; m++) {
        if (time_of(rows, "hrp2-32", METHODS[m]) < time_of(rows, "hrp2-32", best))
            best = METHODS[m];
    }
    return best;
}

// ---- ratios and sentences ---------------------------------------------------------------------------

static void find_ratios(bench_account* a) {
    const bench_rows* rows = &a->rows;
    double per_point = time_of(rows, "hrp2-32", "per-point");
    double work = work_of(rows, "hrp2-32", "per-point");
    bench_account_ratio(a, "per_point_over_per_body",
                        per_point / time_of(rows, "hrp2-32", "per-body"));
    bench_account_ratio(a, "per_point_over_best",
                        per_point / time_of(rows, "hrp2-32", best_method(rows)));
    bench_account_ratio(a, "work_per_point_over_per_body",
                        work / work_of(rows, "hrp2-32", "per-body"));
    bench_account_ratio(a, "work_per_point_over_compressed",
                        work / work_of(rows, "hrp2-32", "compressed"));
    bench_account_ratio(a, "omega_per_point_over_per_body",
                        time_of(rows, "hrp2-32-omega", "per-point") /
                            time_of(rows, "hrp2-32-omega", "per-body"));
    bench_account_ratio(a, "compressed_8192_over_32",
                        time_of(rows, "chain8192", "compressed") /
                            time_of(rows, "chain32", "compressed"));
    bench_account_ratio(a, "tree_8192_over_32",
                        time_of(rows, "chain8192", "tree") / time_of(rows, "chain32", "tree"));
}

static void say_points(bench_account* a) {
    const bench_rows* rows = &a->rows;
    double per_point = time_of(rows, "hrp2-32", "per-point");
    double per_body = time_of(rows, "hrp2-32", "per-body");
    const char* best = best_method(rows);
    bench_sentences_add(&a->sentences,
                        "hrp2 with 32 points, 8 at each foot and hand: per point %.2f us, per body "
                        "%.2f us, %.1f times less; the paper has about %.1f. Counted "
                        "multiplications are %.1f times fewer.",
                        per_point, per_body, per_point / per_body, PAPER,
                        work_of(rows, "hrp2-32", "per-point") /
                            work_of(rows, "hrp2-32", "per-body"));
    bench_sentences_add(
        &a->sentences,
        "The quickest method, %s, takes %.2f us, %.1f times less than per point; "
        "%.2f us of it are the response of the four bodies, %.2f us the "
        "projection to 96 rows. Bodies that change every time: %.2f us.",
        best, time_of(rows, "hrp2-32", best), per_point / time_of(rows, "hrp2-32", best),
        time_of(rows, "hrp2-32-omega", best), time_of(rows, "hrp2-32-projection", best),
        time_of(rows, "hrp2-32-new", "compressed"));
}

static void say_welds(bench_account* a) {
    const bench_rows* rows = &a->rows;
    double forward[3], response[3];
    static const char* const LINES[3][2] = {{"hrp2-c2-forward", "hrp2-c2"},
                                            {"hrp2-c4-forward", "hrp2-c4"},
                                            {"hrp2-c8-forward", "hrp2-c8"}};
    for (int k = 0; k < 3; k++) {
        forward[k] = time_of(rows, LINES[k][0], "compressed");
        response[k] = time_of(rows, LINES[k][1], "compressed");
    }
    bench_sentences_add(&a->sentences,
                        "Six directions of 2, 4, 8 bodies of hrp2, forward dynamics included: "
                        "%.2f, %.2f, %.2f us; the response alone %.2f, %.2f, %.2f us.",
                        forward[0], forward[1], forward[2], response[0], response[1], response[2]);
    bench_sentences_add(&a->sentences,
                        "Not of this run: Pinocchio 3.7, computeDelassusMatrix, took %.1f, %.1f, "
                        "%.1f us on talos_reduced (32 hinges and a free base, as hrp2 has) on one "
                        "core of such a machine; its inertias and articulated inertias are in it, "
                        "as in our first three.",
                        PINOCCHIO[0], PINOCCHIO[1], PINOCCHIO[2]);
}

static void say_chains(bench_account* a) {
    const bench_rows* rows = &a->rows;
    bench_sentences_add(&a->sentences,
                        "Four bodies of a chain of 32 and of 8192 joints: compressed %.2f and %.1f "
                        "us, linear in the joints; tree %.2f and %.2f us.",
                        time_of(rows, "chain32", "compressed"),
                        time_of(rows, "chain8192", "compressed"), time_of(rows, "chain32", "tree"),
                        time_of(rows, "chain8192", "tree"));
}

// ---- charts -----------------------------------------------------------------------------------------

static bool draw_points(const bench_rows* rows, bool inside, FILE* out) {
    bench_curve* c = memory_take(METHOD_COUNT + 2, sizeof *c);
    plot p = {.title = "Delassus operator", .inside = inside, .panel_count = 2};
    p.subtitle = "smallest times; all axes are logarithmic";
    plot_panel *points = &p.panels[0], *chain = &p.panels[1];
    *points = (plot_panel){.title = "W of hrp2, feet and hands", .x_log = true, .y_log = true};
    *chain = (plot_panel){.title = "Response of four bodies of a chain", .x_log = true};
    chain->y_log = true;
    points->x_label = "contact points";
    chain->x_label = "joints";
    points->y_label = chain->y_label = "time [us]";
    for (int m = 0; m < METHOD_COUNT; m++) {
        for (int n = 8; n <= 128; n *= 2) {
            char line[24];
            snprintf(line, sizeof line, "hrp2-%d", n);
            bench_curve_add(&c[m], n, time_of(rows, line, METHODS[m]));
        }
        plot_add_series(points, METHODS[m], c[m].x, c[m].y, c[m].count, true);
    }
    for (int m = 0; m < 2; m++) {
        bench_curve* curve = &c[METHOD_COUNT + m];
        const char* method = m == 0 ? "compressed" : "tree";
        for (int n = 32; n <= 8192; n *= 4) {
            char line[24];
            snprintf(line, sizeof line, "chain%d", n);
            bench_curve_add(curve, n, time_of(rows, line, method));
        }
        plot_add_series(chain, method, curve->x, curve->y, curve->count, true);
    }
    bool any = c[0].count > 0;
    if (any) svg_plot_write(&p, out);
    free(c);
    return any;
}

static const char* const METHOD[] = {
    "hrp2-N: sn_delassus_matrix of N contact points against the world, a quarter of them at each "
    "of "
    "l_ankle, r_ankle, l_wrist and r_wrist in a grid of 24 by 13 cm, three rows each; W in full, "
    "3N "
    "by 3N. Factors of sn_dynamics_forward at a random state are given: aba for all methods but "
    "tree, which reads those of dca.",
    "hrp2-N-new: the same with the bodies in another order each time, so that nothing of the "
    "compressed tree is kept from the time before. hrp2-32-omega, hrp2-32-projection: the two "
    "halves. hrp2-32-product: sn_delassus_apply, one product with W by an impulse pass.",
    "hrp2-cK: sn_delassus_response of K bodies, 6K by 6K: feet, then hands; eight are the deepest "
    "bodies and those that carry them, as for models given by --lines. -forward: with "
    "sn_dynamics_forward before it, by turns at two states.",
    "chainN: sn_delassus_response of four bodies spread evenly over a chain of N hinges.",
    "multiplications are counted from the joints that are passed, not measured; what tree takes "
    "depends on its nodes and is not counted. agree: largest difference from the dense operator, "
    "relative to its largest entry.",
    "All rows take turns, another one first each time. Ratios, sentences and charts are of the "
    "smallest times over the repetitions.",
    NULL,
};

void bench_delassus_account(bench_account* a) {
    a->name = "delassus";
    a->heading = "The Delassus operator J M^-1 J^T by every method";
    a->method = METHOD;
    a->charts[a->chart_count++] = (bench_chart){
        "delassus.svg",
        "What the Delassus operator of a humanoid takes by every method, over the number of "
        "contact "
        "points; and the response of four bodies over the number of joints of a chain.",
        draw_points};
    find_ratios(a);
    say_points(a);
    say_welds(a);
    say_chains(a);
}
