// SPDX-License-Identifier: Apache-2.0
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "memory.h"
#include "message.h"
#include "sim.h"

// Names one after the other, as many as fit on a line.
typedef struct name_list {
    char text[200];
    size_t length;
    int named, more;
} name_list;

static void add_name(name_list* list, const char* name) {
    if (list->length >= sizeof list->text - 40) {
        list->more += 1;
        return;
    }
    size_t room = sizeof list->text - list->length;
    int length = snprintf(list->text + list->length, room, "%s%s", list->named ? ", " : "", name);
    list->length += (size_t)length < room ? (size_t)length : room - 1;
    list->named += 1;
}

static void print_names(table* t, const char* title, const name_list* list) {
    if (list->named > 0) table_pair(t, title, "%s%s", list->text, list->more ? ", ..." : "");
}

// Edits of the script that were due.
static int script_done(const sim_summary* s) {
    const sn_scene* scene = sn_simulation_scene(s->sim);
    int count = 0;
    for (int i = 0; i < sn_scene_edit_count(scene); i++) {
        double time = sn_scene_edit(scene, i)->time;
        count += time < s->result->simulated - 0.5 * s->world->step;
    }
    return count;
}

// ---- text ------------------------------------------------------------------------------------------

static void print_scene(table* t, const sim_summary* s) {
    const opened_scene* made = s->scene;
    const sn_scene* scene = sn_simulation_scene(s->sim);
    name_list list = {0};
    if (made->is_file) {
        for (int i = 0; i < sn_scene_item_count(scene); i++) {
            add_name(&list, sn_scene_item(scene, i)->name);
        }
    } else {
        if (isfinite(made->floor)) add_name(&list, "floor");
        for (int i = 0; i < made->object_count; i++) add_name(&list, made->objects[i].name);
    }
    print_names(t, "scene", &list);
}

static void print_plugins(table* t, const sn_simulation* sim) {
    name_list list = {0};
    for (int i = 0; i < sn_simulation_plugin_count(sim); i++) {
        const char* name = sn_simulation_plugin(sim, i)->name;
        bool stopped = sn_simulation_plugin_trouble(sim, i) != NULL;
        char* text = memory_text("%s%s", name, stopped ? " (stopped)" : "");
        add_name(&list, text);
        free(text);
    }
    print_names(t, "plugins", &list);
}

static void print_edits(table* t, const sim_summary* s) {
    int script = script_done(s);
    if (script > 0) table_pair(t, "script", "%d edits", script);
    if (!s->commands) return;
    int failed = sim_commands_failed(s->commands), left = sim_commands_left(s->commands);
    char refused[48] = "", waiting[64] = "";
    if (failed) snprintf(refused, sizeof refused, ", %d refused", failed);
    if (left) snprintf(waiting, sizeof waiting, ", %d not due before the end", left);
    table_pair(t, "commands", "%d done%s%s", sim_commands_done(s->commands), refused, waiting);
}

static void print_pace(table* t, const sim_summary* s) {
    const sn_run_report* run = &s->result->run;
    if (!(s->options->pace > 0)) return;
    char let_go[64] = "";
    if (run->caught_up) {
        snprintf(let_go, sizeof let_go, "; too late to be made up for %" PRIu64 " times",
                 run->caught_up);
    }
    table_pair(t, "pace", "%gx real time; %" PRIu64 " steps began late, by up to %.3g ms%s",
               s->options->pace, run->late, 1e3 * run->worst, let_go);
}

void sim_report_scene_rows(table* t, const sim_summary* s) {
    const sn_scene* scene = sn_simulation_scene(s->sim);
    name_list controllers = {0};
    print_pace(t, s);
    print_scene(t, s);
    for (int i = 0; i < sn_scene_controller_count(scene); i++) {
        add_name(&controllers, sn_scene_controller(scene, i)->name);
    }
    print_names(t, "controllers", &controllers);
    print_plugins(t, s->sim);
    print_edits(t, s);
}

void sim_report_sensors(const sim_summary* s) {
    int count = sn_simulation_sensor_count(s->sim);
    const double* numbers = sn_simulation_sensors(s->sim, NULL);
    if (count == 0) return;
    printf("\nsensors at the end\n");
    table* t = table_create("ll", NULL);
    for (int i = 0; i < count; i++) {
        const sn_sensor_def* sensor = sn_simulation_sensor_def(s->sim, i);
        name_list list = {0};
        for (int k = 0; k < sensor->numbers; k++) {
            char number[32];
            snprintf(number, sizeof number, "%.5g", *numbers++);
            add_name(&list, number);
        }
        table_pair(t, sensor->name, "%s%s", list.text, list.more ? ", ..." : "");
    }
    table_print(t, 2, stdout);
}

