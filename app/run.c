// SPDX-License-Identifier: Apache-2.0
/// sinew run: hands in a scene, on haptic devices or simulated ones, in real or in virtual time.
#include "run.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "algorithms.h"
#include "command.h"
#include "interrupt.h"
#include "memory.h"
#include "message.h"
#include "molecule_argument.h"

static const double RATE_LEAST = 1000, RATE_MOST = 4000; // Hz
enum { WARNINGS_MOST = 8 };

static const command_page PAGE = {
    "run",
    "[SCENE] [OPTIONS]",
    "Opens a scene in the browser: drag what moves with the mouse, see forces and plots, pause, "
    "slow\n"
    "down, open others; several people at once. SCENE is humanoid if none is given.\n" VIEWER_HELP
    "Haptic devices take part, too; with --headless they are alone. There are three loops:\n"
    "simulation, coupling and, for each hand, a haptic loop of 1 to 4 kHz, which reads a device,\n"
    "pulls at what is held or feels what is touched, and renders the force that its safety chain\n"
    "lets through. Devices are real, or simulated with a simulated "
    "hand\n"
    "that follows a script. In real time each loop has a thread; with --virtual-time all is "
    "computed\n"
    "in one, faster, to the bit the same each time, with delays and stalls as asked for.\n"
    "SCENE is a scene file (.yaml, docs/scenes.md), the name of one that comes with sinew, or a\n"
    "MODEL, which stands on a floor. Hands are those of the scene, where --device takes the place "
    "of\n"
    "pointers. With --hold, or where there are none and no viewer, there is one, and its device's\n"
    "origin is where it takes hold. Or it is a MOLECULE: then lengths are nm, times ps, forces\n"
    "kJ/(mol nm) = 1.66 pN.\n" MODEL_HELP MOLECULE_HELP,
    "  sinew run                                  a humanoid, in the browser\n"
    "  sinew run ala:20                           pull at a helix; sinew run my_protein.pdb\n"
    "  sinew run table                            things on a table; sinew run my_robot.urdf\n"
    "  sinew run stack:1 --headless --virtual-time --duration 2   a hand that rests, with a box in "
    "it\n"
    "  printf '0 0 0 0 1\\n1 0 0 0.02 1\\n' > lift.txt\n"
    "  sinew run table --device sim:omega3 --hold mug --script lift.txt   and a simulated hand\n"
    "  sinew run stack:1 --headless --hand firm --script lift.txt --virtual-time --duration 2\n"
    "  sinew run table --headless --hold mug@0,0,0.03 --device sim:omega3 --virtual-time "
    "--duration 1\n"
    "  sinew run hrp2 --headless --pin --hold l_wrist --script lift.txt --duration 0.5 --json\n"
    "  sinew run cable --headless --script lift.txt --virtual-time --duration 2 --plot run.svg\n"
    "  sinew run stack:1 --headless --virtual-time --duration 2 --stall simulation@1+0.5   it "
    "stops\n"
    "  sinew run stack:2 --headless --mode touch --virtual-time --duration 1 --record run.sinew\n",
    "A script has a knot a line; between them the hand moves smoothly. Seconds, metres from the\n"
    "device's origin (x right, y away, z up), if wanted a rotation vector, buttons that are held "
    "(1:\n"
    "the first, which devices with an enable button need for force), and released when it lets "
    "go:\n"
    "  # lifts by 2 cm within a second, holds, lets go\n"
    "  0 0 0 0 1\n"
    "  1 0 0 0.02 1\n"
    "  3 0 0 0.02 1 released\n"
    "Without one the hand rests, and holds the button. Times are those of the person's clock; "
    "with\n"
    "--pace X the simulation does X seconds in each of its seconds.\n"
    "Hands of a scene file say more: gains that fit what is held (stiffness: auto), how strong "
    "they\n"
    "pull (strength), rate control beyond an edge of the workspace (rate_from, rate), a box to "
    "touch\n"
    "with (mode: touch, tool), which button must be held (enable), and what the others do "
    "(buttons:\n"
    "grab, clutch, gripper, or an edit): docs/scenes.md, docs/haptics.md.\n"
    "Devices: `sinew devices` lists them, `sinew doctor` says whether this machine keeps the "
    "time.\n"
    "A run that stops early, or whose hand lost its force for good, has exit status 1. More, and "
    "what\n"
    "each number of the report means: docs/haptics.md.\n" SCENE_HELP,
    0,
    1,
};

