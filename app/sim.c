// SPDX-License-Identifier: Apache-2.0
/// sinew sim: simulate a scene for a while, as fast as it goes or at a pace.
#include "sim.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "algorithms.h"
#include "command.h"
#include "interrupt.h"
#include "memory.h"
#include "message.h"
#include "molecule_argument.h"
#include "progress.h"

static const double STEPS_MOST = 1e12;
static const double WHOLE = 1e-9; // share of a step by which a duration may miss a whole number
static const double LONGEST_UNTIL_REST = 60; // s
enum { WARNINGS_MOST = 5 };

static const command_page PAGE = {
    "sim",
    "SCENE --duration S [OPTIONS]",
    "Simulates a scene file, or a model from its neutral configuration at rest, as fast as it "
    "goes or\n"
    "at a --pace; shows progress, then a summary; writes the motion as CSV or as a recording that "
    "can\n"
    "be replayed, and a plot of energy, of the joints that move most and of contact as SVG. "
    "Bodies\n"
    "touch when there is a floor, an object or something else to touch; see --contact. Ctrl-C "
    "ends\n"
    "early and keeps what there is.\n"
    "SCENE is a scene file (.yaml, docs/scenes.md), the name of one that comes with sinew "
    "(pendulum,\n"
    "chain, humanoid, table, box_pile, stairs, seesaw, ...), or a MODEL, which here has no floor "
    "unless\n"
    "--floor asks for one. What a scene file says about step, gravity, duration and so on holds "
    "unless\n"
    "an option says otherwise. A name that a model and a scene have is the model.\n"
    "SCENE may also be a MOLECULE: then lengths are nm, times ps, forces kJ/(mol nm) = 1.66 "
    "pN.\n" MODEL_HELP MOLECULE_HELP,
    "  sinew sim table --duration 1 --film table.svg   a scene that comes with sinew\n"
    "  sinew sim stack:3 --duration 1 --pace 2 --record run.sinew   twice as fast as real time\n"
    "  echo '0.5: gravity: [0, 0, 0]' | sinew sim stack:3 --duration 1 --commands -\n"
    "  sinew sim ala:20 --duration 1 --record run.sinew   a picosecond of a helix; my_protein.pdb\n"
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
    "Your own: sinew sim my_scene.yaml --plugin my_plugin.so:gain=2 (docs/scenes.md, "
    "docs/plugins.md).\n"
    "A stream of --commands has an edit a line, as scripts of scene files have them:\n"
    "  add: {name: ball, sphere: 0.1, at: [0, 0, 2]}\n"
    "  0.5: push: {body: ball, force: [0, 3, 0]}\n"
    "With a time (s) it waits for it; without, it has the time of the line before. With --pace,\n"
    "what comes through a pipe is applied as it comes; else all is read before the run. Errors "
    "name\n"
    "their line and the run goes on.\n"
    "A CSV record has one row per sample: time_s, positions q:JOINT, velocities v:JOINT, "
    "energies,\n"
    "units in the names, 17 digits; with contact also contacts, deepest_overlap_m and residual; "
    "of\n"
    "adaptive dynamics active_joints and remaining_error; sensor:NAME of every sensor. More:\n"
    "docs/sim.md, docs/adaptive.md.\n"
    "A run that stops early, by Ctrl-C or because the state is no longer finite, has exit status "
    "1\n"
    "and still writes what it has.\n",
    1,
    1,
};

typedef struct sim_run {
    const sim_options* options;
    scene_request request;
    opened_scene scene;
    sn_world_def def;
    message_log log; ///< of the simulation
    sn_simulation* sim;
    double duration; ///< s
    uint64_t steps;
    output_file record, plot, film;
    sim_record* rows;
    sim_history* history;
    sim_film* frames;
    sim_events events;
    sim_commands* commands;
    sim_watch watch;
    sim_activity activity;
    sim_contact contact;
    sim_rest rest;
    progress shown;
    sim_result result;
} sim_run;

static bool ends_with(const char* text, const char* ending) {
    size_t length = strlen(text), tail = strlen(ending);
    return length >= tail && strcmp(text + length - tail, ending) == 0;
}

// A recording to be replayed, by its ending; else CSV.
static bool is_recording(const char* path) { return path && ends_with(path, ".sinew"); }

static const sn_units* units_of(const sim_run* run) { return sn_units_of(run->def.units); }

