// SPDX-License-Identifier: Apache-2.0
#include "server/client.h"

#include "sinew/pointer_device.h"

static const int64_t SILENCE_NS = 1000000000, // a client that says nothing for so long has no hands
    REST_NS = 100000000;                      // how often a pointer is told that it is still there
enum { FLOAT_DIGITS = 9, DOUBLE_DIGITS = 17 }; // that keep every bit
enum { WAITING_MOST = 8 << 20 }; // bytes; a client that takes none of them gets no more frames

void sni_client_begin(sni_client* client, sni_message_type type, sni_bytes* message) {
    sni_bytes_clear(message);
    sni_put_u32(message, (uint32_t)type);
    sni_put_u32(message, ++client->messages);
}

bool sni_client_send(const sni_client* client, sni_net* net, const sni_bytes* message) {
    if (message->failed) return false;
    sni_net_send(net, client->connection, message->at, message->count);
    return true;
}

/// Adds JSON, which is let go.
static void put_json(sni_bytes* message, json_t* json, size_t digits) {
    char* text = json ? json_dumps(json, JSON_COMPACT | JSON_REAL_PRECISION(digits)) : NULL;
    if (text)
        sni_put(message, text, strlen(text));
    else
        message->failed = true;
    free(text);
    json_decref(json);
}

void sni_client_tell(sni_client* client, sni_net* net, sni_message_type type, json_t* json) {
    sni_bytes message = {0};
    sni_client_begin(client, type, &message);
    put_json(&message, json, FLOAT_DIGITS);
    (void)sni_client_send(client, net, &message); // without memory it is not told
    sni_bytes_free(&message);
}

void sni_client_answer(sni_client* client, sni_net* net, uint32_t request, json_t* more,
                       const char* error) {
    sni_bytes message = {0};
    json_t* json =
        error ? json_pack("{s:b,s:s}", "ok", 0, "error", error) : json_pack("{s:b}", "ok", 1);
    if (json && more) (void)json_object_update(json, more);
    json_decref(more);
    if (!request) {
        json_decref(json);
        return;
    }
    sni_client_begin(client, SNI_ANSWER, &message);
    sni_put_u32(&message, request);
    sni_put_u32(&message, 0);
    put_json(&message, json, DOUBLE_DIGITS);
    (void)sni_client_send(client, net, &message); // as above
    sni_bytes_free(&message);
}

// ---- frames ---------------------------------------------------------------------------------------------------------

bool sni_client_wants_frame(const sni_client* client, const sni_net* net) {
    return client->ahead_count < SNI_FRAMES_AHEAD &&
           sni_net_waiting(net, client->connection) < WAITING_MOST;
}

void sni_client_sent_frame(sni_client* client, uint64_t step, int64_t now_ns) {
    client->last_frame = client->ahead[client->ahead_count++] = client->messages;
    client->last_step = step;
    client->last_ns = now_ns;
}

bool sni_client_acknowledge(sni_client* client, uint32_t frame) {
    int kept = 0;
    if (frame > client->last_frame) return false;
    for (int k = 0; k < client->ahead_count; k++) // what came before has come, too
        if (client->ahead[k] > frame) client->ahead[kept++] = client->ahead[k];
    client->ahead_count = kept;
    return true;
}

// ---- hands ----------------------------------------------------------------------------------------------------------

sni_client_hand* sni_client_find_hand(sni_client* client, int32_t hand) {
    for (int k = 0; k < SNI_CLIENT_HANDS; k++)
        if (client->hand[k].device && client->hand[k].hand == hand) return &client->hand[k];
    return NULL;
}

void sni_client_move(sni_client_hand* hand, int64_t now_ns) {
    sn_pointer_sample sample = {.position = hand->position, .orientation = hand->turn};
    (void)sn_pointer_device_move(hand->device, &sample); // a pointer, and finite
    hand->told_ns = now_ns;
}

void sni_client_keep_hands(sni_client* client, int64_t now_ns) {
    if (now_ns - client->heard_ns > SILENCE_NS) return;
    for (int k = 0; k < SNI_CLIENT_HANDS; k++) {
        sni_client_hand* hand = &client->hand[k];
        if (hand->device && now_ns - hand->told_ns > REST_NS) sni_client_move(hand, now_ns);
    }
}

void sni_client_close(sni_client* client) {
    sni_seen_free(&client->seen);
    sni_bytes_free(&client->samples.at);
    *client = (sni_client){0};
}
