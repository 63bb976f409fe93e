// SPDX-License-Identifier: Apache-2.0
/// Chardonnet 2012 solves Coulomb's cone itself by Gauss-Seidel, against linear complementarity problems in
/// which a pyramid stands for it: those bend the friction towards their edges, and more facets, which bend
/// it less, cost more.   [C12 3] [ST96]
/// Here: a box slides in all directions, and towers of boxes slide on each other.
#include <stdio.h>
#include <stdlib.h>

#include "json_writer.h"
#include "lcp_study.h"
#include "memory.h"
#include "reproduce.h"
#include "svg_plot.h"
#include "table.h"

// ---- text ----------------------------------------------------------------------------------------

static void print_summary(const lcp_study* s, FILE* out) {
    table* t = table_create(
        "lrrrrr", "solver|friction askew by|at most|mean residual|pivots x size^2, towers|time");
    for (int c = 0; c < LCP_CONTENDER_COUNT; c++) {
        const lcp_contender* by = &s->contender[c];
        table_cell(t, "%s", by->label);
        table_cell(t, "%.3g deg", s->slide_direction[c]);
        if (by->facets) {
            table_cell(t, "%.4g deg", 180.0 / by->facets);
        } else {
            table_cell(t, "0 deg");
        }
        table_cell(t, "%.1e", s->mean_residual[c]);
        if (c < LCP_EXACT) {
            table_cell(t, "%.2g", s->pile_work[c]);
        } else {
            table_cell(t, "%s", "");
        }
        table_cell(t, "%.3g ms", 1e3 * s->pile_seconds[c]);
    }
    table_print(t, 2, out);
}

static void print_piles(const lcp_study* s, FILE* out) {
    table* t = table_create("rrrrrrrrr", "contacts|residual, 4|8|16|cones|time [ms], 4|8|16|cones");
    for (int i = 0; i < s->piles; i++) {
        table_cell(t, "%g", s->contacts[i]);
        for (int c = 0; c < LCP_CONTENDER_COUNT; c++) table_cell(t, "%.1e", s->pile[c][i].residual);
        for (int c = 0; c < LCP_CONTENDER_COUNT; c++)
            table_cell(t, "%.3g", 1e3 * s->pile[c][i].seconds);
    }
    table_print(t, 2, out);
}

static void print_study(const void* of, FILE* out) {
    const lcp_study* s = of;
    fprintf(
        out,
        "Friction cones as pyramids against cones                                 [C12] [ST96]\n\n"
        "A box slides on four feet in %d directions; towers of boxes slide on each other. "
        "Pyramids\n"
        "are solved exactly, by Lemke's method; cones to 1e-8. The residual is that of the cones\n"
        "(natural map, scaled). Pyramids push along their edges only, so friction is askew by up\n"
        "to half the angle between two.\n\n",
        s->angles);
    print_summary(s, out);
    fprintf(out, "\nTowers, by contacts; columns by facets:\n\n");
    print_piles(s, out);
}

// ---- JSON ----------------------------------------------------------------------------------------

static void write_run(json_writer* w, const lcp_contender* by, const char* key, double value,
                      const lcp_run* run) {
    jw_object_line(w);
    jw_key(w, "solver");
    jw_text(w, by->solver);
    jw_key(w, "facets"); // 0: cones
    jw_integer(w, by->facets);
    jw_key(w, key);
    jw_number(w, value);
    jw_key(w, "residual");
    jw_number(w, run->residual);
    jw_key(w, "direction_deg");
    jw_number(w, run->direction);
    jw_key(w, "iterations");
    jw_integer(w, run->iterations);
    jw_key(w, "seconds");
    jw_number(w, run->seconds);
    jw_object_end(w);
}

static void write_study(const void* of, json_writer* w) {
    const lcp_study* s = of;
    jw_key(w, "summary");
    jw_array(w);
    for (int c = 0; c < LCP_CONTENDER_COUNT; c++) {
        jw_object_line(w);
        jw_key(w, "solver");
        jw_text(w, s->contender[c].solver);
        jw_key(w, "facets");
        jw_integer(w, s->contender[c].facets);
        jw_key(w, "direction_deg");
        jw_number(w, s->slide_direction[c]);
        jw_key(w, "mean_residual");
        jw_number(w, s->mean_residual[c]);
        jw_key(w, "seconds");
        jw_number(w, s->pile_seconds[c]);
        jw_object_end(w);
    }
    jw_array_end(w);
    jw_key(w, "slides");
    jw_array(w);
    for (int c = 0; c < LCP_CONTENDER_COUNT; c++)
        for (int i = 0; i < s->angles; i++)
            write_run(w, &s->contender[c], "angle_deg", s->angle_deg[i], &s->slide[c][i]);
    jw_array_end(w);
    jw_key(w, "towers");
    jw_array(w);
    for (int c = 0; c < LCP_CONTENDER_COUNT; c++)
        for (int i = 0; i < s->piles; i++)
            write_run(w, &s->contender[c], "contacts", s->contacts[i], &s->pile[c][i]);
    jw_array_end(w);
}

// ---- plot ----------------------------------------------------------------------------------------

static void draw_study(const void* of, FILE* file) {
    const lcp_study* s = of;
    double askew[LCP_CONTENDER_COUNT][LCP_ANGLES_MOST];
    double residual[LCP_CONTENDER_COUNT][LCP_PILES_MOST], ms[LCP_CONTENDER_COUNT][LCP_PILES_MOST];
    plot p = {.title = "Friction cones, and pyramids that stand for them", .panel_count = 3};
    p.subtitle = "Stewart-Trinkle LCP by Lemke's method against exact cones; Chardonnet 2012";
    p.panels[0] = (plot_panel){.title = "A sliding box: angle between friction and what it opposes",
                               .x_label = "direction of sliding [deg]",
                               .y_label = "askew by [deg]"};
    p.panels[1] = (plot_panel){.title = "Towers of sliding boxes: residual of the cones",
                               .x_label = "contacts",
                               .y_label = "residual",
                               .y_log = true};
    p.panels[2] = (plot_panel){.title = "The same: time of a solve from zero",
                               .x_label = "contacts",
                               .y_label = "time [ms]",
                               .y_log = true};
    for (int c = 0; c < LCP_CONTENDER_COUNT; c++) {
        const char* label = s->contender[c].label;
        for (int i = 0; i < s->angles; i++) askew[c][i] = s->slide[c][i].direction;
        for (int i = 0; i < s->piles; i++) {
            residual[c][i] = s->pile[c][i].residual;
            ms[c][i] = 1e3 * s->pile[c][i].seconds;
        }
        plot_add_series(&p.panels[0], label, s->angle_deg, askew[c], s->angles, true);
        plot_add_series(&p.panels[1], label, s->contacts, residual[c], s->piles, true);
        plot_add_series(&p.panels[2], label, s->contacts, ms[c], s->piles, true);
    }
    svg_plot_write(&p, file);
}

// ---- running -------------------------------------------------------------------------------------

typedef struct study {
    lcp_study numbers; ///< first, so that it is what the others are given
    bool quick;
} study;

static bool carry_out(void* of, bool* holds) {
    study* s = of;
    if (!lcp_study_measure(&s->numbers, s->quick)) return false;
    *holds = s->numbers.holds;
    return true;
}

int reproduce_lcp_vs_nsgs(const reproduce_options* options) {
    study* s = memory_take(1, sizeof *s);
    const reproduce_study r = {"lcp-vs-nsgs", s,           carry_out, draw_study,
                               write_study,   print_study, NULL};
    s->quick = options->quick;
    int status = reproduce_run(options, &r);
    free(s);
    return status;
}
