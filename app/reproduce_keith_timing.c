// SPDX-License-Identifier: Apache-2.0
/// Keith et al. 2008 simulate 10 s of HRP-2 on 32 contact points in 92 s and 10 s of a human on more than 100 in
/// 300 s, with Euler steps of 1 ms on a notebook of 1.66 GHz.   [K08]
/// Here: the two stand on the points of their soles, all of which are solved: every joint held by a spring, which is the
/// contact problem and little else; and at the table of the scenes collaboration and collaboration_human, with balance,
/// arms that give way, friction and torque limits in all joints, sensors and behaviours.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "json_writer.h"
#include "median.h"
#include "memory.h"
#include "message.h"
#include "reproduce.h"
#include "scenario.h"
#include "sinew/clock.h"
#include "step_engine.h"
#include "svg_plot.h"
#include "table.h"

enum { CASE_COUNT = 4, SHOWN = 200 };
static const double DURATION = 10, QUICK_DURATION = 0.5; // s

static const struct {
    const char *model, *name, *title;
    const char* scene; ///< NULL: it stands, every joint held
    double paper_s;    ///< for DURATION
    double goal;       ///< times real time that we want to reach
    int points;        ///< that there are at least
} CASES[CASE_COUNT] = {
    {"hrp2", "hrp2-32", "HRP-2, 32 points", NULL, 92, 20, 32},
    {"human", "human-112", "human, 112 points", NULL, 300, 10, 101},
    {"hrp2", "collaboration", "HRP-2 at the table", "collaboration", 92, 20, 32},
    {"human", "collaboration_human", "human at the table", "collaboration_human", 300, 10, 101},
};

typedef struct run {
    double simulated, taken; ///< s
    double points, depth, residual;
    double median_us;
    double x[SHOWN], us[SHOWN]; ///< s, and the time of a step then
    int shown;
} run;

typedef struct study {
    double duration;
    run runs[CASE_COUNT];
    bool holds;
} study;

// ---- measuring ----------------------------------------------------------------------------------------

/// Times of steps: the mean of as many as make SHOWN points of all, their sum, their median.
static void take_times(double* us, int steps, double h, run* r) {
    int width = (steps + SHOWN - 1) / SHOWN;
    for (int first = 0; first + width <= steps; first += width) {
        double sum = 0;
        for (int i = first; i < first + width; i++) sum += us[i];
        r->x[r->shown] = (first + 0.5 * width) * h;
        r->us[r->shown++] = sum / width;
    }
    for (int i = 0; i < steps; i++) r->taken += 1e-6 * us[i];
    r->simulated = steps * h;
    r->median_us = median_of(us, steps);
}

static bool measure_standing(double duration, int which, run* r) {
    step_scene* scene = step_scene_standing(CASES[which].model, CASES[which].name, 0, 0);
    step_engine engine;
    step_track track;
    if (!scene) return false;
    scene->duration = duration;
    step_engine_world(&engine, "nsgs");
    bool good = step_engine_run(&engine, scene, INFINITY, &track);
    if (!good) message_error("%s: %s", CASES[which].model, engine.trouble);
    r->points = step_track_contacts(&track);
    r->depth = step_track_depth(&track);
    r->residual = step_track_residual(&track);
    take_times(track.us, track.steps, scene->step, r);
    step_track_free(&track);
    engine.kind->end(&engine);
    step_scene_free(scene);
    return good;
}

/// The scene as it is, after it has settled for a while.
static bool measure_scene(double duration, int which, run* r) {
    static const double SETTLE = 0.2; // s
    sn_simulation* sim = scenario_start(scenario_scene(CASES[which].scene));
    if (!sim || !scenario_step(sim, SETTLE)) {
        sn_simulation_free(sim);
        return false;
    }
    const sn_world* world = sn_simulation_world(sim);
    sn_clock clock = sn_clock_real();
    double h = sn_world_step_size(world);
    int steps = (int)lround(duration / h), done = 0;
    double* us = memory_take((size_t)steps, sizeof *us);
    r->points = INFINITY;
    for (; done < steps; done++) {
        sn_step_report report;
        int64_t start = clock.now_ns(clock.context);
        sn_status status = sn_simulation_step(sim, &report);
        us[done] = 1e-3 * (double)(clock.now_ns(clock.context) - start);
        if (status) break;
        r->points = fmin(r->points, report.contact.points);
        r->residual = fmax(r->residual, report.contact.residual);
        for (int32_t i = 0; i < sn_world_contact_count(world); i++)
            r->depth = fmax(r->depth, -sn_world_contacts(world)[i].gap);
    }
    if (done < steps) message_error("%s: a step failed", CASES[which].scene);
    take_times(us, done, h, r);
    free(us);
    sn_simulation_free(sim);
    return done == steps;
}

