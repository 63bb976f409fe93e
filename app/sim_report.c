// SPDX-License-Identifier: Apache-2.0
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "json_writer.h"
#include "message.h"
#include "sim.h"
#include "table.h"

enum { NAMES_MOST = 6 }; // joints beyond their limits that are named

static double total(sn_energy e) { return e.kinetic + e.potential + e.spring; }

static const char* joint_name(const sim_watch* watch, int i) {
    return sn_model_body(watch->model, sn_body(i)).joint_name;
}

static void print_speed(table* t, const char* title, const sim_watch* watch,
                        const sim_extreme* most, const char* unit) {
    if (most->joint < 0 || most->value == 0) return;
    table_pair(t, title, "%.4g %s, %s at %.3f s", most->value, unit, joint_name(watch, most->joint),
               most->time);
}

static void print_limits(table* t, const sim_watch* watch) {
    char names[256] = "";
    size_t length = 0;
    int named = 0;
    for (int i = 0; i < sn_model_body_count(watch->model) && named < NAMES_MOST; i++) {
        if (!watch->beyond[i] || length >= sizeof names) continue;
        length += (size_t)snprintf(names + length, sizeof names - length, "%s%s",
                                   named ? ", " : ": ", joint_name(watch, i));
        named += 1;
    }
    table_pair(t, "beyond limits", "%d of %d joints%s%s", watch->beyond_count, watch->limited_count,
               names, watch->beyond_count > named ? ", ..." : "");
}

static void print_energy(table* t, const sim_watch* watch) {
    double start = total(watch->energy_start), end = total(watch->energy_end);
    table_pair(t, "energy at start", "%.6g J", start);
    table_pair(t, "energy at end", "%.6g J (kinetic %.4g, potential %.4g, springs %.4g)", end,
               watch->energy_end.kinetic, watch->energy_end.potential, watch->energy_end.spring);
    table_pair(t, "energy change", "%+.3g J%s", end - start,
               !isfinite(end)   ? " (not finite)"
               : watch->damping ? " (joints are damped)"
                                : "");
}

static void print_vector_pair(table* t, const char* title, sn_vec3 a, sn_vec3 b, const char* unit) {
    table_pair(t, title, "%.4g, %.4g, %.4g -> %.4g, %.4g, %.4g %s", a.x, a.y, a.z, b.x, b.y, b.z,
               unit);
}

void sim_report_print(const sim_options* options, const sim_watch* watch,
                      const sim_result* result) {
    table* t = table_create("ll", NULL);
    table_pair(t, "model", "%s, %d degrees of freedom", sn_model_name(watch->model),
               sn_model_nv(watch->model));
    table_pair(t, "method", "%s, %s, step %g s", sn_dynamics_algorithm(options->dynamics),
               sn_integrator_name((sn_integrator)options->integrator), options->step);
    table_pair(t, "steps", "%" PRIu64 ", %g s simulated", result->steps, result->simulated);
    table_pair(t, "wall time", "%.3g s, %.3gx real time", result->wall,
               result->wall > 0 ? result->simulated / result->wall : 0);
    print_energy(t, watch);
    print_vector_pair(t, "linear momentum", watch->momentum_start.linear,
                      watch->momentum_end.linear, "kg m/s");
    print_vector_pair(t, "angular momentum", watch->momentum_start.angular,
                      watch->momentum_end.angular, "kg m2/s, about the centre of mass");
    print_speed(t, "fastest turning", watch, &watch->angular, "rad/s");
    print_speed(t, "fastest sliding", watch, &watch->linear, "m/s");
    if (watch->limited_count > 0) print_limits(t, watch);
    if (watch->no_converge > 0) {
        table_pair(t, "not converged", "%" PRIu64 " steps of the implicit integrator",
                   watch->no_converge);
    }
    table_pair(t, "state hash", "%016" PRIx64, result->hash);
    if (options->record) table_pair(t, "record", "%s", options->record);
    if (options->plot) table_pair(t, "plot", "%s", options->plot);
    table_print(t, 0, stdout);
    fflush(stdout);
    if (watch->limited_count > 0 || watch->friction) {
        message_note("joint limits and dry friction are read but not enforced yet");
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

static void write_extreme(json_writer* w, const char* key, const sim_watch* watch,
                          const sim_extreme* most) {
    if (most->joint < 0) return;
    jw_key(w, key);
    jw_object_line(w);
    jw_key(w, "value");
    jw_number(w, most->value);
    jw_key(w, "joint");
    jw_text(w, joint_name(watch, most->joint));
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

static void write_asked(json_writer* w, const sim_options* o) {
    jw_key(w, "asked");
    jw_object(w);
    jw_key(w, "model");
    jw_text(w, o->model);
    jw_key(w, "duration");
    jw_number(w, o->duration);
    jw_key(w, "step");
    jw_number(w, o->step);
    jw_key(w, "integrator");
    jw_text(w, sn_integrator_name((sn_integrator)o->integrator));
    jw_key(w, "dynamics");
    jw_text(w, sn_dynamics_algorithm(o->dynamics));
    jw_key(w, "gravity");
    jw_numbers(w, o->gravity, 3);
    jw_key(w, "pin");
    jw_boolean(w, o->pin);
    write_words(w, "q0", &o->q0);
    write_words(w, "push", &o->push);
    if (o->record) jw_key(w, "record"), jw_text(w, o->record);
    if (o->plot) jw_key(w, "plot"), jw_text(w, o->plot);
    jw_object_end(w);
}

static void write_counters(json_writer* w, const sim_watch* watch, const sim_result* result) {
    jw_key(w, "report");
    jw_object(w);
    jw_key(w, "step");
    jw_integer(w, (long long)result->steps);
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
        jw_key(w, sn_world_stage_name(s) ? sn_world_stage_name(s) : "?");
        jw_integer(w, watch->stage_ns[s]);
    }
    jw_object_end(w);
    jw_object_end(w);
}

static void write_beyond(json_writer* w, const sim_watch* watch) {
    jw_key(w, "beyond_limits");
    jw_array_line(w);
    for (int i = 0; i < sn_model_body_count(watch->model); i++) {
        if (watch->beyond[i]) jw_text(w, joint_name(watch, i));
    }
    jw_array_end(w);
}

void sim_report_json(const sim_options* options, const sim_watch* watch, const sim_result* result) {
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
    write_asked(&w, options);
    jw_key(&w, "simulated_s");
    jw_number(&w, result->simulated);
    jw_key(&w, "wall_s");
    jw_number(&w, result->wall);
    jw_key(&w, "times_real_time");
    jw_number(&w, result->wall > 0 ? result->simulated / result->wall : NAN);
    write_energy(&w, "energy_start", watch->energy_start);
    write_energy(&w, "energy_end", watch->energy_end);
    jw_key(&w, "energy_change");
    jw_number(&w, total(watch->energy_end) - total(watch->energy_start));
    write_momentum(&w, "momentum_start", watch->momentum_start);
    write_momentum(&w, "momentum_end", watch->momentum_end);
    write_extreme(&w, "fastest_angular", watch, &watch->angular);
    write_extreme(&w, "fastest_linear", watch, &watch->linear);
    write_beyond(&w, watch);
    write_counters(&w, watch, result);
    jw_key(&w, "hash");
    jw_text(&w, hash);
    jw_object_end(&w);
    jw_finish(&w);
}
