// SPDX-License-Identifier: Apache-2.0
/// Redon, Galoppo and Lin 2005 push 200 humans away, 17,800 bodies with 19,000 degrees of freedom, with
/// few joints active, up to two orders of magnitude faster than with all.   [RGL05]
/// Here: as many humans with as many bodies and degrees of freedom (crowd.h), in a grid; a push sweeps
/// through. Contact is to come, so nobody stands on anything: there is no gravity, and friction with the
/// floor is a drag.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "json_writer.h"
#include "memory.h"
#include "message.h"
#include "redon_crowd.h"
#include "reproduce.h"
#include "svg_plot.h"
#include "table.h"

enum { ROWS_SHOWN = 16, DCA_STEPS = 20 };

// For the claim to hold, bodies may be off by this share of what they moved, at the end.
static const double OFF_MOST = 0.25;

/// Of one choice, over the whole run.
typedef struct summary {
    double seconds, slowest; ///< a step: mean of the run, mean of the slowest block
    int active_most;
    double active_mean;
    double remaining_most;
    double vs_aba, vs_dca;
} summary;

typedef struct study {
    redon_crowd_def def;
    sn_model* crowd;
    redon_crowd_sample* samples;
    double aba, dca; ///< s a step
    summary few[REDON_CHOICES];
    bool quick;
    bool finite, in_budget, close, faster, holds;
} study;

static bool measure(study* s) {
    sn_error error = {0};
    s->crowd = crowd_create(s->def.rows, s->def.columns, s->def.spacing, &error);
    if (!s->crowd) {
        message_error_from(&error);
        return false;
    }
    s->samples = memory_take((size_t)s->def.blocks, sizeof *s->samples);
    sn_status status = redon_crowd_run(s->crowd, &s->def, s->samples, &error);
    if (!status) status = redon_crowd_time(s->crowd, &s->def, "dca", DCA_STEPS, &s->dca);
    if (status) message_error("the crowd cannot be simulated: %s", sn_status_text(status));
    return !status;
}

static void summarise(study* s) {
    int blocks = s->def.blocks;
    for (int b = 0; b < blocks; b++) s->aba += s->samples[b].seconds / blocks;
    for (int c = 0; c < REDON_CHOICES; c++) {
        summary* few = &s->few[c];
        for (int b = 0; b < blocks; b++) {
            const redon_few* at = &s->samples[b].few[c];
            few->seconds += at->seconds / blocks;
            few->active_mean += (double)at->active / blocks;
            few->slowest = fmax(few->slowest, at->seconds);
            few->remaining_most = fmax(few->remaining_most, at->remaining);
            if (at->active > few->active_most) few->active_most = at->active;
        }
        few->vs_aba = s->aba / few->seconds;
        few->vs_dca = s->dca / few->seconds;
    }
}

static void judge(study* s) {
    const redon_crowd_sample* end = &s->samples[s->def.blocks - 1];
    s->finite = isfinite(end->moved) && end->moved > 0;
    s->in_budget = s->close = true;
    s->faster = s->few[0].vs_aba > 1;
    for (int c = 0; c < REDON_CHOICES; c++) {
        s->finite = s->finite && isfinite(end->few[c].off) && isfinite(s->few[c].remaining_most);
        s->in_budget = s->in_budget && s->few[c].active_most <= s->def.choices[c].max_active;
        s->close = s->close && end->few[c].off <= OFF_MOST * end->moved;
    }
    // a few people are hardly worth it
    s->holds = s->finite && s->in_budget && s->close && (s->faster || s->quick);
}

// ---- text -----------------------------------------------------------------------------------------

