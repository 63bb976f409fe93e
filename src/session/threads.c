// SPDX-License-Identifier: Apache-2.0
// The loops in threads: the simulation in the caller's, with the hands that only see force (shared.c), coupling in one of
// its own, every hand that feels force in one of its own.
#include <math.h>
#include <stdlib.h>

#include "session/sn_session.h"
#include "sinew/realtime.h"

enum { SKIP = 10 }; // periods: a loop that is later than this goes on from now
enum { GLANCE_NS = 200000 };

typedef struct worker {
    sn_session* session;
    /// One tick of what it is for; true: it has nothing more to do.
    bool (*tick)(struct worker* worker, int64_t now, int64_t due, bool over);
    int place; ///< of its hand
    bool real_time;
    int64_t period_ns;
    sni_shown* end;
    sni_shown ready; ///< 1: it has ticked
    sni_thread* thread;
    sn_realtime granted;
} worker;

/// The threads of a run.
struct sni_crew {
    sni_shown end;
    worker coupling;
    sni_shared_ticks shared; ///< of the caller's thread
    worker hand[];           // [most_hands] of those in a thread of their own
};

// ---- ticks ----------------------------------------------------------------------------------------------------------

static bool tick_coupling(worker* w, int64_t now, int64_t due, bool over) {
    sni_coupling_loop* loop = w->session->coupling;
    sni_meter_tick(&loop->meter, now, due, w->period_ns);
    sni_coupling_loop_tick(loop, now);
    return over;
}

/// The device of a hand that leaves is closed here: that may take a while, and the simulation waits for nobody.
static bool tick_own(worker* w, int64_t now, int64_t due, bool over) {
    sn_session* session = w->session;
    sni_session_hand* hand = &session->hand[w->place];
    if (!sni_tick_hand(session, w->place, now, due, w->period_ns, over)) return false;
    if (sni_stage_of(session, w->place) != SN_PLACE_LEAVES) return true;
    sn_device_free(hand->device);
    hand->device = NULL;
    sni_set_stage(session, w->place, SN_PLACE_LEFT);
    return true;
}

/// Ticks at a fixed rate until there is nothing more to do. Lateness is counted, never made up for by shorter ticks.
static void run(void* context) {
    worker* w = context;
    sn_clock clock = sn_clock_real();
    if (w->real_time) w->granted = sn_realtime_enter(NULL); // may take a while
    int64_t due = clock.now_ns(clock.context);
    for (bool done = false; !done;) {
        clock.wait_ns(clock.context, due);
        int64_t now = clock.now_ns(clock.context);
        done = w->tick(w, now, due, sni_shown_value(w->end));
        sni_show(&w->ready, 1);
        due += w->period_ns;
        if (now - due > SKIP * w->period_ns) due = now + w->period_ns;
    }
    if (w->real_time) sn_realtime_leave(&w->granted);
}

// ---- the crew -------------------------------------------------------------------------------------------------------

static sn_status start(sn_session* session, worker* w,
                       bool (*tick)(worker*, int64_t, int64_t, bool), int place, double rate) {
    if (w->thread) return SN_OK;
    *w = (worker){.session = session,
                  .tick = tick,
                  .place = place,
                  .real_time = session->def.real_time,
                  .period_ns = (int64_t)llround(1e9 / rate),
                  .end = &session->crew->end};
    w->thread = sni_thread_start(run, w);
    return w->thread ? SN_OK : SN_ERR_MEMORY;
}

sn_status sni_crew_add(sn_session* session, int place) {
    if (sni_shown_value(&session->stage[place]) & SN_PLACE_SHARED) return SN_OK;
    return start(session, &session->crew->hand[place], tick_own, place, session->def.haptic_rate);
}

void sni_crew_drop(sn_session* session, int place) {
    worker* w = &session->crew->hand[place];
    sni_thread_join(w->thread);
    w->thread = NULL;
}

/// Says once what the system did not grant.
static void say_granted(const sn_session* session, const worker* w) {
    const char* why =
        w->granted.why_not_priority[0] ? w->granted.why_not_priority : w->granted.why_not_locked;
    if (why[0])
        sni_say(&session->def.log, SN_LOG_WARNING, sni_nowhere(),
                "the loops run without the priority of real time: %s", why);
}

static void wait_until_ready(const worker* w) {
    sn_clock clock = sn_clock_real();
    while (w->thread && !sni_shown_value(&w->ready))
        clock.wait_ns(clock.context, clock.now_ns(clock.context) + GLANCE_NS);
}

/// The simulation begins when all hands are there.
static sn_status gather(sn_session* session) {
    struct sni_crew* crew = session->crew;
    int most = session->def.most_hands;
    sn_status status =
        start(session, &crew->coupling, tick_coupling, -1, session->def.coupling_rate);
    for (int i = 0; i < most && !status; i++)
        if (sni_is_taken(session, i)) status = sni_crew_add(session, i);
    if (status) return status;
    wait_until_ready(&crew->coupling);
    for (int i = 0; i < most; i++) wait_until_ready(&crew->hand[i]);
    return SN_OK;
}

static void dismiss(sn_session* session) {
    struct sni_crew* crew = session->crew;
    sni_show(&crew->end, 1);
    sni_shared_let_go(session, &crew->shared);
    sni_thread_join(crew->coupling.thread);
    for (int i = 0; i < session->def.most_hands; i++) sni_crew_drop(session, i);
    if (session->def.real_time) say_granted(session, &crew->coupling);
}

// ---- the simulation -------------------------------------------------------------------------------------------------

static sn_status step_at_pace(sn_session* session, uint64_t steps, sni_go_on go_on, void* context) {
    sn_clock clock = sn_clock_real();
    int64_t due = clock.now_ns(clock.context);
    sni_shared_ticks* shared = &session->crew->shared;
    sn_status status = SN_OK;
    *shared = sni_shared_begin(session, due);
    for (uint64_t done = 0; done < steps && !status;) {
        sn_step_report report;
        sni_shared_wait(session, shared, due);
        bool steps_now = sni_hear_control(session);
        double h = sn_world_step_size(sn_simulation_world(session->sim)) / session->pace;
        int64_t period_ns = session->paused ? SN_PAUSE_NS : (int64_t)llround(h * 1e9);
        int64_t now = clock.now_ns(clock.context);
        sni_shared_catch_up(session, shared, now);
        if (steps_now) {
            sni_meter_tick(&session->meter, now, due, period_ns);
            sni_hands_pull(session);
            status = sn_simulation_step(session->sim, &report);
            if (!status && sni_hands_make_law(session)) sni_hands_publish(session);
            sni_watch_meters(session);
            done++;
        } else {
            sni_hands_rest(session);
        }
        if (!status && go_on && !go_on(context, session, steps_now ? &report : NULL)) break;
        due += period_ns;
        if (now - due > SKIP * period_ns) due = now + period_ns;
        sni_shared_plan(shared, period_ns);
    }
    return status;
}

sn_status sni_run_threads(sn_session* session, uint64_t steps, sni_go_on go_on, void* context) {
    size_t most = (size_t)session->def.most_hands;
    session->crew = calloc(1, sizeof *session->crew + most * sizeof session->crew->hand[0]);
    if (!session->crew) return SN_ERR_MEMORY;
    sn_status status = gather(session);
    if (!status) status = step_at_pace(session, steps, go_on, context);
    sni_listen(session); // reports are of the run, not of its end
    sni_record_meters(session);
    dismiss(session);
    free(session->crew);
    session->crew = NULL;
    return status;
}
