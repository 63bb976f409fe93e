// SPDX-License-Identifier: Apache-2.0
/// Front door of `server`: the viewer's side of a program (sinew/server.h, docs/protocol.md).
///
/// Two threads. The one that steps has sim_side.h: it carries out what clients want between two steps. The other one
/// (server.c) has sockets (net.h), clients (client.h), and what they see: the cast of a scene (cast.h), a picture of
/// each snapshot (picture.h), and messages made of them (encode_scene.h, encode_frame.h, words.h). They meet in
/// show.h. Nothing of what clients send reaches the simulation before order.c has read it.
#ifndef SN_SERVER_SN_SERVER_H
#define SN_SERVER_SN_SERVER_H

#include "server/cast.h"
#include "server/client.h"
#include "server/sim_side.h"
#include "server/words.h"

enum { SNI_TOKEN_LENGTH = 32 };

/// What the thread that talks knows of what is shown.
typedef struct sni_stage_view {
    uint64_t show; ///< number of it
    sn_server_view view;
    char name[128];
    sn_world* world;       ///< NULL: nothing is shown
    const sn_scene* scene; ///< NULL: of a replay
    sni_cast cast;
    sni_picture picture;
    uint32_t generation;    ///< of the scene that was made last
    bool is_ready;          ///< the picture is of the newest snapshot
    const sni_facts* facts; ///< of this show; NULL: none yet
    sni_bytes scene_message;
} sni_stage_view;

/// What it has done, since the beginning.
typedef struct sni_load {
    uint64_t frames, bytes;
    double cpu; ///< s
    int64_t at_ns;
} sni_load;

struct sn_server {
    sn_server_def def;
    char token[SNI_TOKEN_LENGTH + 1];
    char address[128];
    sni_meeting meeting;
    sni_sim_side side;
    sni_thread* thread;
    sni_shown end;
    // handing over what is shown
    sn_server_view next;
    char next_name[128];
    sni_shown wanted, taken; ///< numbers of shows
    // thread io
    sni_net* net;
    sni_client client[SNI_CLIENTS_MOST];
    uint32_t clients_ever;
    sni_stage_view stage;
    uint32_t colour[SNI_CLIENTS_MOST + 1]; ///< rgba of slots, then of devices
    sni_bytes message;                     ///< that is being made
    sni_bytes news;                        ///< that is being read
    int waiting_answers;                   ///< of the other side
    int64_t frame_ns, state_ns, meters_ns; ///< when they are due
    sni_load load, load_before;
    sni_server_load load_rate;
    sn_page_start page_start;
    // what others may ask
    sni_mailbox meter_box;
    sn_server_meter meter[SN_MAILBOX_SLOTS];
};

// ---- parts of it, which its threads call; and tests, without threads ---------------------------------------------------

/// As sn_server_create, without the thread that talks.
sn_status sni_server_create(const sn_server_def* def, sn_server** server, sn_error* error);
/// What is to be shown (NULL: nothing), until the other side has taken it; its number.
uint64_t sni_server_offer(sn_server* server, const sn_server_view* view);
/// A client comes, by its connection, and goes.
void sni_server_open(void* server, int connection);
void sni_server_close(void* server, int connection);
/// One message of a client.
void sni_server_hear(sn_server* server, sni_client* client, const unsigned char* message,
                     size_t count, int64_t now_ns);
/// Sends an order to the other side; false: too many wait.
bool sni_server_order(sn_server* server, const sni_client* client, const sni_order* order,
                      const sni_envelope* more);

#endif
