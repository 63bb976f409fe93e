// SPDX-License-Identifier: Apache-2.0
// The loops in threads: the simulation in the caller's, coupling and every hand in one of their own.
#include <math.h>

#include "session/sn_session.h"
#include "sinew/realtime.h"

enum { SKIP = 10 }; // periods: a loop that is later than this goes on from now
enum { GLANCE_NS = 200000 };

typedef struct worker {
    sn_session* session;
    int hand; ///< -1: the coupling loop
    sni_shown* end;
    sni_shown ready; ///< 1: it has ticked
    sni_thread* thread;
    sn_realtime granted;
} worker;

/// One tick; a hand's loop lets go when the run is over.
static void tick(const worker* w, int64_t now, int64_t due, int64_t period_ns, bool over) {
    sn_session* session = w->session;
    if (w->hand < 0) {
        sni_meter_tick(&session->coupling->meter, now, due, period_ns);
        sni_coupling_loop_tick(session->coupling, now);
        return;
    }
    sni_haptic_loop* loop = session->hand[w->hand].loop;
    loop->ending = over;
    sni_meter_tick(&loop->meter, now, due, period_ns);
    sni_haptic_loop_tick(loop, now);
}

/// Ticks at a fixed rate until told to end, and as long after as the force needs to go. Lateness is counted, never made
/// up for by shorter ticks.
static void run(void* context) {
    worker* w = context;
    sn_session* session = w->session;
    sn_clock clock = sn_clock_real();
    bool coupling = w->hand < 0;
    double period = coupling ? 1 / session->def.coupling_rate : session->period[w->hand];
    int64_t ending_ns = (int64_t)(1e9 * sni_ending_time(session)), over_ns = INT64_MAX;
    int64_t period_ns = (int64_t)llround(period * 1e9);
    if (session->def.real_time) w->granted = sn_realtime_enter(NULL); // may take a while
    int64_t due = clock.now_ns(clock.context);
    for (int64_t now = due; now < over_ns;) {
        clock.wait_ns(clock.context, due);
        now = clock.now_ns(clock.context);
        bool over = sni_shown_value(w->end);
        if (over && over_ns == INT64_MAX) over_ns = now + ending_ns;
        tick(w, now, due, period_ns, over);
        sni_show(&w->ready, 1);
        due += period_ns;
        if (now - due > SKIP * period_ns) due = now + period_ns;
    }
    if (session->def.real_time) sn_realtime_leave(&w->granted);
}

/// The simulation begins when all hands are there.
static void wait_until_ready(const worker* workers, int count) {
    sn_clock clock = sn_clock_real();
    for (int i = 0; i < count; i++)
        while (!sni_shown_value(&workers[i].ready))
            clock.wait_ns(clock.context, clock.now_ns(clock.context) + GLANCE_NS);
}

static sn_status step_at_pace(sn_session* session, uint64_t steps, sni_go_on go_on, void* context) {
    sn_clock clock = sn_clock_real();
    double h = sn_world_step_size(sn_simulation_world(session->sim)) / session->def.pace;
    int64_t period_ns = (int64_t)llround(h * 1e9), due = clock.now_ns(clock.context);
    sn_status status = SN_OK;
    for (uint64_t done = 0; done < steps && !status; done++) {
        sn_step_report report;
        clock.wait_ns(clock.context, due);
        int64_t now = clock.now_ns(clock.context);
        sni_meter_tick(&session->meter, now, due, period_ns);
        sni_hands_pull(session);
        status = sn_simulation_step(session->sim, &report);
        if (!status && sni_hands_make_law(session)) sni_hands_publish(session);
        if (!status && go_on && !go_on(context, session, &report)) break;
        due += period_ns;
        if (now - due > SKIP * period_ns) due = now + period_ns;
    }
    return status;
}

/// Says once what the system did not grant.
static void say_granted(const sn_session* session, const worker* w) {
    const char* why =
        w->granted.why_not_priority[0] ? w->granted.why_not_priority : w->granted.why_not_locked;
    if (why[0])
        sni_say(&session->def.log, SN_LOG_WARNING, sni_nowhere(),
                "the loops run without the priority of real time: %s", why);
}

sn_status sni_run_threads(sn_session* session, double duration, sni_go_on go_on, void* context) {
    worker workers[SN_GRAB_MAX + 1];
    sni_shown end = {0};
    int started = 0;
    double h = sn_world_step_size(sn_simulation_world(session->sim));
    sn_status status = SN_OK;
    for (int i = 0; i <= session->hands && !status; i++) {
        workers[i] = (worker){.session = session, .hand = i - 1, .end = &end};
        workers[i].thread = sni_thread_start(run, &workers[i]);
        if (workers[i].thread)
            started++;
        else
            status = SN_ERR_MEMORY;
    }
    if (!status) wait_until_ready(workers, started);
    if (!status)
        status = step_at_pace(session, (uint64_t)ceil(duration / h - 1e-9), go_on, context);
    sni_listen(session); // reports are of the run, not of its end
    sni_show(&end, 1);
    for (int i = 0; i < started; i++) sni_thread_join(workers[i].thread);
    if (started > 0 && session->def.real_time) say_granted(session, &workers[0]);
    return status;
}
