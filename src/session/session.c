// SPDX-License-Identifier: Apache-2.0
// Making a session: its hands, with gains that their devices can render.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "session/sn_session.h"
#include "sinew/certify.h"

static const char* const loop_names[SN_LOOPS] = {"simulation", "coupling", "haptics"};

const char* sn_loop_name(sn_loop loop) { return loop_names[loop]; }

sn_session_def sn_session_def_default(void) {
    return (sn_session_def){
        .haptic_rate = 1000, .coupling_rate = 2000, .pace = 1, .real_time = true};
}

static bool makes_sense(const sn_session_def* def) {
    if (!(def->haptic_rate >= 100 && def->haptic_rate <= 1e5)) return false;
    if (!(def->coupling_rate >= 10 && def->coupling_rate <= 1e5)) return false;
    if (def->timing.stalls < 0 || def->timing.stalls > SN_STALLS_MOST) return false;
    return def->pace > 0 && isfinite(def->pace) && def->delay >= 0 && def->timing.step_time >= 0;
}

static bool take_memory(sn_session* session) {
    session->line = calloc(SN_GRAB_MAX, sizeof *session->line);
    session->coupling = calloc(1, sizeof *session->coupling);
    if (!session->line || !session->coupling) return false;
    for (int i = 0; i < SN_GRAB_MAX; i++) {
        sni_mailbox_init(&session->line[i].feel_box);
        sni_mailbox_init(&session->line[i].shape_box);
        sni_mailbox_init(&session->line[i].sim_box);
        sni_mailbox_init(&session->line[i].coupling_box);
    }
    return true;
}

sn_status sn_session_create(sn_simulation* sim, const sn_session_def* def, sn_session** out,
                            sn_error* error) {
    if (!sim || !def || !out || !makes_sense(def))
        return sni_fail(error, SN_ERR_ARGUMENT, sni_nowhere(),
                        "a session needs a simulation, rates of 100 Hz and more, and a pace");
    *out = NULL;
    sn_session* session = calloc(1, sizeof *session);
    sn_status status = SN_ERR_MEMORY;
    if (session) {
        session->def = *def;
        session->sim = sim;
        if (take_memory(session))
            status =
                sni_coupling_loop_init(session->coupling, session->line, session->period, 0, error);
    }
    if (status) {
        sn_session_free(session);
        return sni_fail(error, status, sni_nowhere(), "%s", sn_status_text(status));
    }
    *out = session;
    return SN_OK;
}

static void free_hand(sni_session_hand* hand) {
    sn_device_free(hand->device);
    for (int k = 0; k < SN_HAND_BUTTONS; k++) free(hand->action[k]);
    free(hand->loop);
    free(hand->name);
}

void sn_session_free(sn_session* session) {
    if (!session) return;
    for (int i = 0; i < session->hands; i++) free_hand(&session->hand[i]);
    if (session->coupling) sni_coupling_loop_free(session->coupling);
    free(session->coupling);
    free(session->line);
    free(session);
}

// ---- hands --------------------------------------------------------------------------------------------------------

/// Gains of the grip at the body that the device can render, as its handle sees them through scale and gain.
static sn_status certify(const sn_session* session, sni_session_hand* hand) {
    const sn_hand_def* def = &hand->def;
    sn_certify_def asked = sn_certify_def_default(sn_device_profile_of(hand->device));
    sn_certificate given;
    double scale = def->scale;
    asked.period = 1 / session->def.haptic_rate;
    asked.delay = session->def.delay;
    asked.law = def->law == SN_FEEDBACK_REACTION ? SN_LAW_REACTION : SN_LAW_SPRING;
    asked.amplification = 1;
    asked.wanted = (sn_gains){def->stiffness * scale, def->damping * scale,
                              def->six ? def->turn_stiffness / scale : 0,
                              def->six ? def->turn_damping / scale : 0};
    sn_status status = sn_certify(&asked, &given, hand->reason, sizeof hand->reason);
    if (status) return status;
    hand->terms.stiffness = given.gains.stiffness / scale;
    hand->terms.damping = given.gains.damping / scale;
    hand->terms.turn_stiffness = given.gains.turn_stiffness * scale;
    hand->terms.turn_damping = given.gains.turn_damping * scale;
    return SN_OK;
}

