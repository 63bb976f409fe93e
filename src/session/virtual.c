// SPDX-License-Identifier: Apache-2.0
// The loops in virtual time: one tick after the other, in the order of their times, on this thread. The time of a tick
// is when it was due, later by jitter and stalls as the session asks for; nothing here depends on a real clock.
#include <math.h>

#include "base/rng.h"
#include "session/sn_session.h"

/// One loop's place in time.
typedef struct track {
    sn_loop loop;
    int hand;          ///< of a haptic loop
    int64_t period_ns; ///< between two ticks
    int64_t due_ns;    ///< when the next is due
    int64_t at_ns;     ///< when it will be
} track;

enum { TRACKS_MOST = SN_GRAB_MAX + 2 };

typedef struct course {
    sn_session* session;
    sni_rng rng;
    track track[TRACKS_MOST];
    int tracks;
    int64_t now_ns;
    int64_t
        publish_ns; ///< when the results of the step that goes on come; INT64_MAX: no step goes on
} course;

static int64_t to_ns(double seconds) { return (int64_t)llround(seconds * 1e9); }

/// When a tick that is due will be: not while its loop stands still.
static int64_t delayed(course* c, const track* t) {
    const sn_session_timing* timing = &c->session->def.timing;
    int64_t at = t->due_ns + to_ns(sni_rng_uniform(&c->rng, 0, timing->jitter[t->loop]));
    for (int i = 0; i < timing->stalls; i++) {
        const sn_stall* stall = &timing->stall[i];
        int64_t begin = to_ns(stall->at), end = begin + to_ns(stall->duration);
        if (stall->loop == t->loop && at >= begin && at < end) at = end;
    }
    return at;
}

static void add_track(course* c, sn_loop loop, int hand, double period) {
    track* t = &c->track[c->tracks++];
    *t = (track){.loop = loop, .hand = hand, .period_ns = to_ns(period)};
    t->due_ns = c->session->virtual_ns;
    t->at_ns = delayed(c, t);
}

/// After a tick: the next one. A loop that stood still goes on from where it is.
static void next_tick(course* c, track* t) {
    t->due_ns += t->period_ns;
    if (t->due_ns < t->at_ns) t->due_ns = t->at_ns;
    t->at_ns = delayed(c, t);
    if (t->at_ns < t->due_ns) t->at_ns = t->due_ns;
}

/// The earliest; the first of equals.
static track* earliest(course* c) {
    track* first = &c->track[0];
    for (int i = 1; i < c->tracks; i++)
        if (c->track[i].at_ns < first->at_ns) first = &c->track[i];
    return first;
}

static void publish_when_due(course* c, int64_t now_ns) {
    if (c->publish_ns > now_ns) return;
    sni_hands_publish(c->session);
    c->publish_ns = INT64_MAX;
}

static sn_status step(course* c, int64_t now_ns, sn_step_report* report) {
    sn_session* session = c->session;
    publish_when_due(c, INT64_MAX - 1); // results of the step before, however long that took
    sni_hands_pull(session);
    sn_status status = sn_simulation_step(session->sim, report);
    if (!status && sni_hands_make_law(session))
        c->publish_ns = now_ns + to_ns(session->def.timing.step_time);
    publish_when_due(c, now_ns);
    return status;
}

static void tick(sn_session* session, const track* t) {
    sn_loop_meter* meter = t->loop == SN_LOOP_SIMULATION ? &session->meter
                           : t->loop == SN_LOOP_COUPLING ? &session->coupling->meter
                                                         : &session->hand[t->hand].loop->meter;
    sni_meter_tick(meter, t->at_ns, t->due_ns, t->period_ns);
    if (t->loop == SN_LOOP_COUPLING) sni_coupling_loop_tick(session->coupling, t->at_ns);
    if (t->loop == SN_LOOP_HAPTICS) sni_haptic_loop_tick(session->hand[t->hand].loop, t->at_ns);
}

/// The run is over: the force of every hand goes down by its ramp.
static void let_go(course* c) {
    sn_session* session = c->session;
    int64_t end = c->now_ns + to_ns(sni_ending_time(session));
    for (int i = 0; i < session->hands; i++) session->hand[i].loop->ending = true;
    for (track* t = earliest(c); t->at_ns < end; t = earliest(c)) {
        if (t->loop == SN_LOOP_HAPTICS) tick(session, t);
        next_tick(c, t);
    }
    for (int i = 0; i < session->hands; i++) session->hand[i].loop->ending = false;
    session->virtual_ns = end;
}

sn_status sni_run_virtual(sn_session* session, double duration, sni_go_on go_on, void* context) {
    const sn_session_def* def = &session->def;
    double h = sn_world_step_size(sn_simulation_world(session->sim)) / def->pace;
    uint64_t steps = (uint64_t)ceil(duration / (h * def->pace) - 1e-9), done = 0;
    course c = {.session = session, .rng = {def->timing.seed}, .publish_ns = INT64_MAX};
    add_track(&c, SN_LOOP_SIMULATION, -1, h);
    add_track(&c, SN_LOOP_COUPLING, -1, 1 / def->coupling_rate);
    for (int i = 0; i < session->hands; i++) add_track(&c, SN_LOOP_HAPTICS, i, session->period[i]);
    sn_status status = SN_OK;
    bool goes_on = true;
    while (!status && goes_on && done < steps) {
        track* t = earliest(&c);
        c.now_ns = t->at_ns;
        publish_when_due(&c, t->at_ns);
        tick(session, t);
        if (t->loop == SN_LOOP_SIMULATION) {
            sn_step_report report;
            status = step(&c, t->at_ns, &report);
            done++;
            if (!status && go_on) goes_on = go_on(context, session, &report);
        }
        next_tick(&c, t);
    }
    sni_listen(session); // reports are of the run, not of its end
    let_go(&c);
    return status;
}

sn_status sn_session_tick(sn_session* session, sn_loop loop, int hand, int64_t now_ns) {
    if (!session || !session->def.virtual_time || loop >= SN_LOOPS) return SN_ERR_ARGUMENT;
    if (loop == SN_LOOP_HAPTICS && (hand < 0 || hand >= session->hands)) return SN_ERR_ARGUMENT;
    tick(session, &(track){.loop = loop, .hand = hand, .due_ns = now_ns, .at_ns = now_ns});
    sni_listen(session);
    if (loop != SN_LOOP_SIMULATION) return SN_OK;
    sn_step_report report;
    sni_hands_pull(session);
    sn_status status = sn_simulation_step(session->sim, &report);
    if (!status && sni_hands_make_law(session)) sni_hands_publish(session);
    return status;
}
