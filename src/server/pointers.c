// SPDX-License-Identifier: Apache-2.0
// Hands of clients: each is a hand of the session on a pointer device. The other side moves the pointer, so a hand is
// removed only when that side has said that it will not any more.
#include <stdio.h>

#include "server/sim_side.h"

const sni_owned_hand* sni_pointer_find(const sni_sim_side* side, int hand) {
    for (int k = 0; k < SNI_HANDS_MOST; k++)
        if (side->hand[k].taken && side->hand[k].hand == hand) return &side->hand[k];
    return NULL;
}

static sni_owned_hand* free_place(sni_sim_side* side) {
    for (int k = 0; k < SNI_HANDS_MOST; k++)
        if (!side->hand[k].taken) return &side->hand[k];
    return NULL;
}

/// A hand on the pointer, which is the session's or freed from now on; *hand its number.
static sn_status add_hand(sni_sim_side* side, const sni_envelope* order, int* hand,
                          sn_error* error) {
    char name[32];
    bool touches = order->order.bits & SNI_GRAB_TOUCH;
    snprintf(name, sizeof name, "viewer %u", order->from.number);
    sn_hand_def def = {.name = name,
                       .device = -1,
                       .mode = touches ? SN_HAND_TOUCH : SN_HAND_ATTACH,
                       .item = -1,
                       .six = order->order.bits & SNI_GRAB_SIX,
                       .fit = !touches,
                       .stiffness = 500,
                       .damping = 2,
                       .turn_stiffness = 2,
                       .turn_damping = 0.02,
                       .scale = 1,
                       .place_in = sn_pose_identity(),
                       .weight = true};
    sn_status status = sn_session_add_hand(side->view.session, &def, order->device, hand, error);
    if (status || touches) return status;
    status = sn_session_hold(side->view.session, *hand, sn_body((int32_t)order->order.number),
                             order->order.vector[0]);
    if (!status) return SN_OK;
    (void)sn_session_remove_hand(side->view.session, *hand); // nobody knows it yet
    return sni_fail(error, status, sni_nowhere(), "there is no body %u", order->order.number);
}

void sni_pointer_grab(sni_sim_side* side, const sni_envelope* order) {
    sn_clock clock = sn_clock_real();
    sn_error error = {0};
    sni_owned_hand* place = free_place(side);
    int hand = -1;
    if (!side->view.session || !place) {
        sn_device_free(order->device);
        sni_tell_bad(side, order, place ? "what is shown cannot be held" : "too many hands");
        return;
    }
    sn_status status = add_hand(side, order, &hand, &error);
    if (status) {
        sni_tell_bad(side, order, error.text[0] ? error.text : sn_status_text(status));
        return;
    }
    *place = (sni_owned_hand){.taken = true,
                              .hand = hand,
                              .owner = order->from,
                              .request = order->order.request,
                              .device = order->device,
                              .position = order->order.vector[1],
                              .since_ns = clock.now_ns(clock.context)};
}

/// Whether its loop has taken hold, so that it follows from where it was when it was asked for: what moves before that
/// would be taken for an offset between hand and body.
static bool has_hold(const sni_sim_side* side, const sni_owned_hand* hand,
                     const sn_hand_report* report, int64_t now_ns) {
    const int64_t patience_ns = 100000000; // nothing takes hold while time stands still
    return report->safety.cause != SN_CAUSE_IDLE || sn_session_is_paused(side->view.session) ||
           now_ns - hand->since_ns > patience_ns;
}

static void tell_owner(sni_sim_side* side, sni_owned_hand* hand) {
    const sni_envelope to = {.from = hand->owner, .order.request = hand->request};
    char members[48];
    hand->is_told = true;
    sni_tell_hand(side, hand->owner, hand->hand, hand->device, hand->position);
    snprintf(members, sizeof members, "\"hand\":%d", hand->hand);
    sni_tell_good(side, &to, members);
}

static void remove_hand(sni_sim_side* side, sni_owned_hand* hand) {
    (void)sn_session_remove_hand(side->view.session, hand->hand); // it is there
    hand->taken = false;
}

void sni_pointer_release(sni_sim_side* side, const sni_envelope* order) {
    for (int k = 0; k < SNI_HANDS_MOST; k++) {
        sni_owned_hand* hand = &side->hand[k];
        if (hand->taken && hand->hand == (int32_t)order->order.number &&
            hand->owner.number == order->from.number) {
            remove_hand(side, hand);
            sni_tell_good(side, order, "");
            return;
        }
    }
    sni_tell_bad(side, order, "this is no hand of yours");
}

void sni_pointer_release_all(sni_sim_side* side, sni_client_id owner) {
    for (int k = 0; k < SNI_HANDS_MOST; k++)
        if (side->hand[k].taken && side->hand[k].owner.number == owner.number)
            remove_hand(side, &side->hand[k]);
}

/// How long the newest move took until a step had it.
static void measure(sni_sim_side* side, sni_owned_hand* hand, const sn_hand_report* report,
                    int64_t now_ns) {
    uint64_t moved = sni_shown_value(&side->meeting->moved_ns[hand->hand % SNI_HANDS_MOST]);
    if (moved == hand->moved_ns || report->meter.last_ns < (int64_t)moved) return;
    double ms = (double)(now_ns - (int64_t)moved) * 1e-6;
    hand->moved_ns = moved;
    side->sums.latency_ms += ms;
    side->sums.latencies++;
    if (ms > side->sums.latency_worst_ms) side->sums.latency_worst_ms = ms;
}

void sni_pointer_look(sni_sim_side* side, int64_t now_ns) {
    for (int k = 0; k < SNI_HANDS_MOST; k++) {
        sni_owned_hand* hand = &side->hand[k];
        sn_hand_report report;
        if (!hand->taken || !sn_session_ask_hand(side->view.session, hand->hand, &report)) continue;
        if (!hand->is_told && has_hold(side, hand, &report, now_ns)) tell_owner(side, hand);
        measure(side, hand, &report, now_ns);
        if (report.body.i >= 0) hand->has_held = true;
        if (report.body.i >= 0 || !hand->has_held || hand->is_lost) continue;
        hand->is_lost = true; // what it held is gone
        sni_tell_hand(side, hand->owner, hand->hand, NULL, sn_vec3_zero());
    }
}
