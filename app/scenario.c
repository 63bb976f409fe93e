// SPDX-License-Identifier: Apache-2.0
/// How scenarios are run and told.
#include "scenario.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "json_writer.h"
#include "markup.h"
#include "memory.h"
#include "message.h"
#include "scene_argument.h"
#include "table.h"

// ---- results --------------------------------------------------------------------------------------------

scenario_fact* scenario_add(scenario_result* result, const char* key, const char* what,
                            double ours) {
    scenario_fact* fact = &result->fact[result->fact_count];
    if (result->fact_count < SCENARIO_FACTS_MOST - 1) result->fact_count++;
    *fact = (scenario_fact){.key = key, .what = what, .ours = ours, .holds = true};
    return fact;
}

void scenario_judge(scenario_result* result, const char* key, const char* what, double ours,
                    double least, double most, const char* wanted) {
    scenario_fact* fact = scenario_add(result, key, what, ours);
    fact->wanted = wanted;
    fact->holds = ours >= least && ours <= most;
}

void* scenario_keep(scenario_result* result, void* array) {
    if (result->array_count == SCENARIO_ARRAYS_MOST) abort(); // our own bug
    return result->array[result->array_count++] = array;
}

double* scenario_numbers(scenario_result* result, size_t count) {
    return scenario_keep(result, memory_take(count, sizeof(double)));
}

bool scenario_holds(const scenario_result* result) {
    for (int i = 0; i < result->fact_count; i++)
        if (!result->fact[i].holds) return false;
    return true;
}

// ---- scenes ---------------------------------------------------------------------------------------------

static void say(sn_error* error, sn_status status) {
    error->status = status;
    message_error_from(error);
}

sn_scene* scenario_scene(const char* name) {
    sn_scene* scene = NULL;
    sn_error error = {0};
    sn_scene_load_def def = scene_argument_def();
    sn_status status = sn_scene_load(name, &def, &scene, &error);
    if (status) say(&error, status);
    return scene;
}

sn_simulation* scenario_start(sn_scene* scene) {
    sn_simulation* sim = NULL;
    sn_error error = {0};
    if (!scene) return NULL;
    sn_simulation_def def = sn_simulation_def_default();
    def.load = scene_argument_def();
    def.ignore_recording = true;
    sn_status status = sn_simulation_create(scene, &def, &sim, &error);
    if (status) say(&error, status);
    return sim;
}

bool scenario_step(sn_simulation* sim, double seconds) {
    double h = sn_world_step_size(sn_simulation_world(sim));
    for (long i = lround(seconds / h); i > 0; i--) {
        sn_status status = sn_simulation_step(sim, NULL);
        if (!status) continue;
        message_error("the simulation stopped at %g s: %s", sn_world_time(sn_simulation_world(sim)),
                      sn_status_text(status));
        return false;
    }
    return true;
}

const double* scenario_sensor(const sn_simulation* sim, const char* name) {
    int count;
    const double* numbers = sn_simulation_sensors(sim, &count);
    for (int i = 0; i < sn_simulation_sensor_count(sim); i++)
        if (strcmp(sn_simulation_sensor_def(sim, i)->name, name) == 0)
            return numbers + sn_simulation_sensor_first(sim, i);
    message_error("the scene has no sensor '%s'", name);
    abort(); // the scene is ours
}

bool scenario_command(sn_simulation* sim, const char* format, ...) {
    char text[512];
    sn_error error = {0};
    va_list list;
    va_start(list, format);
    (void)vsnprintf(text, sizeof text, format, list);
    va_end(list);
    sn_status status = sn_simulation_command(sim, text, NULL, 0, &error);
    if (status) say(&error, status);
    return !status;
}

// ---- telling --------------------------------------------------------------------------------------------

typedef struct study {
    const scenario* s;
    scenario_result result;
    bool quick;
} study;

static bool carry_out(void* of, bool* holds) {
    study* s = of;
    bool done = s->s->run(&s->result, s->quick);
    *holds = done && scenario_holds(&s->result);
    return done;
}

static void draw_study(const void* of, FILE* out) {
    const study* s = of;
    if (s->result.picture)
        s->result.picture(&s->result, out);
    else
        svg_plot_write(&s->result.plot, out);
}

static void write_study(const void* of, json_writer* w) {
    const study* s = of;
    jw_key(w, "facts");
    jw_array(w);
    for (int i = 0; i < s->result.fact_count; i++) {
        const scenario_fact* f = &s->result.fact[i];
        jw_object_line(w);
        jw_key(w, "key");
        jw_text(w, f->key);
        jw_key(w, "what");
        jw_text(w, f->what);
        jw_key(w, "value");
        jw_number(w, f->ours);
        if (f->paper) jw_key(w, "paper"), jw_text(w, f->paper);
        if (f->wanted) jw_key(w, "wanted"), jw_text(w, f->wanted);
        jw_key(w, "holds");
        jw_boolean(w, f->holds);
        jw_object_end(w);
    }
    jw_array_end(w);
}

static const char* verdict(const scenario_fact* f) {
    return !f->wanted ? "" : f->holds ? "yes" : "NO";
}

static void print_study(const void* of, FILE* out) {
    const study* s = of;
    table* t = table_create("llrll", "|paper|here|wanted|");
    for (int i = 0; i < s->result.fact_count; i++) {
        const scenario_fact* f = &s->result.fact[i];
        table_cell(t, "%s", f->what);
        table_cell(t, "%s", f->paper ? f->paper : "");
        table_cell(t, "%.4g", f->ours);
        table_cell(t, "%s", f->wanted ? f->wanted : "");
        table_cell(t, "%s", verdict(f));
    }
    fprintf(out, "%s\n\n%s\n\n", s->s->title, s->s->about);
    table_print(t, 2, out);
}

static void put(FILE* out, const char* before, const char* text, const char* after) {
    fputs(before, out);
    markup_write(out, text ? text : "");
    fputs(after, out);
}

static void write_page(const void* of, FILE* out) {
    const study* s = of;
    put(out, "<p>", s->s->about, "</p>\n");
    fputs("<div class=\"wide\"><table>\n<thead><tr><th></th><th>paper</th><th>here</th>"
          "<th class=\"name\">wanted</th><th></th></tr></thead>\n<tbody>\n",
          out);
    for (int i = 0; i < s->result.fact_count; i++) {
        const scenario_fact* f = &s->result.fact[i];
        put(out, "<tr><th scope=\"row\">", f->what, "</th>");
        put(out, "<td>", f->paper, "</td>");
        fprintf(out, "<td class=\"ours\">%.4g</td>", f->ours);
        put(out, "<td class=\"name\">", f->wanted, "</td>");
        put(out, f->holds ? "<td>" : "<td class=\"bad\">", verdict(f), "</td></tr>\n");
    }
    fputs("</tbody></table></div>\n", out);
}

int scenario_reproduce(const scenario* s, const reproduce_options* options) {
    study* of = memory_take(1, sizeof *of);
    const reproduce_study r = {s->name,     of,          carry_out, draw_study,
                               write_study, print_study, write_page};
    of->s = s;
    of->quick = options->quick;
    int status = reproduce_run(options, &r);
    for (int i = 0; i < of->result.array_count; i++) free(of->result.array[i]);
    free(of);
    return status;
}
