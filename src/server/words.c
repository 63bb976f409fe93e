// SPDX-License-Identifier: Apache-2.0
#include "server/words.h"

#include <math.h>
#include <stdio.h>

#include "server/quantities.h"

#ifndef SN_VERSION_STRING
#define SN_VERSION_STRING "unknown"
#endif

static json_t* number(double x) { return isfinite(x) ? json_real(x) : json_null(); }

/// To so many parts of one: for what should not be told anew with every step.
static json_t* rounded(double x, double parts) { return number(round(x * parts) / parts); }

static json_t* words(const char* text) {
    json_t* t = json_string(text);
    return t ? t : json_string("");
}

json_t* sni_words_hello(const sn_server_def* def, uint32_t client, const char* colour) {
    json_t* gallery = json_array();
    for (int i = 0; i < def->gallery_count; i++) {
        const sn_gallery_entry* entry = &def->gallery[i];
        (void)json_array_append_new(gallery,
                                    json_pack("{s:o,s:o,s:o,s:s}", "name", words(entry->name),
                                              "about", words(entry->about), "group",
                                              words(entry->group ? entry->group : ""), "kind",
                                              entry->is_model ? "model" : "scene"));
    }
    return json_pack("{s:i,s:s,s:I,s:s,s:o,s:o}", "protocol", 1, "program",
                     "sinew " SN_VERSION_STRING, "client", (json_int_t)client, "colour", colour,
                     "gallery", gallery, "catalogue", sni_quantities_catalogue());
}

json_t* sni_words_state(const sni_facts* facts, const sn_server_view* view, const sni_guest* guests,
                        int count) {
    static const sni_facts nothing;
    const sni_facts* f = facts ? facts : &nothing;
    json_t *clients = json_array(), *replay = json_null();
    for (int i = 0; i < count; i++)
        (void)json_array_append_new(clients,
                                    json_pack("{s:I,s:s}", "client", (json_int_t)guests[i].client,
                                              "colour", guests[i].colour));
    if (view->is_replay)
        replay = json_pack("{s:o,s:b}", "position", rounded(f->time, 20), "playing", !f->paused);
    return json_pack("{s:b,s:o,s:o,s:i,s:i,s:i,s:s,s:o,s:o,s:o,s:o}", "paused", f->paused, "pace",
                     number(f->pace), "real_time_factor", rounded(f->means.real_time_factor, 50),
                     "max_active", f->max_active, "active", f->active, "joints", f->joints,
                     "dynamics", f->dynamics, "recording", words(f->recording), "clients", clients,
                     "replay", replay, "fault", words(f->fault));
}

// ---- meters -----------------------------------------------------------------------------------------------------------

static json_t* loop_meter(const char* name, double rate, const sn_loop_meter* meter) {
    json_t *jitter = json_array(), *below = json_array();
    for (int k = 0; k < SN_JITTER_BINS; k++) {
        (void)json_array_append_new(jitter, json_integer((json_int_t)meter->jitter[k]));
        (void)json_array_append_new(below, json_real(0.1 * ldexp(1, k)));
    }
    return json_pack("{s:s,s:o,s:I,s:o,s:o,s:o}", "name", name, "rate_hz", number(rate), "late",
                     (json_int_t)meter->late, "worst_us", number((double)meter->worst_ns * 1e-3),
                     "jitter", jitter, "jitter_below_us", below);
}

static json_t* loops_of(const sni_facts* f) {
    json_t* list = json_array();
    (void)json_array_append_new(list,
                                loop_meter("simulation", f->means.rate[0], &f->means.simulation));
    (void)json_array_append_new(list, loop_meter("coupling", f->means.rate[1], &f->means.coupling));
    for (int i = 0; i < f->hand_count; i++) {
        const sn_hand_report* hand = &f->hand[i].report;
        json_t* loop = loop_meter("haptics", sn_loop_rate(&hand->meter), &hand->meter);
        (void)json_object_set_new(loop, "hand", json_integer(hand->number));
        (void)json_array_append_new(list, loop);
    }
    return list;
}

static json_t* hand_meter(const sni_hand_fact* hand, double latency_ms) {
    const sn_safety_report* safety = &hand->report.safety;
    json_t* acted = json_object();
    for (int e = 0; e < SN_SAFETY_ELEMENTS; e++)
        (void)json_object_set_new(acted, sn_safety_element_text((sn_safety_element)e),
                                  json_integer((json_int_t)safety->count[e]));
    return json_pack("{s:i,s:o,s:s,s:b,s:o,s:o,s:I,s:s,s:o,s:o,s:o}", "hand", hand->report.number,
                     "name", words(hand->name), "cause", sn_safety_cause_text(safety->cause),
                     "latched", safety->latched, "gain", number(safety->gain), "energy",
                     number(safety->energy), "trips", (json_int_t)safety->trips, "last_trip",
                     sn_safety_cause_text(safety->last_trip), "acted", acted, "heat",
                     number(safety->heat), "latency_us", number(latency_ms * 1e3));
}

json_t* sni_words_meters(const sni_facts* f, const sni_server_load* load) {
    json_t *hands = json_array(), *stages = json_array();
    for (int i = 0; i < f->hand_count; i++)
        (void)json_array_append_new(hands, hand_meter(&f->hand[i], f->means.pointer_ms));
    for (int k = 0; k < f->means.stage_count; k++)
        (void)json_array_append_new(stages, json_pack("{s:s,s:o}", "name", sn_world_stage_name(k),
                                                      "us", number(f->means.stage_us[k])));
    json_t* step = json_pack("{s:o,s:o}", "mean_us", number(f->means.step_us), "stages", stages);
    json_t* contact = json_pack("{s:i,s:i,s:o,s:I}", "points", f->contact.points, "groups",
                                f->contact.groups, "residual", number(f->contact.residual),
                                "iterations", (json_int_t)f->contact.iterations);
    json_t* server =
        json_pack("{s:o,s:o,s:o,s:o}", "cpu", number(load->cpu), "bytes_s", number(load->bytes_s),
                  "frames_s", number(load->frames_s), "pointer_ms", number(f->means.pointer_ms));
    return json_pack("{s:o,s:o,s:o,s:o,s:o}", "loops", loops_of(f), "hands", hands, "step", step,
                     "contact", contact, "server", server);
}

json_t* sni_words_event(const sni_event* event, const char* text, size_t length) {
    json_t* said = json_stringn(text, length);
    return json_pack("{s:s,s:o,s:o}", "level", event->level == SN_LOG_WARNING ? "warning" : "info",
                     "time", number(event->time), "text", said ? said : json_string(""));
}
