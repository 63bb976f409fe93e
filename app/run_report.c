// SPDX-License-Identifier: Apache-2.0
#include <inttypes.h>
#include <math.h>

#include "json_writer.h"
#include "message.h"
#include "run.h"
#include "table.h"
#include "unit_text.h"

static const double FIRST_BIN_US = 0.1; // of the histogram of lateness; each bin is twice as wide

static const char* law_name(const sn_hand_def* def) {
    return def->law == SN_FEEDBACK_REACTION ? "reaction" : "spring";
}

static const char* mode_name(const sn_hand_def* def) {
    return def->mode == SN_HAND_TOUCH ? "touch" : "attach";
}

static bool any_latched(const sn_session* session) {
    sn_hand_report hand;
    for (int i = 0; i < sn_session_hand_count(session); i++) {
        sn_session_ask_hand(session, i, &hand);
        if (hand.safety.latched) return true;
    }
    return false;
}

bool run_is_well(const run_summary* s) {
    return !s->result->stopped && s->result->files_written && !any_latched(s->session);
}

// ---- text ----------------------------------------------------------------------------------------------------------

static void print_loop(table* t, const char* name, const sn_loop_meter* m) {
    table_cell(t, "%s", name);
    table_cell(t, "%" PRIu64, m->ticks);
    table_cell(t, "%.1f", sn_loop_rate(m));
    table_cell(t, "%" PRIu64, m->late);
    table_cell(t, "%.1f", 1e-3 * (double)m->worst_ns);
}

static void print_loops(const run_summary* s) {
    table* t = table_create("lrrrr", "loop|ticks|rate [Hz]|late|worst [us]");
    for (int k = 0; k < SN_LOOP_HAPTICS; k++) {
        sn_loop_meter meter = sn_session_ask_loop(s->session, (sn_loop)k);
        print_loop(t, sn_loop_name((sn_loop)k), &meter);
    }
    for (int i = 0; i < s->hands->count; i++) {
        sn_hand_report hand;
        char name[96];
        sn_session_ask_hand(s->session, i, &hand);
        (void)snprintf(name, sizeof name, "%s: %s", sn_loop_name(SN_LOOP_HAPTICS), hand.name);
        print_loop(t, name, &hand.meter);
    }
    printf("\n");
    table_print(t, 0, stdout);
}

// Elements that changed the force, with the share of ticks.
static void print_clamps(table* t, const sn_safety_report* safety) {
    char text[400] = "";
    size_t length = 0;
    for (int e = 0; e < SN_SAFETY_ELEMENTS && length < sizeof text; e++) {
        if (safety->count[e] == 0) continue;
        length += (size_t)snprintf(text + length, sizeof text - length, "%s%s %" PRIu64,
                                   length ? ", " : "", sn_safety_element_text((sn_safety_element)e),
                                   safety->count[e]);
    }
    table_pair(t, "acted, in ticks", "%s", text[0] ? text : "nothing");
}

static void print_hand(const run_summary* s, int i) {
    const run_hand* asked = &s->hands->at[i];
    sn_hand_report hand;
    sn_session_ask_hand(s->session, i, &hand);
    const sn_safety_report* safety = &hand.safety;
    const sn_units* u = sn_units_of(s->world->units);
    sn_vec3 f = hand.force.force, w = sn_vec3_scale(u->force.factor, hand.wrench.f);
    table* t = table_create("ll", NULL);
    printf("\nhand %s on %s\n", hand.name, asked->device);
    if (asked->def.mode == SN_HAND_TOUCH) {
        table_pair(t, "touches", "what is there");
    } else {
        table_pair(t, "holds", "%s%s", hand.body.i >= 0 && asked->body ? asked->body : "nothing",
                   asked->def.six ? ", its orientation too" : "");
    }
    table_pair(t, "law", "%s, %.4g %s, %.3g %s%s", law_name(&asked->def),
               u->stiffness.factor * hand.stiffness, u->stiffness.shown,
               u->damping.factor * hand.damping, u->damping.shown,
               hand.reason[0] ? " (less than asked for, see above)" : "");
    if (hand.scales[0]) table_pair(t, "scales", "%s", hand.scales);
    table_pair(t, "force on the hand", "%.3f, %.3f, %.3f N at the end; largest %.3f N", f.x, f.y,
               f.z, safety->max_force);
    table_pair(t, "on the body", "%.3f, %.3f, %.3f %s in its axes at the end", w.x, w.y, w.z,
               u->force.shown);
    table_pair(t, "largest step", "%.4f N from tick to tick", safety->max_force_step);
    table_pair(t, "observed energy", "%.4g J at the least", safety->energy_least);
    print_clamps(t, safety);
    table_pair(t, "trips", "%" PRIu64 "%s%s", safety->trips, safety->trips ? ": " : "",
               safety->trips ? sn_safety_cause_text(safety->last_trip) : "");
    if (safety->latched) table_pair(t, "latched", "there is no force any more");
    table_print(t, 2, stdout);
}

