// SPDX-License-Identifier: Apache-2.0
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "json_writer.h"
#include "message.h"
#include "sim.h"
#include "table.h"
#include "unit_text.h"

enum {
    NAMES_MOST = 6,  // joints beyond their limits that are named
    MOMENTS_MOST = 9 // rows of the table of active joints
};

static double total(sn_energy e) { return e.kinetic + e.potential + e.spring; }

static void print_speed(table* t, const char* title, const sim_extreme* most, sn_unit unit,
                        const sn_units* u) {
    if (most->joint < 0 || most->value == 0) return;
    table_pair(t, title, "%.4g %s, %s at %.3f %s", unit.factor * most->value, unit.shown,
               most->name, most->time, u->time.shown);
}

static void print_limits(table* t, const sim_watch* watch) {
    char names[256] = "";
    size_t length = 0;
    int named = 0;
    for (; named < watch->beyond_count && named < NAMES_MOST && length < sizeof names; named++) {
        length += (size_t)snprintf(names + length, sizeof names - length, "%s%s",
                                   named ? ", " : ": ", watch->beyond_names[named]);
    }
    table_pair(t, "beyond limits", "%d of %d joints%s%s", watch->beyond_count, watch->limited_count,
               names, watch->beyond_count > named ? ", ..." : "");
}

static void print_energy(table* t, const sim_watch* watch, const sn_units* u, bool adaptive) {
    const char* unit = u->energy.shown;
    double start = total(watch->energy_start), end = total(watch->energy_end);
    table_pair(t, "energy at start", "%.6g %s", start, unit);
    table_pair(t, "energy at end", "%.6g %s (kinetic %.4g, potential %.4g, springs %.4g)", end,
               unit, watch->energy_end.kinetic, watch->energy_end.potential,
               watch->energy_end.spring);
    table_pair(t, "energy change", "%+.3g %s%s", end - start, unit,
               !isfinite(end)   ? " (not finite)"
               : watch->edited  ? " (bodies came or went)"
               : watch->damping ? " (joints are damped)"
               : adaptive       ? " (joints that fall asleep are stopped)"
                                : "");
}

static void print_vector_pair(table* t, const char* title, sn_vec3 a, sn_vec3 b, const char* unit,
                              const char* more) {
    table_pair(t, title, "%.4g, %.4g, %.4g -> %.4g, %.4g, %.4g %s%s", a.x, a.y, a.z, b.x, b.y, b.z,
               unit, more);
}

static void print_activity(table* t, const sim_activity* a, int joints, const sn_units* u) {
    table_pair(t, "active joints", "%d to %d of %d, %.4g on average", a->least, a->most, joints,
               a->steps ? a->sum / (double)a->steps : a->end.active);
    table_pair(t, "remaining error", "at most %.4g; at the end %.4g of %.4g%s%s", a->error_most,
               a->end.error, a->end.total, metric_unit(a->metric, u)[0] ? " " : "",
               metric_unit(a->metric, u));
    table_pair(t, "choices", "%" PRIu64 " of which joints are active, %s metric", a->end.updates,
               metric_name(a->metric));
}

static void print_moments(const sim_activity* a, const sn_units* u) {
    char titles[UNIT_TEXT];
    printf("\nactive joints over time\n");
    snprintf(titles, sizeof titles, "time [%s]|active|remaining error|of all joints",
             u->time.shown);
    table* t = table_create("rrrr", titles);
    int rows = a->count < MOMENTS_MOST ? a->count : MOMENTS_MOST;
    for (int r = 0; r < rows; r++) {
        int i = rows > 1 ? (int)((long long)(a->count - 1) * r / (rows - 1)) : 0;
        table_cell(t, "%.4g", a->time[i]);
        table_cell(t, "%.0f", a->active[i]);
        table_cell(t, "%.4g", a->error[i]);
        table_cell(t, "%.4g", a->total[i]);
    }
    table_print(t, 2, stdout);
}

static double step_us(const sim_watch* watch, uint64_t steps) {
    int64_t all = 0;
    for (int i = 0; i < watch->stage_count; i++) all += watch->stage_ns[i];
    return 1e-3 * (double)all / (double)steps;
}