static void print_scene(const study* s, FILE* out) {
    const redon_crowd_def* d = &s->def;
    fprintf(
        out,
        "A crowd, pushed away, with few joints active                                [RGL05]\n\n"
        "%d humans, %g m apart in %d rows, %d bodies, %d degrees of freedom (the paper: 200\n"
        "humans, 17,800 bodies, 19,000 degrees of freedom). A push of %g N at its centre, %g m\n"
        "wide, sweeps through at %g m/s. No gravity, as there is no contact yet; a drag on each\n"
        "pelvis stands in for the floor. Semi-implicit Euler, steps of %g ms, %g s; joints are\n"
        "chosen every %d steps, and when the push moves on.\n\n",
        d->rows * d->columns, d->spacing, d->rows, sn_model_body_count(s->crowd),
        sn_model_nv(s->crowd), d->force, 2 * d->reach, d->speed, 1e3 * d->step,
        d->blocks * d->block * d->step, d->block);
}

static void print_time_line(const study* s, FILE* out) {
    fprintf(
        out,
        "Over time: active joints, and the remaining error (inertia metric) of the total, of\n");
    for (int c = 0; c < REDON_CHOICES; c++) {
        const redon_choice* choice = &s->def.choices[c];
        fprintf(out, "  %c  a budget of %d active joints", 'A' + c, choice->max_active);
        if (choice->threshold > 0)
            fprintf(out, " and a threshold of %g sqrt(J)/s", choice->threshold);
        fprintf(out, "\n");
    }
    fprintf(out, "\n");
    table* t = table_create("rrrrrrrrr", "time [s]|pushed|A: active|remaining|step [us]|B: active|"
                                         "remaining|step [us]|aba step [us]");
    int shown = s->def.blocks < ROWS_SHOWN ? s->def.blocks : ROWS_SHOWN;
    for (int k = 1; k <= shown; k++) {
        const redon_crowd_sample* at = &s->samples[k * s->def.blocks / shown - 1];
        table_cell(t, "%.2f", at->time);
        table_cell(t, "%d", at->pushed);
        for (int c = 0; c < REDON_CHOICES; c++) {
            table_cell(t, "%d", at->few[c].active);
            table_cell(t, "%.3g of %.3g", at->few[c].remaining, at->few[c].total);
            table_cell(t, "%.0f", 1e6 * at->few[c].seconds);
        }
        table_cell(t, "%.0f", 1e6 * at->seconds);
    }
    table_print(t, 2, out);
}

static void print_summary(const study* s, FILE* out) {
    const redon_crowd_sample* end = &s->samples[s->def.blocks - 1];
    fprintf(
        out,
        "\nThe whole run, in turn on the same core; a body moved %.3g m (root mean square):\n\n",
        end->moved);
    table* t = table_create("lrrrrrrr", "dynamics|active, mean|most|step [us]|slowest block|x aba|"
                                        "x dca|off [m] at the end");
    for (int c = 0; c < REDON_CHOICES; c++) {
        const summary* few = &s->few[c];
        table_cell(t, "%c adaptive, %s", 'A' + c, s->def.choices[c].name);
        table_cell(t, "%.0f", few->active_mean);
        table_cell(t, "%d", few->active_most);
        table_cell(t, "%.0f", 1e6 * few->seconds);
        table_cell(t, "%.0f", 1e6 * few->slowest);
        table_cell(t, "%.3g", few->vs_aba);
        table_cell(t, "%.3g", few->vs_dca);
        table_cell(t, "%.2g", end->few[c].off);
    }
    const char* const full[] = {"aba", "dca"};
    for (int i = 0; i < 2; i++) {
        double taken = i == 0 ? s->aba : s->dca;
        table_cell(t, "  %s", full[i]);
        table_cell(t, "%d", sn_model_body_count(s->crowd));
        table_cell(t, "%d", sn_model_body_count(s->crowd));
        table_cell(t, "%.0f", 1e6 * taken);
        table_cell(t, " ");
        table_cell(t, "%.3g", s->aba / taken);
        table_cell(t, "%.3g", s->dca / taken);
        table_cell(t, " ");
    }
    table_print(t, 2, out);
    if (!s->finite) fprintf(out, "\nA number is NOT finite.\n");
    if (!s->in_budget) fprintf(out, "\nMore joints were active than the budget allows.\n");
    if (!s->close) fprintf(out, "\nBodies are off by more than %g of what they moved.\n", OFF_MOST);
    if (!s->faster) fprintf(out, "\nA is NOT faster than all joints by aba.\n");
}