// ---- what holds: options, else the scene -----------------------------------------------------------

// Whole steps that cover the duration; 0, with the reason said, when that is not sensible.
static uint64_t count_steps(double duration, double step, const sn_units* units) {
    double exact = duration / step;
    if (!(exact <= STEPS_MOST)) {
        message_error("--duration %g with --step %g is more than %g steps; shorten one or lengthen "
                      "the other",
                      duration, step, STEPS_MOST);
        return 0;
    }
    double whole = ceil(exact - WHOLE * fmax(exact, 1));
    if (fabs(whole - exact) > WHOLE * fmax(exact, 1)) {
        message_note("the duration is not a whole number of steps; simulating %g %s", whole * step,
                     units->time.shown);
    }
    return (uint64_t)fmax(whole, 1);
}

static bool choose_duration(sim_run* run) {
    const sim_options* o = run->options;
    run->duration = o->duration > 0 ? o->duration : sn_scene_duration(run->scene.scene);
    if (!(run->duration > 0) && o->until_rest) run->duration = LONGEST_UNTIL_REST;
    if (!(run->duration > 0)) {
        message_error("how long? give --duration, such as --duration 5, or --until-rest");
        return false;
    }
    run->steps = count_steps(run->duration, run->def.step, units_of(run));
    return run->steps > 0;
}

// What only plugins have.
static bool choose_modules(sim_run* run) {
    const sim_options* o = run->options;
    bool foreign = run->scene.has_plugins;
    if (o->simulator && !foreign) {
        message_error("--simulator: '%s' would be a plugin's; give it with --plugin FILE",
                      o->simulator);
        return false;
    }
    if (o->contact.detector && !foreign && strcmp(o->contact.detector, "sinew") != 0) {
        message_error("--detector: '%s' would be a plugin's; give it with --plugin FILE",
                      o->contact.detector);
        return false;
    }
    if (o->simulator) run->def.simulator = o->simulator;
    return true;
}

// Options of adaptive dynamics, where they make sense only there.
static bool choose_adaptivity(sim_run* run) {
    const sim_options* o = run->options;
    const char* dynamics = run->def.dynamics;
    if (!adaptive_options_fit(&o->adaptive, dynamics, "--dynamics")) return false;
    const char* given = o->schedule ? "schedule" : o->keep.count > 0 ? "keep" : NULL;
    bool adaptive = algorithm_is_adaptive(dynamics);
    if (given && !adaptive) {
        message_error("--%s: only adaptive dynamics locks joints, %s moves all of them; add "
                      "--dynamics adaptive, or leave out --%s",
                      given, dynamics, given);
        return false;
    }
    sn_adaptivity* a = &run->def.adaptivity;
    *a = adaptive_options_on(&o->adaptive, *a);
    if (adaptive && a->max_active < 0 && !(a->threshold > 0) && !o->schedule) {
        message_note("all joints stay active; --max-active, --threshold or --schedule limit them");
    }
    run->events.adaptivity = *a;
    return true;
}

// Contact as asked for; on by itself only where there is something to touch and the integrator can.
static bool choose_contact(sim_run* run) {
    const sim_options* o = run->options;
    return world_options_fit_contact(&run->def) &&
           contact_options_fit(&o->contact, run->def.contact.on, run->scene.has_plugins);
}

static bool choose_options(sim_run* run) {
    const sim_options* o = run->options;
    bool euler = o->world.integrator < 0 || o->world.integrator == SN_INTEGRATE_EULER;
    sn_world_def* def = &run->def;
    *def = scene_world(&run->scene, &run->request, euler);
    if (!world_options_set(&o->world, &run->scene, def) || !choose_modules(run) ||
        !choose_adaptivity(run) || !choose_contact(run) || !choose_duration(run) ||
        !sim_events_read_budgets(&run->events, o, def->step, run->steps)) {
        return false;
    }
    def->adaptivity.max_active = sim_events_first_budget(&run->events, def->adaptivity.max_active);
    return true;
}

// ---- bringing it to life ---------------------------------------------------------------------------

static void print_log(sim_run* run) {
    message_log_print(&run->log, WARNINGS_MOST);
    message_log_clear(&run->log);
}

