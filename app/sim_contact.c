// SPDX-License-Identifier: Apache-2.0
#include <math.h>
#include <stdlib.h>

#include "memory.h"
#include "sim.h"

enum { SAMPLES_MOST = 500 };

void sim_contact_start(sim_contact* c, const sn_world_def* def, uint64_t steps) {
    *c = (sim_contact){.on = def->contact.on,
                       .units = sn_units_of(def->units),
                       .tolerance = def->contact.solve.tolerance};
    if (!c->on) return;
    c->stride = steps / SAMPLES_MOST + 1;
    c->time = memory_take(SAMPLES_MOST + 2, sizeof *c->time);
    c->points = memory_take(SAMPLES_MOST + 2, sizeof *c->points);
    c->overlap = memory_take(SAMPLES_MOST + 2, sizeof *c->overlap);
    c->groups_least = INT32_MAX;
}

static void raise_to(sim_peak* peak, double value, double time) {
    if (value > peak->value) *peak = (sim_peak){value, time};
}

static void count_events(sim_contact* c, const sn_step_report* report) {
    unsigned events = report->events;
    c->unsolved += (events & SN_EVENT_UNSOLVED) != 0;
    c->late += (events & SN_EVENT_LATE) != 0;
    c->full += (events & SN_EVENT_FULL) != 0;
    c->refused += (events & SN_EVENT_NO_CONTACT) != 0;
    c->dropped_contacts += report->contact.found.dropped_contacts;
    c->dropped_pairs += report->contact.found.dropped_pairs;
    if (report->contact.found.lost > c->lost) c->lost = report->contact.found.lost;
}

// The deepest since the last sample stays visible.
static void take_sample(sim_contact* c, const sn_step_report* report) {
    int at = c->count++;
    c->time[at] = report->time;
    c->points[at] = report->contact.points;
    c->overlap[at] = c->units->way.factor * c->overlap_since;
    c->overlap_since = 0;
}

void sim_contact_step(sim_contact* c, const sn_step_report* report) {
    const sn_contact_summary* now = &report->contact;
    if (!c->on) return;
    if (c->steps == 0) c->overlap_start = now->found.deepest;
    c->steps += 1;
    c->sum += now->points;
    raise_to(&c->most, now->points, report->time);
    raise_to(&c->deepest, now->found.deepest, report->time);
    raise_to(&c->residual, now->residual, report->time);
    if (now->groups < c->groups_least) c->groups_least = now->groups;
    if (now->groups > c->groups_most) c->groups_most = now->groups;
    if (now->iterations > c->iterations) c->iterations = now->iterations;
    c->energy += now->energy;
    c->bounces += now->bounces;
    c->overlap_since = fmax(c->overlap_since, now->found.deepest);
    count_events(c, report);
    c->end = *now;
    bool due = (report->step - 1) % c->stride == 0;
    if (due && c->count <= SAMPLES_MOST) take_sample(c, report);
}

void sim_contact_free(sim_contact* c) {
    free(c->time);
    free(c->points);
    free(c->overlap);
    *c = (sim_contact){0};
}
