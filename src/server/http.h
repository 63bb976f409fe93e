// SPDX-License-Identifier: Apache-2.0
/// The head of an HTTP request, as far as the viewer needs it: bytes in, words out.   [RFC9112]
#ifndef SN_SERVER_HTTP_H
#define SN_SERVER_HTTP_H

#include <stdbool.h>
#include <stddef.h>

#include "server/websocket.h"

enum { SN_HTTP_HEAD_MOST = 8192 };

/// Words are cut out of the head; "" where something was not said.
typedef struct sni_request {
    char method[8];
    char path[256]; ///< before the '?'
    char token[80]; ///< of the query
    char host[128];
    char origin[160];
    bool has_origin;
    bool gzip;       ///< the client takes it
    bool keep_alive; ///< wants to ask more
    bool upgrade;    ///< wants a WebSocket of the version we know
    bool protocol;   ///< offers "sinew.1"
    bool has_body;
    char key[SN_WS_KEY_LENGTH + 1];
} sni_request;

typedef enum sni_http_found { SNI_HTTP_MORE, SNI_HTTP_HEAD, SNI_HTTP_WRONG } sni_http_found;

/// *length: of the head with its empty line. WRONG: it is no request, or too long a one.
sni_http_found sni_http_read(const char* bytes, size_t count, sni_request* request, size_t* length);

/// Whether the request came to this machine by a name of its own, so that no other name was made to point here.
bool sni_http_host_is_local(const sni_request* request);
/// Whether the page that asks came from where it asks.
bool sni_http_origin_is_own(const sni_request* request);

#endif
