// SPDX-License-Identifier: Apache-2.0
/// The thread that talks to clients (role io).
#ifndef SN_SERVER_TALK_H
#define SN_SERVER_TALK_H

#include "server/sn_server.h"

/// Until server->end.
void sni_talk(void* server);
/// One turn, but for what comes and goes by the sockets.
void sni_talk_turn(sn_server* server, int64_t now_ns);
/// A part of it: takes what the other side has told.
void sni_talk_hear_news(sn_server* server);
/// What it has of the scene.
void sni_talk_end(sn_server* server);
/// Of a client, as "#rrggbb".
const char* sni_talk_colour(sni_client_id id);

#endif