void run_report_print(const run_summary* s) {
    const run_result* r = s->result;
    const sn_model* model = sn_world_model(sn_simulation_world(s->sim));
    const sn_units* u = sn_units_of(s->world->units);
    table* t = table_create("ll", NULL);
    table_pair(t, "scene", "%s, %d degrees of freedom", sn_model_name(model), sn_model_nv(model));
    table_pair(t, "steps", "%" PRIu64 " of %g %s, %g %s simulated", r->steps, s->world->step,
               u->time.shown, r->simulated, u->time.shown);
    table_pair(t, "time", "%s, pace %g, %.3g s of this machine",
               s->options->virtual_time ? "virtual" : "real", s->session_def->pace, r->wall);
    if (s->contact->on)
        table_pair(t, "contacts", "%d at the end, %.0f at most, deepest overlap %.3g %s",
                   s->contact->end.points, s->contact->most.value,
                   u->way.factor * s->contact->deepest.value, u->way.shown);
    table_pair(t, "state hash", "%016" PRIx64, r->hash);
    if (r->recording)
        table_pair(t, "recording", "%s, %" PRIu64 " steps, %.3g MB", r->recording,
                   r->recorder.steps - r->recorder.lost, 1e-6 * (double)r->recorder.bytes);
    if (s->options->plot) table_pair(t, "plot", "%s", s->options->plot);
    table_print(t, 0, stdout);
    print_loops(s);
    for (int i = 0; i < s->hands->count; i++) print_hand(s, i);
}

// ---- JSON ----------------------------------------------------------------------------------------------------------

static void write_text(json_writer* w, const char* key, const char* text) {
    if (text) jw_key(w, key), jw_text(w, text);
}

static void write_number(json_writer* w, const char* key, double value) {
    jw_key(w, key);
    jw_number(w, value);
}

static void write_count(json_writer* w, const char* key, uint64_t value) {
    jw_key(w, key);
    jw_integer(w, (long long)value);
}

static void write_truth(json_writer* w, const char* key, bool value) {
    jw_key(w, key);
    jw_boolean(w, value);
}

static void write_vector(json_writer* w, const char* key, sn_vec3 v) {
    const double numbers[3] = {v.x, v.y, v.z};
    jw_key(w, key);
    jw_numbers(w, numbers, 3);
}

static void write_words(json_writer* w, const char* key, const text_list* list) {
    if (list->count == 0) return;
    jw_key(w, key);
    jw_array_line(w);
    for (int i = 0; i < list->count; i++) jw_text(w, list->items[i]);
    jw_array_end(w);
}

static void write_asked(json_writer* w, const run_summary* s) {
    const run_options* o = s->options;
    const sn_session_def* def = s->session_def;
    jw_key(w, "asked");
    jw_object(w);
    write_text(w, s->scene->is_file ? "scene" : "model", o->scene);
    write_number(w, "duration", s->duration);
    write_number(w, "step", s->world->step);
    write_text(w, "device", o->device);
    write_text(w, "hand", o->hand);
    write_text(w, "hold", o->hold);
    write_words(w, "scripts", &o->scripts);
    write_number(w, "rate_hz", def->haptic_rate);
    write_number(w, "coupling_rate_hz", def->coupling_rate);
    write_number(w, "pace", def->pace);
    write_truth(w, "virtual_time", def->virtual_time);
    write_words(w, "stalls", &o->stalls);
    if (def->virtual_time) {
        write_number(w, "jitter", o->jitter);
        write_number(w, "step_time", o->step_time);
        jw_key(w, "seed"), jw_integer(w, o->seed);
    }
    write_words(w, "plugins", &o->plugins);
    write_text(w, "record", o->record);
    write_text(w, "plot", o->plot);
    jw_object_end(w);
}

