// SPDX-License-Identifier: Apache-2.0
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "coordinates.h"
#include "memory.h"
#include "sim.h"
#include "svg_plot.h"
#include "unit_text.h"

enum {
    SAMPLES_MOST = 2000, // in a history, evenly over the run
    SIGNALS_MOST = 4096, // joint coordinates followed; of larger models evenly chosen ones
    SHOWN_MOST = 6,      // lines in a panel of joints
    TRIES_MOST = 40      // signals looked at to find them
};

typedef enum signal_kind { SIGNAL_ANGLE, SIGNAL_TURN, SIGNAL_DISTANCE } signal_kind;

// A joint coordinate to follow: an angle [deg], the turn of a quaternion [deg], a distance [m].
typedef struct signal {
    int body, k; ///< body -1: it is gone
    signal_kind kind;
    char* joint; ///< its name
    char* label; ///< in the plot
    double* values;
} signal;

struct sim_history {
    const sn_units* units;
    const sn_model* model;
    uint64_t stride; ///< steps between samples
    int count;
    double *time, *kinetic, *stored, *total;
    signal* signals;
    int signal_count, signals_in_model;
    sim_sensors* sensors;
};

enum { SAMPLES_ROOM = SAMPLES_MOST + 2 };

static double* take_samples(void) { return memory_take(SAMPLES_ROOM, sizeof(double)); }

// Signals of one joint; how many. out may be NULL.
static int joint_signals(const sn_body_info* b, int body, signal* out) {
    int count = 0;
    bool quaternion = b->type == SN_JOINT_FREE || b->type == SN_JOINT_SPHERICAL;
    int plain = b->type == SN_JOINT_FREE ? 3 : b->type == SN_JOINT_SPHERICAL ? 0 : b->nq;
    for (int k = 0; k < plain; k++) {
        signal_kind kind = coordinates_q_is_angle(b->type, k) ? SIGNAL_ANGLE : SIGNAL_DISTANCE;
        if (out) out[count] = (signal){body, k, kind, NULL, NULL, NULL};
        count += 1;
    }
    if (quaternion) {
        if (out) out[count] = (signal){body, plain, SIGNAL_TURN, NULL, NULL, NULL};
        count += 1;
    }
    return count;
}

static char* label_of(const signal* s, const sn_body_info* b, const sn_units* units) {
    char name[256];
    if (s->kind == SIGNAL_TURN) return memory_text("%s turn", b->joint_name);
    coordinates_q_name(b, s->k, units, name, sizeof name);
    char* unit = strrchr(name, '_'); // the panel names the unit
    if (unit) *unit = '\0';
    return memory_copy(name + 2); // without "q:"
}

// Follows a joint from now on; before it was nowhere.
static void add_signals(sim_history* h, const sn_body_info* b, int body) {
    size_t room = (size_t)h->signal_count + SN_JOINT_MAX_NQ;
    h->signals = memory_resize(h->signals, room, sizeof *h->signals);
    int added = joint_signals(b, body, h->signals + h->signal_count);
    for (int i = 0; i < added; i++) {
        signal* s = &h->signals[h->signal_count++];
        s->joint = memory_copy(b->joint_name);
        s->label = label_of(s, b, h->units);
        s->values = take_samples();
        for (int k = 0; k < h->count; k++) s->values[k] = NAN;
    }
}

sim_history* sim_history_create(sn_simulation* sim, const sn_model* model, uint64_t steps) {
    sim_history* h = memory_take(1, sizeof *h);
    h->units = sn_units_of(sn_world_units(sn_simulation_world(sim)));
    h->model = model;
    h->sensors = sim_sensors_create(sim, SAMPLES_ROOM);
    h->stride = steps / SAMPLES_MOST + 1;
    h->time = take_samples();
    h->kinetic = take_samples();
    h->stored = take_samples();
    h->total = take_samples();
    int bodies = sn_model_body_count(model);
    for (int i = 0; i < bodies; i++) {
        sn_body_info b = sn_model_body(model, sn_body(i));
        h->signals_in_model += joint_signals(&b, i, NULL);
    }
    int skip = h->signals_in_model / SIGNALS_MOST + 1; // every skip-th joint
    for (int i = 0; i < bodies; i += skip) {
        sn_body_info b = sn_model_body(model, sn_body(i));
        add_signals(h, &b, i);
    }
    return h;
}