// What simulation and session say: collected, and told to who looks at once.
static void note(void* context, sn_log_level level, sn_place place, const char* text) {
    run_state* run = context;
    sn_log collect = message_log_sink(&run->log);
    collect.write(collect.context, level, place, text);
    if (run->viewer) sn_server_say(run->viewer->server, level, text);
}

static sn_log sink(run_state* run) { return (sn_log){note, run}; }

// ---- what was asked for --------------------------------------------------------------------------------------------

// LOOP@T+D.
static bool parse_stall(const char* word, sn_stall* stall) {
    const char* sign = strchr(word, '@');
    size_t length = sign ? (size_t)(sign - word) : 0;
    char* end = NULL;
    int loop = 0;
    while (loop < SN_LOOPS && (strlen(sn_loop_name((sn_loop)loop)) != length ||
                               strncmp(word, sn_loop_name((sn_loop)loop), length) != 0))
        loop++;
    stall->loop = (sn_loop)loop;
    if (sign) stall->at = strtod(sign + 1, &end);
    if (loop < SN_LOOPS && end != sign + 1 && *end == '+' && stall->at >= 0 &&
        isfinite(stall->at) && parse_number(end + 1, &stall->duration) && stall->duration > 0)
        return true;
    message_error("--stall: '%s' is not LOOP@T+D; write simulation@1+0.5 (or coupling, haptics): "
                  "from 1 s on it stands still for 0.5 s",
                  word);
    return false;
}

static bool choose_timing(run_state* run) {
    const run_options* o = run->options;
    sn_session_timing* timing = &run->def.timing;
    const char* given = o->stalls.count > 0 ? "stall"
                        : o->jitter > 0     ? "jitter"
                        : o->step_time > 0  ? "step-time"
                                            : NULL;
    if (given && !o->virtual_time) {
        message_error("--%s is for virtual time: real time has its own; add --virtual-time", given);
        return false;
    }
    if (o->stalls.count > SN_STALLS_MOST) {
        message_error("--stall: %d of them; at most %d", o->stalls.count, SN_STALLS_MOST);
        return false;
    }
    timing->step_time = o->step_time;
    timing->seed = (uint64_t)o->seed;
    for (int k = 0; k < SN_LOOPS; k++) timing->jitter[k] = o->jitter;
    for (int i = 0; i < o->stalls.count; i++)
        if (!parse_stall(o->stalls.items[i], &timing->stall[timing->stalls++])) return false;
    return true;
}

static bool choose_session(run_state* run) {
    const run_options* o = run->options;
    run->def = sn_session_def_default();
    if (o->rate > 0 && !(o->rate >= RATE_LEAST && o->rate <= RATE_MOST)) {
        message_error("--rate: %g Hz; haptic loops run at %g to %g Hz", o->rate, RATE_LEAST,
                      RATE_MOST);
        return false;
    }
    if (o->rate > 0) run->def.haptic_rate = o->rate;
    if (o->coupling_rate > 0) run->def.coupling_rate = o->coupling_rate;
    if (o->pace > 0) run->def.pace = o->pace;
    run->def.virtual_time = o->virtual_time;
    run->def.log = sink(run);
    return choose_timing(run);
}

static const sn_units* run_units(const run_state* run) { return sn_units_of(run->world.units); }

// What was asked for about the first scene.
static bool choose_from_options(run_state* run) {
    const run_options* o = run->options;
    sn_world_def* def = &run->world;
    if (!world_options_set(&o->world, &run->scene, def) || !world_options_fit_contact(def) ||
        !adaptive_options_fit(&o->adaptive, def->dynamics, "--dynamics"))
        return false;
    def->adaptivity = adaptive_options_on(&o->adaptive, def->adaptivity);
    return true;
}

static bool choose_world(run_state* run) {
    const run_options* o = run->options;
    run->world = scene_world(&run->scene, &run->request, true);
    if (!run->is_another && !choose_from_options(run)) return false;
    if (run->dynamics) run->world.dynamics = run->dynamics;
    // steps of molecules are much shorter than those that a person sees: as many a second as of anything else
    if (!(o->pace > 0) && sn_scene_molecule_count(run->scene.scene) > 0)
        run->def.pace = run->world.step / sn_world_def_default().step;
    run->duration = o->duration > 0 ? o->duration : sn_scene_duration(run->scene.scene);
    if (run->viewer && o->duration <= 0) run->duration = INFINITY;
    if (run->duration > 0) return true;
    message_error("how long? give --duration in seconds, such as --duration 5");
    return false;
}

