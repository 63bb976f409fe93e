// SPDX-License-Identifier: Apache-2.0
/// sinew replay: what a recording holds, and whether it happens again.
#include "replay.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "json_writer.h"
#include "memory.h"
#include "message.h"
#include "options.h"
#include "recording_argument.h"
#include "replay_meters.h"
#include "sinew/plugin.h"
#include "table.h"
#include "unit_text.h"

static const command_page PAGE = {
    "replay",
    "RECORDING [--info | --verify] [OPTIONS]",
    "Plays a recording in the viewer: pause, step, slow down, wind. With --info it says what is in "
    "it\n"
    "and ends; with --verify it is simulated once more, from its first state "
    "and\n"
    "with the same inputs between the same steps, and the state after every step is compared with\n"
    "what was recorded, bit for bit.\n",
    "  sinew replay run.sinew                   see it again\n"
    "  sinew replay run.sinew --info            what is in it\n"
    "  sinew replay run.sinew --verify          whether it comes out the same, or the first step "
    "that does not\n"
    "  sinew replay run.sinew --scene           the scene that it was made of\n"
    "  sinew replay run.sinew --verify --plugin ./mine.so\n",
    "The same bits come out of the same build on the same kind of machine. Where they do not, the\n"
    "first step that differs is named, with the block of the file that holds it and the "
    "coordinate\n"
    "that is farthest off. A file whose writer was killed is good up to its end; one that is "
    "damaged,\n"
    "up to the damage. Controllers and plugins are not needed: their forces were recorded. Modules "
    "of\n"
    "plugins (dynamics, detector, solver, simulator) are: give them with --plugin.\n"
    "Exit status 1: something differs, steps are missing, or the file is damaged; 2: no "
    "recording.\n",
    1,
    1,
};

typedef struct replay_options {
    const char* path;
    bool info, verify, json, scene;
    text_list plugins;
    viewer_options viewer;
} replay_options;

// ---- telling ----------------------------------------------------------------------------------------

static const char* end_of(const sn_recording_info* info) {
    if (info->damaged) return "damaged; all before is good";
    if (!info->closed) return "its writer was stopped, or still writes";
    return "its writer came to the end";
}

static uint64_t last_step(const sn_recording_info* info) {
    return info->first_step + info->steps + info->lost;
}

static const char* or_default(const char* name, const char* otherwise) {
    return name ? name : otherwise;
}

static void tell_world(table* t, sn_recording* recording) {
    const sn_model* model = sn_recording_model(recording);
    const sn_world_def* world = sn_recording_world(recording);
    table_pair(t, "model", "%s: %d bodies, %d degrees of freedom", sn_model_name(model),
               sn_model_body_count(model), sn_model_nv(model));
    table_pair(t, "world", "%s, %s, contact %s", or_default(world->dynamics, "aba"),
               sn_integrator_name(world->integrator),
               world->contact.on ? or_default(world->contact.solver, sn_contact_solver_name(0))
                                 : "off");
    for (int i = 0; i < sn_recording_molecule_count(recording); i++) {
        const sn_world_molecule* m = sn_recording_molecule(recording, i);
        const sn_molecule* molecule = sn_torsion_tree_molecule(m->tree);
        table_pair(t, i == 0 ? "molecules" : "", "%s: %d atoms, %d torsions, friction %g/ps, %g K",
                   sn_molecule_name(molecule), sn_molecule_atom_count(molecule),
                   sn_torsion_tree_torsion_count(m->tree), m->forces.friction,
                   m->forces.temperature);
    }
    if (world->contact.detector) table_pair(t, "detector", "%s", world->contact.detector);
    if (world->simulator) table_pair(t, "simulator", "%s", world->simulator);
}

static void tell(const replay_options* o, sn_recording* recording) {
    sn_recording_info info = sn_recording_ask(recording);
    printf("%s: a recording of %" PRIu64 " steps\n", o->path, info.steps);
    table* t = table_create("ll", NULL);
    table_pair(t, "written by", "%s", info.build);
    if (info.scene[0])
        table_pair(t, "scene", "%zu bytes of text; --scene prints it", strlen(info.scene));
    tell_world(t, recording);
    const char* unit = recording_units(recording)->time.shown;
    table_pair(t, "time", "%g %s to %g %s, a step is %g %s", recording_time(&info, info.first_step),
               unit, recording_time(&info, last_step(&info)), unit, info.step, unit);
    table_pair(t, "samples", "%" PRIu64, info.samples);
    if (info.sensors) table_pair(t, "sensors", "%d", info.sensors);
    table_pair(t, "inputs", "%" PRIu64, info.inputs);
    table_pair(t, "blocks", "%" PRIu64, info.blocks);
    if (info.lost) table_pair(t, "missing", "%" PRIu64 " steps: the disk was too slow", info.lost);
    if (!info.exact)
        table_pair(t, "beginning",
                   "in the middle of a run, which contact or adaptive dynamics "
                   "remember more of than is here: a replay may differ");
    table_pair(t, "end", "%s", end_of(&info));
    table_print(t, 0, stdout);
    replay_meters_print(recording);
    fflush(stdout);
}

