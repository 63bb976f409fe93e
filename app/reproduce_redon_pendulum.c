// SPDX-License-Identifier: Apache-2.0
/// Redon, Galoppo and Lin 2005 show a pendulum of 300 bodies with 300, 100, 50, 20 and 1 active joints:
/// fewer joints, less exact, up to two orders of magnitude faster.   [RGL05]
/// Here: at states of the full swing, how wrong accelerations are with how many joints active (MATH 5.3
/// says that this never grows with their number); then the swings themselves, over the first second.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "json_writer.h"
#include "memory.h"
#include "message.h"
#include "redon_pendulum.h"
#include "reproduce.h"
#include "svg_plot.h"
#include "table.h"

enum { BODIES = 300, STATES_MOST = 11 };
static const int COUNTS[] = {1, 2, 5, 10, 20, 50, 100, 150, 200, 250, BODIES};
enum { COUNT_COUNT = sizeof COUNTS / sizeof COUNTS[0] };

typedef struct contender {
    const char* dynamics;
    int budget; ///< -1: all, no choice to be made
} contender;
/// The five of the paper, then ours without adaptivity.
static const contender CONTENDERS[] = {
    {"adaptive", BODIES}, {"adaptive", 100}, {"adaptive", 50}, {"adaptive", 20},
    {"adaptive", 1},      {"dca", -1},       {"aba", -1},
};
enum {
    RUN_COUNT = sizeof CONTENDERS / sizeof CONTENDERS[0],
    FULL = 0,
    BUDGETS = 5,
    DCA = BUDGETS,
    ABA
};

// The library states the remaining error to this share of the total; M times a vector is far better.
static const double REMAINING_NOISE = 1e-8, M_NOISE = 1e-9;

typedef enum motion { AT_REST, MOVING, MOTION_COUNT } motion;
static const char* const MOTION_NAMES[] = {"at rest", "moving"};

typedef struct study {
    sn_model* model;
    int steps, repeats;
    int states; ///< taken along the full swing, evenly
    double *q[STATES_MOST], *v[STATES_MOST];
    redon_error errors[MOTION_COUNT][STATES_MOST][COUNT_COUNT];
    redon_run runs[RUN_COUNT];
    double* off[RUN_COUNT]; ///< m, of the free end from the full swing, at each step
    double *time, *height[RUN_COUNT];
    double length; ///< m, of the pendulum
    bool remaining_monotone, m_norm_monotone, bounded, exact, holds;
} study;

// ---- measuring ------------------------------------------------------------------------------------

static double* copy_numbers(const double* numbers, int count) {
    double* copy = memory_take((size_t)count, sizeof *copy);
    memcpy(copy, numbers, (size_t)count * sizeof *copy);
    return copy;
}

static void keep_state(sn_world* world, int step, void* context) {
    study* s = context;
    if ((long)step * (s->states - 1) % s->steps != 0) return;
    long i = (long)step * (s->states - 1) / s->steps;
    s->q[i] = copy_numbers(sn_world_q(world), sn_model_nq(s->model));
    s->v[i] = copy_numbers(sn_world_v(world), sn_model_nv(s->model));
}

static sn_status swing(study* s) {
    sn_status status = SN_OK;
    size_t samples = (size_t)s->steps + 1;
    s->time = memory_take(samples, sizeof(double));
    for (int r = 0; r < RUN_COUNT && !status; r++) {
        redon_run* run = &s->runs[r];
        *run = (redon_run){.dynamics = CONTENDERS[r].dynamics, .budget = CONTENDERS[r].budget};
        run->tip = memory_take(samples, sizeof(sn_vec3));
        s->off[r] = memory_take(samples, sizeof(double));
        s->height[r] = memory_take(samples, sizeof(double));
        status = redon_swing(s->model, run, s->steps, r == FULL ? keep_state : NULL, s);
        for (int i = 0; i <= s->steps; i++) {
            s->time[i] = i * REDON_STEP;
            s->height[r][i] = run->tip[i].z;
            s->off[r][i] = sn_vec3_norm(sn_vec3_sub(run->tip[i], s->runs[FULL].tip[i]));
        }
    }
    s->length = sn_vec3_norm(s->runs[FULL].tip[0]);
    return status;
}

static sn_status probe_states(study* s) {
    redon_probe probe;
    sn_status status = redon_probe_start(&probe, s->model, NULL);
    for (int m = 0; m < MOTION_COUNT; m++) {
        for (int i = 0; i < s->states; i++) {
            const double* v = m == MOVING ? s->v[i] : NULL;
            for (int c = 0; c < COUNT_COUNT && !status; c++) {
                status = redon_probe_error(&probe, s->q[i], v, COUNTS[c], &s->errors[m][i][c]);
            }
        }
    }
    redon_probe_free(&probe);
    return status;
}