static bool load_drivers(const text_list* files) {
    for (int i = 0; i < files->count; i++) {
        sn_error error = {0};
        if (!sn_driver_load(files->items[i], &error)) continue;
        message_error_from(&error);
        return false;
    }
    return true;
}

// ---- bringing it to life -------------------------------------------------------------------------------------------

static void print_log(run_state* run) {
    message_log_print(&run->log, WARNINGS_MOST);
    message_log_clear(&run->log);
}

static bool create(run_state* run) {
    sn_error error = {0};
    sn_simulation_def def = sn_simulation_def_default();
    def.load = scene_argument_def();
    def.log = sink(run);
    def.ignore_recording = true; // it begins below, and in virtual time may wait for the disk
    run->sim = scene_start(&run->scene, &run->world, &def);
    if (run->sim && sn_session_create(run->sim, &run->def, &run->session, &error))
        message_error_from(&error);
    bool good = run->session && run_hands_add(&run->hands, run->options, run->sim, run->session);
    print_log(run);
    return good;
}

// The recording that was asked for, else the scene's own.
static bool start_recording(run_state* run) {
    const run_options* o = run->options;
    sn_error error = {0};
    sn_recording_def own = sn_scene_recording(sn_simulation_scene(run->sim));
    const char* path = o->record ? o->record : own.path;
    if (!path[0] || run->is_another) return true;
    error.status = sn_simulation_record(run->sim, path, own.every, o->virtual_time, &error);
    run->result.recording = path;
    if (error.status) message_error_from(&error);
    return error.status == SN_OK;
}

static uint64_t step_count(const run_state* run) {
    const double most = 1e9; // of a run without an end
    return (uint64_t)ceil(fmin(run->duration / run->world.step, most));
}

static bool open_files(run_state* run) {
    const run_options* o = run->options;
    bool plots = o->plot && !run->is_another;
    if (plots && !output_open(&run->plot, o->plot)) return false;
    if (plots) run->history = run_history_create(&run->hands, run_units(run), step_count(run));
    return start_recording(run);
}

// ---- running -------------------------------------------------------------------------------------------------------

static bool after_step(void* context, sn_session* session, const sn_step_report* report) {
    run_state* run = context;
    if (report) { // else it is paused
        sim_contact_step(&run->contact, report);
        if (run->history) run_history_add(run->history, run->sim, session);
        if (!run->viewer) progress_update(&run->shown, report->time);
    }
    if (run->viewer) sn_server_after(run->viewer->server, report);
    if (interrupt_came()) run->result.stopped = "interrupted";
    return !run->result.stopped && !(run->viewer && sn_server_has_wish(run->viewer->server));
}

void run_interact(run_state* run) {
    sn_world* world = sn_simulation_world(run->sim);
    run_result* result = &run->result;
    interrupt_catch();
    sim_contact_start(&run->contact, &run->world, step_count(run));
    run->shown = progress_start(run->duration, run_units(run), run->options->json || run->viewer);
    if (sn_session_run(run->session, run->duration, after_step, run)) result->stopped = "fault";
    result->wall = progress_finish(&run->shown);
    result->steps = sn_world_step_count(world);
    result->simulated = sn_world_time(world);
    result->hash = sn_world_hash(world);
}

void run_write_files(run_state* run) {
    run_result* result = &run->result;
    result->files_written = true;
    if (result->recording) {
        sn_simulation_end_recording(run->sim, &result->recorder);
        if (result->recorder.state != SN_RECORDER_RUNS) result->files_written = false;
    }
    if (!run->history) return;
    char* title = memory_text("%s, %g %s", run->options->scene, result->simulated,
                              run_units(run)->time.shown);
    run_history_write(run->history, title, run->plot.stream);
    free(title);
    if (!output_commit(&run->plot)) result->files_written = false;
}

static void say_stopped(const run_state* run) {
    const char* stopped = run->result.stopped;
    if (!stopped) return;
    if (strcmp(stopped, "interrupted") == 0) {
        message_note("interrupted after %g %s; what was there until then is kept",
                     run->result.simulated, run_units(run)->time.shown);
    } else {
        message_error("the simulation stopped after %g %s: its state is no longer finite, or a "
                      "module failed; try a smaller --step than %g",
                      run->result.simulated, run_units(run)->time.shown, run->world.step);
    }
}