static void tell_verdict(const replay_options* o, const sn_recording_info* info,
                         const replay_result* r) {
    switch (r->verdict) {
    case REPLAY_NONE: break;
    case REPLAY_SAME:
        if (o->json) break;
        printf("verified: all %" PRIu64 " steps are the same, bit for bit (%.2f s)\n", r->same,
               r->seconds);
        break;
    case REPLAY_GAP:
        message_error("%s: %" PRIu64 " steps are the same, bit for bit; then steps are missing, "
                      "and what follows cannot be replayed",
                      o->path, r->same);
        break;
    case REPLAY_DIFFERS:
        message_error("%s: step %" PRIu64 " differs: block %" PRIu64 " at byte %" PRIu64
                      "; the %" PRIu64 " steps before are the same, bit for bit",
                      o->path, r->step, r->block, r->offset, r->same);
        if (r->worst[0])
            message_note("farthest off: %s is %.17g, recorded is %.17g", r->worst, r->again,
                         r->recorded);
        message_note("it was written by %s%s", info->build,
                     info->exact ? "; the same bits come of the same build on the same machine"
                                 : ", from the middle of a run: it need not come out the same");
        break;
    case REPLAY_NONSENSE:
        message_error("%s: what is recorded for step %" PRIu64 " makes no sense: block %" PRIu64
                      " at byte %" PRIu64 "; the %" PRIu64 " steps before are the same",
                      o->path, r->step, r->block, r->offset, r->same);
        break;
    case REPLAY_UNREADABLE:
        message_error("%s: step %" PRIu64 " cannot be read any more: has the file changed?",
                      o->path, r->step);
        break;
    }
}

// ---- JSON -------------------------------------------------------------------------------------------

static void write_count(json_writer* w, const char* key, uint64_t count) {
    jw_key(w, key);
    jw_integer(w, (long long)count);
}

static void write_text(json_writer* w, const char* key, const char* text) {
    jw_key(w, key);
    jw_text(w, text);
}

static void write_flag(json_writer* w, const char* key, bool flag) {
    jw_key(w, key);
    jw_boolean(w, flag);
}

static void write_number(json_writer* w, const char* key, double number) {
    jw_key(w, key);
    jw_number(w, number);
}

static void write_verdict(json_writer* w, const replay_result* r) {
    bool all_there = r->verdict == REPLAY_SAME;
    jw_key(w, "verify");
    jw_object(w);
    write_text(w, "verdict", replay_verdict_name(r->verdict));
    write_count(w, "same_steps", r->same);
    write_number(w, "seconds", r->seconds);
    if (!all_there) {
        write_count(w, "step", r->step);
        write_count(w, "block", r->block);
        write_count(w, "offset", r->offset);
    }
    if (r->worst[0]) {
        write_text(w, "coordinate", r->worst);
        write_number(w, "recorded", r->recorded);
        write_number(w, "again", r->again);
    }
    jw_object_end(w);
}

static void write_molecules(json_writer* w, const sn_recording* recording) {
    jw_key(w, "molecules");
    jw_array(w);
    for (int i = 0; i < sn_recording_molecule_count(recording); i++) {
        const sn_world_molecule* m = sn_recording_molecule(recording, i);
        const sn_molecule* molecule = sn_torsion_tree_molecule(m->tree);
        jw_object_line(w);
        write_text(w, "prefix", m->prefix);
        write_text(w, "name", sn_molecule_name(molecule));
        write_count(w, "atoms", (uint64_t)sn_molecule_atom_count(molecule));
        write_count(w, "torsions", (uint64_t)sn_torsion_tree_torsion_count(m->tree));
        jw_object_end(w);
    }
    jw_array_end(w);
}

