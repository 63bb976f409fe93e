// SPDX-License-Identifier: Apache-2.0
/// Morin and Redon 2007 pull two proteins by hand, a helix of polyalanine (40 degrees of freedom) and bacteriorhodopsin
/// (857), and show the time of coupling and of simulation steps while residues are grabbed (a to f): coupling takes some
/// tens of microseconds whatever the size, preparing its coefficients makes steps longer while grabbed, and between d
/// and e 857 active joints become 48.   [MR07]
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "bench_hand.h"
#include "json_writer.h"
#include "memory.h"
#include "message.h"
#include "morin_protein.h"
#include "reproduce.h"
#include "svg_plot.h"
#include "table.h"

// Printed by the paper: its figures are not at hand. 3 GHz dual Xeon.
static const double PAPER_COUPLING_US = 50, PAPER_STEP_MS_LOW = 10, PAPER_STEP_MS_HIGH = 12;
static const double PAPER_RATE_HZ = 10000;

enum {
    PROTEINS = 2,
    SIZES = 4,
    STEPS = 100,
    QUICK_STEPS = 15,
    BUDGET = 48,
    LAST_FULL = 7,
    REDUCED = 9
};
static const double GROWTH_MOST = 3; // 10^6 joints over 10^3

static const bench_line_spec LINES[SIZES] = {{"1e3", "chain:1000", 0},
                                             {"1e4", "chain:10000", 0},
                                             {"1e5", "chain:100000", 0},
                                             {"1e6", "chain:1000000", LINE_SLOW}};

typedef struct study {
    bool quick;
    morin_run runs[PROTEINS];
    double joints[SIZES], refresh_us[SIZES]; ///< NAN: left out
    bool fast, reduced, flat, holds;
} study;

// ---- measuring ------------------------------------------------------------------------------------

/// Making the law of a grabbed body on longer and longer chains, 500 joints active.
static bool measure_growth(study* s) {
    for (int i = 0; i < SIZES; i++) {
        s->joints[i] = pow(10, 3 + i);
        s->refresh_us[i] = NAN;
        if (s->quick && i >= 2) continue;
        bench_progress("chain of %s joints", LINES[i].name);
        bench_held held;
        bench_contender c;
        if (!bench_held_make(&held, &LINES[i], "adaptive", 1)) return false;
        bench_open_hand(&c, &held, HAND_REFRESH, LINES[i].name);
        bench_measure(&c, 1, s->quick ? 5 : 41, 2e-3);
        s->refresh_us[i] = c.row.min_us;
        bench_close(&c);
        bench_held_free(&held);
    }
    return true;
}

static void judge(study* s) {
    const morin_run* large = &s->runs[1];
    s->fast = true;
    for (int p = 1; p < MORIN_PHASES; p += 2) {
        for (int k = 0; k < PROTEINS; k++) {
            const morin_phase* phase = &s->runs[k].phases[p];
            s->fast = s->fast && phase->coupling_us + phase->tick_us < 1e6 / PAPER_RATE_HZ;
        }
    }
    s->reduced = large->phases[LAST_FULL].active == large->dof &&
                 large->phases[REDUCED].active <= BUDGET &&
                 large->phases[REDUCED].step_us < large->phases[LAST_FULL].step_us;
    s->flat = true;
    for (int i = 1; i < SIZES; i++) {
        if (isfinite(s->refresh_us[i])) s->flat = s->refresh_us[i] < GROWTH_MOST * s->refresh_us[0];
    }
    s->holds = s->fast && s->reduced && s->flat;
}

static bool carry_out(void* of, bool* holds) {
    study* s = of;
    static const char* const NAMES[PROTEINS] = {"ala:20", "bacteriorhodopsin"};
    for (int k = 0; k < PROTEINS; k++) {
        s->runs[k] = (morin_run){.molecule = NAMES[k], .budget = k ? BUDGET : 0};
        s->runs[k].steps = s->quick ? QUICK_STEPS : STEPS;
        bench_progress("hand in %s", NAMES[k]);
        if (!morin_interact(&s->runs[k])) return false;
    }
    bool good = measure_growth(s);
    bench_progress_end();
    if (!good) return false;
    judge(s);
    *holds = s->holds;
    return true;
}

// ---- text -----------------------------------------------------------------------------------------

