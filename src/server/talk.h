// SPDX-License-Identifier: Apache-2.0
/// The thread that talks to clients (role io).
#ifndef SN_SERVER_TALK_H
#define SN_SERVER_TALK_H

#include "server/sn_server.h"

/// Until server->end.
void sni_talk(void* server);
/// Parts of a turn: takes what is to be shown; takes what the other side has told.
void sni_talk_follow_show(sn_server* server);
void sni_talk_hear_news(sn_server* server);
/// Of a client, as "#rrggbb".
const char* sni_talk_colour(sni_client_id id);

#endif
