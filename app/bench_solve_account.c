// SPDX-License-Identifier: Apache-2.0
/// Ratios, sentences, tables and chart of `sinew bench solve`.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench_solve.h"
#include "median.h"
#include "memory.h"
#include "svg_plot.h"
#include "table.h"

enum { PROBLEMS_MOST = 1024 };

static const char OURS[] = "sinew:nsgs";

static bool is_solve(const bench_row* row) { return row->part == BENCH_SOLVE_PART; }

static bool is_solved(const bench_row* row) { return isfinite(row->median_us); }

// The row of the same problem by another engine; NULL engine: by an engine that is not ours.
static const bench_row* beside(const bench_rows* rows, const bench_row* row, const char* engine) {
    // Rows of a problem are neighbours; names of files may come twice.
    int at = (int)(row - rows->at), from = at, to = at;
    while (from > 0 && strcmp(rows->at[from - 1].line, row->line) == 0) from--;
    while (to + 1 < rows->count && strcmp(rows->at[to + 1].line, row->line) == 0) to++;
    for (int i = from; i <= to; i++) {
        const bench_row* other = &rows->at[i];
        if (engine ? strcmp(other->engine, engine) == 0 : other->peer) return other;
    }
    return NULL;
}

// ---- ratios and sentences ---------------------------------------------------------------------------

// Another engine's time over that of the default, on every problem that both solve; how many.
static int ratios_to(const bench_rows* rows, const char* engine, double* ratios) {
    int count = 0;
    for (int i = 0; i < rows->count; i++) {
        const bench_row* ours = &rows->at[i];
        if (!is_solve(ours) || strcmp(ours->engine, OURS) != 0 || !is_solved(ours)) continue;
        const bench_row* other = beside(rows, ours, engine);
        if (other && is_solved(other) && count < PROBLEMS_MOST)
            ratios[count++] = other->median_us / ours->median_us;
    }
    return count;
}

static int count_solved(const bench_rows* rows, const char* engine, int* all) {
    int solved = 0;
    *all = 0;
    for (int i = 0; i < rows->count; i++) {
        const bench_row* row = &rows->at[i];
        if (!is_solve(row) || (engine ? strcmp(row->engine, engine) != 0 : !row->peer)) continue;
        *all += 1;
        solved += is_solved(row);
    }
    return solved;
}

// The exponent of m with which a sweep grows, over the last two doublings.
static double growth_of(const bench_rows* rows, const char* engine) {
    const bench_row* last[3] = {NULL, NULL, NULL};
    for (int i = 0; i < rows->count; i++) {
        const bench_row* row = &rows->at[i];
        if (row->part != BENCH_SWEEP_PART || strcmp(row->engine, engine) != 0) continue;
        last[0] = last[1];
        last[1] = last[2];
        last[2] = row;
    }
    if (!last[0]) return NAN;
    return log(last[2]->median_us / last[0]->median_us) / log((double)last[2]->n / last[0]->n);
}

static void say_peer(bench_account* a, double* ratios) {
    int all, count = ratios_to(&a->rows, NULL, ratios);
    int theirs = count_solved(&a->rows, NULL, &all);
    if (all == 0) return;
    double middle = median_of(ratios, count);
    bench_account_ratio(a, "vs_siconos_median", middle);
    bench_sentences_add(
        &a->sentences,
        "Siconos (fc3d_nsgs) solves %d of %d problems in the time given; where both do, "
        "it takes %.1f times as long as ours in the median (%.1f to %.0f times).",
        theirs, all, middle, count ? ratios[0] : (double)NAN,
        count ? ratios[count - 1] : (double)NAN);
}

