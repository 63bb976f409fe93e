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
static const double LONGEST_UNTIL_REST = 60; // s
enum { WARNINGS_MOST = 5 };

static volatile sig_atomic_t interrupted; // set by Ctrl-C

static void note_interrupt(int number) {
    (void)number;
    interrupted = 1;
}

static const command_page PAGE = {
    "sim",
    "MODEL --duration S [OPTIONS]",
    "Simulates a model from its neutral configuration at rest, as fast as it goes; shows "
    "progress,\n"
    "then a summary; writes the motion as CSV and a plot of energy, of the joints that move most "
    "and\n"
    "of contact as SVG. Bodies touch when there is a floor, an object or something else to touch;\n"
    "see --contact. Ctrl-C ends early and keeps what there is.\n" MODEL_HELP,
    "  sinew sim hrp2 --floor --until-rest --film fall.svg   a humanoid that nobody holds\n"
    "  sinew sim hrp2 --floor --hold --duration 2   with its joints locked it stands\n"
    "  sinew sim stack:5 --object sphere:0.1@-1,0,0.7:mass=8,v=6/0/0 --duration 2\n"
    "  sinew sim hrp2 --pin --duration 5 --plot run.svg   hanging by its pelvis\n"
    "  sinew sim double_pendulum --duration 10 --q0 upper_hinge=120deg --record run.csv\n"
    "  sinew sim chain:100 --duration 1 --integrator midpoint --json\n"
    "  sinew sim hrp2 --gravity 0,0,0 --duration 2 --push l_finger=10,0,0\n"
    "  sinew sim chain:300 --duration 2 --dynamics adaptive --schedule 0:all,1:20 --plot "
    "awake.svg\n"
    "  sinew sim cable --duration 3 --dynamics adaptive --max-active 9 --push "
    "link_25=1,0,0@1-1.2\n",
    "Positions of --q0: radians or metres, or degrees as 30deg; a spherical joint takes a "
    "rotation\n"
    "vector rx,ry,rz, a free joint x,y,z or x,y,z,rx,ry,rz, counted from where it "
    "stands.\n" SCENE_HELP
    "A record has one row per sample: time_s, positions q:JOINT, velocities v:JOINT, energies,\n"
    "units in the names, 17 digits; with contact also contacts, deepest_overlap_m and residual; "
    "of\n"
    "adaptive dynamics active_joints and remaining_error. More: docs/sim.md, docs/adaptive.md.\n"
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
    output_file record, plot, film;
    sim_history* history;
    sim_film* frames;
    sim_events events;
    scene scene;
    sn_world_contact contact_def;
    sim_watch watch;
    sim_activity activity;
    sim_contact contact;
    sim_rest rest;
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

// Contact as asked for; on by itself only where there is something to touch and the integrator can.
static bool choose_contact(sim_run* run) {
    const sim_options* o = run->options;
    bool asked = o->scene.floor.given || o->scene.objects.count > 0;
    bool euler = o->integrator == SN_INTEGRATE_EULER;
    bool wanted = asked || (scene_has_ground(run->scene.model) && euler);
    run->contact_def = contact_options_make(&o->contact, run->scene.model, wanted);
    if (run->contact_def.on && !euler) {
        message_error("--integrator %s: contact needs euler; leave out --integrator, or add "
                      "--contact off",
                      sn_integrator_name((sn_integrator)o->integrator));
        return false;
    }
    return contact_options_fit(&o->contact, run->contact_def.on);
}

static bool create_world(sim_run* run) {
    sn_error error = {0};
    message_log log = {0};
    const sim_options* o = run->options;
    sn_log sink = message_log_sink(&log);
    sn_world_def def = sn_world_def_default();
    def.contact = run->contact_def;
    def.log = &sink;
    def.step = o->step;
    def.gravity = sn_vec3_make(o->gravity[0], o->gravity[1], o->gravity[2]);
    def.dynamics = sn_dynamics_algorithm(o->dynamics);
    def.integrator = (sn_integrator)o->integrator;
    def.adaptivity = adaptive_options_make(&o->adaptive);
    def.adaptivity.max_active = sim_events_first_budget(&run->events, def.adaptivity.max_active);
    error.status = sn_world_create(run->scene.model, &def, &run->world, &error);
    message_log_print(&log, WARNINGS_MOST);
    message_log_clear(&log);
    if (run->world && *sn_world_advice(run->world))
        message_warning("%s", sn_world_advice(run->world));
    if (error.status == SN_OK) {
        return sim_setup(run->world, o, &run->scene) &&
               sim_rest_start(&run->rest, run->scene.model, o);
    }
    message_error_from(&error);
    return false;
}

// Opens what is to be written, so that a bad path is known before the work.
static bool open_files(sim_run* run) {
    const sim_options* o = run->options;
    const sn_model* model = sn_world_model(run->world);
    if (o->record && !output_open(&run->record, o->record)) return false;
    if (o->plot && !output_open(&run->plot, o->plot)) return false;
    if (o->film && !output_open(&run->film, o->film)) return false;
    if (o->record) {
        sim_record_header(run->record.stream, model, algorithm_is_adaptive(o->dynamics),
                          run->contact_def.on);
    }
    if (o->plot) run->history = sim_history_create(model, run->steps);
    if (o->film) run->frames = sim_film_create(model);
    return true;
}

// Records the state when that is due; false when the disk does not take it.
static bool keep_sample(sim_run* run, bool last) {
    uint64_t step = sn_world_step_count(run->world);
    bool due = step % (uint64_t)run->options->every == 0;
    // the last row is written once, also when it is not due
    if (run->record.stream && due != last) {
        sim_record_row(run->record.stream, run->world,
                       algorithm_is_adaptive(run->options->dynamics),
                       run->contact_def.on ? &run->contact.end : NULL);
    }
    if (run->history) sim_history_add(run->history, run->world, last);
    if (run->frames) sim_film_add(run->frames, run->world, last);
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
    sim_contact_start(&run->contact, &run->contact_def, run->steps);
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
        sim_contact_step(&run->contact, &report);
        kept = keep_sample(run, false);
        progress_update(&shown, sn_world_time(world));
        if (interrupted || !kept) {
            result->stopped = kept ? "interrupted" : "record cannot be written";
            break;
        }
        if (sim_rest_reached(&run->rest, world, &report)) break;
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
            "%d degrees of freedom%s%s, %s, %s, step %g s, gravity %g, %g, %g m/s2",
            sn_model_nv(model), o->pin ? ", root pinned" : "", o->hold ? ", joints held" : "",
            sn_dynamics_algorithm(o->dynamics), sn_integrator_name((sn_integrator)o->integrator),
            o->step, o->gravity[0], o->gravity[1], o->gravity[2]);
        sim_history_write(run->history, &run->activity, &run->contact, title, subtitle,
                          run->plot.stream);
        free(title);
        free(subtitle);
    }
    if (o->record && !output_commit(&run->record)) run->result.files_written = false;
    if (o->plot && !output_commit(&run->plot)) run->result.files_written = false;
    if (o->film) {
        sim_film_write(run->frames, sn_model_name(run->scene.model), run->film.stream);
        if (!output_commit(&run->film)) run->result.files_written = false;
    }
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