static void write_meter(json_writer* w, const sn_loop_meter* m) {
    write_count(w, "ticks", m->ticks);
    write_number(w, "rate_hz", sn_loop_rate(m));
    write_count(w, "late", m->late);
    write_number(w, "worst_us", 1e-3 * (double)m->worst_ns);
    jw_key(w, "jitter");
    jw_array_line(w);
    for (int k = 0; k < SN_JITTER_BINS; k++) jw_integer(w, (long long)m->jitter[k]);
    jw_array_end(w);
}

static void write_latency(json_writer* w, const sn_latency_meter* m) {
    jw_key(w, "latency");
    jw_object(w);
    write_count(w, "count", m->count);
    write_number(w, "mean_us", m->count ? 1e-3 * (double)m->sum_ns / (double)m->count : 0);
    write_number(w, "worst_us", 1e-3 * (double)m->worst_ns);
    jw_key(w, "below");
    jw_array_line(w);
    for (int k = 0; k < SN_JITTER_BINS; k++) jw_integer(w, (long long)m->below[k]);
    jw_array_end(w);
    jw_object_end(w);
}

// What a hand's loop let through.
static void write_force_meter(json_writer* w, const sn_safety_report* safety) {
    write_number(w, "max_force_step", safety->max_force_step);
    write_number(w, "energy_min", safety->energy_least);
    write_count(w, "trips", safety->trips);
}

static void write_loops(json_writer* w, const run_summary* s) {
    double edge[SN_JITTER_BINS - 1];
    for (int k = 0; k < SN_JITTER_BINS - 1; k++) edge[k] = ldexp(FIRST_BIN_US, k);
    jw_key(w, "jitter_below_us");
    jw_numbers(w, edge, SN_JITTER_BINS - 1);
    jw_key(w, "loops");
    jw_array(w);
    for (int k = 0; k < SN_LOOP_HAPTICS; k++) {
        sn_loop_meter meter = sn_session_ask_loop(s->session, (sn_loop)k);
        jw_object(w);
        write_text(w, "loop", sn_loop_name((sn_loop)k));
        write_meter(w, &meter);
        jw_object_end(w);
    }
    for (int i = 0; i < s->hands->count; i++) {
        sn_hand_report hand;
        sn_session_ask_hand(s->session, i, &hand);
        jw_object(w);
        write_text(w, "loop", sn_loop_name(SN_LOOP_HAPTICS));
        write_text(w, "hand", hand.name);
        write_meter(w, &hand.meter);
        write_force_meter(w, &hand.safety);
        write_latency(w, &hand.latency);
        jw_object_end(w);
    }
    jw_array_end(w);
}

static void write_gains(json_writer* w, const run_hand* asked, const sn_hand_report* hand) {
    jw_key(w, "gains");
    jw_object(w);
    write_number(w, "stiffness", hand->stiffness);
    write_number(w, "damping", hand->damping);
    write_number(w, "turn_stiffness", hand->turn_stiffness);
    write_number(w, "turn_damping", hand->turn_damping);
    write_number(w, "scale", hand->scale);
    write_number(w, "force_scale", hand->force_scale);
    if (hand->scales[0]) write_text(w, "scales", hand->scales);
    write_number(w, "asked_stiffness", asked->def.stiffness);
    write_number(w, "asked_damping", asked->def.damping);
    write_text(w, "reason", hand->reason);
    jw_object_end(w);
}