// Where the time of a step goes.
static void print_stages(const sim_watch* watch, uint64_t steps) {
    char align[SN_STAGE_MAX + 1] = "", titles[SN_STAGE_MAX * 16] = "";
    size_t length = 0;
    double all = steps ? step_us(watch, steps) : 0;
    if (!(all > 0)) return;
    for (int i = 0; i < watch->stage_count; i++) {
        align[i] = 'r';
        length += (size_t)snprintf(titles + length, sizeof titles - length, "%s%s", i ? "|" : "",
                                   sn_world_stage_name(i));
    }
    printf("\ntime of a step: %.3g us, by its stages [us]\n", all);
    table* t = table_create(align, titles);
    for (int i = 0; i < watch->stage_count; i++) {
        table_cell(t, "%.3g", 1e-3 * (double)watch->stage_ns[i] / (double)steps);
    }
    table_print(t, 2, stdout);
}

static void print_rest(table* t, const sim_rest* rest, double time, const sn_units* u) {
    if (rest->asked && rest->reached) table_pair(t, "at rest", "after %g %s", time, u->time.shown);
    if (rest->asked && !rest->reached) table_pair(t, "at rest", "not yet");
}

void sim_report_print(const sim_summary* s) {
    const sim_options* options = s->options;
    const sim_watch* watch = s->watch;
    const sim_activity* activity = s->activity;
    const sim_result* result = s->result;
    const sn_units* u = sn_units_of(s->world->units);
    char pace[UNIT_TEXT];
    table* t = table_create("ll", NULL);
    table_pair(t, "model", "%s, %d degrees of freedom", sn_model_name(watch->model),
               sn_model_nv(watch->model));
    if (s->world->simulator) {
        table_pair(t, "method", "simulator %s, step %g %s", s->world->simulator, s->world->step,
                   u->time.shown);
    } else {
        table_pair(t, "method", "%s, %s, step %g %s", s->world->dynamics,
                   sn_integrator_name(s->world->integrator), s->world->step, u->time.shown);
    }
    table_pair(t, "steps", "%" PRIu64 ", %g %s simulated", result->run.steps, result->simulated,
               u->time.shown);
    table_pair(t, "wall time", "%.3g s, %s", result->wall,
               unit_pace(u, result->wall > 0 ? result->simulated / result->wall : 0, pace));
    print_rest(t, s->rest, result->simulated, u);
    sim_report_scene_rows(t, s);
    sim_report_contact_rows(t, s);
    print_energy(t, watch, u, activity->on);
    print_vector_pair(t, "linear momentum", watch->momentum_start.linear,
                      watch->momentum_end.linear, u->momentum.shown, "");
    print_vector_pair(t, "angular momentum", watch->momentum_start.angular,
                      watch->momentum_end.angular, u->spin.shown, ", about the centre of mass");
    print_speed(t, "fastest turning", &watch->angular, u->turning, u);
    print_speed(t, "fastest sliding", &watch->linear, u->speed, u);
    if (activity->on) print_activity(t, activity, sn_model_body_count(watch->model), u);
    if (watch->limited_count > 0) print_limits(t, watch);
    if (watch->no_converge > 0) {
        table_pair(t, "not converged", "%" PRIu64 " steps of the implicit integrator",
                   watch->no_converge);
    }
    table_pair(t, "state hash", "%016" PRIx64, result->hash);
    if (options->record) table_pair(t, "record", "%s", options->record);
    if (result->recording) {
        table_pair(t, "recording", "%s, %" PRIu64 " steps, %.3g MB", result->recording,
                   result->recorder.steps - result->recorder.lost,
                   1e-6 * (double)result->recorder.bytes);
    }
    if (options->plot) table_pair(t, "plot", "%s", options->plot);
    if (options->film) table_pair(t, "film", "%s", options->film);
    table_print(t, 0, stdout);
    print_stages(watch, result->run.steps);
    sim_report_sensors(s);
    if (activity->on) print_moments(activity, u);
    fflush(stdout);
    if ((watch->limited_count > 0 || watch->friction) && !s->contact->on) {
        message_note("joint limits and dry friction hold only with --contact on");
    }
}

// ---- JSON ----------------------------------------------------------------------------------------

static void write_energy(json_writer* w, const char* key, sn_energy e) {
    jw_key(w, key);
    jw_object_line(w);
    jw_key(w, "kinetic");
    jw_number(w, e.kinetic);
    jw_key(w, "potential");
    jw_number(w, e.potential);
    jw_key(w, "spring");
    jw_number(w, e.spring);
    jw_object_end(w);
}