static bool measure(study* s) {
    sn_error error = {0};
    s->model = redon_pendulum(BODIES, &error);
    if (!s->model) {
        message_error_from(&error);
        return false;
    }
    sn_status status = swing(s);
    if (!status) status = probe_states(s);
    for (int r = 0; r < RUN_COUNT && !status; r++) {
        status = redon_time(s->model, &s->runs[r], s->steps, s->repeats);
    }
    if (status) message_error("the pendulum cannot be simulated: %s", sn_status_text(status));
    return !status;
}

static void judge(study* s) {
    s->remaining_monotone = s->m_norm_monotone = s->bounded = s->exact = true;
    for (int m = 0; m < MOTION_COUNT; m++) {
        for (int i = 0; i < s->states; i++) {
            const redon_error* e = s->errors[m][i];
            for (int c = 0; c < COUNT_COUNT; c++) {
                if (!(e[c].m_norm <= e[c].bound + M_NOISE)) s->bounded = false;
                if (c == 0) continue;
                if (!(e[c].remaining <= e[c - 1].remaining + REMAINING_NOISE)) {
                    s->remaining_monotone = false;
                }
                if (!(e[c].m_norm <= e[c - 1].m_norm + M_NOISE)) s->m_norm_monotone = false;
            }
            const redon_error* all = &e[COUNT_COUNT - 1];
            if (!(all->remaining <= REMAINING_NOISE && all->m_norm <= M_NOISE)) s->exact = false;
        }
    }
    s->holds = s->remaining_monotone && s->m_norm_monotone && s->bounded && s->exact;
    for (int r = 0; r < RUN_COUNT; r++) s->holds = s->holds && isfinite(s->off[r][s->steps]);
}

// ---- summaries ------------------------------------------------------------------------------------

typedef enum error_kind { REMAINING, M_NORM, BOUND, KIND_COUNT } error_kind;
static const char* const KIND_KEYS[] = {"remaining", "m_norm", "bound"};

static double error_of(const study* s, motion m, int state, int c, error_kind kind) {
    const redon_error* e = &s->errors[m][state][c];
    return kind == REMAINING ? e->remaining : kind == M_NORM ? e->m_norm : e->bound;
}

static double worst(const study* s, motion m, int c, error_kind kind) {
    double most = 0;
    for (int i = 0; i < s->states; i++) most = fmax(most, error_of(s, m, i, c, kind));
    return most;
}

static int compare_numbers(const void* a, const void* b) {
    double x = *(const double*)a, y = *(const double*)b;
    return (x > y) - (x < y);
}

static double median(const study* s, motion m, int c, error_kind kind) {
    double all[STATES_MOST];
    for (int i = 0; i < s->states; i++) all[i] = error_of(s, m, i, c, kind);
    qsort(all, (size_t)s->states, sizeof all[0], compare_numbers);
    return all[s->states / 2];
}

// ---- text -----------------------------------------------------------------------------------------

// Below this, relative accelerations are those of all joints but for rounding.
static const double ROUNDING_SHOWN = 1e-12;

static void add_error_cell(table* t, double error) {
    if (error < ROUNDING_SHOWN) {
        table_cell(t, "rounding");
    } else {
        table_cell(t, "%.1e", error);
    }
}

static void print_errors(const study* s, FILE* out) {
    fprintf(
        out,
        "Accelerations at %d states along the full swing, as they are and with all velocities\n"
        "taken away. Two errors, both relative to the accelerations with all joints active:\n"
        "  remaining  what the locked joints would do, inertia metric; known to the library\n"
        "  M-norm     of the motion with those joints locked, in the norm of the inertia matrix\n"
        "Median and worst of the states:\n\n",
        s->states);
    table* t = table_create("rrrrrrrrr", "active|at rest: remaining|worst|M-norm|worst|"
                                         "moving: remaining|worst|M-norm|worst");
    for (int c = COUNT_COUNT - 1; c >= 0; c--) {
        table_cell(t, "%d", COUNTS[c]);
        for (int m = 0; m < MOTION_COUNT; m++) {
            for (error_kind kind = REMAINING; kind <= M_NORM; kind++) {
                add_error_cell(t, median(s, (motion)m, c, kind));
                add_error_cell(t, worst(s, (motion)m, c, kind));
            }
        }
    }
    table_print(t, 2, out);
    fprintf(out,
            "\nAt every state, from each count to the next:\n"
            "  remaining error %s with more active joints\n"
            "  M-norm error %s with more active joints\n"
            "  M-norm error %s |qdd of the locked joints|_M, the bound of Gauss' principle\n"
            "With all joints active they are %s.\n\n",
            s->remaining_monotone ? "never grows" : "GROWS",
            s->m_norm_monotone ? "never grows" : "GROWS", s->bounded ? "never above" : "ABOVE",
            s->exact ? "those of aba to rounding" : "NOT those of aba");
}

