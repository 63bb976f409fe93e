// SPDX-License-Identifier: Apache-2.0
/// sinew draw groups: a scene, coloured by what touches what. [C12] solves contact by such groups.
#include <math.h>
#include <stdlib.h>

#include "algorithms.h"
#include "command.h"
#include "contact_options.h"
#include "draw.h"
#include "json_writer.h"
#include "memory.h"
#include "message.h"
#include "output_file.h"
#include "scene.h"
#include "svg_scene.h"
#include "table.h"

enum { WARNINGS_MOST = 5 };
static const double STEPS_MOST = 1e9;

static const command_page PAGE = {
    "draw groups",
    "SCENE [--time S] [-o FILE.svg] [OPTIONS]",
    "Draws a scene from the side and from above, in the colours of its collision groups: bodies "
    "that\n"
    "touch each other, directly or through others but not through the floor, are one group, and\n"
    "contact is solved group by group. Shows contact points with their normals and forces; groups\n"
    "that sleep are pale. Draws what there is after one step, or after --time. Without -o the\n"
    "picture goes to standard output. SCENE is a scene file, or a MODEL. More: "
    "docs/sim.md.\n" MODEL_HELP,
    "  sinew draw groups stack:3 -o one.svg        three cubes on each other are one group\n"
    "  sinew draw groups apart:3 -o three.svg      three apart are three\n"
    "  sinew draw groups dominoes:12 --time 0.6 -o falling.svg\n"
    "  sinew draw groups hrp2 --floor --object box:0.3x0.6x0.2@0.5,0 --hold -o floor.svg\n"
    "  sinew draw groups pyramid:4 --json\n",
    SCENE_HELP,
    1,
    1,
};

typedef struct groups_options {
    int base;
    double time, step; ///< s; step 0: not given
    double gravity[3]; ///< NAN: not given
    bool hold, json;
    text_list q0;
    scene_options scene;
    contact_options contact;
    const char* output; ///< or NULL
} groups_options;

typedef struct groups_run {
    const groups_options* options;
    opened_scene scene;
    sn_simulation* sim;
    sn_world* world;
    const sn_model* model; ///< of what is drawn
    const sn_snapshot* shot;
    sn_pose* poses; ///< per body
    int* group_of;  ///< per body
    scene_group* groups;
    int group_count;
} groups_run;

// ---- simulating ------------------------------------------------------------------------------------

static bool create_world(groups_run* run, const scene_request* request) {
    const groups_options* o = run->options;
    message_log log = {0};
    sn_simulation_def made = sn_simulation_def_default();
    sn_world_def def = scene_world(&run->scene, request, true);
    if (o->step > 0) def.step = o->step;
    if (!isnan(o->gravity[0]))
        def.gravity = sn_vec3_make(o->gravity[0], o->gravity[1], o->gravity[2]);
    contact_options_set(&o->contact, true, !run->scene.is_file, &def.contact);
    if (!def.contact.on) {
        message_error("--contact off: without contact there are no groups");
        return false;
    }
    made.load = scene_argument_def();
    made.log = message_log_sink(&log);
    made.ignore_recording = true;
    run->sim = scene_start(&run->scene, &def, &made);
    message_log_print(&log, WARNINGS_MOST);
    message_log_clear(&log);
    if (run->sim) run->world = sn_simulation_world(run->sim);
    return run->sim != NULL;
}

static bool simulate(groups_run* run) {
    const groups_options* o = run->options;
    double step = sn_world_step_size(run->world);
    double steps = fmax(1, ceil(o->time / step));
    if (!(steps <= STEPS_MOST)) {
        message_error("--time %g with --step %g is more than %g steps; shorten one or lengthen the "
                      "other",
                      o->time, step, STEPS_MOST);
        return false;
    }
    for (double i = 0; i < steps; i++) {
        if (sn_simulation_step(run->sim, NULL) != SN_OK) {
            message_error("step %.0f: the state is no longer finite; try a smaller --step than %g",
                          i + 1, step);
            return false;
        }
    }
    return true;
}