static void write_safety(json_writer* w, const sn_safety_report* safety) {
    write_force_meter(w, safety);
    write_text(w, "last_trip", sn_safety_cause_text(safety->last_trip));
    write_text(w, "cause", sn_safety_cause_text(safety->cause));
    write_truth(w, "latched", safety->latched);
    write_number(w, "gain", safety->gain);
    jw_key(w, "acted");
    jw_object_line(w);
    for (int e = 0; e < SN_SAFETY_ELEMENTS; e++)
        write_count(w, sn_safety_element_text((sn_safety_element)e), safety->count[e]);
    jw_object_end(w);
    write_number(w, "energy", safety->energy);
    write_number(w, "heat", safety->heat);
    write_number(w, "max_torque_step", safety->max_torque_step);
    write_number(w, "max_force", safety->max_force);
    write_number(w, "max_torque", safety->max_torque);
}

static void write_hand(json_writer* w, const run_hand* asked, const sn_hand_report* hand) {
    jw_object(w);
    write_text(w, "name", hand->name);
    write_text(w, "device", asked->device);
    write_text(w, "profile", hand->profile.name);
    write_text(w, "mode", mode_name(&asked->def));
    write_text(w, "law", law_name(&asked->def));
    write_text(w, "body", hand->body.i >= 0 && asked->body ? asked->body : "");
    write_gains(w, asked, hand);
    write_safety(w, &hand->safety);
    write_vector(w, "force", hand->force.force);
    write_vector(w, "torque", hand->force.torque);
    jw_key(w, "wrench");
    jw_object_line(w);
    write_vector(w, "force", hand->wrench.f);
    write_vector(w, "moment", hand->wrench.n);
    jw_object_end(w);
    write_vector(w, "position", hand->hand.pose.p);
    jw_object_end(w);
}

static void write_contact(json_writer* w, const sim_contact* c) {
    if (!c->on) return;
    jw_key(w, "contact");
    jw_object(w);
    write_count(w, "points_end", (uint64_t)c->end.points);
    write_number(w, "points_most", c->most.value);
    write_number(w, "deepest_overlap", c->deepest.value);
    write_number(w, "residual_most", c->residual.value);
    write_count(w, "unsolved", c->unsolved);
    write_count(w, "full", c->full);
    jw_object_end(w);
}

void run_report_json(const run_summary* s) {
    const run_result* r = s->result;
    const sn_model* model = sn_world_model(sn_simulation_world(s->sim));
    const sn_units* u = sn_units_of(s->world->units);
    char hash[24];
    (void)snprintf(hash, sizeof hash, "%016" PRIx64, r->hash);
    json_writer w = jw_start(stdout);
    jw_object(&w);
    write_truth(&w, "ok", run_is_well(s));
    write_text(&w, "stopped", r->stopped);
    write_text(&w, "model", sn_model_name(model));
    jw_key(&w, "bodies"), jw_integer(&w, sn_model_body_count(model));
    jw_key(&w, "nv"), jw_integer(&w, sn_model_nv(model));
    write_asked(&w, s);
    write_count(&w, "steps", r->steps);
    unit_write_all(&w, u);
    unit_write(&w, "simulated", u->time, r->simulated);
    write_number(&w, "wall_s", r->wall);
    write_loops(&w, s);
    jw_key(&w, "hands");
    jw_array(&w);
    for (int i = 0; i < s->hands->count; i++) {
        sn_hand_report hand;
        sn_session_ask_hand(s->session, i, &hand);
        write_hand(&w, &s->hands->at[i], &hand);
    }
    jw_array_end(&w);
    write_contact(&w, s->contact);
    write_text(&w, "recording", r->recording);
    write_text(&w, "hash", hash);
    jw_object_end(&w);
    jw_finish(&w);
}

// ---- trouble -------------------------------------------------------------------------------------------------------

void run_report_trouble(const run_summary* s) {
    for (int i = 0; i < s->hands->count; i++) {
        sn_hand_report hand;
        sn_session_ask_hand(s->session, i, &hand);
        const sn_safety_report* safety = &hand.safety;
        if (safety->latched) {
            message_error("hand '%s' has no force any more: %s", hand.name,
                          sn_safety_cause_text(safety->cause));
        } else if (safety->trips > 0) {
            message_warning("hand '%s': force was stopped %" PRIu64 " time%s, last because: %s",
                            hand.name, safety->trips, safety->trips == 1 ? "" : "s",
                            sn_safety_cause_text(safety->last_trip));
        }
    }
}