static void add_time(table* t, double us) {
    if (isfinite(us)) {
        table_cell(t, us < 1 ? "%.3f" : "%.1f", us);
    } else {
        table_cell(t, "-");
    }
}

static void print_run(const morin_run* run, FILE* out) {
    fprintf(out,
            "%s: %d atoms, %d torsions. Medians over %d steps of each phase, in microseconds.\n\n",
            run->molecule, run->atoms, run->dof, run->steps);
    table* t = table_create("lrrrrr", "phase|active|simulation step|making the law|tick|felt [pN]");
    for (int p = 0; p < MORIN_PHASES; p++) {
        const morin_phase* phase = &run->phases[p];
        table_cell(t, "%s", phase->name);
        table_cell(t, "%d", phase->active);
        add_time(t, phase->step_us);
        add_time(t, phase->coupling_us);
        add_time(t, phase->tick_us);
        if (phase->grabbed) {
            table_cell(t, "%.0f", phase->felt_pn);
        } else {
            table_cell(t, "-");
        }
    }
    table_print(t, 2, out);
    fprintf(out, "\n");
}

/// Rows of the paper: idle, grabbed with coefficients prepared, coupling tick.
static void print_beside(const study* s, FILE* out) {
    const morin_run *small = &s->runs[0], *large = &s->runs[1];
    fprintf(
        out,
        "Beside what the paper prints (3 GHz dual Xeon, 2007; its curves are not at hand):\n\n");
    table* t = table_create("llll", "what|paper|here, 40 torsions|here, 857 torsions");
    table_cell(t, "idle step");
    table_cell(t, "%.0f-%.0f ms (40, all active)", PAPER_STEP_MS_LOW, PAPER_STEP_MS_HIGH);
    table_cell(t, "%.3f ms", 1e-3 * small->phases[0].step_us);
    table_cell(t, "%.3f ms", 1e-3 * large->phases[0].step_us);
    table_cell(t, "grabbed step, coefficients prepared");
    table_cell(t, "longer");
    table_cell(t, "%.3f ms", 1e-3 * small->phases[1].step_us);
    table_cell(t, "%.3f ms", 1e-3 * large->phases[1].step_us);
    table_cell(t, "the same with %d active", BUDGET);
    table_cell(t, "857 to 48 between d and e");
    table_cell(t, "-");
    table_cell(t, "%.3f ms", 1e-3 * large->phases[REDUCED].step_us);
    table_cell(t, "coupling: law and tick");
    table_cell(t, "about %.0f us (40)", PAPER_COUPLING_US);
    table_cell(t, "%.2f us", small->phases[1].coupling_us + small->phases[1].tick_us);
    table_cell(t, "%.2f us", large->phases[1].coupling_us + large->phases[1].tick_us);
    table_print(t, 2, out);
}

static void print_study(const void* of, FILE* out) {
    const study* s = of;
    for (int k = 0; k < PROTEINS; k++) print_run(&s->runs[k], out);
    print_beside(s, out);
    fprintf(out, "\nMaking the law on chains (500 joints active, smallest of the repetitions):");
    for (int i = 0; i < SIZES; i++) {
        if (isfinite(s->refresh_us[i])) {
            fprintf(out, " %s joints %.2f us%s", LINES[i].name, s->refresh_us[i],
                    i + 1 < SIZES ? "," : "");
        }
    }
    fprintf(out, "\n\n%s: coupling and tick run above %.0f kHz in every grab\n",
            s->fast ? "yes" : "NO", 1e-3 * PAPER_RATE_HZ);
    fprintf(out, "%s: %d active torsions become %d between d and e, and steps shorter\n",
            s->reduced ? "yes" : "NO", s->runs[1].dof, BUDGET);
    fprintf(out,
            "%s: coupling hardly grows with the body (at most %.0f times from 10^3 joints on)\n",
            s->flat ? "yes" : "NO", GROWTH_MOST);
    fprintf(out,
            "\nThe 857 torsions are those of the whole sequence, built as one long helix: how the "
            "paper "
            "counted\nis not known. Steps of 1 fs, cut-off 1 nm, friction 5/ps; a hand pulls with "
            "some 140 pN.\n");
}

// ---- JSON -----------------------------------------------------------------------------------------

