// SPDX-License-Identifier: Apache-2.0
/// WebSockets as bytes: the answer to a handshake, and frames.   [RFC6455]
///
/// Nothing here reads or writes a socket: bytes in, facts out.
#ifndef SN_SERVER_WEBSOCKET_H
#define SN_SERVER_WEBSOCKET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum sni_opcode {
    SNI_WS_CONTINUATION = 0,
    SNI_WS_TEXT = 1,
    SNI_WS_BINARY = 2,
    SNI_WS_CLOSE = 8,
    SNI_WS_PING = 9,
    SNI_WS_PONG = 10
} sni_opcode;

/// Why a connection is closed, as its other end is told.   [RFC6455 ch 7.4]
typedef enum sni_ws_status {
    SNI_WS_GOING_AWAY = 1001,
    SNI_WS_PROTOCOL = 1002,
    SNI_WS_POLICY = 1008,
    SNI_WS_TOO_LONG = 1009,
    SNI_WS_TRY_LATER = 1013
} sni_ws_status;

enum { SN_WS_ACCEPT_ROOM = 29, SN_WS_KEY_LENGTH = 24, SN_WS_HEADER_MOST = 10 };

/// The answer to a client's key, which has SN_WS_KEY_LENGTH characters.
void sni_ws_accept(const char* key, char answer[SN_WS_ACCEPT_ROOM]);

typedef struct sni_ws_frame {
    bool final;
    sni_opcode opcode;
    unsigned char mask[4];
    size_t header; ///< bytes before the payload
    uint64_t size; ///< of the payload
} sni_ws_frame;

typedef enum sni_ws_found { SNI_WS_MORE, SNI_WS_FRAME, SNI_WS_WRONG } sni_ws_found;

/// Reads the header of a client's frame. MORE: it is not all there; WRONG: it breaks the rules.
sni_ws_found sni_ws_read(const unsigned char* bytes, size_t count, sni_ws_frame* frame);
void sni_ws_unmask(const sni_ws_frame* frame, unsigned char* payload, size_t count);
/// Header of a whole message of ours; returns its length.
size_t sni_ws_header(sni_opcode opcode, size_t size, unsigned char header[SN_WS_HEADER_MOST]);

#endif
