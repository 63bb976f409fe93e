// SPDX-License-Identifier: Apache-2.0
/// sinew check: whether a scene is right, and what is in it.
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "json_writer.h"
#include "message.h"
#include "options.h"
#include "scene_argument.h"
#include "table.h"
#include "unit_text.h"

enum { WARNINGS_MOST = 20, ITEMS_MOST = 30 };

static const command_page PAGE = {
    "check",
    "SCENE... [--json] | --schema",
    "Reads scenes without running them: says what is in each, or where the mistake is, with line\n"
    "and column, what is allowed, and the nearest word. A scene that passes can be simulated: its\n"
    "model was put together and a world was made of it.\n" SCENE_ARGUMENT_HELP,
    "  sinew check table                        a scene that comes with sinew\n"
    "  sinew check my_scene.yaml                your own\n"
    "  sinew check chain:10 stack:5 --json      models alone are scenes, too; for a script\n"
    "  sinew check --schema > scene.schema.json for an editor that completes keys as you type\n",
    "A small scene:\n"
    "  version: 1\n"
    "  floor: true\n"
    "  models:\n"
    "  - {name: robot, model: hrp2, stand: true}\n"
    "  objects:\n"
    "  - {name: ball, sphere: 0.1, at: [0.5, 0, 2]}\n"
    "  controllers:\n"
    "  - {item: robot, frequency: 5}\n"
    "All keys: docs/scenes.md. With the schema, VS Code's YAML extension and others complete keys\n"
    "when the first line is\n"
    "  # yaml-language-server: $schema=scene.schema.json\n"
    "Modules of plugins cannot be looked for without loading them, which this does not do. Exit\n"
    "status 2: a scene is wrong.\n",
    0,
    INT_MAX,
};

// A scene that was looked at.
typedef struct checked {
    const char* text; ///< the word
    sn_scene* scene;  ///< NULL: error
    sn_model* whole;
    sn_error error;
    message_log log;
} checked;

// ---- looking ----------------------------------------------------------------------------------------

static bool try_world(checked* c) {
    sn_world* world = NULL;
    if (sn_scene_plugin_count(c->scene) > 0) return true; // they may bring what it is made of
    c->error.status = sn_world_create(c->whole, sn_scene_world(c->scene), &world, &c->error);
    sn_world_free(world);
    return c->error.status == SN_OK;
}

static bool look(checked* c) {
    sn_scene_load_def def = scene_argument_def();
    def.log = message_log_sink(&c->log);
    c->error.status = sn_scene_load(c->text, &def, &c->scene, &c->error);
    if (!c->error.status)
        c->error.status = sn_scene_compile(c->scene, &def.log, &c->whole, &c->error);
    return !c->error.status && try_world(c);
}

static void checked_free(checked* c) {
    sn_model_free(c->whole);
    sn_scene_free(c->scene);
    message_log_clear(&c->log);
}

// ---- telling ----------------------------------------------------------------------------------------

static const char* or_default(const char* name, const char* otherwise) {
    return name ? name : otherwise;
}

static void count_items(const sn_scene* scene, int* moving, int* still) {
    *moving = *still = 0;
    for (int i = 0; i < sn_scene_item_count(scene); i++) {
        bool moves = sn_model_body_count(sn_scene_item(scene, i)->model) > 0;
        *(moves ? moving : still) += 1;
    }
}

static const sn_units* units_of(const sn_scene* scene) {
    return sn_units_of(sn_scene_world(scene)->units);
}

static void tell_items(const sn_scene* scene) {
    int count = sn_scene_item_count(scene);
    char titles[64];
    snprintf(titles, sizeof titles, "item|bodies|DOF|mass [%s]", units_of(scene)->mass.shown);
    table* t = table_create("lrrr", titles);
    for (int i = 0; i < count && i < ITEMS_MOST; i++) {
        const sn_item* item = sn_scene_item(scene, i);
        table_cell(t, "%s", item->name);
        table_cell(t, "%d", sn_model_body_count(item->model));
        table_cell(t, "%d", sn_model_nv(item->model));
        table_cell(t, "%.4g", sn_model_mass(item->model));
    }
    printf("\n");
    table_print(t, 2, stdout);
    if (count > ITEMS_MOST) printf("  and %d more items\n", count - ITEMS_MOST);
}