void sim_report_scene_trouble(const sim_summary* s) {
    const sn_recorder_status* recorder = &s->result->recorder;
    for (int i = 0; i < sn_simulation_plugin_count(s->sim); i++) {
        const char* trouble = sn_simulation_plugin_trouble(s->sim, i);
        if (trouble)
            message_warning("plugin '%s' was stopped: %s", sn_simulation_plugin(s->sim, i)->name,
                            trouble);
    }
    if (!s->result->recording) return;
    if (recorder->state == SN_RECORDER_STOPPED) {
        message_error("%s: %s; what was written until then can be read", s->result->recording,
                      recorder->text);
    } else if (recorder->state == SN_RECORDER_GAP) {
        message_warning("%s: the disk was too slow, %" PRIu64
                        " steps are missing and what follows cannot be replayed; leave out --pace, "
                        "or record less with --every",
                        s->result->recording, recorder->lost);
    }
}

// ---- JSON ------------------------------------------------------------------------------------------

static void write_count(json_writer* w, const char* key, uint64_t count) {
    jw_key(w, key);
    jw_integer(w, (long long)count);
}

static void write_number(json_writer* w, const char* key, double number) {
    jw_key(w, key);
    jw_number(w, number);
}

static void write_scene(json_writer* w, const sim_summary* s) {
    const opened_scene* made = s->scene;
    const sn_scene* scene = sn_simulation_scene(s->sim);
    jw_key(w, "scene");
    jw_object(w);
    jw_key(w, "name");
    jw_text(w, sn_scene_name(scene));
    write_count(w, "items", (uint64_t)sn_simulation_item_count(s->sim));
    if (isfinite(made->floor)) write_number(w, "floor", made->floor);
    write_number(w, "lifted", made->lifted);
    jw_key(w, "objects");
    jw_array_line(w);
    for (int i = 0; i < made->object_count; i++) jw_text(w, made->objects[i].name);
    jw_array_end(w);
    jw_key(w, "controllers");
    jw_array_line(w);
    for (int i = 0; i < sn_scene_controller_count(scene); i++) {
        jw_text(w, sn_scene_controller(scene, i)->name);
    }
    jw_array_end(w);
    jw_object_end(w);
}

static void write_plugins(json_writer* w, const sn_simulation* sim) {
    if (sn_simulation_plugin_count(sim) == 0) return;
    jw_key(w, "plugins");
    jw_array(w);
    for (int i = 0; i < sn_simulation_plugin_count(sim); i++) {
        const char* trouble = sn_simulation_plugin_trouble(sim, i);
        jw_object_line(w);
        jw_key(w, "name");
        jw_text(w, sn_simulation_plugin(sim, i)->name);
        if (trouble) jw_key(w, "stopped"), jw_text(w, trouble);
        jw_object_end(w);
    }
    jw_array_end(w);
}

static void write_sensors(json_writer* w, const sn_simulation* sim) {
    const double* numbers = sn_simulation_sensors(sim, NULL);
    if (sn_simulation_sensor_count(sim) == 0) return;
    jw_key(w, "sensors");
    jw_object(w);
    for (int i = 0; i < sn_simulation_sensor_count(sim); i++) {
        const sn_sensor_def* sensor = sn_simulation_sensor_def(sim, i);
        jw_key(w, sensor->name);
        jw_numbers(w, numbers, sensor->numbers);
        numbers += sensor->numbers;
    }
    jw_object_end(w);
}

static void write_edits(json_writer* w, const sim_summary* s) {
    jw_key(w, "edits");
    jw_object_line(w);
    write_count(w, "script", (uint64_t)script_done(s));
    if (s->commands) {
        write_count(w, "commands", (uint64_t)sim_commands_done(s->commands));
        write_count(w, "refused", (uint64_t)sim_commands_failed(s->commands));
        write_count(w, "not_due", (uint64_t)sim_commands_left(s->commands));
    }
    jw_object_end(w);
}

static void write_pace(json_writer* w, const sim_summary* s) {
    const sn_run_report* run = &s->result->run;
    if (!(s->options->pace > 0)) return;
    jw_key(w, "pace");
    jw_object_line(w);
    write_number(w, "asked", s->options->pace);
    write_count(w, "late_steps", run->late);
    write_number(w, "latest_s", run->worst);
    write_count(w, "let_go", run->caught_up);
    jw_object_end(w);
}

static void write_recording(json_writer* w, const sim_result* result) {
    static const char* const states[] = {"whole", "gap", "stopped"};
    const sn_recorder_status* r = &result->recorder;
    if (!result->recording) return;
    jw_key(w, "recording");
    jw_object_line(w);
    jw_key(w, "path");
    jw_text(w, result->recording);
    jw_key(w, "state");
    jw_text(w, states[r->state]);
    write_count(w, "steps", r->steps);
    write_count(w, "lost", r->lost);
    write_count(w, "bytes", r->bytes);
    if (r->text[0]) jw_key(w, "trouble"), jw_text(w, r->text);
    jw_object_end(w);
}

void sim_report_scene_json(json_writer* w, const sim_summary* s) {
    write_scene(w, s);
    write_pace(w, s);
    write_plugins(w, s->sim);
    write_sensors(w, s->sim);
    write_edits(w, s);
    write_recording(w, s->result);
}
