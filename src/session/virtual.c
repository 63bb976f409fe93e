// SPDX-License-Identifier: Apache-2.0
// The loops in virtual time: one tick after the other, in the order of their times, on this thread. The time of a tick
// is when it was due, later by jitter and stalls as the session asks for; nothing here depends on a real clock.
#include <math.h>
#include <stdlib.h>

#include "base/rng.h"
#include "session/sn_session.h"

/// One loop's place in time.
typedef struct track {
    sn_loop loop;
    int place;         ///< of a hand
    int64_t period_ns; ///< between two ticks
    int64_t due_ns;    ///< when the next is due
    int64_t at_ns;     ///< when it will be
} track;

typedef struct course {
    sn_session* session;
    sni_rng rng;
    track simulation, coupling;
    track* hand; // [most_hands] period 0: there is none
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

static void begin_track(course* c, track* t, sn_loop loop, int place, double period) {
    *t = (track){.loop = loop, .place = place, .period_ns = to_ns(period), .due_ns = c->now_ns};
    t->at_ns = delayed(c, t);
}

/// Hands that have come get a track, those that have left none.
static void follow_hands(course* c) {
    for (int i = 0; i < c->session->def.most_hands; i++) {
        sni_place stage = sni_stage_of(c->session, i);
        bool ticks = stage == SN_PLACE_TAKEN || stage == SN_PLACE_LEAVES;
        if (ticks && !c->hand[i].period_ns)
            begin_track(c, &c->hand[i], SN_LOOP_HAPTICS, i, 1 / c->session->def.haptic_rate);
        if (!ticks) c->hand[i].period_ns = 0;
    }
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
    track* first = c->coupling.at_ns < c->simulation.at_ns ? &c->coupling : &c->simulation;
    for (int i = 0; i < c->session->def.most_hands; i++)
        if (c->hand[i].period_ns && c->hand[i].at_ns < first->at_ns) first = &c->hand[i];
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
    sni_watch_meters(session);
    return status;
}

static void tick_coupling(sn_session* session, const track* t) {
    sni_meter_tick(&session->coupling->meter, t->at_ns, t->due_ns, t->period_ns);
    sni_coupling_loop_tick(session->coupling, t->at_ns);
}

static void tick_hand(sn_session* session, const track* t, bool over) {
    bool gone = sni_tick_hand(session, t->place, t->at_ns, t->due_ns, t->period_ns, over);
    if (gone && sni_stage_of(session, t->place) == SN_PLACE_LEAVES)
        sni_set_stage(session, t->place, SN_PLACE_LEFT);
}

/// The run is over: the force of every hand goes down by its ramp.
static void let_go(course* c) {
    sn_session* session = c->session;
    double longest = 0;
    for (int i = 0; i < session->def.most_hands; i++)
        if (c->hand[i].period_ns)
            longest = fmax(longest, 2 * session->hand[i].loop->safety.def.fall);
    int64_t end = c->now_ns + to_ns(longest);
    for (track* t = earliest(c); t->at_ns < end; t = earliest(c)) {
        if (t->loop == SN_LOOP_HAPTICS) tick_hand(session, t, true);
        next_tick(c, t);
    }
    session->virtual_ns = end;
}

/// What is due of the simulation; false: go_on ends the run.
static bool simulate(course* c, sni_go_on go_on, void* context, uint64_t* done, sn_status* status) {
    sn_session* session = c->session;
    track* t = &c->simulation;
    bool steps = sni_hear_control(session);
    double h = sn_world_step_size(sn_simulation_world(session->sim)) / session->pace;
    t->period_ns = session->paused ? SN_PAUSE_NS : to_ns(h);
    sn_step_report report;
    if (steps) {
        sni_meter_tick(&session->meter, t->at_ns, t->due_ns, t->period_ns);
        *status = step(c, t->at_ns, &report);
        ++*done;
    } else {
        sni_hands_rest(session);
    }
    bool goes_on = *status || !go_on || go_on(context, session, steps ? &report : NULL);
    follow_hands(c);
    return goes_on;
}

static sn_status run(course* c, uint64_t steps, sni_go_on go_on, void* context) {
    sn_session* session = c->session;
    const sn_session_def* def = &session->def;
    sn_status status = SN_OK;
    uint64_t done = 0;
    double h = sn_world_step_size(sn_simulation_world(session->sim)) / session->pace;
    begin_track(c, &c->simulation, SN_LOOP_SIMULATION, -1, h);
    begin_track(c, &c->coupling, SN_LOOP_COUPLING, -1, 1 / def->coupling_rate);
    follow_hands(c);
    for (bool goes_on = true; !status && goes_on && done < steps;) {
        track* t = earliest(c);
        c->now_ns = t->at_ns;
        publish_when_due(c, t->at_ns);
        if (t->loop == SN_LOOP_COUPLING) tick_coupling(session, t);
        if (t->loop == SN_LOOP_HAPTICS) tick_hand(session, t, false);
        if (t->loop == SN_LOOP_SIMULATION) goes_on = simulate(c, go_on, context, &done, &status);
        next_tick(c, t);
    }
    sni_listen(session); // reports are of the run, not of its end
    sni_record_meters(session);
    let_go(c);
    return status;
}

sn_status sni_run_virtual(sn_session* session, uint64_t steps, sni_go_on go_on, void* context) {
    course c = {.session = session,
                .rng = {session->def.timing.seed},
                .now_ns = session->virtual_ns,
                .publish_ns = INT64_MAX};
    c.hand = calloc((size_t)session->def.most_hands, sizeof *c.hand);
    if (!c.hand) return SN_ERR_MEMORY;
    sn_status status = run(&c, steps, go_on, context);
    free(c.hand);
    return status;
}

sn_status sn_session_tick(sn_session* session, sn_loop loop, int number, int64_t now_ns) {
    if (!session || !session->def.virtual_time || loop >= SN_LOOPS) return SN_ERR_ARGUMENT;
    const track t = {.place = sni_find_hand(session, number), .due_ns = now_ns, .at_ns = now_ns};
    if (loop == SN_LOOP_HAPTICS && t.place < 0) return SN_ERR_ARGUMENT;
    if (loop == SN_LOOP_COUPLING) tick_coupling(session, &t);
    if (loop == SN_LOOP_HAPTICS) tick_hand(session, &t, false);
    if (loop != SN_LOOP_SIMULATION) return SN_OK;
    sni_meter_tick(&session->meter, now_ns, now_ns, 0);
    (void)sni_hear_control(session); // a step of the caller's is due
    sn_step_report report;
    sni_hands_pull(session);
    sn_status status = sn_simulation_step(session->sim, &report);
    if (!status && sni_hands_make_law(session)) sni_hands_publish(session);
    return status;
}