static void write_json(const replay_options* o, sn_recording* recording, const replay_result* r) {
    sn_recording_info info = sn_recording_ask(recording);
    const sn_model* model = sn_recording_model(recording);
    json_writer w = jw_start(stdout);
    jw_object(&w);
    write_text(&w, "recording", o->path);
    write_text(&w, "build", info.build);
    write_text(&w, "model", sn_model_name(model));
    write_count(&w, "bodies", (uint64_t)sn_model_body_count(model));
    write_count(&w, "dof", (uint64_t)sn_model_nv(model));
    if (sn_recording_molecule_count(recording) > 0) write_molecules(&w, recording);
    unit_write_all(&w, recording_units(recording));
    write_number(&w, "step", info.step);
    write_count(&w, "first_step", info.first_step);
    write_count(&w, "steps", info.steps);
    write_number(&w, "begin", recording_time(&info, info.first_step));
    write_number(&w, "end", recording_time(&info, last_step(&info)));
    write_count(&w, "samples", info.samples);
    write_count(&w, "sensors", (uint64_t)info.sensors);
    write_count(&w, "inputs", info.inputs);
    write_count(&w, "blocks", info.blocks);
    write_count(&w, "lost", info.lost);
    replay_meters_json(&w, recording);
    write_flag(&w, "closed", info.closed);
    write_flag(&w, "damaged", info.damaged);
    write_flag(&w, "exact", info.exact);
    if (info.scene[0]) write_text(&w, "scene", info.scene);
    if (r->verdict != REPLAY_NONE) write_verdict(&w, r);
    jw_object_end(&w);
    jw_finish(&w);
}

// ---- the command --------------------------------------------------------------------------------------

static sn_plugin_modules* load_modules(const text_list* plugins) {
    const char** paths = memory_take((size_t)plugins->count + 1, sizeof *paths);
    for (int k = 0; k < plugins->count; k++) paths[k] = plugins->items[k];
    sn_plugin_modules* modules = NULL;
    sn_error error = {0};
    if (sn_plugin_modules_load(paths, &modules, &error)) message_error_from(&error);
    free(paths);
    return modules;
}

static int look(const replay_options* o, sn_recording* recording, const sn_modules* modules) {
    replay_result result = {0};
    if (!o->json) tell(o, recording);
    if (o->verify && !replay_verify(recording, modules, o->json, &result)) return STATUS_USAGE;
    sn_recording_info info = sn_recording_ask(recording);
    if (o->json) write_json(o, recording, &result);
    tell_verdict(o, &info, &result);
    bool good = result.verdict == REPLAY_SAME || result.verdict == REPLAY_NONE;
    return good && !info.damaged ? STATUS_DONE : STATUS_FAILED;
}

static int replay(const replay_options* o, sn_recording* recording) {
    if (o->scene) {
        fputs(sn_recording_ask(recording).scene, stdout);
        return STATUS_DONE;
    }
    sn_plugin_modules* modules = load_modules(&o->plugins);
    if (!modules) return STATUS_USAGE;
    const sn_modules* found = sn_plugin_modules_get(modules);
    bool is_asked = o->info || o->verify || o->json;
    int status = is_asked ? look(o, recording, found)
                          : replay_in_viewer(recording, found, o->path, &o->viewer);
    sn_plugin_modules_free(modules);
    return status;
}

int command_replay(int argc, char** argv) {
    replay_options o = {.viewer = {.port = -1}};
    text_list arguments = {0};
    const option options[] = {
        VIEWER_OPTIONS(o.viewer),
        {"info", NULL, "say what is in it, and end", OPTION_FLAG, &o.info},
        {"verify", NULL, "simulate it again and compare every step, bit for bit", OPTION_FLAG,
         &o.verify},
        {"plugin", "FILE...", "plugins whose modules it used", OPTION_LIST, &o.plugins},
        {"scene", NULL, "print the text of its scene and nothing else", OPTION_FLAG, &o.scene},
        {"json", NULL, "all of it as one JSON object on standard output", OPTION_FLAG, &o.json},
    };
    options_result parsed =
        options_parse(&PAGE, options, sizeof options / sizeof options[0], argc, argv, &arguments);
    int status = parsed == OPTIONS_BAD ? STATUS_USAGE : STATUS_DONE;
    if (parsed == OPTIONS_RUN) {
        o.path = arguments.items[0];
        sn_recording* recording = recording_argument(o.path);
        status = recording ? replay(&o, recording) : STATUS_USAGE;
        sn_recording_free(recording);
    }
    text_list_free(&o.plugins);
    text_list_free(&arguments);
    return status;
}
