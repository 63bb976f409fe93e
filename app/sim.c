// SPDX-License-Identifier: Apache-2.0
/// sinew sim: simulate for a while, as fast as it goes.
#define _POSIX_C_SOURCE 200809L
#include "sim.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "algorithms.h"
#include "command.h"
#include "memory.h"
#include "message.h"
#include "progress.h"

static const double STEPS_MOST = 1e12;
static const double WHOLE = 1e-9; // share of a step by which a duration may miss a whole number
enum { WARNINGS_MOST = 5 };

static volatile sig_atomic_t interrupted; // set by Ctrl-C

static void note_interrupt(int number) {
    (void)number;
    interrupted = 1;
}

static const command_page PAGE = {
    "sim",
    "MODEL --duration S [OPTIONS]",
    "Simulates a model from its neutral configuration at rest, without contact, as fast as it\n"
    "goes; shows progress, then a summary; writes the motion as CSV and a plot of energy and of "
    "the\n"
    "joints that move most as SVG. Ctrl-C ends early and keeps what there is.\n" MODEL_HELP,
    "  sinew sim hrp2 --pin --duration 5 --plot run.svg   a humanoid hanging by its pelvis\n"
    "  sinew sim double_pendulum --duration 10 --q0 upper_hinge=120deg --record run.csv\n"
    "  sinew sim chain:100 --duration 1 --integrator midpoint --json\n"
    "  sinew sim hrp2 --gravity 0,0,0 --duration 2 --push l_finger=10,0,0\n"
    "  sinew sim chain:300 --duration 2 --dynamics adaptive --schedule 0:all,1:20 --plot "
    "awake.svg\n"
    "  sinew sim cable --duration 3 --dynamics adaptive --max-active 9 --push "
    "link_25=1,0,0@1-1.2\n",
    "Positions of --q0: radians or metres, or degrees as 30deg; a spherical joint takes a "
    "rotation\n"
    "vector rx,ry,rz, a free joint x,y,z or x,y,z,rx,ry,rz. A record has one row per sample:\n"
    "time_s, positions q:JOINT, velocities v:JOINT, energies, units in the names, 17 digits;\n"
    "of adaptive dynamics also active_joints and remaining_error (docs/adaptive.md).\n"
    "A run that stops early, by Ctrl-C or because the state is no longer finite, has exit status "
    "1\n"
    "and still writes what it has.\n",
    1,
    1,
};

typedef struct sim_run {
    const sim_options* options;
    sn_world* world;
    uint64_t steps;
    output_file record, plot;
    sim_history* history;
    sim_events events;
    sim_watch watch;
    sim_activity activity;
    sim_result result;
} sim_run;

// Whole steps that cover the duration; 0, with the reason said, when that is not sensible.
static uint64_t count_steps(const sim_options* o) {
    double exact = o->duration / o->step;
    if (!(exact <= STEPS_MOST)) {
        message_error("--duration %g with --step %g is more than %g steps; shorten one or lengthen "
                      "the other",
                      o->duration, o->step, STEPS_MOST);
        return 0;
    }
    double whole = ceil(exact - WHOLE * fmax(exact, 1));
    if (fabs(whole - exact) > WHOLE * fmax(exact, 1)) {
        message_note("the duration is not a whole number of steps; simulating %g s",
                     whole * o->step);
    }
    return (uint64_t)fmax(whole, 1);
}

static bool create_world(sim_run* run, const sn_model* model) {
    sn_error error = {0};
    const sim_options* o = run->options;
    sn_world_def def = sn_world_def_default();
    def.step = o->step;
    def.gravity = sn_vec3_make(o->gravity[0], o->gravity[1], o->gravity[2]);
    def.dynamics = sn_dynamics_algorithm(o->dynamics);
    def.integrator = (sn_integrator)o->integrator;
    def.adaptivity = adaptive_options_make(&o->adaptive);
    def.adaptivity.max_active = sim_events_first_budget(&run->events, def.adaptivity.max_active);
    error.status = sn_world_create(model, &def, &run->world, &error);
    if (run->world && *sn_world_advice(run->world))
        message_warning("%s", sn_world_advice(run->world));
    if (error.status == SN_OK) return sim_setup(run->world, o);
    message_error_from(&error);
    return false;
}

// Opens what is to be written, so that a bad path is known before the work.
static bool open_files(sim_run* run) {
    const sim_options* o = run->options;
    const sn_model* model = sn_world_model(run->world);
    if (o->record && !output_open(&run->record, o->record)) return false;
    if (o->plot && !output_open(&run->plot, o->plot)) return false;
    if (o->record) {
        sim_record_header(run->record.stream, model, algorithm_is_adaptive(o->dynamics));
    }
    if (o->plot) run->history = sim_history_create(model, run->steps);
    return true;
}