static void say_ways(bench_account* a, double* ratios) {
    static const char* const NAMES[] = {NULL, "vs_no_newton_median", "vs_plain_median",
                                        "vs_projection_median", "vs_admm_median"};
    int all, solved = count_solved(&a->rows, OURS, &all);
    bench_sentences_add(&a->sentences, "The default solves %d of %d problems in the time given.",
                        solved, all);
    for (int i = 1; bench_way_at(i); i++) {
        const bench_way* way = bench_way_at(i);
        int count = ratios_to(&a->rows, way->engine, ratios);
        int theirs = count_solved(&a->rows, way->engine, &all);
        double middle = median_of(ratios, count);
        bench_account_ratio(a, NAMES[i], middle);
        bench_sentences_add(
            &a->sentences,
            "%s solves %d of %d, in %.1f times the time in the median, up to %.0f times.",
            way->engine, theirs, all, middle, count ? ratios[count - 1] : (double)NAN);
    }
}

static void say_sweeps(bench_account* a) {
    double contact = growth_of(&a->rows, "contact-space"), body = growth_of(&a->rows, "body-space");
    bench_account_ratio(a, "contact_space_exponent", contact);
    bench_account_ratio(a, "body_space_exponent", body);
    bench_sentences_add(
        &a->sentences,
        "Over the last two doublings of m a sweep grows as m^%.2f in contact space and as "
        "m^%.2f in body space.",
        contact, body);
}

// ---- tables -----------------------------------------------------------------------------------------

static void format_ms(double us, char* text, size_t size) {
    double ms = 1e-3 * us;
    snprintf(text, size, ms < 0.1 ? "%.4f" : ms < 10 ? "%.3f" : "%.1f", ms);
}

static void put_cell(table* t, const bench_row* row) {
    char time[32];
    if (!row || !is_solved(row)) {
        table_cell(t, "%s", row ? "not solved" : "-");
        return;
    }
    double newton = bench_note_find(row, "newton");
    format_ms(row->median_us, time, sizeof time);
    if (newton > 0)
        table_cell(t, "%s (%.0f+%.0fN)", time, bench_note_find(row, "iterations"), newton);
    else
        table_cell(t, "%s (%.0f)", time, bench_note_find(row, "iterations"));
}

static void print_problems(const bench_rows* rows) {
    char align[16] = "lr", titles[256] = "problem|contacts";
    bool peer = false;
    int columns = 2;
    for (int i = 0; i < rows->count; i++) peer = peer || rows->at[i].peer;
    for (int i = 0; bench_way_at(i); i++) {
        size_t length = strlen(titles);
        snprintf(titles + length, sizeof titles - length, "|%s", bench_way_at(i)->title);
        align[columns++] = 'r';
    }
    if (peer) {
        strncat(titles, "|siconos", sizeof titles - strlen(titles) - 1);
        align[columns] = 'r';
    }
    table* t = table_create(align, titles);
    for (int i = 0; i < rows->count; i++) {
        const bench_row* row = &rows->at[i];
        if (!is_solve(row) || strcmp(row->engine, OURS) != 0) continue;
        table_cell(t, "%s", row->line);
        table_cell(t, "%d", row->n);
        for (int k = 0; bench_way_at(k); k++)
            put_cell(t, beside(rows, row, bench_way_at(k)->engine));
        if (peer) put_cell(t, beside(rows, row, NULL));
    }
    printf("%s: milliseconds (iterations + Newton steps)\n", BENCH_SOLVE_PART);
    table_print(t, 2, stdout);
    printf("\n");
}

static void print_sweeps(const bench_rows* rows) {
    table* t = table_create("rrr", "m|contact space [us]|body space [us]");
    for (int i = 0; i < rows->count; i++) {
        const bench_row* row = &rows->at[i];
        if (row->part != BENCH_SWEEP_PART || strcmp(row->engine, "contact-space") != 0) continue;
        const bench_row* body = beside(rows, row, "body-space");
        table_cell(t, "%d", row->n);
        table_cell(t, "%.2f", row->median_us);
        table_cell(t, "%.2f", body ? body->median_us : (double)NAN);
    }
    printf("%s\n", BENCH_SWEEP_PART);
    table_print(t, 2, stdout);
    printf("\n");
}

