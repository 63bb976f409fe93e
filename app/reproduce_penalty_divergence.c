// SPDX-License-Identifier: Apache-2.0
/// What the papers argue against: contact forces by a spring and a damper at each point, which look at that point
/// alone. As stiff as a step of 1 ms allows they push as if each point carried the body by itself, and throw it up;
/// friction is a damper, and lets bodies creep.   [C12 1]
/// Here: the same worlds with the solver "penalty", in its stiffest setting, and with "nsgs".
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "json_writer.h"
#include "memory.h"
#include "message.h"
#include "reproduce.h"
#include "step_engine.h"
#include "svg_plot.h"
#include "table.h"

enum { SCENES = 4, WAYS = 2, LOOKS_MOST = 512 };
static const double DURATION = 1, QUICK_DURATION = 0.4; // s
static const double MM = 1e3;
// m: farther from where it must stay than that is not standing.
static const double ASTRAY = 1e-3;

static const char* const SOLVERS[WAYS] = {"penalty", "nsgs"};
static const char* const TITLES[SCENES] = {"a block on an incline", "10 boxes in a pyramid",
                                           "a tower of 20 boxes", "hrp2 on 32 points"};
static const char* const NAMES[SCENES] = {"incline-holds", "pile-64", "tower-20", "hrp2-32"};

typedef struct run {
    double x[LOOKS_MOST], away[LOOKS_MOST]; ///< s; m: farthest that a root is from where it started
    int looks;
    double away_most, fastest; ///< m, m/s
    double stopped_at;         ///< s, state no longer finite; NAN: never
} run;

typedef struct study {
    double duration;
    run runs[SCENES][WAYS];
    bool holds;
} study;

// ---- measuring ----------------------------------------------------------------------------------------

static step_scene* find_scene(const char* name) {
    step_scene* scene;
    for (int i = 0; step_scene_make(i, true, &scene); i++) {
        if (!scene || strcmp(scene->name, name) == 0) return scene;
        step_scene_free(scene);
    }
    return NULL;
}

static void add_look(const step_track* t, int look, run* r) {
    const step_root* roots = step_track_roots(t, look);
    double away = 0;
    for (int i = 0; i < t->scene->root_count; i++) {
        sn_vec3 moved = sn_vec3_sub(roots[i].position, t->scene->roots[i].position);
        away = fmax(away, sn_vec3_norm(moved));
        r->fastest = fmax(r->fastest, sn_vec3_norm(roots[i].velocity));
    }
    r->away_most = fmax(r->away_most, away);
    r->x[r->looks] = t->looks[look].time;
    r->away[r->looks++] = MM * away;
}

static bool measure(double duration, int scene_index, int way, run* r) {
    step_scene* scene = find_scene(NAMES[scene_index]);
    step_engine engine;
    step_track track;
    if (!scene) return false;
    scene->duration = duration;
    scene->every = 4;
    step_engine_world(&engine, SOLVERS[way]);
    bool whole = step_engine_run(&engine, scene, INFINITY, &track);
    r->stopped_at = whole ? (double)NAN : track.steps * scene->step;
    for (int i = 0; i < track.look_count && i < LOOKS_MOST; i++) add_look(&track, i, r);
    bool good = whole || track.steps > 0;
    if (!good) message_error("%s: %s", scene->name, engine.trouble);
    step_track_free(&track);
    engine.kind->end(&engine);
    step_scene_free(scene);
    return good;
}

static bool stands(const run* r) { return !isfinite(r->stopped_at) && r->away_most < ASTRAY; }

static bool carry_out(void* of, bool* holds) {
    study* s = of;
    s->holds = true;
    for (int i = 0; i < SCENES; i++) {
        for (int w = 0; w < WAYS; w++) {
            if (!measure(s->duration, i, w, &s->runs[i][w])) return false;
        }
        s->holds = s->holds && !stands(&s->runs[i][0]) && stands(&s->runs[i][1]);
    }
    *holds = s->holds;
    return true;
}

// ---- showing ------------------------------------------------------------------------------------------

static void print_study(const void* of, FILE* out) {
    const study* s = of;
    table* t = table_create("llrrl", "scene|solver|farthest from its place|fastest|");
    for (int i = 0; i < SCENES; i++) {
        for (int w = 0; w < WAYS; w++) {
            const run* r = &s->runs[i][w];
            table_cell(t, "%s", w ? "" : TITLES[i]);
            table_cell(t, "%s", SOLVERS[w]);
            table_cell(t, "%.3g mm", MM * r->away_most);
            table_cell(t, "%.3g m/s", r->fastest);
            if (isfinite(r->stopped_at))
                table_cell(t, "not finite at %.3g s", r->stopped_at);
            else
                table_cell(t, "%s", stands(r) ? "stands" : "does not stand");
        }
    }
    fprintf(
        out,
        "Springs at contacts against constraints                                       [C12 1]\n\n"
        "All of it has to stay where it is; %g s in steps of 1 ms. Penalty forces are as stiff\n"
        "as the step allows for one point alone: each takes away all of its approach.\n\n",
        s->duration);
    table_print(t, 2, out);
    fprintf(
        out,
        "\nJudged by: within %g mm nothing moves with nsgs, something does with penalty, in every\n"
        "scene.\n",
        MM * ASTRAY);
}

static void write_study(const void* of, json_writer* w) {
    const study* s = of;
    jw_key(w, "rows");
    jw_array(w);
    for (int i = 0; i < SCENES * WAYS; i++) {
        const run* r = &s->runs[i / WAYS][i % WAYS];
        jw_object_line(w);
        jw_key(w, "scene");
        jw_text(w, NAMES[i / WAYS]);
        jw_key(w, "solver");
        jw_text(w, SOLVERS[i % WAYS]);
        jw_key(w, "stands");
        jw_boolean(w, stands(r));
        jw_key(w, "away_mm");
        jw_number(w, MM * r->away_most);
        jw_key(w, "fastest_m/s");
        jw_number(w, r->fastest);
        jw_key(w, "stopped_at_s");
        jw_number(w, r->stopped_at);
        jw_object_end(w);
    }
    jw_array_end(w);
}

static void draw_study(const void* of, FILE* file) {
    const study* s = of;
    plot p = {.title = "Springs at contacts against constraints", .panel_count = SCENES};
    p.subtitle = "how far bodies are from where they must stay; steps of 1 ms";
    for (int i = 0; i < SCENES; i++) {
        p.panels[i] = (plot_panel){
            .title = TITLES[i], .x_label = "time [s]", .y_label = "away by [mm]", .y_log = true};
        for (int w = 0; w < WAYS; w++) {
            const run* r = &s->runs[i][w];
            plot_add_series(&p.panels[i], SOLVERS[w], r->x, r->away, r->looks, false);
        }
    }
    svg_plot_write(&p, file);
}

int reproduce_penalty_divergence(const reproduce_options* options) {
    study* s = memory_take(1, sizeof *s);
    const reproduce_study r = {"penalty-divergence", s,           carry_out, draw_study,
                               write_study,          print_study, NULL};
    s->duration = options->quick ? QUICK_DURATION : DURATION;
    int status = reproduce_run(options, &r);
    free(s);
    return status;
}