static sn_status begin_loop(sn_session* session, sni_session_hand* hand, sni_hand_line* line,
                            sn_error* error) {
    const sn_hand_def* def = &hand->def;
    double period = 1 / session->def.haptic_rate;
    sni_haptic_def loop = {
        .map = {def->place_in, def->scale, 1, INFINITY, 0},
        .safety = sn_safety_def_default(sn_device_profile_of(hand->device), period),
        .period = period,
        .reaction = def->law == SN_FEEDBACK_REACTION,
        .clutch = -1,
    };
    loop.safety.delay = session->def.delay;
    loop.safety.law_period =
        sn_world_step_size(sn_simulation_world(session->sim)) / session->def.pace;
    if (def->mode == SN_HAND_TOUCH) {
        loop.touches = true;
        loop.touch = sn_touch_def_default();
        loop.touch.stiffness = hand->terms.stiffness;
        loop.touch.damping = hand->terms.damping;
    }
    for (int k = 0; k < def->button_count; k++)
        if (strcmp(def->button[k].action, "clutch") == 0) loop.clutch = def->button[k].button;
    hand->loop = calloc(1, sizeof *hand->loop);
    if (!hand->loop) return sni_fail(error, SN_ERR_MEMORY, def->place, "not enough memory");
    return sni_haptic_loop_init(hand->loop, &loop, hand->device, line, error);
}

static sn_status copy_words(sni_session_hand* hand, const sn_hand_def* def) {
    hand->name = strdup(def->name ? def->name : "hand");
    if (!hand->name) return SN_ERR_MEMORY;
    for (int k = 0; k < def->button_count; k++) {
        int button = def->button[k].button;
        if (button < 0 || button >= SN_HAND_BUTTONS) continue;
        hand->action[button] = strdup(def->button[k].action);
        if (!hand->action[button]) return SN_ERR_MEMORY;
    }
    return SN_OK;
}

/// What the scene says it holds from the start.
static sn_status hold_first(sn_session* session, int index) {
    const sn_hand_def* def = &session->hand[index].def;
    if (def->item < 0 || def->mode != SN_HAND_ATTACH) return SN_OK;
    const sn_item* item = sn_scene_item(sn_simulation_scene(session->sim), def->item);
    sn_item_id id = sn_simulation_find_item(session->sim, item->name);
    int32_t first = sn_simulation_first_body(session->sim, id);
    if (first < 0) return SN_OK; // the script has taken it away already
    return sn_session_hold(session, index, sn_body(first + def->body.i), def->point);
}

sn_status sn_session_add_hand(sn_session* session, const sn_hand_def* def, sn_device* device,
                              sn_error* error) {
    sni_session_hand hand = {.device = device, .body = sn_body_world()};
    sn_status status = session && def && device ? SN_OK : SN_ERR_ARGUMENT;
    if (!status && session->hands == SN_GRAB_MAX)
        status = sni_fail(error, SN_ERR_CAPACITY, def->place, "there are %d hands already",
                          session->hands);
    if (!status) {
        hand.def = *def;
        hand.terms.six = def->six && sn_device_profile_of(device)->inputs >= 6;
        hand.terms.weight = def->weight;
        status = copy_words(&hand, def);
    }
    if (!status) status = certify(session, &hand);
    if (!status) status = begin_loop(session, &hand, &session->line[session->hands], error);
    if (status) {
        free_hand(&hand);
        return status;
    }
    session->period[session->hands] = hand.loop->def.period;
    session->hand[session->hands] = hand;
    session->coupling->hands = ++session->hands;
    if (hand.reason[0])
        sni_say(&session->def.log, SN_LOG_NOTE, def->place, "hand '%s': %s", hand.name,
                hand.reason);
    return hold_first(session, session->hands - 1);
}

int sn_session_hand_count(const sn_session* session) { return session->hands; }

double sni_ending_time(const sn_session* session) {
    double most = 0;
    for (int i = 0; i < session->hands; i++)
        most = fmax(most, 2 * session->hand[i].loop->safety.def.fall);
    return most;
}

sn_status sn_session_run(sn_session* session, double duration, sni_go_on go_on, void* context) {
    if (!session || !(duration > 0)) return SN_ERR_ARGUMENT;
    return session->def.virtual_time ? sni_run_virtual(session, duration, go_on, context)
                                     : sni_run_threads(session, duration, go_on, context);
}

// ---- looking --------------------------------------------------------------------------------------------------------

void sn_session_ask_hand(const sn_session* session, int index, sn_hand_report* report) {
    const sni_session_hand* hand = &session->hand[index];
    *report = (sn_hand_report){
        .name = hand->name,
        .profile = *sn_device_profile_of(hand->device),
        .meter = hand->state.meter,
        .safety = hand->state.safety,
        .body = hand->body,
        .wrench = hand->wrench,
        .force = hand->state.force,
        .hand = hand->pull.hand,
        .stiffness = hand->terms.stiffness,
        .damping = hand->terms.damping,
        .turn_stiffness = hand->terms.turn_stiffness,
        .turn_damping = hand->terms.turn_damping,
    };
    snprintf(report->reason, sizeof report->reason, "%s", hand->reason);
}

sn_loop_meter sn_session_ask_loop(const sn_session* session, sn_loop loop) {
    if (loop == SN_LOOP_COUPLING) return session->coupling_meter;
    if (loop == SN_LOOP_HAPTICS && session->hands > 0) return session->hand[0].state.meter;
    return session->meter;
}