// Bodies came or went: what is still there goes on, what is new begins, as far as there is room.
static void follow(sim_history* h, const sn_model* model) {
    bool* known = memory_take((size_t)sn_model_body_count(model), sizeof *known);
    h->model = model;
    for (int s = 0; s < h->signal_count; s++) {
        signal* to = &h->signals[s];
        to->body = sn_model_find_joint(model, to->joint).i;
        if (to->body >= 0) known[to->body] = true;
    }
    for (int i = 0; i < sn_model_body_count(model); i++) {
        sn_body_info b = sn_model_body(model, sn_body(i));
        if (known[i] || h->signal_count + b.nq > SIGNALS_MOST) continue;
        add_signals(h, &b, i);
        h->signals_in_model += joint_signals(&b, i, NULL);
    }
    free(known);
}

static double measure(const signal* s, const sn_body_info* b, const double* q) {
    static const double DEGREES = 57.295779513082321;
    const double* x = q + b->iq + s->k;
    switch (s->kind) {
    case SIGNAL_ANGLE: return DEGREES * x[0];
    case SIGNAL_TURN:
        return DEGREES * 2 * atan2(sqrt(x[1] * x[1] + x[2] * x[2] + x[3] * x[3]), fabs(x[0]));
    case SIGNAL_DISTANCE: return x[0];
    }
    return NAN;
}

void sim_history_add(sim_history* h, sn_world* world, bool last) {
    bool due = sn_world_step_count(world) % h->stride == 0;
    if (sn_world_model(world) != h->model) follow(h, sn_world_model(world));
    if ((!due && !last) || h->count == SAMPLES_ROOM) return;
    if (h->count > 0 && h->time[h->count - 1] == sn_world_time(world)) return;
    sn_energy energy = sn_world_energy(world);
    const double* q = sn_world_q(world);
    int at = h->count++;
    h->time[at] = sn_world_time(world);
    sim_sensors_add(h->sensors, at);
    h->kinetic[at] = energy.kinetic;
    h->stored[at] = energy.potential + energy.spring;
    h->total[at] = h->kinetic[at] + h->stored[at];
    for (int s = 0; s < h->signal_count; s++) {
        signal* to = &h->signals[s];
        to->values[at] = NAN;
        if (to->body < 0) continue;
        sn_body_info b = sn_model_body(h->model, sn_body(to->body));
        to->values[at] = measure(to, &b, q);
    }
}

static double range_of(const sim_history* h, const signal* s) {
    double low = INFINITY, high = -INFINITY;
    for (int i = 0; i < h->count; i++) {
        low = fmin(low, s->values[i]);
        high = fmax(high, s->values[i]);
    }
    return high > low ? high - low : 0;
}

// A line of a panel: a signal, and how many others move alike (the other arm, the other leg).
typedef struct shown_signal {
    int signal, twins;
} shown_signal;

static bool move_alike(const sim_history* h, const signal* a, const signal* b, double range) {
    static const double ALIKE = 1e-3; // of the range: cannot be told apart in the plot
    for (int i = 0; i < h->count; i++) {
        if (isnan(a->values[i]) && isnan(b->values[i])) continue; // both were away
        if (!(fabs(a->values[i] - b->values[i]) <= ALIKE * range)) return false;
    }
    return true;
}

// The signals, angles or distances, that move most, largest range first; how many.
static int most_moving(const sim_history* h, bool distances, shown_signal* shown) {
    int count = 0;
    double* ranges = memory_take((size_t)h->signal_count, sizeof *ranges);
    for (int s = 0; s < h->signal_count; s++) {
        if ((h->signals[s].kind == SIGNAL_DISTANCE) == distances) {
            ranges[s] = range_of(h, &h->signals[s]);
        }
    }
    for (int tries = 0; tries < TRIES_MOST; tries++) {
        int best = 0;
        for (int s = 1; s < h->signal_count; s++) {
            if (ranges[s] > ranges[best]) best = s;
        }
        if (h->signal_count == 0 || !(ranges[best] > 0)) break;
        int twin = 0;
        while (twin < count &&
               !move_alike(h, &h->signals[shown[twin].signal], &h->signals[best], ranges[best])) {
            twin += 1;
        }
        ranges[best] = 0;
        if (twin < count) {
            shown[twin].twins += 1;
        } else if (count < SHOWN_MOST) {
            shown[count++] = (shown_signal){best, 0};
        } else {
            break;
        }
    }
    free(ranges);
    return count;
}

