// SPDX-License-Identifier: Apache-2.0
// Making a session, asking it to run, pause or hurry, and looking at it.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "session/sn_session.h"

static const char* const loop_names[SN_LOOPS] = {"simulation", "coupling", "haptics"};
enum { HANDS = 32, HANDS_MOST = 1024 };
static const int64_t ENDING_MOST_NS =
    1000000000; // that a force may take to go down beyond its ramp

const char* sn_loop_name(sn_loop loop) { return loop_names[loop]; }

sn_session_def sn_session_def_default(void) {
    return (sn_session_def){.haptic_rate = 1000,
                            .coupling_rate = 2000,
                            .pace = 1,
                            .real_time = true,
                            .most_hands = HANDS};
}

static bool makes_sense(const sn_session_def* def) {
    if (!(def->haptic_rate >= 100 && def->haptic_rate <= 1e5)) return false;
    if (!(def->coupling_rate >= 10 && def->coupling_rate <= 1e5)) return false;
    if (def->timing.stalls < 0 || def->timing.stalls > SN_STALLS_MOST) return false;
    if (def->most_hands < 1 || def->most_hands > HANDS_MOST) return false;
    return def->pace > 0 && isfinite(def->pace) && def->delay >= 0 && def->timing.step_time >= 0;
}

static bool take_memory(sn_session* session) {
    size_t hands = (size_t)session->def.most_hands, wrenches = hands * (1 + SN_LINE_PUSHES);
    session->stage = calloc(hands, sizeof *session->stage);
    session->hand = calloc(hands, sizeof *session->hand);
    session->line = calloc(hands, sizeof *session->line);
    session->coupling = calloc(1, sizeof *session->coupling);
    session->wrenches.at = calloc(wrenches, sizeof *session->wrenches.at);
    session->before.at = calloc(wrenches, sizeof *session->before.at);
    session->wrenches.most = session->before.most = (int)wrenches;
    return session->stage && session->hand && session->line && session->coupling &&
           session->wrenches.at && session->before.at;
}

static void put_pace(sn_session* session, double pace) {
    uint64_t bits;
    memcpy(&bits, &pace, sizeof bits);
    sni_show(&session->control.pace, bits);
}

sn_status sn_session_create(sn_simulation* sim, const sn_session_def* def, sn_session** out,
                            sn_error* error) {
    if (!sim || !def || !out || !makes_sense(def))
        return sni_fail(error, SN_ERR_ARGUMENT, sni_nowhere(),
                        "a session needs a simulation, rates of 100 Hz and more, a pace, and "
                        "places for 1 to %d hands",
                        HANDS_MOST);
    *out = NULL;
    sn_session* session = calloc(1, sizeof *session);
    sn_status status = SN_ERR_MEMORY;
    if (session) {
        session->def = *def;
        session->sim = sim;
        session->pace = def->pace;
        put_pace(session, def->pace);
        if (take_memory(session))
            status = sni_coupling_loop_init(session->coupling, session->line, def->most_hands,
                                            1 / def->haptic_rate, error);
    }
    if (status) {
        sn_session_free(session);
        return sni_fail(error, status, sni_nowhere(), "%s", sn_status_text(status));
    }
    *out = session;
    return SN_OK;
}

void sn_session_free(sn_session* session) {
    if (!session) return;
    bool whole = session->stage && session->hand;
    for (int i = 0; whole && i < session->def.most_hands; i++)
        if (sni_is_taken(session, i))
            (void)sn_session_remove_hand(session, session->hand[i].number); // it is there
    for (int i = 0; session->line && i < session->def.most_hands; i++) free(session->line[i]);
    if (session->coupling) sni_coupling_loop_free(session->coupling);
    free(session->coupling);
    free(session->line);
    free(session->hand);
    free(session->stage);
    free(session->wrenches.at);
    free(session->before.at);
    free(session);
}

// ---- running ------------------------------------------------------------------------------------------------------

sn_status sn_session_run(sn_session* session, double duration, sni_go_on go_on, void* context) {
    if (!session || !(duration > 0) || session->runs) return SN_ERR_ARGUMENT;
    double steps = ceil(duration / sn_world_step_size(sn_simulation_world(session->sim)) - 1e-9);
    uint64_t most = steps < 1e18 ? (uint64_t)steps : UINT64_MAX;
    session->runs = true;
    sni_forget_rates(session);
    sn_status status = session->def.virtual_time ? sni_run_virtual(session, most, go_on, context)
                                                 : sni_run_threads(session, most, go_on, context);
    sni_clear_places(session, true);
    session->runs = false;
    return status;
}

void sn_session_pause(sn_session* session, bool paused) {
    sni_show(&session->control.paused, paused);
}

