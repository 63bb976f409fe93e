// SPDX-License-Identifier: Apache-2.0
/// Keith et al. 2008 say that a ball joint made of three hinges with massless bodies in between
/// becomes unstable, and that an n-DOF joint does not.   [K08]
/// Here: a rod on either joint swings past the singular pose of the hinges at smaller and smaller
/// angles, with smaller and smaller steps of the same semi-implicit Euler.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "json_writer.h"
#include "keith_pendulum.h"
#include "memory.h"
#include "message.h"
#include "reproduce.h"
#include "svg_plot.h"
#include "table.h"

static const double MISSES[] = {45,  30,  20,  10,   7,    5,    3,     2,     1,     0.5,
                                0.3, 0.2, 0.1, 0.05, 0.02, 0.01, 0.005, 0.002, 0.001, 0};
static const double STEPS[] = {1e-3, 5e-4, 2.5e-4, 1e-4};
enum { MISS_COUNT = sizeof MISSES / sizeof MISSES[0], STEP_COUNT = sizeof STEPS / sizeof STEPS[0] };

static const double SHOWN_MISS = 3; // degrees, of the swing shown over time

// What the ball joint must keep for the claim to hold: the energy error stays small and shrinks
// like the step, as order 1 has it.
static const double BALL_ERROR_MOST = 0.01, ORDER_LEAST = 0.9;

typedef struct study {
    sn_model* models[KEITH_JOINT_COUNT];
    keith_run runs[KEITH_JOINT_COUNT][STEP_COUNT][MISS_COUNT];
    double inertia[MISS_COUNT];
    double unstable_deg[STEP_COUNT]; ///< widest miss at which the hinges are unstable; 0: none
    double ball_worst[STEP_COUNT];
    double ball_order;
    char refusal[512]; ///< why bodies without any mass are refused
    bool holds;
} study;

static bool make_models(study* s) {
    sn_error error;
    sn_model* massless = keith_model(KEITH_HINGES, 0, &error);
    snprintf(s->refusal, sizeof s->refusal, "%s", massless ? "" : error.text);
    sn_model_free(massless);
    for (int j = 0; j < KEITH_JOINT_COUNT; j++) {
        s->models[j] = keith_model((keith_joint)j, KEITH_MASS_RATIO, &error);
        if (s->models[j]) continue;
        message_error_from(&error);
        return false;
    }
    return true;
}

static bool measure(study* s) {
    for (int m = 0; m < MISS_COUNT; m++) {
        s->inertia[m] = keith_effective_inertia(s->models[KEITH_HINGES], MISSES[m]);
        for (int j = 0; j < KEITH_JOINT_COUNT; j++) {
            for (int h = 0; h < STEP_COUNT; h++) {
                keith_run* run = &s->runs[j][h][m];
                *run = (keith_run){.miss_deg = MISSES[m], .step = STEPS[h]};
                sn_status status = keith_swing(s->models[j], run, NULL, NULL, NULL);
                if (status == SN_OK) continue;
                message_error("the pendulum cannot be simulated: %s", sn_status_text(status));
                return false;
            }
        }
    }
    return true;
}

static void judge(study* s) {
    s->holds = true;
    for (int h = 0; h < STEP_COUNT; h++) {
        for (int m = 0; m < MISS_COUNT; m++) {
            if (!(s->runs[KEITH_HINGES][h][m].energy_error <= KEITH_UNSTABLE)) {
                s->unstable_deg[h] = fmax(s->unstable_deg[h], MISSES[m]);
            }
            s->ball_worst[h] = fmax(s->ball_worst[h], s->runs[KEITH_BALL][h][m].energy_error);
        }
        s->holds = s->holds && s->unstable_deg[h] > 0 && s->ball_worst[h] <= BALL_ERROR_MOST;
    }
    int last = STEP_COUNT - 1;
    s->ball_order = log(s->ball_worst[0] / s->ball_worst[last]) / log(STEPS[0] / STEPS[last]);
    s->holds = s->holds && s->ball_order >= ORDER_LEAST;
}

// ---- text ----------------------------------------------------------------------------------------

static void add_run_cell(table* t, const keith_run* run) {
    if (run->stopped_at >= 0) {
        table_cell(t, "stops, %.2f s", run->stopped_at);
    } else {
        table_cell(t, "%.2g%s", run->energy_error,
                   run->energy_error > KEITH_UNSTABLE ? " unstable" : "");
    }
}