// Records the state when that is due; false when the disk does not take it.
static bool keep_sample(sim_run* run, bool last) {
    uint64_t step = sn_world_step_count(run->world);
    bool due = step % (uint64_t)run->options->every == 0;
    // the last row is written once, also when it is not due
    if (run->record.stream && due != last) {
        sim_record_row(run->record.stream, run->world,
                       algorithm_is_adaptive(run->options->dynamics));
    }
    if (run->history) sim_history_add(run->history, run->world, last);
    return !run->record.stream || !ferror(run->record.stream);
}

static void catch_interrupt(void) {
    struct sigaction action = {0};
    action.sa_handler = note_interrupt;
    action.sa_flags = (int)SA_RESETHAND; // a second Ctrl-C ends the program at once
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
}

static void simulate(sim_run* run) {
    sn_world* world = run->world;
    sim_result* result = &run->result;
    catch_interrupt();
    sim_watch_start(&run->watch, world);
    sim_activity_start(&run->activity, world, run->options, run->steps);
    bool kept = keep_sample(run, false);
    progress shown = progress_start((double)run->steps * run->options->step, run->options->json);
    while (result->steps < run->steps) {
        sn_step_report report = {0};
        sim_events_apply(&run->events, world, run->options);
        sn_status status = sn_world_step(world, &report);
        if (status != SN_OK) {
            run->watch.events |= report.events;
            result->stopped = "not finite";
            break;
        }
        result->steps += 1;
        sim_watch_step(&run->watch, world, &report);
        sim_activity_step(&run->activity, world, &report);
        kept = keep_sample(run, false);
        progress_update(&shown, sn_world_time(world));
        if (interrupted || !kept) {
            result->stopped = kept ? "interrupted" : "record cannot be written";
            break;
        }
    }
    result->wall = progress_finish(&shown);
    (void)keep_sample(run, true); // write errors are found again when the file is closed
    result->simulated = sn_world_time(world);
    result->hash = sn_world_hash(world);
    sim_watch_end(&run->watch, world);
    sim_activity_end(&run->activity, world);
}

static void write_files(sim_run* run) {
    const sim_options* o = run->options;
    run->result.files_written = true;
    if (run->history) {
        const sn_model* model = sn_world_model(run->world);
        char* title = memory_text("%s, %g s", sn_model_name(model), run->result.simulated);
        char* subtitle = memory_text(
            "%d degrees of freedom%s, %s, %s, step %g s, gravity %g, %g, %g m/s2",
            sn_model_nv(model), o->pin ? ", root pinned" : "", sn_dynamics_algorithm(o->dynamics),
            sn_integrator_name((sn_integrator)o->integrator), o->step, o->gravity[0], o->gravity[1],
            o->gravity[2]);
        sim_history_write(run->history, &run->activity, title, subtitle, run->plot.stream);
        free(title);
        free(subtitle);
    }
    if (o->record && !output_commit(&run->record)) run->result.files_written = false;
    if (o->plot && !output_commit(&run->plot)) run->result.files_written = false;
}

static void say_stopped(const sim_run* run) {
    if (!run->result.stopped) return;
    if (strcmp(run->result.stopped, "interrupted") == 0) {
        message_note("interrupted after %g s; what was simulated until then is kept",
                     run->result.simulated);
    } else if (strcmp(run->result.stopped, "not finite") == 0) {
        message_error("step %llu: the state is no longer finite; try a smaller --step than %g, or "
                      "--integrator midpoint",
                      (unsigned long long)run->result.steps + 1, run->options->step);
    }
}

static int run_parsed(const sim_options* options) {
    model_source source;
    model_request request = {options->model, (model_base)options->base, false, NULL};
    sim_run run = {.options = options};
    run.steps = count_steps(options);
    if (run.steps == 0) return STATUS_USAGE;
    if (!model_source_load(&request, &source)) return STATUS_USAGE;
    message_log_print(&source.log, WARNINGS_MOST);
    int status = STATUS_USAGE;
    if (sim_events_read(&run.events, source.model, options, run.steps) &&
        create_world(&run, source.model) && open_files(&run)) {
        simulate(&run);
        write_files(&run);
        if (options->json) {
            sim_report_json(options, &run.watch, &run.activity, &run.result);
        } else {
            sim_report_print(options, &run.watch, &run.activity, &run.result);
        }
        say_stopped(&run);
        status = run.result.stopped || !run.result.files_written ? STATUS_FAILED : STATUS_DONE;
    }
    output_discard(&run.record);
    output_discard(&run.plot);
    sim_history_free(run.history);
    sim_events_free(&run.events);
    sim_activity_free(&run.activity);
    sim_watch_free(&run.watch);
    sn_world_free(run.world);
    model_source_free(&source);
    return status;
}