static void say_rest(const sim_run* run) {
    const sim_rest* rest = &run->rest;
    if (!rest->asked || rest->reached || run->result.stopped) return;
    const char* name =
        rest->body < 0 ? "something" : sn_model_body(run->scene.model, sn_body(rest->body)).name;
    message_note("not at rest after %g s: %s still moves at %.3g m/s; give a longer --duration, or "
                 "friction (--mu, roll= of round objects)",
                 run->result.simulated, name, rest->fastest);
}

static void report_run(const sim_run* run) {
    const sim_summary summary = {run->options,  &run->scene, &run->watch, &run->activity,
                                 &run->contact, &run->rest,  &run->result};
    if (run->options->json) {
        sim_report_json(&summary);
    } else {
        sim_report_print(&summary);
    }
    sim_report_contact_trouble(&summary);
    say_rest(run);
    say_stopped(run);
}

static int run_parsed(const sim_options* options) {
    model_source source;
    model_request request = {options->model, (model_base)options->base, false, NULL};
    sim_run run = {.options = options};
    run.steps = count_steps(options);
    if (run.steps == 0) return STATUS_USAGE;
    model_extras extras = contact_options_extras(
        &options->contact, options->scene.floor.given || options->scene.objects.count > 0);
    if (!model_source_load_with(&request, &extras, &source)) return STATUS_USAGE;
    message_log_print(&source.log, WARNINGS_MOST);
    int status = STATUS_USAGE;
    if (scene_make(&options->scene, source.model, (model_base)options->base, &options->q0,
                   &run.scene) &&
        choose_contact(&run) && sim_events_read(&run.events, run.scene.model, options, run.steps) &&
        create_world(&run) && open_files(&run)) {
        simulate(&run);
        write_files(&run);
        report_run(&run);
        status = run.result.stopped || !run.result.files_written ? STATUS_FAILED : STATUS_DONE;
    }
    output_discard(&run.record);
    output_discard(&run.plot);
    output_discard(&run.film);
    sim_film_free(run.frames);
    sim_history_free(run.history);
    sim_events_free(&run.events);
    sim_activity_free(&run.activity);
    sim_watch_free(&run.watch);
    sim_contact_free(&run.contact);
    sim_rest_free(&run.rest);
    sn_world_free(run.world);
    scene_free(&run.scene);
    model_source_free(&source);
    return status;
}