static void print_runs(const study* s, FILE* out) {
    fprintf(
        out,
        "Swings of %g s: how far the free end is from the full swing; what a step takes, choice\n"
        "of joints every 10 steps included, mean over a run, fastest of %d runs on this "
        "machine:\n\n",
        s->steps * REDON_STEP, s->repeats);
    enum { QUARTERS = 4 };
    char titles[200];
    double end = s->steps * REDON_STEP;
    snprintf(
        titles, sizeof titles,
        "dynamics|active|off [m] at %.3g s|%.3g s|%.3g s|%.3g s|step [us]|x all active|x dca|x aba",
        end / QUARTERS, 2 * end / QUARTERS, 3 * end / QUARTERS, end);
    table* t = table_create("lrrrrrrrrr", titles);
    for (int r = 0; r < RUN_COUNT; r++) {
        double taken = s->runs[r].seconds;
        table_cell(t, "%s", s->runs[r].dynamics);
        table_cell(t, "%d", r < BUDGETS ? s->runs[r].budget : BODIES);
        for (int k = 1; k <= QUARTERS; k++)
            table_cell(t, "%.2g", s->off[r][k * s->steps / QUARTERS]);
        table_cell(t, "%.3g", 1e6 * taken);
        table_cell(t, "%.3g", s->runs[FULL].seconds / taken);
        table_cell(t, "%.3g", s->runs[DCA].seconds / taken);
        table_cell(t, "%.3g", s->runs[ABA].seconds / taken);
    }
    table_print(t, 2, out);
}

static void print_study(const void* of, FILE* out) {
    const study* s = of;
    fprintf(
        out,
        "Pendulum of %d bodies with few joints active                                [RGL05]\n\n"
        "A rod of %.3g m and %.3g kg, cut into %d links on damped hinges, is released from lying;\n"
        "semi-implicit Euler, steps of %g ms. The paper has 300, 100, 50, 20 and 1 active joints\n"
        "and speaks of up to two orders of magnitude. Sizes, damping and start are ours.\n\n",
        BODIES, s->length, sn_model_mass(s->model), BODIES, 1e3 * REDON_STEP);
    print_errors(s, out);
    print_runs(s, out);
    fprintf(out,
            "\nJoints are found by halves, so that it takes nine or so to reach the ones near the\n"
            "suspension, which bend first; with one, the whole pendulum is a stiff rod.\n");
}

// ---- JSON -----------------------------------------------------------------------------------------

static void write_errors(const study* s, json_writer* w) {
    jw_array(w);
    for (int m = 0; m < MOTION_COUNT; m++) {
        for (int i = 0; i < s->states; i++) {
            for (int c = 0; c < COUNT_COUNT; c++) {
                jw_object_line(w);
                jw_key(w, "state");
                jw_integer(w, i);
                jw_key(w, "time");
                jw_number(w, s->time[i * s->steps / (s->states - 1)]);
                jw_key(w, "motion");
                jw_text(w, MOTION_NAMES[m]);
                jw_key(w, "max_active");
                jw_integer(w, COUNTS[c]);
                jw_key(w, "active");
                jw_integer(w, s->errors[m][i][c].active);
                for (error_kind kind = REMAINING; kind < KIND_COUNT; kind++) {
                    jw_key(w, KIND_KEYS[kind]);
                    jw_number(w, error_of(s, (motion)m, i, c, kind));
                }
                jw_object_end(w);
            }
        }
    }
    jw_array_end(w);
}

static void write_runs(const study* s, json_writer* w) {
    jw_array(w);
    for (int r = 0; r < RUN_COUNT; r++) {
        double taken = s->runs[r].seconds, most = 0;
        for (int i = 0; i <= s->steps; i++) most = fmax(most, s->off[r][i]);
        jw_object_line(w);
        jw_key(w, "dynamics");
        jw_text(w, s->runs[r].dynamics);
        jw_key(w, "max_active");
        jw_integer(w, r < BUDGETS ? s->runs[r].budget : BODIES);
        jw_key(w, "tip_off_end");
        jw_number(w, s->off[r][s->steps]);
        jw_key(w, "tip_off_most");
        jw_number(w, most);
        jw_key(w, "step_seconds");
        jw_number(w, taken);
        jw_key(w, "vs_all_active");
        jw_number(w, s->runs[FULL].seconds / taken);
        jw_key(w, "vs_dca");
        jw_number(w, s->runs[DCA].seconds / taken);
        jw_key(w, "vs_aba");
        jw_number(w, s->runs[ABA].seconds / taken);
        jw_object_end(w);
    }
    jw_array_end(w);
}

