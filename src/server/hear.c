// SPDX-License-Identifier: Apache-2.0
// What clients say: some of it is done here, the rest is sent to the thread that steps. Thread: io.
#include <stdio.h>

#include "server/quantities.h"
#include "server/sn_server.h"
#include "sinew/pointer_device.h"

static const double SILENCE = 1; // s without a word of its client after which a pointer is lost

bool sni_server_order(sn_server* server, const sni_client* client, const sni_order* order,
                      const sni_envelope* more) {
    sni_parcel parcel;
    memset(&parcel, 0, sizeof parcel);
    if (more) parcel.envelope = *more;
    parcel.envelope.from = client->id;
    parcel.envelope.show = server->stage.show;
    parcel.envelope.model = server->stage.picture.model;
    if (order) {
        size_t length = order->length < sizeof parcel.text ? order->length : sizeof parcel.text - 1;
        parcel.envelope.order = *order;
        parcel.envelope.order.text = NULL; // it is in the message, which goes
        if (length > 0) memcpy(parcel.text, order->text, length);
        server->waiting_answers += order->request != 0;
    }
    return sni_ring_put(&server->meeting.orders, &parcel);
}

static void refuse(sn_server* server, sni_client* client, const sni_order* order, const char* why) {
    sni_client_answer(client, server->net, order->request, NULL, why);
}

static void pass_on(sn_server* server, sni_client* client, const sni_order* order,
                    const sni_envelope* more) {
    if (sni_server_order(server, client, order, more)) return;
    if (more) sn_device_free(more->device);
    if (more) sn_edit_free(more->edit);
    refuse(server, client, order, "too much is asked at once");
}

// ---- hands ----------------------------------------------------------------------------------------------------------

static void grab(sn_server* server, sni_client* client, const sni_order* order) {
    sn_pointer_def def = sn_pointer_def_default();
    sn_pointer_sample start = {.position = order->vector[1], .orientation = sn_quat_identity()};
    sni_envelope more = {0};
    sn_error error = {0};
    bool touches = order->bits & SNI_GRAB_TOUCH;
    int hands = 0;
    for (int k = 0; k < SNI_CLIENT_HANDS; k++) hands += client->hand[k].device != NULL;
    if (!server->stage.is_ready ||
        (!touches && order->number >= (uint32_t)server->stage.picture.bodies)) {
        refuse(server, client, order, "there is no such body");
        return;
    }
    if (order->bits > (SNI_GRAB_SIX | SNI_GRAB_TOUCH) || hands == SNI_CLIENT_HANDS) {
        refuse(server, client, order, hands ? "you have too many hands" : "no such way to hold");
        return;
    }
    def.silence = SILENCE;
    if (sn_pointer_device_create(&def, &more.device, &error)) {
        refuse(server, client, order, error.text);
        return;
    }
    (void)sn_pointer_device_move(more.device, &start); // a pointer, and finite
    pass_on(server, client, order, &more);
}

static void move(sn_server* server, sni_client* client, const sni_order* order, int64_t now_ns) {
    sni_client_hand* hand = sni_client_find_hand(client, (int32_t)order->number);
    if (!hand) return; // it may have been lost just now
    hand->position = order->vector[0];
    hand->turn = order->turn;
    sni_client_move(hand, now_ns);
    sni_show(&server->meeting.moved_ns[hand->hand % SNI_HANDS_MOST], (uint64_t)now_ns);
    sni_show_more(&server->meeting.moves, 1);
}

/// The pointer is not moved any more from here on, so the other side may remove it.
static void release(sn_server* server, sni_client* client, const sni_order* order) {
    sni_client_hand* hand = sni_client_find_hand(client, (int32_t)order->number);
    if (!hand) {
        refuse(server, client, order, "this is no hand of yours");
        return;
    }
    if (sni_server_order(server, client, order, NULL))
        hand->device = NULL;
    else
        refuse(server, client, order, "too much is asked at once");
}

// ---- names, words ---------------------------------------------------------------------------------------------------

static bool is_in_gallery(const sn_server_def* def, const sni_order* order) {
    for (int i = 0; i < def->gallery_count; i++)
        if (strlen(def->gallery[i].name) == order->length &&
            memcmp(def->gallery[i].name, order->text, order->length) == 0)
            return true;
    return false;
}