static void write_momentum(json_writer* w, const char* key, sn_momentum m) {
    double linear[3] = {m.linear.x, m.linear.y, m.linear.z};
    double angular[3] = {m.angular.x, m.angular.y, m.angular.z};
    jw_key(w, key);
    jw_object_line(w);
    jw_key(w, "linear");
    jw_numbers(w, linear, 3);
    jw_key(w, "angular");
    jw_numbers(w, angular, 3);
    jw_object_end(w);
}

static void write_extreme(json_writer* w, const char* key, const sim_extreme* most) {
    if (most->joint < 0) return;
    jw_key(w, key);
    jw_object_line(w);
    jw_key(w, "value");
    jw_number(w, most->value);
    jw_key(w, "joint");
    jw_text(w, most->name);
    jw_key(w, "time");
    jw_number(w, most->time);
    jw_object_end(w);
}

static void write_words(json_writer* w, const char* key, const text_list* words) {
    jw_key(w, key);
    jw_array_line(w);
    for (int i = 0; i < words->count; i++) jw_text(w, words->items[i]);
    jw_array_end(w);
}

static void write_adaptivity(json_writer* w, const sim_options* o, sn_adaptivity a) {
    jw_key(w, "max_active");
    jw_integer(w, a.max_active);
    jw_key(w, "threshold");
    jw_number(w, a.threshold);
    jw_key(w, "metric");
    jw_text(w, metric_name(a.metric));
    jw_key(w, "period");
    jw_integer(w, a.period);
    jw_key(w, "settling_time");
    jw_number(w, a.settling_time);
    write_words(w, "keep", &o->keep);
    if (o->schedule) jw_key(w, "schedule"), jw_text(w, o->schedule);
}

static void write_text(json_writer* w, const char* key, const char* text) {
    if (!text) return;
    jw_key(w, key);
    jw_text(w, text);
}

// What holds: as asked for, else as the scene has it.
static void write_asked(json_writer* w, const sim_summary* s) {
    const sim_options* o = s->options;
    const sn_world_def* world = s->world;
    const double gravity[3] = {world->gravity.x, world->gravity.y, world->gravity.z};
    jw_key(w, "asked");
    jw_object(w);
    write_text(w, s->scene->is_file ? "scene" : "model", o->scene);
    jw_key(w, "duration");
    jw_number(w, s->duration);
    jw_key(w, "step");
    jw_number(w, world->step);
    write_text(w, "integrator", sn_integrator_name(world->integrator));
    write_text(w, "dynamics", world->dynamics);
    write_text(w, "simulator", world->simulator);
    jw_key(w, "gravity");
    jw_numbers(w, gravity, 3);
    jw_key(w, "pin");
    jw_boolean(w, o->pin);
    jw_key(w, "hold");
    jw_boolean(w, o->hold);
    jw_key(w, "until_rest");
    jw_boolean(w, o->until_rest);
    if (o->scene_options.floor.given)
        jw_key(w, "floor"), jw_number(w, o->scene_options.floor.value);
    write_words(w, "objects", &o->scene_options.objects);
    write_words(w, "q0", &o->q0);
    write_words(w, "push", &o->push);
    if (o->plugins.count > 0) write_words(w, "plugins", &o->plugins);
    if (algorithm_is_adaptive(world->dynamics)) write_adaptivity(w, o, world->adaptivity);
    write_text(w, "commands", o->commands);
    write_text(w, "record", o->record);
    write_text(w, "plot", o->plot);
    write_text(w, "film", o->film);
    jw_object_end(w);
}

static void write_counters(json_writer* w, const sim_watch* watch, const sim_result* result) {
    jw_key(w, "report");
    jw_object(w);
    jw_key(w, "step");
    jw_integer(w, (long long)result->run.steps);
    jw_key(w, "time");
    jw_number(w, result->simulated);
    jw_key(w, "sweeps");
    jw_integer(w, watch->sweeps);
    jw_key(w, "not_finite");
    jw_boolean(w, (watch->events & SN_EVENT_NOT_FINITE) != 0);
    jw_key(w, "not_converged");
    jw_integer(w, (long long)watch->no_converge);
    jw_key(w, "stage_ns");
    jw_object_line(w);
    for (int s = 0; s < watch->stage_count; s++) {
        jw_key(w, sn_world_stage_name(s));
        jw_integer(w, watch->stage_ns[s]);
    }
    jw_object_end(w);
    jw_key(w, "stage_us"); // of a step
    jw_object_line(w);
    for (int s = 0; s < watch->stage_count; s++) {
        jw_key(w, sn_world_stage_name(s));
        jw_number(w, 1e-3 * (double)watch->stage_ns[s] / (double)result->run.steps);
    }
    jw_object_end(w);
    jw_object_end(w);
}