static void tell_numbers(table* t, const sn_scene* scene) {
    if (sn_scene_controller_count(scene))
        table_pair(t, "controllers", "%d", sn_scene_controller_count(scene));
    if (sn_scene_sensor_count(scene)) table_pair(t, "sensors", "%d", sn_scene_sensor_count(scene));
    if (sn_scene_device_count(scene)) table_pair(t, "devices", "%d", sn_scene_device_count(scene));
    if (sn_scene_hand_count(scene)) table_pair(t, "hands", "%d", sn_scene_hand_count(scene));
    if (sn_scene_plugin_count(scene))
        table_pair(t, "plugins", "%d, not loaded here", sn_scene_plugin_count(scene));
    if (sn_scene_edit_count(scene))
        table_pair(t, "holds and script", "%d edits", sn_scene_edit_count(scene));
    if (sn_scene_recording(scene).path[0])
        table_pair(t, "recording", "%s, every %d steps", sn_scene_recording(scene).path,
                   sn_scene_recording(scene).every);
    if (sn_scene_duration(scene) > 0)
        table_pair(t, "duration", "%g %s", sn_scene_duration(scene), units_of(scene)->time.shown);
}

static void tell(const checked* c) {
    const sn_scene* scene = c->scene;
    const sn_world_def* world = sn_scene_world(scene);
    const sn_units* u = units_of(scene);
    int moving, still;
    count_items(scene, &moving, &still);
    printf("%s: a scene that can be simulated\n", c->text);
    if (sn_scene_about(scene)[0]) printf("%s\n", sn_scene_about(scene));
    table* t = table_create("ll", NULL);
    table_pair(t, "name", "%s", sn_scene_name(scene));
    table_pair(t, "items", "%d that move, %d that stand still", moving, still);
    table_pair(t, "bodies", "%d, %d degrees of freedom, %.6g %s", sn_model_body_count(c->whole),
               sn_model_nv(c->whole), sn_model_mass(c->whole), u->mass.shown);
    table_pair(t, "step", "%g %s, %s, %s", world->step, u->time.shown,
               or_default(world->dynamics, "aba"), sn_integrator_name(world->integrator));
    table_pair(t, "gravity", "%g, %g, %g %s", world->gravity.x, world->gravity.y, world->gravity.z,
               u->acceleration.shown);
    table_pair(t, "contact", "%s",
               world->contact.on ? or_default(world->contact.solver, sn_contact_solver_name(0))
                                 : "off");
    tell_numbers(t, scene);
    table_print(t, 0, stdout);
    if (moving + still > 0) tell_items(scene);
    fflush(stdout);
}

static void write_error(json_writer* w, const sn_error* error) {
    jw_key(w, "error");
    jw_object_line(w);
    jw_key(w, "file");
    jw_text(w, error->file);
    jw_key(w, "line");
    jw_integer(w, error->line);
    jw_key(w, "column");
    jw_integer(w, error->column);
    jw_key(w, "text");
    jw_text(w, error->text);
    jw_object_end(w);
}

static void write_count(json_writer* w, const char* key, int count) {
    jw_key(w, key);
    jw_integer(w, count);
}

static void write_items(json_writer* w, const sn_scene* scene) {
    jw_key(w, "items");
    jw_array(w);
    for (int i = 0; i < sn_scene_item_count(scene); i++) {
        const sn_item* item = sn_scene_item(scene, i);
        const double p[3] = {item->pose.p.x, item->pose.p.y, item->pose.p.z};
        jw_object_line(w);
        jw_key(w, "name");
        jw_text(w, item->name);
        write_count(w, "bodies", sn_model_body_count(item->model));
        write_count(w, "dof", sn_model_nv(item->model));
        jw_key(w, "mass");
        jw_number(w, sn_model_mass(item->model));
        jw_key(w, "at");
        jw_numbers(w, p, 3);
        jw_object_end(w);
    }
    jw_array_end(w);
}