static void write_phase(json_writer* w, const morin_phase* phase) {
    jw_object_line(w);
    jw_key(w, "phase");
    jw_text(w, phase->name);
    jw_key(w, "active");
    jw_integer(w, phase->active);
    jw_key(w, "step_us");
    jw_number(w, phase->step_us);
    jw_key(w, "coupling_us");
    jw_number(w, phase->coupling_us);
    jw_key(w, "tick_us");
    jw_number(w, phase->tick_us);
    jw_key(w, "felt_pN");
    jw_number(w, phase->felt_pn);
    jw_object_end(w);
}

static void write_run(json_writer* w, const morin_run* run) {
    jw_object(w);
    jw_key(w, "molecule");
    jw_text(w, run->molecule);
    jw_key(w, "atoms");
    jw_integer(w, run->atoms);
    jw_key(w, "torsions");
    jw_integer(w, run->dof);
    jw_key(w, "steps_per_phase");
    jw_integer(w, run->steps);
    jw_key(w, "phases");
    jw_array(w);
    for (int p = 0; p < MORIN_PHASES; p++) write_phase(w, &run->phases[p]);
    jw_array_end(w);
    jw_object_end(w);
}

static void write_study(const void* of, json_writer* w) {
    const study* s = of;
    jw_key(w, "coupling_above_10_kHz");
    jw_boolean(w, s->fast);
    jw_key(w, "steps_shorter_with_48");
    jw_boolean(w, s->reduced);
    jw_key(w, "coupling_flat");
    jw_boolean(w, s->flat);
    jw_key(w, "paper");
    jw_object_line(w);
    jw_key(w, "coupling_us_40");
    jw_number(w, PAPER_COUPLING_US);
    jw_key(w, "step_ms_40");
    jw_numbers(w, (const double[]){PAPER_STEP_MS_LOW, PAPER_STEP_MS_HIGH}, 2);
    jw_key(w, "rate_Hz_above");
    jw_number(w, PAPER_RATE_HZ);
    jw_object_end(w);
    jw_key(w, "runs");
    jw_array(w);
    for (int k = 0; k < PROTEINS; k++) write_run(w, &s->runs[k]);
    jw_array_end(w);
    jw_key(w, "growth_joints");
    jw_numbers(w, s->joints, SIZES);
    jw_key(w, "growth_refresh_us");
    jw_numbers(w, s->refresh_us, SIZES);
}

// ---- plot -----------------------------------------------------------------------------------------

static void draw_study(const void* of, FILE* file) {
    const study* s = of;
    plot p = {.title = "A hand in two proteins: rest and grabs a to f", .panel_count = 3};
    p.subtitle =
        "times of every simulation step and of making the law of the grabbed residue; after "
        "Morin and Redon 2007, figure 5";
    static const char* const TITLES[PROTEINS] = {
        "Polyalanine helix, 40 torsions, all active",
        "Bacteriorhodopsin's sequence, 857 torsions; 48 active from between d and e on"};
    for (int k = 0; k < PROTEINS; k++) {
        const morin_run* run = &s->runs[k];
        p.panels[k] = (plot_panel){
            .title = TITLES[k], .x_label = "step", .y_label = "time [us]", .y_log = true};
        plot_add_series(&p.panels[k], "simulation step", run->at, run->step_us, run->count, false);
        plot_add_series(&p.panels[k], "making the law (grabbed)", run->at, run->coupling_us,
                        run->count, false);
        if (k == 0) {
            p.panels[k].mark = PAPER_COUPLING_US;
            p.panels[k].mark_label = "paper: coupling at 40, about 50 us";
        }
    }
    p.panels[2] = (plot_panel){.title = "Making the law, chains with 500 joints active",
                               .x_label = "joints",
                               .y_label = "time [us]",
                               .x_log = true,
                               .y_low = 0,
                               .y_high = 10};
    plot_add_series(&p.panels[2], "one hand", s->joints, s->refresh_us, SIZES, true);
    svg_plot_write(&p, file);
}

int reproduce_morin_fig5(const reproduce_options* options) {
    study* s = memory_take(1, sizeof *s);
    s->quick = options->quick;
    const reproduce_study r = {"morin-fig5", s,           carry_out, draw_study,
                               write_study,  print_study, NULL};
    int status = reproduce_run(options, &r);
    for (int k = 0; k < PROTEINS; k++) morin_free(&s->runs[k]);
    free(s);
    return status;
}
