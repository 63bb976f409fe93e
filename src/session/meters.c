// SPDX-License-Identifier: Apache-2.0
// What the loops have counted: written into the recording some times a second, and told when a loop falls behind.
#include "session/sn_session.h"

static const int64_t RECORD_NS = 250000000; // between two records of the meters
static const int64_t WINDOW_NS = 1000000000;
static const double SLOW = 0.9;  // of the rate asked for: a loop below this for a window is told of
static const double WELL = 0.95; // and one that was, when it is above this again
static const int FALLS_TOLD =
    3; // of a loop: more would hide what else there is to say; meters go on

// ---- into the recording -------------------------------------------------------------------------------------------

static void record_loop(const sn_session* session, sn_loop loop, const sn_loop_meter* meter,
                        const sni_session_hand* hand) {
    sn_meters meters = {.step = sn_world_step_count(sn_simulation_world(session->sim)),
                        .loop = loop,
                        .hand = hand ? hand->name : "",
                        .meter = *meter};
    if (hand) {
        meters.latency = hand->state.latency;
        meters.safety = hand->state.safety;
    }
    sn_recorder_meters(session->sim->recorder, &meters);
}

void sni_record_meters(sn_session* session) {
    if (!session->sim->recorder) return;
    session->recorded_ns = session->meter.last_ns;
    record_loop(session, SN_LOOP_SIMULATION, &session->meter, NULL);
    record_loop(session, SN_LOOP_COUPLING, &session->coupling_meter, NULL);
    for (int i = 0; i < session->def.most_hands; i++) {
        const sni_session_hand* hand = &session->hand[i];
        if (sni_is_taken(session, i))
            record_loop(session, SN_LOOP_HAPTICS, &hand->state.meter, hand);
    }
}

// ---- loops that fall behind ---------------------------------------------------------------------------------------

static void watch_loop(const sn_session* session, sni_rate_watch* watch, sn_loop loop,
                       const sn_loop_meter* meter, double wanted, const char* hand) {
    int64_t now = session->meter.last_ns, passed = now - watch->begun_ns;
    if (watch->begun && passed < WINDOW_NS) return;
    double rate = 1e9 * (double)(meter->ticks - watch->ticks) / (double)passed;
    bool begun = watch->begun, slow = watch->slow;
    *watch = (sni_rate_watch){true, slow, now, meter->ticks, watch->falls};
    if (!begun || (slow ? rate < WELL * wanted : rate >= SLOW * wanted)) return;
    watch->slow = !slow;
    if (watch->slow) watch->falls += 1;
    if (watch->falls > FALLS_TOLD) return;
    sni_say(&session->def.log, slow ? SN_LOG_NOTE : SN_LOG_WARNING, sni_nowhere(),
            slow ? "the %s loop%s%s runs at its rate again: %.4g Hz of %.4g Hz"
                 : "the %s loop%s%s falls behind: it ran at %.4g Hz of %.4g Hz for a second",
            sn_loop_name(loop), hand[0] ? " of hand " : "", hand, rate, wanted);
}

void sni_watch_meters(sn_session* session) {
    double h = sn_world_step_size(sn_simulation_world(session->sim));
    if (session->meter.last_ns - session->recorded_ns >= RECORD_NS) sni_record_meters(session);
    watch_loop(session, &session->watch, SN_LOOP_SIMULATION, &session->meter, session->pace / h,
               "");
    watch_loop(session, &session->coupling_watch, SN_LOOP_COUPLING, &session->coupling_meter,
               session->def.coupling_rate, "");
    for (int i = 0; i < session->def.most_hands; i++) {
        sni_session_hand* hand = &session->hand[i];
        bool own = !(sni_shown_value(&session->stage[i]) & SN_PLACE_SHARED); // else as the steps
        if (sni_is_taken(session, i) && own)
            watch_loop(session, &hand->watch, SN_LOOP_HAPTICS, &hand->state.meter,
                       session->def.haptic_rate, hand->name);
    }
}

void sni_forget_rates(sn_session* session) {
    session->watch.begun = session->coupling_watch.begun = false;
    for (int i = 0; i < session->def.most_hands; i++) session->hand[i].watch.begun = false;
}
