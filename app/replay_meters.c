// SPDX-License-Identifier: Apache-2.0
#include "replay_meters.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"
#include "sinew/session.h"
#include "table.h"

/// The newest of each loop and hand; their names are copies.
typedef struct newest {
    sn_meters* at;
    int count;
} newest;

static sn_meters* find(newest* n, const sn_meters* meters) {
    for (int k = 0; k < n->count; k++)
        if (n->at[k].loop == meters->loop && strcmp(n->at[k].hand, meters->hand) == 0)
            return &n->at[k];
    return NULL;
}

static newest read_newest(sn_recording* recording) {
    newest n = {0};
    sn_meters meters;
    sn_recording_rewind_meters(recording);
    while (sn_recording_next_meters(recording, &meters)) {
        sn_meters* at = find(&n, &meters);
        const char* hand = at ? at->hand : memory_copy(meters.hand);
        if (!at) {
            n.at = memory_resize(n.at, (size_t)n.count + 1, sizeof *n.at);
            at = &n.at[n.count++];
        }
        *at = meters;
        at->hand = hand;
    }
    return n;
}

static void newest_free(newest* n) {
    for (int k = 0; k < n->count; k++) free((char*)n->at[k].hand);
    free(n->at);
}

static double latency_us(const sn_latency_meter* m) {
    return m->count ? 1e-3 * (double)m->sum_ns / (double)m->count : 0;
}

// ---- text -------------------------------------------------------------------------------------------

static void print_row(table* t, const sn_meters* m) {
    bool of_hand = m->loop == SN_LOOP_HAPTICS;
    const sn_safety_report* safety = &m->safety;
    table_cell(t, "%s%s%s", sn_loop_name(m->loop), of_hand ? ": " : "", m->hand);
    table_cell(t, "%" PRIu64, m->meter.ticks);
    table_cell(t, "%.1f", sn_loop_rate(&m->meter));
    table_cell(t, "%" PRIu64, m->meter.late);
    table_cell(t, "%.1f", 1e-3 * (double)m->meter.worst_ns);
    if (of_hand) {
        table_cell(t, "%.1f", latency_us(&m->latency));
        table_cell(t, "%.3g", safety->energy_least);
        table_cell(t, "%.3f", safety->max_force);
        table_cell(t, "%" PRIu64, safety->trips);
        table_cell(t, "%s", safety->trips ? sn_safety_cause_text(safety->last_trip) : "");
    } else {
        for (int k = 0; k < 5; k++) table_cell(t, "%s", "");
    }
}

void replay_meters_print(sn_recording* recording) {
    newest n = read_newest(recording);
    if (n.count > 0) {
        table* t = table_create("lrrrrrrrrl",
                                "loop|ticks|rate [Hz]|late|worst [us]|latency [us]|least energy "
                                "[J]|most force [N]|trips|last because");
        for (int k = 0; k < n.count; k++) print_row(t, &n.at[k]);
        printf("\n");
        table_print(t, 0, stdout);
    }
    newest_free(&n);
}

// ---- JSON -------------------------------------------------------------------------------------------

static void write_number(json_writer* w, const char* key, double value) {
    jw_key(w, key);
    jw_number(w, value);
}

static void write_count(json_writer* w, const char* key, uint64_t value) {
    jw_key(w, key);
    jw_integer(w, (long long)value);
}

static void write_text(json_writer* w, const char* key, const char* text) {
    jw_key(w, key);
    jw_text(w, text);
}

static void write_counts(json_writer* w, const char* key, const uint64_t* counts, int count) {
    jw_key(w, key);
    jw_array_line(w);
    for (int k = 0; k < count; k++) jw_integer(w, (long long)counts[k]);
    jw_array_end(w);
}

static void write_hand(json_writer* w, const sn_meters* m) {
    const sn_safety_report* safety = &m->safety;
    write_text(w, "hand", m->hand);
    write_number(w, "max_force", safety->max_force);
    write_number(w, "max_force_step", safety->max_force_step);
    write_number(w, "energy", safety->energy);
    write_number(w, "energy_min", safety->energy_least);
    write_count(w, "trips", safety->trips);
    write_text(w, "last_trip", sn_safety_cause_text(safety->last_trip));
    jw_key(w, "latched");
    jw_boolean(w, safety->latched);
    jw_key(w, "acted");
    jw_object_line(w);
    for (int e = 0; e < SN_SAFETY_ELEMENTS; e++)
        write_count(w, sn_safety_element_text((sn_safety_element)e), safety->count[e]);
    jw_object_end(w);
    jw_key(w, "latency");
    jw_object(w);
    write_count(w, "count", m->latency.count);
    write_number(w, "mean_us", latency_us(&m->latency));
    write_number(w, "worst_us", 1e-3 * (double)m->latency.worst_ns);
    write_counts(w, "below", m->latency.below, SN_JITTER_BINS);
    jw_object_end(w);
}

void replay_meters_json(json_writer* w, sn_recording* recording) {
    newest n = read_newest(recording);
    jw_key(w, "loops");
    jw_array(w);
    for (int k = 0; k < n.count; k++) {
        const sn_meters* m = &n.at[k];
        jw_object(w);
        write_text(w, "loop", sn_loop_name(m->loop));
        write_count(w, "step", m->step);
        write_count(w, "ticks", m->meter.ticks);
        write_number(w, "rate_hz", sn_loop_rate(&m->meter));
        write_count(w, "late", m->meter.late);
        write_number(w, "worst_us", 1e-3 * (double)m->meter.worst_ns);
        write_counts(w, "jitter", m->meter.jitter, SN_JITTER_BINS);
        if (m->loop == SN_LOOP_HAPTICS) write_hand(w, m);
        jw_object_end(w);
    }
    jw_array_end(w);
    newest_free(&n);
}