static bool create(sim_run* run) {
    const sim_options* o = run->options;
    sn_simulation_def def = sn_simulation_def_default();
    def.load = scene_argument_def();
    def.log = message_log_sink(&run->log);
    def.ignore_recording = true; // it begins here, and may wait for the disk
    def.keep_replaced = true;    // what is watched looks at models of before
    run->sim = scene_start(&run->scene, &run->def, &def);
    print_log(run);
    if (!run->sim) return false;
    sn_world* world = sn_simulation_world(run->sim);
    return sim_setup(world, o) && sim_rest_start(&run->rest, world, o) &&
           sim_events_read_pushes(&run->events, sn_world_model(world), o, run->def.step,
                                  run->steps);
}

static bool open_commands(sim_run* run) {
    const sim_options* o = run->options;
    if (!o->commands) return true;
    if (strcmp(o->commands, "-") == 0 && strcmp(o->scene, "-") == 0) {
        message_error("--commands -: standard input is the model already; give one of them as a "
                      "file");
        return false;
    }
    run->commands = sim_commands_open(o->commands, o->pace > 0);
    return run->commands != NULL;
}

// The recording that was asked for, else the scene's own.
static bool start_recording(sim_run* run) {
    const sim_options* o = run->options;
    sn_error error = {0};
    sn_recording_def own = sn_scene_recording(sn_simulation_scene(run->sim));
    const char* path = is_recording(o->record) ? o->record : own.path;
    int every = o->every > 0 ? (int)fmin((double)o->every, 1e9) : own.every;
    if (!path[0]) return true;
    // nobody waits for this run unless it keeps a pace, so it may wait for the disk
    error.status = sn_simulation_record(run->sim, path, every, !(o->pace > 0), &error);
    run->result.recording = path;
    if (error.status) message_error_from(&error);
    return error.status == SN_OK;
}

// Opens what is to be written, so that a bad path is known before the work.
static bool open_files(sim_run* run) {
    const sim_options* o = run->options;
    const sn_model* model = sn_world_model(sn_simulation_world(run->sim));
    bool rows = o->record && !is_recording(o->record);
    if (rows && !output_open(&run->record, o->record)) return false;
    if (o->plot && !output_open(&run->plot, o->plot)) return false;
    if (o->film && !output_open(&run->film, o->film)) return false;
    if (!start_recording(run)) return false;
    if (rows) {
        run->rows = sim_record_start(run->record.stream, run->sim,
                                     algorithm_is_adaptive(run->def.dynamics), run->def.contact.on);
    }
    if (o->plot) run->history = sim_history_create(run->sim, model, run->steps);
    if (o->film) run->frames = sim_film_create();
    return true;
}

// ---- running ---------------------------------------------------------------------------------------

// Records the state when that is due; false when the disk does not take it.
static bool keep_sample(sim_run* run, bool last) {
    sn_world* world = sn_simulation_world(run->sim);
    uint64_t every = run->options->every > 0 ? (uint64_t)run->options->every : 1;
    bool due = sn_world_step_count(world) % every == 0;
    // the last row is written once, also when it is not due
    if (run->rows && due != last) {
        sim_record_row(run->rows, run->record.stream, run->sim, &run->contact.end);
    }
    if (run->history) sim_history_add(run->history, world, last);
    if (run->frames) sim_film_add(run->frames, run->sim, last);
    return !run->record.stream || !ferror(run->record.stream);
}

// What is due before the next step.
static void change(sim_run* run) {
    sim_events_apply(&run->events, run->sim);
    sim_commands_apply(run->commands, run->sim);
}

static bool after_step(void* context, sn_simulation* sim, const sn_step_report* report) {
    sim_run* run = context;
    sn_world* world = sn_simulation_world(sim);
    sim_watch_step(&run->watch, world, report);
    sim_activity_step(&run->activity, world, report);
    sim_contact_step(&run->contact, report);
    bool kept = keep_sample(run, false);
    progress_update(&run->shown, report->time);
    if (interrupt_came() || !kept) {
        run->result.stopped = kept ? "interrupted" : "record cannot be written";
        return false;
    }
    if (sim_rest_reached(&run->rest, world, report)) return false;
    if (!run->frames) sn_simulation_collect(sim); // nobody looks at models of before any more
    if (report->step < run->steps) change(run);
    return true;
}

