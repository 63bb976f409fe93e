// SPDX-License-Identifier: Apache-2.0
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "message.h"
#include "sim.h"

// m: a cube of 0.2 m that lands at 4 m/s overlaps by less; beyond, bodies look wrong
static const double DEEP = 5e-3;
static const double SHALLOW = 1e-4; // m: what undoing overlap leaves

static const double WORTH_A_WORD = 0.01; // share of steps that are less precise than asked for

static double mean_points(const sim_contact* c) { return c->steps ? c->sum / (double)c->steps : 0; }

static double share_unsolved(const sim_contact* c) {
    return c->steps ? (double)c->unsolved / (double)c->steps : 0;
}

// ---- text ------------------------------------------------------------------------------------------

void sim_report_contact_rows(table* t, const sim_summary* s) {
    const sim_contact* c = s->contact;
    const sn_units* u = c->units;
    if (!c->on) return;
    int bodies = sn_model_body_count(s->watch->model);
    table_pair(t, "contacts", "%.4g on average, %.0f at most, at %.3f %s", mean_points(c),
               c->most.value, c->most.time, u->time.shown);
    table_pair(t, "groups", "%d to %d, %d at the end; %d of %d bodies asleep", c->groups_least,
               c->groups_most, c->end.groups, c->end.resting, bodies);
    if (c->deepest.value > 0) {
        table_pair(t, "deepest overlap", "%.3g %s, at %.3f %s", u->way.factor * c->deepest.value,
                   u->way.shown, c->deepest.time, u->time.shown);
    } else {
        table_pair(t, "deepest overlap", "none");
    }
    table_pair(t, "residual",
               "%.2g at most; above %g in %" PRIu64 " of %" PRIu64 " steps (%.3g %%)",
               c->residual.value, c->tolerance, c->unsolved, c->steps, 100 * share_unsolved(c));
    table_pair(t, "iterations", "%" PRId64 " at most in a step", c->iterations);
    table_pair(t, "energy by contact", "%+.4g %s (impacts, friction, and holding against gravity)",
               c->energy, u->energy.shown);
}

static void say_capacity(const sim_contact* c) {
    if (c->dropped_contacts > 0) {
        message_warning("contacts were dropped for lack of room in %" PRIu64 " steps, %" PRId64
                        " in all; raise --contacts",
                        c->full, c->dropped_contacts);
    }
    if (c->dropped_pairs > 0) {
        message_warning("pairs of near shapes were dropped for lack of room in %" PRIu64
                        " steps, %" PRId64 " in all; raise --pairs",
                        c->full, c->dropped_pairs);
    }
}

static void say_solve(const sim_contact* c) {
    if (c->late > 0) {
        message_warning("solving stopped at --solve-time in %" PRIu64
                        " steps; give it longer, or --workers",
                        c->late);
    } else if (share_unsolved(c) > WORTH_A_WORD) {
        message_warning("contact is less precise than asked for in %" PRIu64 " of %" PRIu64
                        " steps: residual up to %.2g; raise --iterations, or accept it with "
                        "--tolerance %.0e",
                        c->unsolved, c->steps, c->residual.value, 1.5 * c->residual.value);
    }
    if (c->refused > 0) {
        message_warning("%" PRIu64 " steps went without contact, as its problem could not be "
                        "solved at all; try a smaller --step",
                        c->refused);
    }
}

void sim_report_contact_trouble(const sim_summary* s) {
    const sim_contact* c = s->contact;
    const sn_units* u = c->units;
    if (!c->on) return;
    if (c->overlap_start > SHALLOW) {
        message_note("bodies overlap by %.3g %s where the scene begins; they are pushed apart",
                     u->way.factor * c->overlap_start, u->way.shown);
    }
    say_capacity(c);
    say_solve(c);
    if (c->lost > 0) {
        message_warning("%d bodies have no finite place and touch nothing; try a smaller --step",
                        c->lost);
    }
    if (c->deepest.value > fmax(DEEP, c->overlap_start)) {
        message_note(
            "bodies overlapped by up to %.3g %s at %.3f %s; a smaller --step than %g keeps "
            "them apart",
            u->way.factor * c->deepest.value, u->way.shown, c->deepest.time, u->time.shown,
            s->world->step);
    }
}

// ---- JSON ------------------------------------------------------------------------------------------

static void write_peak(json_writer* w, const char* key, sim_peak peak) {
    jw_key(w, key);
    jw_object_line(w);
    jw_key(w, "value");
    jw_number(w, peak.value);
    jw_key(w, "time");
    jw_number(w, peak.time);
    jw_object_end(w);
}

static void write_count(json_writer* w, const char* key, int64_t count) {
    jw_key(w, key);
    jw_integer(w, count);
}

static void write_number(json_writer* w, const char* key, double number) {
    jw_key(w, key);
    jw_number(w, number);
}

void sim_report_contact_json(json_writer* w, const sim_summary* s) {
    const sim_contact* c = s->contact;
    if (!c->on) return;
    jw_key(w, "contact");
    jw_object(w);
    write_number(w, "mean", mean_points(c));
    write_peak(w, "most", c->most);
    write_count(w, "end", c->end.points);
    write_count(w, "groups_least", c->groups_least);
    write_count(w, "groups_most", c->groups_most);
    write_count(w, "groups_end", c->end.groups);
    write_count(w, "asleep_end", c->end.resting);
    write_peak(w, "deepest_overlap", c->deepest);
    write_number(w, "overlap_start", c->overlap_start);
    write_number(w, "overlap_end", c->end.found.deepest);
    write_peak(w, "residual", c->residual);
    write_number(w, "residual_end", c->end.residual);
    write_number(w, "tolerance", c->tolerance);
    write_count(w, "unsolved_steps", (int64_t)c->unsolved);
    write_number(w, "unsolved_share", share_unsolved(c));
    write_count(w, "iterations_most", c->iterations);
    write_count(w, "late_steps", (int64_t)c->late);
    write_count(w, "full_steps", (int64_t)c->full);
    write_count(w, "refused_steps", (int64_t)c->refused);
    write_count(w, "dropped_contacts", c->dropped_contacts);
    write_count(w, "dropped_pairs", c->dropped_pairs);
    write_count(w, "lost_bodies", c->lost);
    write_count(w, "bounces", c->bounces);
    write_number(w, "energy", c->energy);
    jw_object_end(w);
}