// ---- JSON -----------------------------------------------------------------------------------------

static void write_choice(const study* s, int c, json_writer* w) {
    const summary* few = &s->few[c];
    const redon_few* end = &s->samples[s->def.blocks - 1].few[c];
    jw_object_line(w);
    jw_key(w, "name");
    jw_text(w, s->def.choices[c].name);
    jw_key(w, "max_active");
    jw_integer(w, s->def.choices[c].max_active);
    jw_key(w, "threshold");
    jw_number(w, s->def.choices[c].threshold);
    jw_key(w, "active_mean");
    jw_number(w, few->active_mean);
    jw_key(w, "active_most");
    jw_integer(w, few->active_most);
    jw_key(w, "remaining_error_most");
    jw_number(w, few->remaining_most);
    jw_key(w, "step_seconds");
    jw_number(w, few->seconds);
    jw_key(w, "step_seconds_slowest_block");
    jw_number(w, few->slowest);
    jw_key(w, "vs_aba");
    jw_number(w, few->vs_aba);
    jw_key(w, "vs_dca");
    jw_number(w, few->vs_dca);
    jw_key(w, "off_end");
    jw_number(w, end->off);
    jw_key(w, "off_most_end");
    jw_number(w, end->off_most);
    jw_object_end(w);
}

static void write_sample(const redon_crowd_sample* at, json_writer* w) {
    jw_object_line(w);
    jw_key(w, "time");
    jw_number(w, at->time);
    jw_key(w, "pushed");
    jw_integer(w, at->pushed);
    jw_key(w, "aba_step_seconds");
    jw_number(w, at->seconds);
    jw_key(w, "moved");
    jw_number(w, at->moved);
    jw_key(w, "adaptive");
    jw_array_line(w);
    for (int c = 0; c < REDON_CHOICES; c++) {
        jw_object_line(w);
        jw_key(w, "active");
        jw_integer(w, at->few[c].active);
        jw_key(w, "remaining_error");
        jw_number(w, at->few[c].remaining);
        jw_key(w, "total_metric");
        jw_number(w, at->few[c].total);
        jw_key(w, "step_seconds");
        jw_number(w, at->few[c].seconds);
        jw_key(w, "off");
        jw_number(w, at->few[c].off);
        jw_object_end(w);
    }
    jw_array_end(w);
    jw_object_end(w);
}

static void write_study(const void* of, json_writer* w) {
    const study* s = of;
    jw_key(w, "humans");
    jw_integer(w, s->def.rows * s->def.columns);
    jw_key(w, "bodies");
    jw_integer(w, sn_model_body_count(s->crowd));
    jw_key(w, "degrees_of_freedom");
    jw_integer(w, sn_model_nv(s->crowd));
    jw_key(w, "step");
    jw_number(w, s->def.step);
    jw_key(w, "aba_step_seconds");
    jw_number(w, s->aba);
    jw_key(w, "dca_step_seconds");
    jw_number(w, s->dca);
    jw_key(w, "moved_end");
    jw_number(w, s->samples[s->def.blocks - 1].moved);
    jw_key(w, "choices");
    jw_array(w);
    for (int c = 0; c < REDON_CHOICES; c++) write_choice(s, c, w);
    jw_array_end(w);
    jw_key(w, "samples");
    jw_array(w);
    for (int b = 0; b < s->def.blocks; b++) write_sample(&s->samples[b], w);
    jw_array_end(w);
}

// ---- plot -----------------------------------------------------------------------------------------

enum { ACTIVE, REMAINING, STEP, OFF, CURVE_COUNT };

/// Samples as columns.
typedef struct curves {
    double *time, *aba, *moved;
    double* few[CURVE_COUNT][REDON_CHOICES];
} curves;