static void simulate(sim_run* run) {
    sn_world* world = sn_simulation_world(run->sim);
    sim_result* result = &run->result;
    interrupt_catch();
    sim_watch_start(&run->watch, world);
    sim_activity_start(&run->activity, world, &run->def, run->steps);
    sim_contact_start(&run->contact, &run->def, run->steps);
    (void)keep_sample(run, false); // a write error is found again after the first step
    change(run);
    const sn_run_def def = {
        .steps = run->steps, .pace = run->options->pace, .go_on = after_step, .context = run};
    run->shown =
        progress_start((double)run->steps * run->def.step, units_of(run), run->options->json);
    if (sn_simulation_run(run->sim, &def, &result->run)) {
        run->watch.events |= SN_EVENT_NOT_FINITE;
        result->stopped = "not finite";
    }
    result->wall = progress_finish(&run->shown);
    (void)keep_sample(run, true); // write errors are found again when the file is closed
    result->simulated = sn_world_time(world);
    result->hash = sn_world_hash(world);
    sim_watch_end(&run->watch, world);
    sim_activity_end(&run->activity, world);
}

// ---- afterwards ------------------------------------------------------------------------------------

static void write_plot(sim_run* run) {
    const sim_options* o = run->options;
    const sn_world_def* def = &run->def;
    const sn_model* model = sn_world_model(sn_simulation_world(run->sim));
    const sn_units* u = units_of(run);
    char* title =
        memory_text("%s, %g %s", sn_model_name(model), run->result.simulated, u->time.shown);
    char* subtitle = memory_text(
        "%d degrees of freedom%s%s, %s, %s, step %g %s, gravity %g, %g, %g %s", sn_model_nv(model),
        o->pin ? ", root pinned" : "", o->hold ? ", joints held" : "", def->dynamics,
        sn_integrator_name(def->integrator), def->step, u->time.shown, def->gravity.x,
        def->gravity.y, def->gravity.z, u->acceleration.shown);
    sim_history_write(run->history, &run->activity, &run->contact, title, subtitle,
                      run->plot.stream);
    free(title);
    free(subtitle);
}

static void write_files(sim_run* run) {
    const sim_options* o = run->options;
    sim_result* result = &run->result;
    result->files_written = true;
    if (result->recording) {
        sn_simulation_end_recording(run->sim, &result->recorder);
        if (result->recorder.state != SN_RECORDER_RUNS) result->files_written = false;
    }
    if (run->history) write_plot(run);
    if (run->rows && !output_commit(&run->record)) result->files_written = false;
    if (o->plot && !output_commit(&run->plot)) result->files_written = false;
    if (o->film) {
        sim_film_write(run->frames, units_of(run), sn_model_name(run->watch.model),
                       run->film.stream);
        if (!output_commit(&run->film)) result->files_written = false;
    }
}

static void say_stopped(const sim_run* run) {
    if (!run->result.stopped) return;
    if (strcmp(run->result.stopped, "interrupted") == 0) {
        message_note("interrupted after %g %s; what was simulated until then is kept",
                     run->result.simulated, units_of(run)->time.shown);
    } else if (strcmp(run->result.stopped, "not finite") == 0) {
        message_error("step %llu: the state is no longer finite; try a smaller --step than %g, or "
                      "--integrator midpoint",
                      (unsigned long long)run->result.run.steps + 1, run->def.step);
    }
}

static void say_rest(const sim_run* run) {
    const sim_rest* rest = &run->rest;
    if (!rest->asked || rest->reached || run->result.stopped) return;
    const char* name =
        rest->body < 0 ? "something" : sn_model_body(run->watch.model, sn_body(rest->body)).name;
    const sn_units* u = units_of(run);
    message_note("not at rest after %g %s: %s still moves at %.3g %s; give a longer --duration, or "
                 "friction (--mu, roll= of round objects)",
                 run->result.simulated, u->time.shown, name, rest->fastest, u->speed.shown);
}

static void report_run(sim_run* run) {
    const sim_summary summary = {.options = run->options,
                                 .duration = run->duration,
                                 .world = &run->def,
                                 .scene = &run->scene,
                                 .sim = run->sim,
                                 .watch = &run->watch,
                                 .activity = &run->activity,
                                 .contact = &run->contact,
                                 .rest = &run->rest,
                                 .commands = run->commands,
                                 .result = &run->result};
    print_log(run);
    if (run->options->json) {
        sim_report_json(&summary);
    } else {
        sim_report_print(&summary);
    }
    sim_report_contact_trouble(&summary);
    sim_report_scene_trouble(&summary);
    say_rest(run);
    say_stopped(run);
}