static void collect(groups_run* run) {
    run->shot = sn_world_snapshot(run->world);
    run->model = sn_snapshot_model(run->shot);
    int bodies = sn_model_body_count(run->model);
    run->poses = memory_take((size_t)bodies, sizeof *run->poses);
    run->group_of = memory_take((size_t)bodies, sizeof *run->group_of);
    run->group_count = sn_world_group_count(run->world);
    run->groups = memory_take((size_t)run->group_count, sizeof *run->groups);
    for (int i = 0; i < bodies; i++) {
        int group = run->group_of[i] = sn_world_group_of(run->world, sn_body(i));
        run->poses[i] = sn_snapshot_pose(run->shot, sn_body(i));
        run->groups[group].bodies += 1;
        run->groups[group].asleep = sn_world_is_resting(run->world, sn_body(i));
    }
    const sn_contact_view* contacts = sn_snapshot_contacts(run->shot);
    for (int32_t i = 0; i < sn_snapshot_contact_count(run->shot); i++) {
        sn_body_id body = contacts[i].a.i >= 0 ? contacts[i].a : contacts[i].b;
        run->groups[run->group_of[body.i]].contacts += 1;
    }
}

static bool prepare(groups_run* run, const char* text) {
    const groups_options* o = run->options;
    const scene_request request = {
        text, (model_base)o->base, &o->scene, &o->contact, &o->q0, NULL, o->hold, false, false};
    if (!scene_open(&request, &run->scene)) return false;
    if (!create_world(run, &request)) return false;
    if (sn_model_body_count(sn_world_model(run->world)) == 0) {
        message_error("%s: has no moving bodies, and so no groups to draw", text);
        return false;
    }
    if (!simulate(run)) return false;
    collect(run);
    return true;
}

// ---- showing ---------------------------------------------------------------------------------------

static const sn_units* units_of(const groups_run* run) {
    return sn_units_of(sn_world_units(sn_simulation_world(run->sim)));
}

static char* size_line(const groups_run* run) {
    int asleep = 0;
    for (int i = 0; i < run->group_count; i++) asleep += run->groups[i].asleep;
    char* sleeping = asleep ? memory_text(", %d of them asleep", asleep) : memory_copy("");
    char* line =
        memory_text("%d group%s%s; %d contacts", run->group_count, run->group_count == 1 ? "" : "s",
                    sleeping, (int)sn_snapshot_contact_count(run->shot));
    free(sleeping);
    return line;
}

static void write_picture(const groups_run* run, FILE* out) {
    const sn_units* units = units_of(run);
    char* title = memory_text("Collision groups of %s, at %g %s", sn_model_name(run->model),
                              sn_snapshot_time(run->shot), units->time.shown);
    char* size = size_line(run);
    const scene_picture picture = {.title = title,
                                   .lines = {size},
                                   .model = run->model,
                                   .units = units,
                                   .poses = run->poses,
                                   .group_of = run->group_of,
                                   .groups = run->groups,
                                   .group_count = run->group_count,
                                   .contacts = sn_snapshot_contacts(run->shot),
                                   .contact_count = sn_snapshot_contact_count(run->shot)};
    svg_scene_write(&picture, out);
    free(title);
    free(size);
}

static void print_report(const groups_run* run) {
    char* size = size_line(run);
    table* t = table_create("ll", NULL);
    table_pair(t, "model", "%s", sn_model_name(run->model));
    table_pair(t, "time", "%g %s", sn_snapshot_time(run->shot), units_of(run)->time.shown);
    table_pair(t, "groups", "%s", size);
    table_pair(t, "picture", "%s", run->options->output);
    table_print(t, 0, stdout);
    free(size);
}

static void write_vector(json_writer* w, const char* key, sn_vec3 a) {
    double numbers[3] = {a.x, a.y, a.z};
    jw_key(w, key);
    jw_numbers(w, numbers, 3);
}

static const char* name_of(const groups_run* run, sn_body_id body) {
    return body.i < 0 ? "world" : sn_model_body(run->model, body).name;
}

static void write_group(json_writer* w, const groups_run* run, int group) {
    jw_object_line(w);
    jw_key(w, "bodies");
    jw_array_line(w);
    for (int i = 0; i < sn_model_body_count(run->model); i++) {
        if (run->group_of[i] == group) jw_text(w, name_of(run, sn_body(i)));
    }
    jw_array_end(w);
    jw_key(w, "contacts");
    jw_integer(w, run->groups[group].contacts);
    jw_key(w, "asleep");
    jw_boolean(w, run->groups[group].asleep);
    jw_object_end(w);
}

