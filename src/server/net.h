// SPDX-License-Identifier: Apache-2.0
/// Sockets of the viewer: who connects on loopback, asks for files, or opens a WebSocket and talks.
///
/// One thread calls sni_net_turn again and again; it never waits for a client: what a client does not take stays in its
/// queue, and whoever sends looks at how much that is. A client that breaks the rules is told so and closed. What
/// messages mean is not known here (server.c).
#ifndef SN_SERVER_NET_H
#define SN_SERVER_NET_H

#include "server/http.h"
#include "sinew/status.h"

typedef struct sni_net sni_net;

enum { SN_CONNECTIONS_MOST = 64, SN_MESSAGE_MOST = 64 * 1024 };

/// Answer to a GET.
typedef struct sni_response {
    int status; ///< 200, 404, ...
    const char* type;
    const void* body;
    size_t size;
    bool gzip; ///< how the body is
} sni_response;

/// What the owner says to things that happen; `id` is the connection's, from 0.
typedef struct sni_net_owner {
    void* context;
    sni_response (*get)(void* context, const sni_request* request);
    /// 0: a WebSocket may be opened; else the status that it is closed with at once, *why for a person.
    int (*refuses)(void* context, const sni_request* request, const char** why);
    void (*opened)(void* context, int id);
    void (*heard)(void* context, int id, const unsigned char* message, size_t count);
    void (*closed)(void* context, int id);
} sni_net_owner;

/// Listens on 127.0.0.1. port 0: any that is free. SN_ERR_FILE: it cannot be had.
sn_status sni_net_create(int port, const sni_net_owner* owner, sni_net** net, sn_error* error);
/// Tells every client that we go, and closes.
void sni_net_free(sni_net* net);
int sni_net_port(const sni_net* net);

/// Waits up to so long for something to happen, and does it.
void sni_net_turn(sni_net* net, int wait_ms);
/// Queues a message for a WebSocket; one that is closing takes none. Not sent before the next turn, or sni_net_flush.
void sni_net_send(sni_net* net, int id, const void* message, size_t count);
/// Sends what the sockets take now.
void sni_net_flush(sni_net* net);
/// Bytes that a client has not taken yet.
size_t sni_net_waiting(const sni_net* net, int id);
/// Bytes that clients have taken since the beginning.
uint64_t sni_net_sent(const sni_net* net);
/// Closes a WebSocket, with a reason; `closed` is called in the next turn.
void sni_net_close(sni_net* net, int id, sni_ws_status status, const char* why);

#endif