static char* signal_name(const sim_history* h, shown_signal shown) {
    const char* label = h->signals[shown.signal].label;
    return shown.twins ? memory_text("%s (+%d alike)", label, shown.twins) : memory_copy(label);
}

static void add_joint_panel(const sim_history* h, const unit_labels* label, bool distances, plot* p,
                            char** names, int* name_count) {
    shown_signal shown[SHOWN_MOST];
    int count = most_moving(h, distances, shown);
    if (count == 0) return;
    plot_panel* panel = &p->panels[p->panel_count++];
    *panel = (plot_panel){.x_label = label->time};
    bool all = h->signal_count == h->signals_in_model;
    panel->title = distances ? (all ? "Distances that change most"
                                    : "Distances that change most, of evenly chosen joints")
                             : (all ? "Joint angles that change most"
                                    : "Joint angles that change most, of evenly chosen joints");
    panel->y_label = distances ? label->distance : "angle [deg]";
    for (int i = 0; i < count; i++) {
        names[*name_count] = signal_name(h, shown[i]);
        plot_add_series(panel, names[(*name_count)++], h->time, h->signals[shown[i].signal].values,
                        h->count, false);
    }
}

// Adaptive dynamics: how many joints are active, and what the others would do.
static void add_activity_panels(const sim_activity* a, const unit_labels* label, plot* p) {
    if (!a->on) return;
    bool by_inertia = a->metric == SN_METRIC_INERTIA;
    plot_panel* joints = &p->panels[p->panel_count++];
    *joints = (plot_panel){.title = "Active joints", .x_label = label->time, .y_label = "joints"};
    joints->y_high = a->most > 0 ? 1.08 * a->most : 1;
    plot_add_series(joints, "active", a->time, a->active, a->count, false);
    plot_panel* errors = &p->panels[p->panel_count++];
    *errors = (plot_panel){.title = "Accelerations, by the metric that chooses joints",
                           .x_label = label->time,
                           .y_label = by_inertia ? label->metric : "metric",
                           .mark = a->threshold,
                           .mark_label = a->threshold > 0 ? "threshold" : NULL};
    plot_add_series(errors, "left out (remaining error)", a->time, a->error, a->count, false);
    plot_add_series(errors, "of all joints", a->time, a->total, a->count, false);
}

static void add_contact_panels(const sim_contact* c, const unit_labels* label, plot* p) {
    if (!c->on) return;
    plot_panel* points = &p->panels[p->panel_count++];
    *points = (plot_panel){.title = "Contacts", .x_label = label->time, .y_label = "points"};
    points->y_high = c->most.value > 0 ? 1.08 * c->most.value : 1;
    plot_add_series(points, "contact points", c->time, c->points, c->count, false);
    plot_panel* overlap = &p->panels[p->panel_count++];
    *overlap = (plot_panel){.title = "Overlap", .x_label = label->time, .y_label = label->overlap};
    plot_add_series(overlap, "deepest", c->time, c->overlap, c->count, false);
}

void sim_history_write(const sim_history* h, const sim_activity* activity,
                       const sim_contact* contact, const char* title, const char* subtitle,
                       FILE* file) {
    char* names[2 * SHOWN_MOST];
    int name_count = 0;
    unit_labels label = unit_labels_of(h->units);
    plot p = {.title = title, .subtitle = subtitle, .panel_count = 1};
    p.panels[0] = (plot_panel){.title = "Energy", .x_label = label.time, .y_label = label.energy};
    plot_add_series(&p.panels[0], "kinetic", h->time, h->kinetic, h->count, false);
    plot_add_series(&p.panels[0], "potential and springs", h->time, h->stored, h->count, false);
    plot_add_series(&p.panels[0], "total", h->time, h->total, h->count, false);
    add_joint_panel(h, &label, false, &p, names, &name_count);
    add_joint_panel(h, &label, true, &p, names, &name_count);
    add_activity_panels(activity, &label, &p);
    add_contact_panels(contact, &label, &p);
    sim_sensors_draw(h->sensors, &label, h->time, h->count, &p);
    svg_plot_write(&p, file);
    for (int i = 0; i < name_count; i++) free(names[i]);
}

void sim_history_free(sim_history* h) {
    if (!h) return;
    for (int s = 0; s < h->signal_count; s++) {
        free(h->signals[s].joint);
        free(h->signals[s].label);
        free(h->signals[s].values);
    }
    sim_sensors_free(h->sensors);
    free(h->signals);
    free(h->time);
    free(h->kinetic);
    free(h->stored);
    free(h->total);
    free(h);
}