static bool is_algorithm(const sni_order* order) {
    for (int i = 0; sn_dynamics_algorithm(i); i++)
        if (strlen(sn_dynamics_algorithm(i)) == order->length &&
            memcmp(sn_dynamics_algorithm(i), order->text, order->length) == 0)
            return true;
    return false;
}

static void edit(sn_server* server, sni_client* client, const sni_order* order) {
    sn_scene_load_def load = sn_scene_load_def_default();
    sni_envelope more = {0};
    sn_error error = {0};
    load.no_files = true;
    if (sn_edit_parse(order->text, order->length, "edit", &load, &more.edit, &error)) {
        char text[800];
        sn_error_format(&error, text, sizeof text);
        refuse(server, client, order, text);
        return;
    }
    pass_on(server, client, order, &more);
}

static void watch(sn_server* server, sni_client* client, const sni_order* order) {
    const sni_stage_view* stage = &server->stage;
    sni_envelope more = {0};
    char why[160] = "nothing is shown";
    json_t* answer =
        stage->is_ready
            ? sni_quantities_read(order->text, order->length, stage->picture.model, stage->scene,
                                  sn_units_of(sn_world_units(stage->world)), &more.watch, why,
                                  sizeof why)
            : NULL;
    if (!answer) {
        refuse(server, client, order, why);
        return;
    }
    client->watch_request = order->request;
    client->samples.numbers = more.watch.count;
    client->samples.count = 0;
    sni_bytes_clear(&client->samples.at);
    if (!sni_server_order(server, client, order, &more)) { // the other side does not answer this
        json_decref(answer);
        refuse(server, client, order, "too much is asked at once");
        return;
    }
    server->waiting_answers -= order->request != 0;
    sni_client_answer(client, server->net, order->request, answer, NULL);
}

// ---- all ------------------------------------------------------------------------------------------------------------

static void acknowledge(sn_server* server, sni_client* client, const sni_order* order) {
    if (!sni_client_acknowledge(client, order->number))
        sni_net_close(server->net, client->connection, SNI_WS_PROTOCOL,
                      "an acknowledgement of what was not sent");
    sni_client_answer(client, server->net, order->request, NULL, NULL);
}

static void ping(sn_server* server, sni_client* client, const sni_order* order, int64_t now_ns) {
    sni_client_answer(
        client, server->net, order->request,
        json_pack("{s:f,s:f}", "clock", order->value, "server_ms", (double)now_ns * 1e-6), NULL);
}

void sni_server_hear(sn_server* server, sni_client* client, const unsigned char* message,
                     size_t count, int64_t now_ns) {
    sni_order order;
    const char* wrong = sni_order_read(message, count, &order);
    client->heard_ns = now_ns;
    if (wrong) {
        sni_net_close(server->net, client->connection, SNI_WS_PROTOCOL, wrong);
        return;
    }
    switch (order.type) {
    case SNI_ORDER_ACK: acknowledge(server, client, &order); break;
    case SNI_ORDER_GRAB: grab(server, client, &order); break;
    case SNI_ORDER_MOVE: move(server, client, &order, now_ns); break;
    case SNI_ORDER_RELEASE: release(server, client, &order); break;
    case SNI_ORDER_EDIT: edit(server, client, &order); break;
    case SNI_ORDER_WATCH: watch(server, client, &order); break;
    case SNI_ORDER_PING: ping(server, client, &order, now_ns); break;
    case SNI_ORDER_FORCE_SCALE:
        sni_client_answer(client, server->net, order.request, NULL, NULL);
        break;
    case SNI_ORDER_SCENE:
        if (is_in_gallery(&server->def, &order))
            pass_on(server, client, &order, NULL);
        else
            refuse(server, client, &order, "there is nothing of that name in the gallery");
        break;
    case SNI_ORDER_DYNAMICS:
        if (is_algorithm(&order))
            pass_on(server, client, &order, NULL);
        else
            refuse(server, client, &order, "there is no such algorithm");
        break;
    default: pass_on(server, client, &order, NULL);
    }
}