static void write_contact(json_writer* w, const groups_run* run, const sn_contact_view* c) {
    jw_object_line(w);
    jw_key(w, "a");
    jw_text(w, name_of(run, c->a));
    jw_key(w, "b");
    jw_text(w, name_of(run, c->b));
    write_vector(w, "x", c->x);
    write_vector(w, "n", c->n);
    jw_key(w, "gap");
    jw_number(w, c->gap);
    write_vector(w, "force", c->force);
    jw_object_end(w);
}

static void print_json(const groups_run* run) {
    json_writer w = jw_start(stdout);
    jw_object(&w);
    jw_key(&w, "model");
    jw_text(&w, sn_model_name(run->model));
    jw_key(&w, "time");
    jw_number(&w, sn_snapshot_time(run->shot));
    jw_key(&w, "groups");
    jw_array(&w);
    for (int i = 0; i < run->group_count; i++) write_group(&w, run, i);
    jw_array_end(&w);
    jw_key(&w, "contacts");
    jw_array(&w);
    for (int32_t i = 0; i < sn_snapshot_contact_count(run->shot); i++) {
        write_contact(&w, run, &sn_snapshot_contacts(run->shot)[i]);
    }
    jw_array_end(&w);
    jw_object_end(&w);
    jw_finish(&w);
}

// ---- the command -----------------------------------------------------------------------------------

static int run_parsed(const groups_options* o, const char* text) {
    groups_run run = {.options = o};
    output_file file = {0};
    int status = STATUS_USAGE;
    if ((!o->output || output_open(&file, o->output)) && prepare(&run, text)) {
        status = STATUS_DONE;
        if (o->output || !o->json) write_picture(&run, o->output ? file.stream : stdout);
        if (o->output && !output_commit(&file)) status = STATUS_FAILED;
        if (o->json) {
            print_json(&run);
        } else if (o->output && status == STATUS_DONE) {
            print_report(&run);
        }
    }
    output_discard(&file);
    free(run.poses);
    free(run.group_of);
    free(run.groups);
    sn_simulation_free(run.sim);
    scene_free(&run.scene);
    return status;
}

int draw_groups(int argc, char** argv) {
    groups_options o = {.base = MODEL_BASE_UNSET,
                        .gravity = {NAN, NAN, NAN},
                        .scene = scene_options_none(),
                        .contact = contact_options_none()};
    choice_text solvers = algorithms_contact();
    text_list arguments = {0};
    const option options[] = {
        {"time", "S", "simulate so long before drawing, in s; one step if not given", OPTION_LEAST,
         &o.time},
        SCENE_OPTIONS(o.scene),
        {"hold", NULL, "lock every joint that is not free, so that a humanoid stands", OPTION_FLAG,
         &o.hold},
        {"q0", "JOINT=VALUE...", "where joints start; see `sinew sim --help`", OPTION_LIST, &o.q0},
        {"step", "S", "length of a step, in s; 0.001 if not given", OPTION_POSITIVE, &o.step},
        {"gravity", "X,Y,Z", "acceleration of gravity in world axes; 0,0,-9.81 if not given",
         OPTION_VECTOR, o.gravity},
        {"base", MODEL_BASE_CHOICES, MODEL_BASE_HELP, OPTION_CHOICE, &o.base},
        CONTACT_OPTIONS(o.contact, solvers.text),
        {"output", "FILE.svg", "where to write the picture; also -o FILE.svg", OPTION_TEXT,
         &o.output},
        {"json", NULL, "groups and contacts as JSON on standard output", OPTION_FLAG, &o.json},
    };
    options_result parsed =
        options_parse(&PAGE, options, sizeof options / sizeof options[0], argc, argv, &arguments);
    int status = parsed == OPTIONS_BAD ? STATUS_USAGE : STATUS_DONE;
    if (parsed == OPTIONS_RUN) {
        bool fit = scene_options_fit(&o.scene) && contact_options_fit(&o.contact, true, false);
        status = fit ? run_parsed(&o, arguments.items[0]) : STATUS_USAGE;
    }
    scene_options_free(&o.scene);
    text_list_free(&o.q0);
    text_list_free(&arguments);
    return status;
}