static void write_scene(json_writer* w, const checked* c) {
    const sn_scene* scene = c->scene;
    const sn_world_def* world = sn_scene_world(scene);
    jw_key(w, "name");
    jw_text(w, sn_scene_name(scene));
    jw_key(w, "about");
    jw_text(w, sn_scene_about(scene));
    write_count(w, "bodies", sn_model_body_count(c->whole));
    write_count(w, "dof", sn_model_nv(c->whole));
    write_count(w, "shapes", sn_model_shape_count(c->whole));
    unit_write_all(w, units_of(scene));
    jw_key(w, "mass");
    jw_number(w, sn_model_mass(c->whole));
    jw_key(w, "step");
    jw_number(w, world->step);
    jw_key(w, "duration");
    jw_number(w, sn_scene_duration(scene));
    jw_key(w, "dynamics");
    jw_text(w, or_default(world->dynamics, "aba"));
    jw_key(w, "contact");
    jw_boolean(w, world->contact.on);
    write_count(w, "controllers", sn_scene_controller_count(scene));
    write_count(w, "sensors", sn_scene_sensor_count(scene));
    write_count(w, "devices", sn_scene_device_count(scene));
    write_count(w, "hands", sn_scene_hand_count(scene));
    write_count(w, "plugins", sn_scene_plugin_count(scene));
    write_count(w, "edits", sn_scene_edit_count(scene));
    write_count(w, "warnings", message_log_warnings(&c->log));
    write_items(w, scene);
}

static void write_json(json_writer* w, const checked* c, bool good) {
    jw_object(w);
    jw_key(w, "scene");
    jw_text(w, c->text);
    jw_key(w, "ok");
    jw_boolean(w, good);
    if (good)
        write_scene(w, c);
    else
        write_error(w, &c->error);
    jw_object_end(w);
}

// ---- the command --------------------------------------------------------------------------------------

static int print_schema(void) {
    sn_error error = {0};
    char* text = NULL;
    if (sn_scene_schema(&text, &error)) {
        message_error_from(&error);
        return STATUS_FAILED;
    }
    fputs(text, stdout);
    sn_text_free(text);
    return STATUS_DONE;
}

static int check_all(const text_list* scenes, bool json) {
    int status = STATUS_DONE;
    json_writer w = jw_start(stdout);
    if (json) jw_array(&w);
    for (int i = 0; i < scenes->count; i++) {
        checked c = {.text = scenes->items[i]};
        bool good = look(&c);
        if (!good) status = STATUS_USAGE;
        if (!json && i > 0) printf("\n");
        if (json)
            write_json(&w, &c, good);
        else if (good)
            tell(&c);
        message_log_print(&c.log, WARNINGS_MOST);
        if (!good) message_error_from(&c.error);
        checked_free(&c);
    }
    if (json) {
        jw_array_end(&w);
        jw_finish(&w);
    }
    return status;
}

int command_check(int argc, char** argv) {
    bool json = false, schema = false;
    text_list scenes = {0};
    const option options[] = {
        {"json", NULL, "what is in the scenes, or the errors, as a JSON array", OPTION_FLAG, &json},
        {"schema", NULL, "the JSON Schema of scene files on standard output", OPTION_FLAG, &schema},
    };
    options_result parsed =
        options_parse(&PAGE, options, sizeof options / sizeof options[0], argc, argv, &scenes);
    int status = parsed == OPTIONS_BAD ? STATUS_USAGE : STATUS_DONE;
    if (parsed == OPTIONS_RUN && schema) {
        status = print_schema();
    } else if (parsed == OPTIONS_RUN && scenes.count == 0) {
        message_error("no scene given; `sinew check --help` shows what one is");
        status = STATUS_USAGE;
    } else if (parsed == OPTIONS_RUN) {
        status = check_all(&scenes, json);
    }
    text_list_free(&scenes);
    return status;
}