static curves curves_make(const study* s) {
    size_t count = (size_t)s->def.blocks;
    curves v = {memory_take(count, sizeof(double)),
                memory_take(count, sizeof(double)),
                memory_take(count, sizeof(double)),
                {{0}}};
    for (int c = 0; c < REDON_CHOICES; c++) {
        for (int k = 0; k < CURVE_COUNT; k++) v.few[k][c] = memory_take(count, sizeof(double));
    }
    for (size_t b = 0; b < count; b++) {
        const redon_crowd_sample* at = &s->samples[b];
        v.time[b] = at->time;
        v.aba[b] = 1e6 * at->seconds;
        v.moved[b] = at->moved;
        for (int c = 0; c < REDON_CHOICES; c++) {
            v.few[ACTIVE][c][b] = at->few[c].active;
            v.few[REMAINING][c][b] = at->few[c].remaining;
            v.few[STEP][c][b] = 1e6 * at->few[c].seconds;
            v.few[OFF][c][b] = at->few[c].off;
        }
    }
    return v;
}

static void curves_free(curves* v) {
    free(v->time);
    free(v->aba);
    free(v->moved);
    for (int c = 0; c < REDON_CHOICES; c++) {
        for (int k = 0; k < CURVE_COUNT; k++) free(v->few[k][c]);
    }
}

static void draw_study(const void* of, FILE* file) {
    const study* s = of;
    curves v = curves_make(s);
    char* title = memory_text("A crowd of %d humans, pushed away", s->def.rows * s->def.columns);
    char* subtitle = memory_text(
        "%d bodies, %d degrees of freedom, at most %d joints active; after Redon et al. 2005",
        sn_model_body_count(s->crowd), sn_model_nv(s->crowd), s->def.choices[0].max_active);
    plot p = {.title = title, .subtitle = subtitle, .panel_count = CURVE_COUNT};
    p.panels[ACTIVE] = (plot_panel){.title = "Active joints",
                                    .y_label = "joints",
                                    .y_high = 1.2 * s->def.choices[0].max_active};
    p.panels[REMAINING] = (plot_panel){.title = "Remaining error: what sleeping joints would do",
                                       .y_label = "metric [sqrt(J)/s]"};
    p.panels[STEP] =
        (plot_panel){.title = "Time of a step, mean of 10", .y_log = true, .y_label = "time [us]"};
    p.panels[OFF] =
        (plot_panel){.title = "How far bodies are off, and how far they moved, root mean square",
                     .y_label = "distance [m]"};
    for (int k = 0; k < CURVE_COUNT; k++) {
        p.panels[k].x_label = "time [s]";
        for (int c = 0; c < REDON_CHOICES; c++) {
            plot_add_series(&p.panels[k], s->def.choices[c].name, v.time, v.few[k][c],
                            s->def.blocks, false);
        }
    }
    plot_add_series(&p.panels[STEP], "all joints (aba)", v.time, v.aba, s->def.blocks, false);
    plot_add_series(&p.panels[OFF], "moved, all joints (aba)", v.time, v.moved, s->def.blocks,
                    false);
    svg_plot_write(&p, file);
    curves_free(&v);
    free(title);
    free(subtitle);
}

static void print_study(const void* of, FILE* out) {
    const study* s = of;
    print_scene(s, out);
    print_time_line(s, out);
    print_summary(s, out);
}

static bool carry_out(void* of, bool* holds) {
    study* s = of;
    if (!measure(s)) return false;
    summarise(s);
    judge(s);
    *holds = s->holds;
    return true;
}

int reproduce_redon_crowd(const reproduce_options* options) {
    study* s = memory_take(1, sizeof *s);
    s->quick = options->quick;
    s->def = redon_crowd_def_default(options->quick);
    const reproduce_study r = {"redon-crowd", s,           carry_out, draw_study,
                               write_study,   print_study, NULL};
    int status = reproduce_run(options, &r);
    sn_model_free(s->crowd);
    free(s->samples);
    free(s);
    return status;
}