// Options of adaptive dynamics, where they make sense only there.
static bool options_fit(const sim_options* o) {
    const adaptive_options* a = &o->adaptive;
    if (!(o->duration > 0)) {
        message_error("how long? give --duration in seconds, such as --duration 5");
        return false;
    }
    if (!adaptive_options_fit(a, o->dynamics, "--dynamics")) return false;
    const char* given = o->schedule ? "schedule" : o->keep.count > 0 ? "keep" : NULL;
    bool adaptive = algorithm_is_adaptive(o->dynamics);
    if (given && !adaptive) {
        message_error("--%s: only adaptive dynamics locks joints, %s moves all of them; add "
                      "--dynamics adaptive, or leave out --%s",
                      given, sn_dynamics_algorithm(o->dynamics), given);
        return false;
    }
    if (adaptive && a->max_active < 0 && !(a->threshold > 0) && !o->schedule) {
        message_note("all joints stay active; --max-active, --threshold or --schedule limit them");
    }
    return true;
}

int command_sim(int argc, char** argv) {
    sim_options o = {.base = MODEL_BASE_UNSET,
                     .step = 0.001,
                     .gravity = {0, 0, -9.81},
                     .adaptive = adaptive_options_none(),
                     .every = 1};
    choice_text dynamics = algorithms_dynamics(), integrators = algorithms_integrators();
    text_list arguments = {0};
    const option options[] = {
        {"duration", "S", "time to simulate, in s", OPTION_POSITIVE, &o.duration},
        {"step", "S", "length of a step, in s; 0.001 if not given", OPTION_POSITIVE, &o.step},
        {"integrator", integrators.text,
         "semi-implicit Euler of order 1 (the default), Runge-Kutta of order 4, or implicit "
         "midpoint of order 2, which keeps energy best",
         OPTION_CHOICE, &o.integrator},
        {"dynamics", dynamics.text, "forward dynamics to use; the first is the default",
         OPTION_CHOICE, &o.dynamics},
        {"gravity", "X,Y,Z", "acceleration of gravity in world axes; 0,0,-9.81 if not given",
         OPTION_VECTOR, o.gravity},
        {"base", MODEL_BASE_CHOICES, MODEL_BASE_HELP, OPTION_CHOICE, &o.base},
        {"pin", NULL, "hold every free root where it is", OPTION_FLAG, &o.pin},
        {"q0", "JOINT=VALUE...", "where joints start", OPTION_LIST, &o.q0},
        {"push", "BODY=FX,FY,FZ[@T0-T1]...",
         "force on a body at its origin, in N, world axes; all the time, or from T0 to T1 in s",
         OPTION_LIST, &o.push},
        {"max-active", "N", MAX_ACTIVE_HELP, OPTION_WHOLE, &o.adaptive.max_active},
        {"threshold", "X", THRESHOLD_HELP, OPTION_LEAST, &o.adaptive.threshold},
        {"schedule", "T:N,T:N,...",
         "adaptive dynamics: --max-active from time T on, such as 0:857,2:48,4:all", OPTION_TEXT,
         &o.schedule},
        {"keep", "BODY...",
         "adaptive dynamics: bodies whose joints are active before all others, within --max-active",
         OPTION_LIST, &o.keep},
        {"metric", METRIC_CHOICES, METRIC_HELP, OPTION_CHOICE, &o.adaptive.metric},
        {"period", "K", "adaptive dynamics: steps between two choices of joints; 10 if not given",
         OPTION_COUNT, &o.adaptive.period},
        {"settling-time", "S",
         "adaptive dynamics: a moving joint is stopped when that takes less acceleration over "
         "this time than the threshold; 0.1 if not given",
         OPTION_POSITIVE, &o.adaptive.settling_time},
        {"record", "FILE.csv", "write positions, velocities and energies", OPTION_TEXT, &o.record},
        {"every", "K", "record every K-th step; 1 if not given", OPTION_COUNT, &o.every},
        {"plot", "FILE.svg", "draw energy and the joints that move most", OPTION_TEXT, &o.plot},
        {"json", NULL, "the summary as one JSON object on standard output", OPTION_FLAG, &o.json},
    };
    options_result parsed =
        options_parse(&PAGE, options, sizeof options / sizeof options[0], argc, argv, &arguments);
    int status = parsed == OPTIONS_BAD ? STATUS_USAGE : STATUS_DONE;
    if (parsed == OPTIONS_RUN) {
        o.model = arguments.items[0];
        status = options_fit(&o) ? run_parsed(&o) : STATUS_USAGE;
    }
    text_list_free(&o.q0);
    text_list_free(&o.push);
    text_list_free(&o.keep);
    text_list_free(&arguments);
    return status;
}