// Options of adaptive dynamics, where they make sense only there.
static bool options_fit(const sim_options* o) {
    const adaptive_options* a = &o->adaptive;
    if (!(o->duration > 0)) {
        message_error(
            "how long? give --duration in seconds, such as --duration 5, or --until-rest");
        return false;
    }
    if (!scene_options_fit(&o->scene)) return false;
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
                     .scene = scene_options_none(),
                     .contact = contact_options_none(),
                     .adaptive = adaptive_options_none(),
                     .every = 1};
    choice_text dynamics = algorithms_dynamics(), integrators = algorithms_integrators();
    choice_text solvers = algorithms_contact();
    text_list arguments = {0};
    const option options[] = {
        {"duration", "S", "time to simulate, in s", OPTION_POSITIVE, &o.duration},
        {"until-rest", NULL,
         "end when nothing moves any more; --duration is then the longest, 60 s if not given",
         OPTION_FLAG, &o.until_rest},
        SCENE_OPTIONS(o.scene),
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
        {"hold", NULL, "lock every joint that is not free, so that a humanoid stands", OPTION_FLAG,
         &o.hold},
        {"q0", "JOINT=VALUE...", "where joints start", OPTION_LIST, &o.q0},
        {"push", "BODY=FX,FY,FZ[@T0-T1]...",
         "force on a body at its origin, in N, world axes; all the time, or from T0 to T1 in s",
         OPTION_LIST, &o.push},
        CONTACT_OPTIONS(o.contact, solvers.text),
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
        {"plot", "FILE.svg", "draw energy, the joints that move most, and contact", OPTION_TEXT,
         &o.plot},
        {"film", "FILE.svg",
         "draw the scene from the side while it moves; a browser plays it, other programs show "
         "the end",
         OPTION_TEXT, &o.film},
        {"json", NULL, "the summary as one JSON object on standard output", OPTION_FLAG, &o.json},
    };
    options_result parsed =
        options_parse(&PAGE, options, sizeof options / sizeof options[0], argc, argv, &arguments);
    int status = parsed == OPTIONS_BAD ? STATUS_USAGE : STATUS_DONE;
    if (parsed == OPTIONS_RUN) {
        o.model = arguments.items[0];
        if (o.until_rest && o.duration == 0) o.duration = LONGEST_UNTIL_REST;
        status = options_fit(&o) ? run_parsed(&o) : STATUS_USAGE;
    }
    scene_options_free(&o.scene);
    text_list_free(&o.q0);
    text_list_free(&o.push);
    text_list_free(&o.keep);
    text_list_free(&arguments);
    return status;
}