static void run_free(sim_run* run) {
    output_discard(&run->record);
    output_discard(&run->plot);
    output_discard(&run->film);
    sim_record_free(run->rows);
    sim_film_free(run->frames);
    sim_history_free(run->history);
    sim_events_free(&run->events);
    sim_commands_free(run->commands);
    sim_activity_free(&run->activity);
    sim_watch_free(&run->watch);
    sim_contact_free(&run->contact);
    sim_rest_free(&run->rest);
    sn_simulation_free(run->sim);
    scene_free(&run->scene);
    message_log_clear(&run->log);
}

static int run_parsed(const sim_options* o) {
    sim_run run = {.options = o};
    run.request = (scene_request){.text = o->scene,
                                  .base = (model_base)o->base,
                                  .options = &o->scene_options,
                                  .contact = &o->contact,
                                  .q0 = &o->q0,
                                  .plugins = &o->plugins,
                                  .hold = o->hold,
                                  .pin = o->pin};
    int status = STATUS_USAGE;
    if (open_commands(&run) && scene_open(&run.request, &run.scene) && choose_options(&run) &&
        create(&run) && open_files(&run)) {
        simulate(&run);
        write_files(&run);
        report_run(&run);
        status = run.result.stopped || !run.result.files_written ? STATUS_FAILED : STATUS_DONE;
    }
    run_free(&run);
    return status;
}

int command_sim(int argc, char** argv) {
    sim_options o = {.base = MODEL_BASE_UNSET,
                     .world = world_options_none(),
                     .scene_options = scene_options_none(),
                     .contact = contact_options_none(),
                     .adaptive = adaptive_options_none()};
    choice_text dynamics = algorithms_dynamics(), integrators = algorithms_integrators();
    choice_text solvers = algorithms_contact();
    text_list arguments = {0};
    const option options[] = {
        {"duration", "S", "time to simulate, in s; a scene file may have its own", OPTION_POSITIVE,
         &o.duration},
        {"until-rest", NULL,
         "end when nothing moves any more; --duration is then the longest, 60 s if not given",
         OPTION_FLAG, &o.until_rest},
        SCENE_OPTIONS(o.scene_options),
        WORLD_OPTIONS(o.world, integrators.text, dynamics.text),
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
        {"period", "K", PERIOD_HELP, OPTION_COUNT, &o.adaptive.period},
        {"settling-time", "S",
         "adaptive dynamics: a moving joint is stopped when that takes less acceleration over "
         "this time than the threshold; 0.1 if not given",
         OPTION_POSITIVE, &o.adaptive.settling_time},
        {"plugin", "FILE[:OPTIONS]...",
         "shared libraries that take part (docs/plugins.md), with the text that they are given",
         OPTION_LIST, &o.plugins},
        {"detector", "NAME", "collision detection of a plugin", OPTION_TEXT, &o.contact.detector},
        {"simulator", "NAME", "a plugin's functions for the whole step", OPTION_TEXT, &o.simulator},
        {"commands", "FILE", "a stream of edits, one a line; - is standard input; see below",
         OPTION_TEXT, &o.commands},
        {"pace", "X",
         "X simulated seconds a second: 1 is real time, and what is late is counted; as fast as "
         "possible if not given",
         OPTION_POSITIVE, &o.pace},
        {"record", "FILE",
         "FILE.sinew: a recording, for `sinew replay` and `sinew export`; else positions, "
         "velocities, energies and sensors as CSV",
         OPTION_TEXT, &o.record},
        {"every", "K", "record every K-th step; 1 if not given", OPTION_COUNT, &o.every},
        {"plot", "FILE.svg", "draw energy, the joints that move most, contact and sensors",
         OPTION_TEXT, &o.plot},
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
        o.scene = arguments.items[0];
        status = scene_options_fit(&o.scene_options) ? run_parsed(&o) : STATUS_USAGE;
    }
    scene_options_free(&o.scene_options);
    text_list_free(&o.plugins);
    text_list_free(&o.q0);
    text_list_free(&o.push);
    text_list_free(&o.keep);
    text_list_free(&arguments);
    return status;
}
