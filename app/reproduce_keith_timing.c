// SPDX-License-Identifier: Apache-2.0
/// Keith et al. 2008 simulate 10 s of HRP-2 on 32 contact points in 92 s and 10 s of a human on more than 100 in
/// 300 s, with Euler steps of 1 ms on a notebook of 1.66 GHz.   [K08]
/// Here: the two stand, every joint held, on the points of their soles, all of which are solved.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "json_writer.h"
#include "machine.h"
#include "memory.h"
#include "message.h"
#include "reproduce.h"
#include "step_engine.h"
#include "svg_plot.h"
#include "table.h"

enum { MODELS = 2, SHOWN = 200 };
static const double DURATION = 10, QUICK_DURATION = 0.5; // s

static const struct {
    const char *model, *name, *title;
    double paper_s; ///< for DURATION
    int points;     ///< that there are at least
} CASES[MODELS] = {
    {"hrp2", "hrp2-32", "HRP-2, 32 points", 92, 32},
    {"human", "human-112", "human, 112 points", 300, 101},
};

typedef struct run {
    double simulated, taken; ///< s
    double points, depth, residual;
    step_times times;
    double x[SHOWN], us[SHOWN]; ///< s, and the time of a step then
    int shown;
} run;

typedef struct study {
    double duration;
    run runs[MODELS];
    bool holds;
} study;

// ---- measuring ----------------------------------------------------------------------------------------

// The mean of as many steps as make SHOWN points of all.
static void thin(const step_track* t, run* r) {
    int width = (t->steps + SHOWN - 1) / SHOWN;
    for (int first = 0; first + width <= t->steps; first += width) {
        double sum = 0;
        for (int i = first; i < first + width; i++) sum += t->us[i];
        r->x[r->shown] = (first + 0.5 * width) * t->scene->step;
        r->us[r->shown++] = sum / width;
    }
}

static bool measure(double duration, int which, run* r) {
    step_scene* scene = step_scene_standing(CASES[which].model, CASES[which].name, 0, 0);
    step_engine engine;
    step_track track;
    if (!scene) return false;
    scene->duration = duration;
    step_engine_world(&engine, "nsgs");
    bool good = step_engine_run(&engine, scene, INFINITY, &track);
    if (!good) message_error("%s: %s", CASES[which].model, engine.trouble);
    r->simulated = track.steps * scene->step;
    for (int i = 0; i < track.steps; i++) r->taken += 1e-6 * track.us[i];
    r->points = step_track_contacts(&track);
    r->depth = step_track_depth(&track);
    r->residual = step_track_residual(&track);
    r->times = step_track_times(&track);
    thin(&track, r);
    step_track_free(&track);
    engine.kind->end(&engine);
    step_scene_free(scene);
    return good;
}

static double paper_speed(int which) { return DURATION / CASES[which].paper_s; }

static double speed(const run* r) { return r->simulated / r->taken; }

static bool carry_out(void* of, bool* holds) {
    study* s = of;
    s->holds = true;
    for (int i = 0; i < MODELS; i++) {
        const run* r = &s->runs[i];
        if (!measure(s->duration, i, &s->runs[i])) return false;
        s->holds = s->holds && r->points >= CASES[i].points && speed(r) > paper_speed(i);
    }
    *holds = s->holds;
    return true;
}

// ---- showing ------------------------------------------------------------------------------------------

static void print_study(const void* of) {
    const study* s = of;
    table* t = table_create(
        "lrrrrrr",
        "model|points|10 s take, paper|here|x real time|us a step, median|deepest overlap");
    for (int i = 0; i < MODELS; i++) {
        const run* r = &s->runs[i];
        table_cell(t, "%s", CASES[i].model);
        table_cell(t, "%g", r->points);
        table_cell(t, "%g s", CASES[i].paper_s);
        table_cell(t, "%.3g s", DURATION / speed(r));
        table_cell(t, "%.3g", speed(r));
        table_cell(t, "%.3g", r->times.median_us);
        table_cell(t, "%.2g mm", 1e3 * r->depth);
    }
    printf(
        "Humanoids standing on many contact points                                      [K08]\n\n"
        "Both stand for %g s in steps of 1 ms, every joint held by a spring and a damper; one\n"
        "core. The paper's are of a notebook of 1.66 GHz, in steps of 1 ms, too; what its bodies\n"
        "do in that time is not known to us.\n\n",
        s->duration);
    table_print(t, 2, stdout);
    printf(
        "\nLargest residual: %.1e and %.1e. Judged by: all points are there, and each is faster\n"
        "than the paper's. %s\n",
        s->runs[0].residual, s->runs[1].residual,
        s->holds ? "The claim holds." : "The claim did NOT show.");
}

static void write_study(const void* of) {
    const study* s = of;
    json_writer w = jw_start(stdout);
    machine here = machine_ask();
    jw_object(&w);
    jw_key(&w, "reproduce");
    jw_text(&w, "keith-timing");
    jw_key(&w, "holds");
    jw_boolean(&w, s->holds);
    machine_write(&here, &w);
    jw_key(&w, "rows");
    jw_array(&w);
    for (int i = 0; i < MODELS; i++) {
        const run* r = &s->runs[i];
        const struct {
            const char* key;
            double value;
        } numbers[] = {
            {"points", r->points},
            {"paper_seconds", CASES[i].paper_s},
            {"seconds", DURATION / speed(r)},
            {"realtime", speed(r)},
            {"simulated_s", r->simulated},
            {"median_us", r->times.median_us},
            {"depth_mm", 1e3 * r->depth},
            {"residual", r->residual},
        };
        jw_object_line(&w);
        jw_key(&w, "model");
        jw_text(&w, CASES[i].model);
        for (size_t k = 0; k < sizeof numbers / sizeof numbers[0]; k++) {
            jw_key(&w, numbers[k].key);
            jw_number(&w, numbers[k].value);
        }
        jw_object_end(&w);
    }
    jw_array_end(&w);
    jw_object_end(&w);
    jw_finish(&w);
}

static void draw_study(const void* of, FILE* file) {
    const study* s = of;
    plot p = {.title = "Humanoids standing on many contact points", .panel_count = 1};
    p.subtitle = "steps of 1 ms, one core; Keith et al. 2008: 10 s took 92 s and 300 s";
    p.panels[0] = (plot_panel){.title = "Time of a step",
                               .x_label = "simulated time [s]",
                               .y_label = "time [us]",
                               .y_log = true,
                               .mark = 1000,
                               .mark_label = "real time"};
    for (int i = 0; i < MODELS; i++) {
        const run* r = &s->runs[i];
        plot_add_series(&p.panels[0], CASES[i].title, r->x, r->us, r->shown, false);
    }
    svg_plot_write(&p, file);
}

int reproduce_keith_timing(const reproduce_options* options) {
    study* s = memory_take(1, sizeof *s);
    const reproduce_study r = {s, carry_out, draw_study, write_study, print_study, NULL};
    s->duration = options->quick ? QUICK_DURATION : DURATION;
    int status = reproduce_run(options, &r);
    free(s);
    return status;
}