static void print_study(const void* of, FILE* out) {
    const study* s = of;
    fprintf(
        out,
        "Ball joint as three hinges against a true ball joint                          [K08]\n\n"
        "A rod of 1 m and 1 kg hangs on a joint and is launched at %g rad/s, so that it goes over\n"
        "the top and passes the axis of the first hinge at the miss angle. Bodies between the\n"
        "hinges have %g of the rod's mass and inertia. With none at all the model is refused:\n"
        "  \"%s\"\n\n"
        "Largest energy error in %g s, relative to the launch energy; unstable above %g:\n\n",
        KEITH_LAUNCH, KEITH_MASS_RATIO, s->refusal, KEITH_DURATION, KEITH_UNSTABLE);
    table* t = table_create("rrrrrrrr", "miss [deg]|inertia [kg m2]|hinges, 1 ms|0.5 ms|0.25 ms|"
                                        "0.1 ms|ball, 1 ms|0.1 ms");
    for (int m = 0; m < MISS_COUNT; m++) {
        table_cell(t, "%g", MISSES[m]);
        table_cell(t, "%.2g", s->inertia[m]);
        for (int h = 0; h < STEP_COUNT; h++) add_run_cell(t, &s->runs[KEITH_HINGES][h][m]);
        add_run_cell(t, &s->runs[KEITH_BALL][0][m]);
        add_run_cell(t, &s->runs[KEITH_BALL][STEP_COUNT - 1][m]);
    }
    table_print(t, 2, out);
    fprintf(out, "\nThree hinges become unstable when they pass the singular pose within\n");
    for (int h = 0; h < STEP_COUNT; h++) {
        fprintf(out, "  %6.2f degrees at a step of %g ms\n", s->unstable_deg[h], 1e3 * STEPS[h]);
    }
    fprintf(out,
            "The ball joint is the same for every direction: error at most %.2g at 1 ms, %.2g at\n"
            "0.1 ms, shrinking with order %.2f.\n",
            s->ball_worst[0], s->ball_worst[STEP_COUNT - 1], s->ball_order);
    fprintf(
        out,
        "Exactly through the singular pose (0) nothing pushes the rod sideways and the hinges get\n"
        "away with it; a very close pass can be stepped over by luck.\n");
}

// ---- JSON ----------------------------------------------------------------------------------------

static void write_run(json_writer* w, const char* joint, const keith_run* run) {
    jw_object_line(w);
    jw_key(w, "joint");
    jw_text(w, joint);
    jw_key(w, "miss_deg");
    jw_number(w, run->miss_deg);
    jw_key(w, "step");
    jw_number(w, run->step);
    jw_key(w, "energy_error"); // null: not finite
    jw_number(w, run->energy_error);
    jw_key(w, "largest_speed");
    jw_number(w, run->largest_speed);
    jw_key(w, "unstable_at"); // null: never
    jw_number(w, run->unstable_at < 0 ? NAN : run->unstable_at);
    jw_key(w, "stopped_at");
    jw_number(w, run->stopped_at < 0 ? NAN : run->stopped_at);
    jw_object_end(w);
}

static void write_study(const void* of, json_writer* w) {
    const study* s = of;
    static const char* const joints[KEITH_JOINT_COUNT] = {"three hinges", "ball"};
    jw_key(w, "mass_ratio");
    jw_number(w, KEITH_MASS_RATIO);
    jw_key(w, "massless_refused");
    jw_text(w, s->refusal);
    jw_key(w, "unstable_above");
    jw_number(w, KEITH_UNSTABLE);
    jw_key(w, "steps");
    jw_numbers(w, STEPS, STEP_COUNT);
    jw_key(w, "hinges_unstable_within_deg");
    jw_numbers(w, s->unstable_deg, STEP_COUNT);
    jw_key(w, "ball_largest_error");
    jw_numbers(w, s->ball_worst, STEP_COUNT);
    jw_key(w, "ball_order");
    jw_number(w, s->ball_order);
    jw_key(w, "misses_deg");
    jw_numbers(w, MISSES, MISS_COUNT);
    jw_key(w, "hinge_1_inertia");
    jw_numbers(w, s->inertia, MISS_COUNT);
    jw_key(w, "rows");
    jw_array(w);
    for (int j = 0; j < KEITH_JOINT_COUNT; j++) {
        for (int h = 0; h < STEP_COUNT; h++) {
            for (int m = 0; m < MISS_COUNT; m++) write_run(w, joints[j], &s->runs[j][h][m]);
        }
    }
    jw_array_end(w);
}