static void print_rows(const bench_rows* rows) {
    print_problems(rows);
    print_sweeps(rows);
}

// ---- chart ------------------------------------------------------------------------------------------

static void add_curve(plot_panel* panel, const bench_rows* rows, const char* engine,
                      const char* name, bench_curve* c) {
    for (int i = 0; i < rows->count; i++) {
        const bench_row* row = &rows->at[i];
        if (row->part == BENCH_SWEEP_PART && strcmp(row->engine, engine) == 0)
            bench_curve_add(c, row->n, row->median_us);
    }
    plot_add_series(panel, name, c->x, c->y, c->count, true);
}

// A power of m through the last point of a curve.
static void add_law(plot_panel* panel, const bench_curve* from, double power, const char* name,
                    bench_curve* c) {
    for (int i = 0; i < from->count; i++)
        bench_curve_add(c, from->x[i],
                        from->y[from->count - 1] *
                            pow(from->x[i] / from->x[from->count - 1], power));
    plot_add_series(panel, name, c->x, c->y, c->count, false);
}

static bool draw_sweeps(const bench_rows* rows, bool inside, FILE* out) {
    bench_curve* c = memory_take(4, sizeof *c);
    plot p = {.title = "Cost of a sweep over m contacts", .inside = inside, .panel_count = 1};
    plot_panel* panel = &p.panels[0];
    p.subtitle = "humanoid, four touching bodies; medians, logarithmic axes";
    *panel = (plot_panel){.title = "Plain Gauss-Seidel", .x_log = true, .y_log = true};
    panel->x_label = "contacts m";
    panel->y_label = "time of a sweep [us]";
    add_curve(panel, rows, "contact-space", "contact space", &c[0]);
    add_curve(panel, rows, "body-space", "body space", &c[1]);
    add_law(panel, &c[0], 2, "as m^2", &c[2]);
    add_law(panel, &c[1], 1, "as m", &c[3]);
    bool any = c[0].count > 0;
    if (any) svg_plot_write(&p, out);
    free(c);
    return any;
}

static const char* const METHOD[] = {
    "Problems: towers and walls of free boxes, one object on many bumps, a humanoid (hrp2) on "
    "points below "
    "feet and hands, chains of capsules, all made here and given by bodies; then the files that "
    "were given, "
    "with W as a matrix.",
    "Solved from zero impulses until |r - proj(r - u^)| / |q| is at most 1e-8, with the problem as "
    "given: the "
    "error that sinew solve --siconos-error means. Reading problems and creating solvers is not "
    "counted.",
    "sinew:nsgs is the default. sinew:nsgs-no-newton hands nothing to Newton's method, "
    "sinew:gauss-seidel "
    "has plain sweeps too. A solve that takes longer than its limit (2 s, quick 0.25 s) counts as "
    "not solved.",
    "siconos:fc3d_nsgs is Siconos' Gauss-Seidel with its default local solver, W as sparse blocks, "
    "in a "
    "process of its own; its error is recomputed by ours.",
    "sweep-m: plain sweeps of sinew:nsgs, 10 less 2 of them, in contact space (velocities of "
    "contacts "
    "are kept) and in body space (velocities of the four bodies are kept). All points press on a "
    "skin, "
    "so that "
    "each carries its part.",
    "Our solvers take turns, another one first each time; the median over the repetitions counts.",
    NULL,
};

void bench_solve_account(bench_account* a) {
    double* ratios = memory_take(PROBLEMS_MOST, sizeof *ratios);
    a->name = "solve";
    a->heading = "Contact problems solved to |.|/|q| <= 1e-8";
    a->count_of = "contacts";
    a->print_rows = print_rows;
    a->method = METHOD;
    a->charts[a->chart_count++] = (bench_chart){
        "sweeps.svg",
        "What a sweep costs over the number of contacts, in contact and in body space.",
        draw_sweeps};
    say_peer(a, ratios);
    say_ways(a, ratios);
    say_sweeps(a);
    free(ratios);
}
