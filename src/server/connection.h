// SPDX-License-Identifier: Apache-2.0
/// One socket: bytes in until they are a request or a message, bytes out as the socket takes them.
#ifndef SN_SERVER_CONNECTION_H
#define SN_SERVER_CONNECTION_H

#include "server/bytes.h"
#include "server/net.h"

typedef enum sni_talk {
    SNI_TALK_NONE, ///< no connection
    SNI_TALK_HTTP,
    SNI_TALK_WEBSOCKET,
    SNI_TALK_ENDING ///< closes when all is sent, or after a while
} sni_talk;

typedef struct sni_connection {
    sni_talk talk;
    bool was_opened; ///< the owner knows it as a WebSocket
    int fd;
    int64_t quiet_ns; ///< since when nothing came
    int64_t ended_ns; ///< when the last was said; 0: not yet
    sni_bytes in;
    sni_bytes message; ///< fragments so far
    bool in_message;   ///< more of it is to come
    sni_bytes out;
    size_t sent; ///< of `out`
} sni_connection;

void sni_connection_open(sni_connection* c, int fd, int64_t now_ns);
void sni_connection_close(sni_connection* c);
/// Reads what is there; false: the other end is gone.
bool sni_connection_read(sni_connection* c, int64_t now_ns, uint64_t* read);
/// Writes what the socket takes; false: the other end is gone.
bool sni_connection_write(sni_connection* c, uint64_t* sent);
size_t sni_connection_waiting(const sni_connection* c);
/// Adds a frame to what is to be sent.
void sni_connection_put(sni_connection* c, sni_opcode opcode, const void* bytes, size_t count);
/// Says why, and ends when that is sent.
void sni_connection_end(sni_connection* c, sni_ws_status status, const char* why);

/// The next whole message of a WebSocket in `in`: *message and *count are valid until the next call. Pings are answered,
/// and what is wrong ends the connection. False: there is none (any more).
bool sni_connection_message(sni_connection* c, const unsigned char** message, size_t* count);

#endif