// ---- plot ----------------------------------------------------------------------------------------

typedef struct trace {
    double *time, *error;
    int count;
} trace;

static trace trace_swing(const sn_model* model, double step) {
    size_t most = (size_t)lround(KEITH_DURATION / step) + 1;
    trace t = {memory_take(most, sizeof(double)), memory_take(most, sizeof(double)), 0};
    keith_run run = {.miss_deg = SHOWN_MISS, .step = step};
    keith_swing(model, &run, t.time, t.error, &t.count);
    return t;
}

static void trace_free(trace* t) {
    free(t->time);
    free(t->error);
}

enum { TRACE_COUNT = 3 };
static const double TOP = 100; // of the plots; a run that stops is drawn here

static plot_panel error_panel(const char* title, const char* x_label, double low) {
    return (plot_panel){.title = title,
                        .x_label = x_label,
                        .y_label = "relative energy error",
                        .y_log = true,
                        .y_low = low,
                        .y_high = TOP,
                        .mark = KEITH_UNSTABLE,
                        .mark_label = "unstable above 0.1"};
}

static void draw_study(const void* of, FILE* file) {
    const study* s = of;
    static const char* const traced[TRACE_COUNT] = {"three hinges, 1 ms", "three hinges, 0.1 ms",
                                                    "ball joint, 1 ms"};
    static const char* const names[STEP_COUNT] = {"hinges, 1 ms", "hinges, 0.5 ms",
                                                  "hinges, 0.25 ms", "hinges, 0.1 ms"};
    double errors[KEITH_JOINT_COUNT][STEP_COUNT][MISS_COUNT];
    trace traces[TRACE_COUNT] = {trace_swing(s->models[KEITH_HINGES], STEPS[0]),
                                 trace_swing(s->models[KEITH_HINGES], STEPS[STEP_COUNT - 1]),
                                 trace_swing(s->models[KEITH_BALL], STEPS[0])};
    char* title =
        memory_text("Energy error of a swing that misses the first axis by %g degrees", SHOWN_MISS);
    plot p = {.title = "A ball joint, and one made of three hinges", .panel_count = 2};
    p.subtitle =
        "rod of 1 m swinging over the top, semi-implicit Euler; claim of Keith et al. 2008";
    p.panels[0] = error_panel(title, "time [s]", 1e-6);
    for (int i = 0; i < TRACE_COUNT; i++) {
        plot_add_series(&p.panels[0], traced[i], traces[i].time, traces[i].error, traces[i].count,
                        false);
    }
    p.panels[1] = error_panel("Largest energy error; swings whose state overflows are at the top",
                              "miss angle from the first axis [deg]", 1e-4);
    p.panels[1].x_log = true;
    for (int j = 0; j < KEITH_JOINT_COUNT; j++) {
        for (int h = 0; h < STEP_COUNT; h++) {
            for (int m = 0; m < MISS_COUNT; m++) {
                errors[j][h][m] = fmin(TOP, s->runs[j][h][m].energy_error);
            }
        }
    }
    for (int h = 0; h < STEP_COUNT; h++) {
        plot_add_series(&p.panels[1], names[h], MISSES, errors[KEITH_HINGES][h], MISS_COUNT, true);
    }
    plot_add_series(&p.panels[1], "ball, 1 ms", MISSES, errors[KEITH_BALL][0], MISS_COUNT, true);
    plot_add_series(&p.panels[1], "ball, 0.1 ms", MISSES, errors[KEITH_BALL][STEP_COUNT - 1],
                    MISS_COUNT, true);
    svg_plot_write(&p, file);
    for (int i = 0; i < TRACE_COUNT; i++) trace_free(&traces[i]);
    free(title);
}

static bool carry_out(void* of, bool* holds) {
    study* s = of;
    if (!(make_models(s) && measure(s))) return false;
    judge(s);
    *holds = s->holds;
    return true;
}

int reproduce_keith_joints(const reproduce_options* options) {
    study* s = memory_take(1, sizeof *s);
    const reproduce_study r = {"keith-joints", s,           carry_out, draw_study,
                               write_study,    print_study, NULL};
    int status = reproduce_run(options, &r);
    for (int j = 0; j < KEITH_JOINT_COUNT; j++) sn_model_free(s->models[j]);
    free(s);
    return status;
}