static void write_study(const void* of, json_writer* w) {
    const study* s = of;
    jw_key(w, "bodies");
    jw_integer(w, BODIES);
    jw_key(w, "step");
    jw_number(w, REDON_STEP);
    jw_key(w, "duration");
    jw_number(w, s->steps * REDON_STEP);
    jw_key(w, "remaining_monotone");
    jw_boolean(w, s->remaining_monotone);
    jw_key(w, "m_norm_monotone");
    jw_boolean(w, s->m_norm_monotone);
    jw_key(w, "m_norm_bounded");
    jw_boolean(w, s->bounded);
    jw_key(w, "all_active_exact");
    jw_boolean(w, s->exact);
    jw_key(w, "runs");
    write_runs(s, w);
    jw_key(w, "errors");
    write_errors(s, w);
}

// ---- plot -----------------------------------------------------------------------------------------

static void draw_study(const void* of, FILE* file) {
    const study* s = of;
    static const char* const names[BUDGETS] = {"all 300 active", "100", "50", "20", "1"};
    static const char* const kinds[MOTION_COUNT][2] = {{"remaining, at rest", "M-norm, at rest"},
                                                       {"remaining, moving", "M-norm, moving"}};
    double counts[COUNT_COUNT], errors[MOTION_COUNT][2][COUNT_COUNT];
    plot p = {.title = "A pendulum of 300 bodies with few joints active", .panel_count = 3};
    p.subtitle = "rod of 3 m cut into 300 links, released from lying; after Redon et al. 2005";
    p.panels[0] = (plot_panel){
        .title = "Free end during the swing", .x_label = "time [s]", .y_label = "height [m]"};
    p.panels[1] =
        (plot_panel){.title = "Free end, distance from where it is with all joints active",
                     .x_label = "time [s]",
                     .y_label = "distance [m]",
                     .y_log = true,
                     .y_low = 1e-6,
                     .y_high = 10};
    p.panels[2] =
        (plot_panel){.title = "Error of accelerations, worst of the states; rounding with all 300",
                     .x_label = "active joints",
                     .y_label = "relative error",
                     .x_log = true,
                     .y_log = true,
                     .y_low = 1e-8,
                     .y_high = 10};
    for (int r = 0; r < BUDGETS; r++) {
        plot_add_series(&p.panels[0], names[r], s->time, s->height[r], s->steps + 1, false);
        plot_add_series(&p.panels[1], r == FULL ? "all 300 active: zero" : names[r], s->time,
                        s->off[r], s->steps + 1, false);
    }
    for (int c = 0; c < COUNT_COUNT; c++) counts[c] = COUNTS[c];
    for (int m = 0; m < MOTION_COUNT; m++) {
        for (int k = 0; k < 2; k++) {
            for (int c = 0; c < COUNT_COUNT; c++) {
                errors[m][k][c] = worst(s, (motion)m, c, (error_kind)k);
            }
            plot_add_series(&p.panels[2], kinds[m][k], counts, errors[m][k], COUNT_COUNT, true);
        }
    }
    svg_plot_write(&p, file);
}

static void study_free(study* s) {
    for (int i = 0; i < STATES_MOST; i++) {
        free(s->q[i]);
        free(s->v[i]);
    }
    for (int r = 0; r < RUN_COUNT; r++) {
        free(s->runs[r].tip);
        free(s->off[r]);
        free(s->height[r]);
    }
    free(s->time);
    sn_model_free(s->model);
    free(s);
}

static bool carry_out(void* of, bool* holds) {
    study* s = of;
    if (!measure(s)) return false;
    judge(s);
    *holds = s->holds;
    return true;
}

int reproduce_redon_pendulum(const reproduce_options* options) {
    study* s = memory_take(1, sizeof *s);
    s->steps = options->quick ? 100 : 1000;
    s->repeats = options->quick ? 1 : 3;
    s->states = options->quick ? 3 : STATES_MOST;
    const reproduce_study r = {"redon-pendulum", s,           carry_out, draw_study,
                               write_study,      print_study, NULL};
    int status = reproduce_run(options, &r);
    study_free(s);
    return status;
}