void sn_session_step(sn_session* session, int steps) {
    if (steps > 0) sni_show_more(&session->control.singles, steps);
}

sn_status sn_session_set_pace(sn_session* session, double pace) {
    if (!session || !(pace > 0) || !isfinite(pace)) return SN_ERR_ARGUMENT;
    put_pace(session, pace);
    return SN_OK;
}

bool sn_session_is_paused(const sn_session* session) {
    return sni_shown_value(&session->control.paused);
}

double sn_session_pace(const sn_session* session) {
    uint64_t bits = sni_shown_value(&session->control.pace);
    double pace;
    memcpy(&pace, &bits, sizeof pace);
    return pace;
}

bool sni_hear_control(sn_session* session) {
    sni_clear_places(session, false);
    session->pace = sn_session_pace(session);
    uint64_t singles = sni_shown_value(&session->control.singles);
    session->paused = sn_session_is_paused(session);
    if (!session->paused) session->singles = singles; // those asked for while it runs are void
    if (!session->paused) return true;
    if (session->singles == singles) return false;
    session->singles++;
    return true;
}

bool sni_tick_hand(sn_session* session, int place, int64_t now_ns, int64_t due_ns,
                   int64_t period_ns, bool run_is_over) {
    sni_session_hand* hand = &session->hand[place];
    sni_haptic_loop* loop = hand->loop;
    loop->ending = run_is_over || sni_stage_of(session, place) == SN_PLACE_LEAVES;
    loop->paused = sn_session_is_paused(session);
    if (!loop->ending)
        hand->let_go_ns = 0;
    else if (!hand->let_go_ns)
        hand->let_go_ns = now_ns + (int64_t)(2e9 * loop->safety.def.fall);
    sni_meter_tick(&loop->meter, now_ns, due_ns, period_ns);
    sni_haptic_loop_tick(loop, now_ns);
    // a loop that is kept from running needs longer than its ramp; one whose force stays is not waited for
    int64_t since = now_ns - hand->let_go_ns;
    return loop->ending && since >= 0 && (loop->silent || since >= ENDING_MOST_NS);
}

// ---- looking --------------------------------------------------------------------------------------------------------

/// Where the spring is in the world, and what it does, for the eye.
static void show_spring(const sn_session* session, const sni_session_hand* hand,
                        sn_hand_report* report) {
    report->end = hand->pull.end.p;
    report->anchor = hand->pull.hand.pose.p;
    report->on_hand = hand->state.felt.force;
    report->torque_on_hand = hand->state.felt.torque;
    if (hand->body.i < 0) return;
    sn_world* world = sn_simulation_world(session->sim);
    sn_pose X = sn_dynamics_pose(sn_world_dynamics(world), hand->body);
    sn_vec3 moment = sn_vec3_sub(hand->wrench.n, sn_vec3_cross(hand->terms.point, hand->wrench.f));
    report->anchor = sn_pose_apply(X, hand->terms.point);
    report->on_body = sn_mat3_apply(X.R, hand->wrench.f);
    report->torque_on_body = sn_mat3_apply(X.R, moment);
}

bool sn_session_ask_hand(const sn_session* session, int number, sn_hand_report* report) {
    int place = sni_find_hand(session, number);
    *report = (sn_hand_report){.number = number, .name = "", .body = sn_body_world()};
    if (place < 0) return false;
    const sni_session_hand* hand = &session->hand[place];
    report->name = hand->name;
    report->profile = *sn_device_profile_of(hand->device);
    report->meter = hand->state.meter;
    report->latency = hand->state.latency;
    report->safety = hand->state.safety;
    report->body = hand->body;
    report->point = hand->terms.point;
    report->wrench = hand->wrench;
    report->force = hand->state.force;
    report->hand = hand->pull.hand;
    report->buttons = hand->pull.buttons;
    report->stiffness = hand->terms.stiffness;
    report->damping = hand->terms.damping;
    report->turn_stiffness = hand->terms.turn_stiffness;
    report->turn_damping = hand->terms.turn_damping;
    report->most_force = hand->terms.most_force;
    report->scale = hand->def.scale;
    report->force_scale = hand->def.force_scale;
    show_spring(session, hand, report);
    snprintf(report->reason, sizeof report->reason, "%s", hand->reason);
    snprintf(report->scales, sizeof report->scales, "%s", hand->scales);
    return true;
}

sn_loop_meter sn_session_ask_loop(const sn_session* session, sn_loop loop) {
    int first = sn_session_hand_at(session, 0);
    if (loop == SN_LOOP_COUPLING) return session->coupling_meter;
    if (loop == SN_LOOP_HAPTICS && first >= 0)
        return session->hand[sni_find_hand(session, first)].state.meter;
    return session->meter;
}