static double paper_speed(int which) { return DURATION / CASES[which].paper_s; }

static double speed(const run* r) { return r->simulated / r->taken; }

static bool carry_out(void* of, bool* holds) {
    study* s = of;
    s->holds = true;
    for (int i = 0; i < CASE_COUNT; i++) {
        run* r = &s->runs[i];
        if (!(CASES[i].scene ? measure_scene : measure_standing)(s->duration, i, r)) return false;
        s->holds = s->holds && r->points >= CASES[i].points && speed(r) > paper_speed(i);
    }
    *holds = s->holds;
    return true;
}

// ---- showing ------------------------------------------------------------------------------------------

static void print_study(const void* of, FILE* out) {
    const study* s = of;
    table* t = table_create("lrrrrrrr", "|points|10 s take, paper|here|x real time|goal|us a step, "
                                        "median|deepest overlap");
    for (int i = 0; i < CASE_COUNT; i++) {
        const run* r = &s->runs[i];
        table_cell(t, "%s", CASES[i].title);
        table_cell(t, "%g", r->points);
        table_cell(t, "%g s", CASES[i].paper_s);
        table_cell(t, "%.3g s", DURATION / speed(r));
        table_cell(t, "%.3g", speed(r));
        table_cell(t, "%g", CASES[i].goal);
        table_cell(t, "%.3g", r->median_us);
        table_cell(t, "%.2g mm", 1e3 * r->depth);
    }
    fprintf(
        out,
        "Humanoids standing on many contact points                                      [K08]\n\n"
        "%g s in steps of 1 ms, one core. The first two stand with every joint held by a spring\n"
        "and a damper; the others are the scenes collaboration and collaboration_human as they\n"
        "are: balance, arms that give way, friction and torque limits in the joints, sensors.\n"
        "The paper's are of a notebook of 1.66 GHz, in steps of 1 ms, too; what its bodies do in\n"
        "that time is not known to us. The goal is ours, for a machine with nothing else to "
        "do.\n\n",
        s->duration);
    table_print(t, 2, out);
    fprintf(out, "\nJudged by: all points are there, and each is faster than the paper's.\n");
}

static void write_study(const void* of, json_writer* w) {
    const study* s = of;
    jw_key(w, "rows");
    jw_array(w);
    for (int i = 0; i < CASE_COUNT; i++) {
        const run* r = &s->runs[i];
        const struct {
            const char* key;
            double value;
        } numbers[] = {
            {"points", r->points},
            {"paper_seconds", CASES[i].paper_s},
            {"seconds", DURATION / speed(r)},
            {"realtime", speed(r)},
            {"goal", CASES[i].goal},
            {"simulated_s", r->simulated},
            {"median_us", r->median_us},
            {"depth_mm", 1e3 * r->depth},
            {"residual", r->residual},
        };
        jw_object_line(w);
        jw_key(w, "model");
        jw_text(w, CASES[i].model);
        jw_key(w, "case");
        jw_text(w, CASES[i].name);
        for (size_t k = 0; k < sizeof numbers / sizeof numbers[0]; k++) {
            jw_key(w, numbers[k].key);
            jw_number(w, numbers[k].value);
        }
        jw_object_end(w);
    }
    jw_array_end(w);
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
    for (int i = 0; i < CASE_COUNT; i++) {
        const run* r = &s->runs[i];
        plot_add_series(&p.panels[0], CASES[i].title, r->x, r->us, r->shown, false);
    }
    svg_plot_write(&p, file);
}

int reproduce_keith_timing(const reproduce_options* options) {
    study* s = memory_take(1, sizeof *s);
    const reproduce_study r = {"keith-timing", s,           carry_out, draw_study,
                               write_study,    print_study, NULL};
    s->duration = options->quick ? QUICK_DURATION : DURATION;
    int status = reproduce_run(options, &r);
    free(s);
    return status;
}
