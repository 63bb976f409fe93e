// SPDX-License-Identifier: Apache-2.0
// Hands whose force reaches the eye only, such as pointers, have no thread of their own: the simulation's ticks them, as
// often between two steps as a step lasts. So a busy machine makes them late together with the steps, and what
// they hold is not torn by a loop that runs while the other one waits.
#include <math.h>

#include "session/sn_session.h"

enum { TICKS_MOST = 1000 };

static bool is_shared(const sn_session* session, int place, sni_place stage) {
    return sni_shown_value(&session->stage[place]) == ((uint64_t)stage | SN_PLACE_SHARED);
}

static bool has_shared(const sn_session* session) {
    for (int i = 0; i < session->def.most_hands; i++)
        if (is_shared(session, i, SN_PLACE_TAKEN) || is_shared(session, i, SN_PLACE_LEAVES))
            return true;
    return false;
}

/// One tick of each; true: their force is gone, when the run is over.
static bool tick(sn_session* session, sni_shared_ticks* t, int64_t now, bool over) {
    bool gone = over;
    int64_t due = t->last_ns + t->period_ns;
    for (int i = 0; i < session->def.most_hands; i++) {
        bool leaves = is_shared(session, i, SN_PLACE_LEAVES);
        if (!leaves && !is_shared(session, i, SN_PLACE_TAKEN)) continue;
        bool let_go = sni_tick_hand(session, i, now, due, t->period_ns, over);
        gone = gone && let_go;
        if (let_go && leaves) sni_set_stage(session, i, SN_PLACE_LEFT);
    }
    t->last_ns = now;
    return gone;
}

sni_shared_ticks sni_shared_begin(const sn_session* session, int64_t now_ns) {
    return (sni_shared_ticks){(int64_t)llround(1e9 / session->def.haptic_rate), now_ns, 0};
}

void sni_shared_plan(sni_shared_ticks* t, int64_t interval_ns) {
    double ticks = round((double)interval_ns / (double)t->period_ns);
    t->left = ticks < 1 ? 1 : ticks > TICKS_MOST ? TICKS_MOST : (int)ticks;
}

void sni_shared_wait(sn_session* session, sni_shared_ticks* t, int64_t until_ns) {
    sn_clock clock = sn_clock_real();
    while (t->left > 1 && t->last_ns + t->period_ns < until_ns && has_shared(session)) {
        clock.wait_ns(clock.context, t->last_ns + t->period_ns);
        int64_t now = clock.now_ns(clock.context);
        if (now >= until_ns) break;         // late: with the step
        (void)tick(session, t, now, false); // nobody leaves by the end of a run
        t->left--;
    }
    clock.wait_ns(clock.context, until_ns);
}

void sni_shared_catch_up(sn_session* session, sni_shared_ticks* t, int64_t now_ns) {
    if (!has_shared(session)) {
        t->last_ns = now_ns;
        t->left = 0;
        return;
    }
    for (; t->left > 0; t->left--)
        (void)tick(session, t, t->last_ns + (now_ns - t->last_ns) / t->left, false); // as above
}

void sni_shared_let_go(sn_session* session, sni_shared_ticks* t) {
    sn_clock clock = sn_clock_real();
    bool gone = !has_shared(session);
    while (!gone) {
        clock.wait_ns(clock.context, t->last_ns + t->period_ns);
        gone = tick(session, t, clock.now_ns(clock.context), true);
    }
}
