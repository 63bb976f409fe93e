// SPDX-License-Identifier: Apache-2.0
/// One who looks: what it has been told, what it has acknowledged, and its hands. Thread: io.
#ifndef SN_SERVER_CLIENT_H
#define SN_SERVER_CLIENT_H

#include <jansson.h>

#include "server/encode_frame.h"
#include "server/net.h"

enum { SNI_CLIENT_HANDS = 8, SNI_FRAMES_AHEAD = 2 };

/// Types of messages to clients.
typedef enum sni_message_type {
    SNI_HELLO = 1,
    SNI_SCENE,
    SNI_FRAME,
    SNI_STATE,
    SNI_METERS,
    SNI_EVENT,
    SNI_ANSWER
} sni_message_type;

/// A pointer of its, in a hand of the session.
typedef struct sni_client_hand {
    sn_device* device; ///< NULL: no hand
    int32_t hand;
    sn_vec3 position; ///< m, where it is
    sn_quat turn;
    int64_t told_ns; ///< when the device was
} sni_client_hand;

typedef struct sni_client {
    bool open;
    sni_client_id id;
    int connection;
    uint32_t messages;                ///< sent
    uint32_t ahead[SNI_FRAMES_AHEAD]; ///< frames that were not acknowledged
    int ahead_count;
    uint32_t last_frame; ///< its number
    uint64_t last_step;  ///< of the simulation, in it
    int64_t last_ns;
    uint32_t generation; ///< of the scene that it has; 0: none
    sni_seen seen;
    sni_samples samples;
    uint32_t watch_request;
    uint64_t state_hash; ///< of the last STATE
    int64_t heard_ns;    ///< when it last said something
    sni_client_hand hand[SNI_CLIENT_HANDS];
} sni_client;

/// Begins a message: its eight bytes.
void sni_client_begin(sni_client* client, sni_message_type type, sni_bytes* message);
/// Sends what was begun; true: it is on its way.
bool sni_client_send(const sni_client* client, sni_net* net, const sni_bytes* message);
/// A message of JSON, which is let go.
void sni_client_tell(sni_client* client, sni_net* net, sni_message_type type, json_t* json);
/// {ok: true} with what `more` (may be NULL; let go) has, or {ok: false, error}; nothing when no answer is wanted.
void sni_client_answer(sni_client* client, sni_net* net, uint32_t request, json_t* more,
                       const char* error);

/// Whether it may have another frame now.
bool sni_client_wants_frame(const sni_client* client, const sni_net* net);
void sni_client_sent_frame(sni_client* client, uint64_t step, int64_t now_ns);
/// False: it acknowledges what it never got.
bool sni_client_acknowledge(sni_client* client, uint32_t frame);

sni_client_hand* sni_client_find_hand(sni_client* client, int32_t hand);
/// Tells a hand's pointer where it is.
void sni_client_move(sni_client_hand* hand, int64_t now_ns);
/// Pointers of a client that was heard of lately rest where they are; others fall silent.
void sni_client_keep_hands(sni_client* client, int64_t now_ns);

void sni_client_close(sni_client* client);

#endif