bool run_report(run_state* run) {
    const run_summary summary = {.options = run->options,
                                 .scene = &run->scene,
                                 .world = &run->world,
                                 .sim = run->sim,
                                 .session = run->session,
                                 .session_def = &run->def,
                                 .duration = run->duration,
                                 .hands = &run->hands,
                                 .contact = &run->contact,
                                 .result = &run->result};
    print_log(run);
    if (run->options->json) {
        run_report_json(&summary);
    } else {
        run_report_print(&summary);
    }
    run_report_trouble(&summary);
    say_stopped(run);
    return run_is_well(&summary);
}

void run_close(run_state* run) {
    output_discard(&run->plot);
    run_history_free(run->history);
    sim_contact_free(&run->contact);
    sn_session_free(run->session);
    run_hands_free(&run->hands);
    sn_simulation_free(run->sim);
    scene_free(&run->scene);
    message_log_clear(&run->log);
    run->history = NULL;
    run->session = NULL;
    run->sim = NULL;
    if (sn_device_left_behind() > 0)
        message_warning("the vendor's library did not let go of the device in time");
}

bool run_open(run_state* run, const char* text) {
    static const text_list none;
    const run_options* o = run->options;
    bool first = !run->is_another;
    run->result = (run_result){0};
    run->plain = scene_options_none();
    run->usual_contact = contact_options_none();
    run->request = (scene_request){.text = text,
                                   .base = MODEL_BASE_UNSET,
                                   .options = first ? &o->scene_options : &run->plain,
                                   .contact = first ? &o->contact : &run->usual_contact,
                                   .q0 = first ? &o->q0 : &none,
                                   .plugins = &o->plugins,
                                   .pin = first && o->pin,
                                   .on_floor = true,
                                   .is_shown = run->viewer != NULL};
    return choose_session(run) && scene_open(&run->request, &run->scene) && choose_world(run) &&
           create(run) && open_files(run);
}

// Options that do not go together.
static bool options_fit(const run_options* o) {
    const char* headless_only = o->virtual_time ? "virtual-time" : NULL;
    if (!o->headless && headless_only) {
        message_error("--%s: a person cannot follow it; add --headless", headless_only);
        return false;
    }
    if (!o->headless && o->plot && o->duration <= 0) {
        message_error("--plot needs an end: add --duration");
        return false;
    }
    if (o->headless && !o->scene) {
        message_error("what is to be run? give a SCENE, such as humanoid");
        return false;
    }
    return true;
}

static int run_headless(run_state* run) {
    int status = STATUS_USAGE;
    if (run_open(run, run->options->scene)) {
        run_interact(run);
        run_write_files(run);
        status = run_report(run) ? STATUS_DONE : STATUS_FAILED;
    }
    run_close(run);
    return status;
}

static int run_parsed(const run_options* o) {
    run_state run = {.options = o};
    if (!scene_options_fit(&o->scene_options) || !options_fit(o) || !load_drivers(&o->drivers))
        return STATUS_USAGE;
    return o->headless ? run_headless(&run) : run_with_viewer(&run);
}

