// SPDX-License-Identifier: Apache-2.0
/// Chardonnet 2012: a humanoid is simulated in real time with fewer than 100 contact points.   [C12]
/// Here: what a step of 1 ms takes over the number of points, 8 to 2,000, for a humanoid that stands on them and for
/// pyramids of boxes, after they have settled. All points are solved.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "json_writer.h"
#include "memory.h"
#include "message.h"
#include "reproduce.h"
#include "step_engine.h"
#include "svg_plot.h"
#include "table.h"

enum { COUNTS_MOST = 9, QUICK_COUNTS = 4 };
static const double PAPER_POINTS = 100, STEP_US = 1000;
static const double DURATION = 0.6, SETTLE = 0.3; // s simulated
static const double LIMIT = 30;                   // s that one scene may take

typedef enum kind { HUMANOID, PILE, KIND_COUNT } kind;
static const char* const KINDS[KIND_COUNT] = {"hrp2 standing", "pyramid of boxes"};

// Points below each sole, in rows; boxes in the lowest row of a pyramid, with 4 points for each of its square.
static const int PADS[COUNTS_MOST][2] = {{2, 2},  {2, 4},   {4, 4},   {4, 8},  {8, 8},
                                         {8, 16}, {16, 16}, {16, 32}, {20, 50}};
static const int BASES[COUNTS_MOST] = {2, 3, 4, 5, 6, 8, 11, 16, 22};

typedef struct study {
    int counts;
    double points[KIND_COUNT][COUNTS_MOST], us[KIND_COUNT][COUNTS_MOST];
    double block_us[KIND_COUNT][COUNTS_MOST];
    double residual[KIND_COUNT][COUNTS_MOST];
    double realtime_points[KIND_COUNT]; ///< most that were in real time
    bool holds;
} study;

// ---- measuring ----------------------------------------------------------------------------------------

static step_scene* make_scene(kind k, int i) {
    if (k == HUMANOID) return step_scene_standing("hrp2", "hrp2", PADS[i][0], PADS[i][1]);
    return step_scene_pyramid(BASES[i], BASES[i] * (BASES[i] + 1) / 2);
}

static bool measure(study* s, kind k, int i) {
    step_scene* scene = make_scene(k, i);
    step_engine engine;
    step_track track;
    if (!scene) return false;
    scene->duration = DURATION;
    scene->settle = SETTLE;
    step_engine_world(&engine, "nsgs");
    bool good = step_engine_run(&engine, scene, LIMIT, &track);
    if (!good) message_error("%s: %s", KINDS[k], engine.trouble);
    s->points[k][i] = track.look_count ? track.looks[track.look_count - 1].contacts : (double)NAN;
    s->us[k][i] = s->block_us[k][i] = NAN;
    if (step_track_complete(&track)) {
        s->us[k][i] = step_track_times(&track).median_us;
        s->block_us[k][i] = step_track_times(&track).block_us;
    } else if (good) {
        message_note("%s, %g points: not settled after %g s; left out", KINDS[k], s->points[k][i],
                     LIMIT);
    }
    s->residual[k][i] = step_track_residual(&track);
    if (s->us[k][i] <= STEP_US)
        s->realtime_points[k] = fmax(s->realtime_points[k], s->points[k][i]);
    step_track_free(&track);
    engine.kind->end(&engine);
    step_scene_free(scene);
    return good;
}

static bool carry_out(void* of, bool* holds) {
    study* s = of;
    s->holds = true;
    for (int k = 0; k < KIND_COUNT; k++) {
        for (int i = 0; i < s->counts; i++) {
            if (!measure(s, (kind)k, i)) return false;
        }
        // in a short run there are no more points
        double wanted = fmin(PAPER_POINTS, s->points[k][s->counts - 1]);
        s->holds = s->holds && s->realtime_points[k] >= wanted;
    }
    *holds = s->holds;
    return true;
}

// ---- showing ------------------------------------------------------------------------------------------

static void put_number(table* t, bool short_form, double value) {
    if (isfinite(value))
        table_cell(t, short_form ? "%.3g" : "%.1e", value);
    else
        table_cell(t, "-");
}

static void print_study(const void* of, FILE* out) {
    const study* s = of;
    fprintf(
        out,
        "Time of a step over the number of contact points                              [C12]\n\n"
        "Steps of 1 ms on one core, after %g s: the median of all, and of means of 50, which have\n"
        "whatever else the machine does in them. The paper prints one number: its humanoid is in\n"
        "real time below %g points.\n\n",
        SETTLE, PAPER_POINTS);
    for (int k = 0; k < KIND_COUNT; k++) {
        table* t = table_create("rrrrr", "points|us a step|means of 50|x real time|residual");
        for (int i = 0; i < s->counts; i++) {
            table_cell(t, "%g", s->points[k][i]);
            put_number(t, true, s->us[k][i]);
            put_number(t, true, s->block_us[k][i]);
            put_number(t, true, STEP_US / s->us[k][i]);
            put_number(t, false, s->residual[k][i]);
        }
        fprintf(out, "%s\n", KINDS[k]);
        table_print(t, 2, out);
        fprintf(out, "\n");
    }
    fprintf(out,
            "In real time: up to %g points under the humanoid, %g in the pyramid. Judged by: the\n"
            "paper's %g in both, or all there are in a short run.\n",
            s->realtime_points[HUMANOID], s->realtime_points[PILE], PAPER_POINTS);
}

static void write_study(const void* of, json_writer* w) {
    const study* s = of;
    jw_key(w, "paper_realtime_below_points");
    jw_number(w, PAPER_POINTS);
    jw_key(w, "realtime_points_humanoid");
    jw_number(w, s->realtime_points[HUMANOID]);
    jw_key(w, "realtime_points_pile");
    jw_number(w, s->realtime_points[PILE]);
    jw_key(w, "rows");
    jw_array(w);
    for (int k = 0; k < KIND_COUNT; k++) {
        for (int i = 0; i < s->counts; i++) {
            jw_object_line(w);
            jw_key(w, "scene");
            jw_text(w, KINDS[k]);
            jw_key(w, "points");
            jw_number(w, s->points[k][i]);
            jw_key(w, "step_us");
            jw_number(w, s->us[k][i]);
            jw_key(w, "residual");
            jw_number(w, s->residual[k][i]);
            jw_object_end(w);
        }
    }
    jw_array_end(w);
}

static void draw_study(const void* of, FILE* file) {
    const study* s = of;
    plot p = {.title = "Time of a step over the number of contact points", .panel_count = 1};
    p.subtitle = "steps of 1 ms, one core; Chardonnet 2012: real time below 100 points";
    p.panels[0] = (plot_panel){.title = "Settled, all points solved",
                               .x_label = "contact points",
                               .y_label = "time [us]",
                               .x_log = true,
                               .y_log = true,
                               .mark = STEP_US,
                               .mark_label = "real time"};
    for (int k = 0; k < KIND_COUNT; k++) {
        plot_add_series(&p.panels[0], KINDS[k], s->points[k], s->us[k], s->counts, true);
    }
    svg_plot_write(&p, file);
}

int reproduce_chardonnet_contacts(const reproduce_options* options) {
    study* s = memory_take(1, sizeof *s);
    const reproduce_study r = {"chardonnet-contacts", s,           carry_out, draw_study,
                               write_study,           print_study, NULL};
    s->counts = options->quick ? QUICK_COUNTS : COUNTS_MOST;
    int status = reproduce_run(options, &r);
    free(s);
    return status;
}