static void write_activity(json_writer* w, const sim_activity* a) {
    jw_key(w, "adaptive");
    jw_object(w);
    jw_key(w, "active_least");
    jw_integer(w, a->least);
    jw_key(w, "active_most");
    jw_integer(w, a->most);
    jw_key(w, "active_mean");
    jw_number(w, a->steps ? a->sum / (double)a->steps : a->end.active);
    jw_key(w, "active_end");
    jw_integer(w, a->end.active);
    jw_key(w, "rigid_end");
    jw_integer(w, a->end.rigid);
    jw_key(w, "remaining_error_most");
    jw_number(w, a->error_most);
    jw_key(w, "remaining_error_end");
    jw_number(w, a->end.error);
    jw_key(w, "total_metric_end");
    jw_number(w, a->end.total);
    jw_key(w, "updates");
    jw_integer(w, (long long)a->end.updates);
    jw_key(w, "time");
    jw_numbers(w, a->time, a->count);
    jw_key(w, "active");
    jw_numbers(w, a->active, a->count);
    jw_key(w, "remaining_error");
    jw_numbers(w, a->error, a->count);
    jw_key(w, "total_metric");
    jw_numbers(w, a->total, a->count);
    jw_object_end(w);
}

static void write_beyond(json_writer* w, const sim_watch* watch) {
    jw_key(w, "beyond_limits");
    jw_array_line(w);
    for (int i = 0; i < watch->beyond_count; i++) jw_text(w, watch->beyond_names[i]);
    jw_array_end(w);
}

void sim_report_json(const sim_summary* s) {
    const sim_watch* watch = s->watch;
    const sim_activity* activity = s->activity;
    const sim_result* result = s->result;
    const sn_units* u = sn_units_of(s->world->units);
    char hash[24];
    snprintf(hash, sizeof hash, "%016" PRIx64, result->hash);
    json_writer w = jw_start(stdout);
    jw_object(&w);
    jw_key(&w, "ok");
    jw_boolean(&w, !result->stopped && result->files_written);
    if (result->stopped) jw_key(&w, "stopped"), jw_text(&w, result->stopped);
    jw_key(&w, "model");
    jw_text(&w, sn_model_name(watch->model));
    jw_key(&w, "bodies");
    jw_integer(&w, sn_model_body_count(watch->model));
    jw_key(&w, "nv");
    jw_integer(&w, sn_model_nv(watch->model));
    write_asked(&w, s);
    unit_write_all(&w, u);
    unit_write(&w, "simulated", u->time, result->simulated);
    jw_key(&w, "wall_s");
    jw_number(&w, result->wall);
    jw_key(&w, s->world->units == SN_UNITS_SI ? "times_real_time" : "simulated_per_wall_s");
    jw_number(&w, result->wall > 0 ? result->simulated / result->wall : NAN);
    if (s->rest->asked) jw_key(&w, "at_rest"), jw_boolean(&w, s->rest->reached);
    sim_report_scene_json(&w, s);
    sim_report_contact_json(&w, s);
    write_energy(&w, "energy_start", watch->energy_start);
    write_energy(&w, "energy_end", watch->energy_end);
    jw_key(&w, "energy_change");
    jw_number(&w, total(watch->energy_end) - total(watch->energy_start));
    write_momentum(&w, "momentum_start", watch->momentum_start);
    write_momentum(&w, "momentum_end", watch->momentum_end);
    write_extreme(&w, "fastest_angular", &watch->angular);
    write_extreme(&w, "fastest_linear", &watch->linear);
    write_beyond(&w, watch);
    if (activity->on) write_activity(&w, activity);
    write_counters(&w, watch, result);
    jw_key(&w, "hash");
    jw_text(&w, hash);
    jw_object_end(&w);
    jw_finish(&w);
}