int command_run(int argc, char** argv) {
    run_options o = {.at = {NAN, NAN, NAN},
                     .law = -1,
                     .mode = -1,
                     .stiffness = -1,
                     .damping = -1,
                     .scale = -1,
                     .force_scale = -1,
                     .world = world_options_none(),
                     .adaptive = adaptive_options_none(),
                     .viewer = {.port = -1},
                     .scene_options = scene_options_none(),
                     .contact = contact_options_none()};
    choice_text dynamics = algorithms_dynamics(), integrators = algorithms_integrators();
    text_list arguments = {0};
    const option options[] = {
        VIEWER_OPTIONS(o.viewer),
        {"headless", NULL, "without a viewer", OPTION_FLAG, &o.headless},
        {"duration", "S",
         "time to simulate, in s; without a viewer a scene file may have its own, with one it goes "
         "on until Ctrl-C",
         OPTION_POSITIVE, &o.duration},
        {"device", "WORD",
         "one hand, on this device: sim:PROFILE, openhaptics:NAME, forcedimension:NUMBER, or a "
         "driver's of your own; sim:touch if not given",
         OPTION_TEXT, &o.device},
        {"hold", "BODY[@X,Y,Z]",
         "one hand, on this body, at this point of it in m; the last body of the first thing that "
         "moves if not given. Of a molecule also an atom \"A/12 CA\", a residue A/12, or a run of "
         "them A/10-15, which move as one piece",
         OPTION_TEXT, &o.hold},
        {"at", "X,Y,Z",
         "where the device's origin is in the world, in m; at the held point if not given, above "
         "the body when it is to be touched",
         OPTION_VECTOR, o.at},
        {"hand", "light|medium|firm|arm|none|mass",
         "whose hand holds a simulated device; medium if not given", OPTION_TEXT, &o.hand},
        {"script", "FILE...",
         "what simulated hands do: one for all, or one for each; - is standard input; see below",
         OPTION_LIST, &o.scripts},
        {"law", "spring|reaction", "what is felt: the spring to the body, or the reaction of it",
         OPTION_CHOICE, &o.law},
        {"mode", "attach|touch", "holds a body, or touches surfaces", OPTION_CHOICE, &o.mode},
        {"six", NULL, "holds the orientation, too", OPTION_FLAG, &o.six},
        {"stiffness", "K", "of the coupling, in N/m; 500 if not given", OPTION_POSITIVE,
         &o.stiffness},
        {"damping", "B", "of the coupling, in N s/m; 2 if not given", OPTION_LEAST, &o.damping},
        {"scale", "X",
         "metres of the scene for a metre of the device; with molecules nm for a metre, by "
         "workspace and size if not given",
         OPTION_POSITIVE, &o.scale},
        {"force-scale", "X",
         "newtons of the scene for a newton of the device; with molecules kJ/(mol nm) for a "
         "newton, "
         "so that the strongest is 1200 pN if not given",
         OPTION_POSITIVE, &o.force_scale},
        {"rate", "HZ", "of the haptic loops, 1000 to 4000; 1000 if not given", OPTION_POSITIVE,
         &o.rate},
        {"coupling-rate", "HZ", "of the coupling loop; 2000 if not given", OPTION_POSITIVE,
         &o.coupling_rate},
        {"pace", "X", "simulated seconds a second; 1 if not given", OPTION_POSITIVE, &o.pace},
        {"virtual-time", NULL, "compute it all in one thread, the same each time", OPTION_FLAG,
         &o.virtual_time},
        {"stall", "LOOP@T+D...",
         "virtual time: simulation, coupling or haptics stands still from T for D seconds",
         OPTION_LIST, &o.stalls},
        {"jitter", "S", "virtual time: every tick is late by up to S seconds, at random",
         OPTION_LEAST, &o.jitter},
        {"step-time", "S", "virtual time: how long a step takes; its results come so much later",
         OPTION_LEAST, &o.step_time},
        {"seed", "N", "of what is random", OPTION_WHOLE, &o.seed},
        {"driver", "FILE...", "load drivers of your own first (docs/devices.md)", OPTION_LIST,
         &o.drivers},
        SCENE_OPTIONS(o.scene_options),
        WORLD_OPTIONS(o.world, integrators.text, dynamics.text),
        {"max-active", "N", MAX_ACTIVE_HELP, OPTION_WHOLE, &o.adaptive.max_active},
        {"period", "K", PERIOD_HELP, OPTION_COUNT, &o.adaptive.period},
        {"pin", NULL, "hold every free root where it is", OPTION_FLAG, &o.pin},
        {"q0", "JOINT=VALUE...", "where joints start", OPTION_LIST, &o.q0},
        {"plugin", "FILE[:OPTIONS]...",
         "shared libraries that take part (docs/plugins.md), with the text that they are given",
         OPTION_LIST, &o.plugins},
        {"record", "FILE.sinew", "a recording, for `sinew replay` and `sinew export`", OPTION_TEXT,
         &o.record},
        {"plot", "FILE.svg", "draw the force on each hand, its way and that of what it holds",
         OPTION_TEXT, &o.plot},
        {"json", NULL, "the report as one JSON object on standard output", OPTION_FLAG, &o.json},
    };
    options_result parsed =
        options_parse(&PAGE, options, sizeof options / sizeof options[0], argc, argv, &arguments);
    int status = parsed == OPTIONS_BAD ? STATUS_USAGE : STATUS_DONE;
    if (parsed == OPTIONS_RUN) {
        o.scene = arguments.count > 0 ? arguments.items[0] : NULL;
        status = run_parsed(&o);
    }
    scene_options_free(&o.scene_options);
    text_list* const lists[] = {&o.scripts, &o.stalls, &o.drivers, &o.q0, &o.plugins, &arguments};
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++) text_list_free(lists[i]);
    return status;
}
